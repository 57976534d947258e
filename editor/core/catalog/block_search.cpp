#include "core/catalog/block_search.h"

#include "core/text/fuzzy_match.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace weir::editor {
namespace {

/// Quality of a match: a higher rank wins, whatever the finer scores are.
enum Rank { kNone, kLetters, kSomeWords, kDocumentation, kKeywords, kOneKeyword, kWholeKeyword, kName, kWholeName };

constexpr int kBeginning = 100; ///< more than a name has words

struct Match {
    Rank rank = kNone;
    int detail = 0;
    QString because = {};

    bool operator<(const Match& other) const { return std::pair(rank, detail) < std::pair(other.rank, other.detail); }
};

/// Return the words of letters and digits. Names of GNU Radio also have *, which matches any letters.
QStringList wordsOf(const QString& text) {
    QStringList words;
    QString word;
    for (const QChar c : text + u' ') {
        if (c.isLetterOrNumber() || c == u'*') {
            word += c.toLower();
        } else if (!word.isEmpty()) {
            words.append(word);
            word.clear();
        }
    }
    return words;
}

QStringList wordsOf(const std::string& text) { return wordsOf(QString::fromStdString(text)); }

bool begins(const QString& typed, const QStringList& words) {
    return std::any_of(words.begin(), words.end(), [&](const QString& word) { return word.startsWith(typed); });
}

qsizetype found(const QStringList& typed, const QStringList& words) {
    return std::count_if(typed.begin(), typed.end(), [&](const QString& word) { return begins(word, words); });
}

bool foundAll(const QStringList& typed, const QStringList& words) { return found(typed, words) == typed.size(); }

/// True if the typed text has every word of a name such as qtgui_*_sink_x besides the *. An x for a type may be
/// missing.
bool isForeignName(const QStringList& typed, const QStringList& name) {
    QStringList plain;
    std::copy_if(name.begin(), name.end(), std::back_inserter(plain),
                 [](const QString& word) { return !word.contains(u'*'); });
    if (plain.size() == name.size()) return foundAll(typed, name);
    return std::all_of(plain.begin(), plain.end(), [&typed](const QString& word) {
        const auto beginsIt = [&word](const QString& t) { return word.startsWith(t); };
        return word.size() <= 2 || std::any_of(typed.begin(), typed.end(), beginsIt);
    });
}

struct Names {
    QStringList id, title, own;  ///< own: both together
    QStringList keywords;  ///< the words of all keywords
    QStringList all;  ///< including the names of GNU Radio

    explicit Names(const BlockType& type) : id(wordsOf(type.id)), title(wordsOf(type.title)), own(id + title) {
        for (const std::string& keyword : type.keywords) keywords += wordsOf(keyword);
        all = own + keywords;
        for (const std::string& name : type.gnuradio) all += wordsOf(name);
    }
};

Match matchKeywords(const QStringList& typed, const BlockType& type, const Names& names) {
    Match best;
    const auto offer = [&best](Rank rank, const std::string& because) {
        if (rank > best.rank) best = {rank, 0, QString::fromStdString(because)};
    };
    for (const auto* list : {&type.keywords, &type.gnuradio})
        for (const std::string& keyword : *list)
            if (const QStringList words = wordsOf(keyword); words == typed) offer(kWholeKeyword, keyword);
            else if (list == &type.keywords && foundAll(typed, words)) offer(kOneKeyword, keyword);
            else if (list == &type.gnuradio && isForeignName(typed, words)) offer(kKeywords, keyword);
    if (best.rank == kNone && foundAll(typed, names.own + names.keywords))
        for (const std::string& keyword : type.keywords)
            if (found(typed, wordsOf(keyword)) > 0) offer(kKeywords, keyword);
    return best;
}

/// Return the documentation's word that equals or continues a typed word and that neither names nor keywords have.
QString wordOnlyIn(const QStringList& documentation, const QStringList& typed, const QStringList& known) {
    for (const QString& part : typed)
        for (const QString& word : documentation)
            if (word.startsWith(part) && !begins(part, known)) return word;
    return {};
}

Match match(const QString& text, const QStringList& typed, const BlockType& type) {
    const Names names(type);
    if (typed == names.id || typed == names.title) return {kWholeName};
    // A name that begins with the typed text ranks before one that contains it. Among those, fewer words are nearer to
    // the typed text.
    Match name;
    for (const QStringList& words : {names.id, names.title})
        if (foundAll(typed, words))
            name = std::max(name, Match{kName, (words.first().startsWith(typed.first()) ? kBeginning : 0) -
                                                   static_cast<int>(std::min(words.size(), names.id.size()))});
    if (name.rank != kNone) return name;
    if (const Match keyword = matchKeywords(typed, type, names); keyword.rank != kNone) return keyword;
    const QStringList known = names.own + names.keywords, documentation = wordsOf(type.documentation);
    if (foundAll(typed, known + documentation)) return {kDocumentation, 0, wordOnlyIn(documentation, typed, known)};
    if (const auto some = found(typed, names.all); 2 * some >= typed.size())
        return {kSomeWords, static_cast<int>(some)};
    const int letters = std::max(fuzzyScore(text, QString::fromStdString(type.id)),
                                 fuzzyScore(text, QString::fromStdString(type.title)));
    return {letters > 0 ? kLetters : kNone, letters};
}

}  // namespace

std::vector<FoundBlock> findBlocks(const QString& typed, const std::vector<const BlockType*>& types) {
    std::vector<FoundBlock> result;
    const QStringList words = wordsOf(typed);
    if (words.isEmpty()) {
        for (const BlockType* type : types) result.push_back({type});
        return result;
    }
    std::vector<std::pair<Match, const BlockType*>> matches;
    for (const BlockType* type : types) matches.emplace_back(match(typed, words, *type), type);
    std::stable_sort(matches.begin(), matches.end(), [](const auto& a, const auto& b) { return b.first < a.first; });
    // A guess is better than an empty list, but only disturbs beside a real match.
    const Rank best = matches.empty() ? kNone : matches.front().first.rank;
    for (auto& [found, type] : matches)
        if (found.rank != kNone && (found.rank > kSomeWords || found.rank == best))
            result.push_back({type, std::move(found.because)});
    return result;
}

}  // namespace weir::editor
