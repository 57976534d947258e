#include "core/problems/problem.h"

#include "core/document/project_places.h"
#include "core/edits/project_edits.h"
#include "core/text/prose.h"

#include <algorithm>

namespace weir::editor {
namespace {

QString blockOf(const std::string& pointerText, const Json& project) {
    std::vector<std::string> path;
    try {
        for (Pointer pointer(pointerText); !pointer.empty(); pointer.pop_back())
            path.insert(path.begin(), pointer.back());
    } catch (const Json::exception&) {
        return {};
    }
    if (path.size() < 3 || path[0] != "graph") return {};
    const Json* part = nullptr;
    try {
        part = find(project, kGraph.root / path[1] / path[2]);
    } catch (const Json::exception&) {
        return {};
    }
    if (!part) return {};
    if (path[1] == "blocks") return string(*part, "id");
    if (path[1] != "connections") return {};
    const auto connection = toConnection(*part);
    if (!connection) return {};
    const bool atTarget = path.size() > 3 && (path[3] == "2" || path[3] == "3");
    return QString::fromStdString(atTarget ? connection->target : connection->source);
}

/// Return the place of a pointer in words of the window.
QString placeOf(const std::string& pointerText, const Json& project, const QString& block) {
    if (!block.isEmpty()) return block;
    try {
        std::vector<std::string> path;
        for (Pointer pointer(pointerText); !pointer.empty(); pointer.pop_back())
            path.insert(path.begin(), pointer.back());
        if (path.empty()) return QObject::tr("project");
        const QString key = QString::fromStdString(path.back());
        if (path[0] == "deployments" && path.size() > 1) {
            const Json* name = find(project, kDeployments / path[1] / "name");
            return name ? QString::fromStdString(text(name))
                        : QObject::tr("deployment %1").arg(QString::fromStdString(path[1]));
        }
        if (path[0] == "parameters" && path.size() > 1) return QString::fromStdString(path[1]);
        return path[0] == "run" ? QObject::tr("run · %1").arg(key) : key;
    } catch (const Json::exception&) {
        return {};
    }
}

int number(const Json& object, const char* key) {
    const Json* value = member(object, key);
    return value && value->is_number_integer() ? value->get<int>() : 0;
}

ProblemFix fixFrom(const Json& fix) {
    ProblemFix result{prose(fix, "title"), string(fix, "pointer"), Json::object()};
    for (const char* kind : {"rename", "set", "remove", "insert"})
        if (const Json* what = member(fix, kind)) result.what[kind] = *what;
    return result;
}

void readPlace(Problem& problem, const Json& place) {
    problem.file = string(place, "file");
    problem.source = string(place, "source");
    problem.line = number(place, "line");
    problem.column = number(place, "column");
    problem.others += strings(member(place, "blocks"));
    problem.others.removeAll(problem.block);
    const QString end = QStringLiteral(":%1: ").arg(problem.line);
    const auto begin = problem.message.indexOf(end);
    problem.said = begin < 0 ? problem.message : problem.message.mid(begin + end.size());
}

int rank(const Problem& problem) {
    return problem.severity == QLatin1String("error") ? 0 : problem.severity == kUnfinished ? 1 : 2;
}

bool isSamePlace(const Problem& a, const Problem& b) {
    if (a.pointer != b.pointer || a.severity != b.severity) return false;
    // Different lines of code are different places.
    if (a.message == b.message) return a.file == b.file && a.line == b.line;
    const bool sameKind = a.code == b.code || a.severity == kUnfinished;
    return sameKind && !a.pointer.isEmpty() && a.file.isEmpty() && b.file.isEmpty();
}

} // namespace

QStringList Problem::fixTitles() const {
    QStringList titles;
    for (const ProblemFix& fix : fixes) titles.append(fix.title);
    return titles;
}

void locate(Problem& problem, const Json& project) {
    const std::string pointer = problem.pointer.toStdString();
    problem.block = blockOf(pointer, project);
    problem.place = placeOf(pointer, project, problem.block);
}

std::vector<Problem> problemsFrom(const Json& answer, const Json& project) {
    std::vector<Problem> problems;
    for (const Json& entry : list(member(answer, "diagnostics"))) {
        Problem problem{string(entry, "code"),   string(entry, "severity"), string(entry, "pointer"),
                        prose(entry, "message"), prose(entry, "hint"),      {}};
        locate(problem, project);
        for (const Json& fix : list(member(entry, "fixes"))) problem.fixes.push_back(fixFrom(fix));
        if (const Json* place = member(entry, "place")) readPlace(problem, *place);
        problem.others += strings(member(entry, "blocks"));
        problems.push_back(std::move(problem));
    }
    return problems;
}

std::vector<Problem> withoutDuplicates(std::vector<Problem> problems) {
    std::stable_sort(problems.begin(), problems.end(),
                     [](const Problem& a, const Problem& b) { return rank(a) < rank(b); });
    std::vector<Problem> merged;
    std::vector<QStringList> messages; // messages of each reported problem
    for (Problem& problem : problems) {
        // Findings of one place are close together; comparing all would be quadratic.
        constexpr std::size_t kNear = 64;
        const auto near = merged.end() - static_cast<std::ptrdiff_t>(std::min(merged.size(), kNear));
        const auto same =
            std::find_if(near, merged.end(), [&](const Problem& other) { return isSamePlace(other, problem); });
        if (same == merged.end()) {
            messages.push_back({problem.message});
            merged.push_back(std::move(problem));
            continue;
        }
        QStringList& said = messages[static_cast<std::size_t>(same - merged.begin())];
        if (said.contains(problem.message)) continue;
        said.append(problem.message);
        for (const QString& block : problem.others)
            if (!same->others.contains(block)) same->others.append(block);
        same->fixes.insert(same->fixes.end(), problem.fixes.begin(), problem.fixes.end());
    }
    constexpr qsizetype kSpelledOut = 4;
    for (std::size_t index = 0; index < merged.size(); ++index) {
        const QStringList& said = messages[index];
        merged[index].message = said.mid(0, kSpelledOut).join(QStringLiteral("; "));
        if (said.size() > kSpelledOut)
            merged[index].message = QObject::tr("%1; and %n more", nullptr, static_cast<int>(said.size() - kSpelledOut))
                                        .arg(merged[index].message);
    }
    return merged;
}

}  // namespace weir::editor
