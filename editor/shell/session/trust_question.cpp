#include "shell/session/trust_question.h"

#include "core/document/document.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace weir::editor {
namespace {

constexpr qsizetype kMostNames = 4;

} // namespace

TrustQuestion::TrustQuestion(Document& document, QObject* parent) : QObject(parent), m_document(document) {
    connect(&document, &Document::replaced, this, [this] { answer(false); });
}

QString TrustQuestion::code() const {
    const Json& project = m_document.json();
    const Json& blocks = list(member(object(member(object(member(project, "gnuradio")), "flowgraph")), "blocks"));
    const auto named = [&blocks](std::initializer_list<const char*> ids) {
        QStringList names;
        for (const Json& block : blocks) {
            const std::string id = text(member(block, "id"));
            if (std::none_of(ids.begin(), ids.end(), [&id](const char* other) { return id == other; })) continue;
            const QString line = string(object(member(block, "parameters")), "imports").simplified();
            names.append(line.isEmpty() ? string(block, "name") : line);
        }
        return names;
    };
    QStringList parts;
    const auto add = [&parts](const QString& what, const QStringList& names) {
        const QString more = names.size() > kMostNames ? QStringLiteral(", …") : QString();
        if (!names.isEmpty())
            parts.append(
                QStringLiteral("%1 (%2)").arg(what, names.mid(0, kMostNames).join(QStringLiteral(", ")) + more));
    };
    const QStringList embedded = named({"epy_block", "epy_module"}), imports = named({"import"}),
                      snippets = named({"snippet"});
    add(tr("%n embedded Python block(s)", nullptr, static_cast<int>(embedded.size())), embedded);
    add(tr("%n import(s)", nullptr, static_cast<int>(imports.size())), imports);
    add(tr("%n snippet(s) of Python", nullptr, static_cast<int>(snippets.size())), snippets);
    return parts.join(QStringLiteral(" · "));
}

bool TrustQuestion::ask(const Json& answer, std::function<void()> again) {
    const Json& problems = list(member(answer, "diagnostics"));
    if (std::none_of(problems.begin(), problems.end(),
                     [](const Json& problem) { return text(member(problem, "code")) == "E_UNTRUSTED"; }))
        return false;
    m_again = std::move(again);
    emit changed();
    return true;
}

void TrustQuestion::answer(bool trusts) {
    const auto again = std::exchange(m_again, {});
    if (!again) return;
    emit changed();
    if (trusts) again();
}

} // namespace weir::editor
