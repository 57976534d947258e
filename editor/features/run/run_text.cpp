#include "features/run/run_text.h"
#include "core/document/project_places.h"
#include "core/text/prose.h"
#include "core/text/texts.h"

#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

/// Return the block that `stage[2]@p1: message` names, if the project has `stage`.
QString blockNamedBy(const QString& message, const Json& project) {
    const QString instance = message.section(QStringLiteral(": "), 0, 0);
    const std::string id = instance.section(u'[', 0, 0).section(u'@', 0, 0).toStdString();
    for (const Json& block : list(find(project, kGraph.blocks)))
        if (text(member(block, "id")) == id && message.contains(QStringLiteral(": ")))
            return QString::fromStdString(id);
    return {};
}

QString hintFor(const QString& code) {
    if (code == QLatin1String("E_CRASHED"))
        return RunText::tr(
            "the code of a block crashed (the named block, if any); run the program in a debugger, in the run's "
            "folder");
    if (code == QLatin1String("E_TIMEOUT") || code == QLatin1String("E_STALLED"))
        return RunText::tr("run fewer items, or set a longer “timeout_s” in the project's run settings");
    if (code == QLatin1String("E_DISCARDED"))
        return RunText::tr("set a larger probe granularity, or choose the back-end memory");
    if (code == QLatin1String("E_NOT_GRANTED"))
        return RunText::tr("the deployment requires a setting that this machine did not grant");
    if (code == QLatin1String("E_INTERRUPTED"))
        return RunText::tr("the run was stopped; the measurements so far are kept as a partial result");
    return {};
}

} // namespace

QString phaseText(const QString& phase) {
    static const std::pair<const char*, const char*> texts[] = {
        {"configuring", QT_TRANSLATE_NOOP("Run", "configuring")},
        {"compiling", QT_TRANSLATE_NOOP("Run", "compiling")},
        {"compiling the runtime (kept for later builds)",
         QT_TRANSLATE_NOOP("Run", "compiling the runtime (kept for later builds)")},
        {"compiling the graph and the runtime (kept for later builds)",
         QT_TRANSLATE_NOOP("Run", "compiling the graph and the runtime (kept for later builds)")},
        {"compiling the graph, and precompiling its headers for later builds",
         QT_TRANSLATE_NOOP("Run", "compiling the graph, and precompiling its headers for later builds")},
        {"compiling the graph", QT_TRANSLATE_NOOP("Run", "compiling the graph")},
        {"verifying", QT_TRANSLATE_NOOP("Run", "verifying the output")},
        {"waiting", QT_TRANSLATE_NOOP("Run", "waiting for another run on this machine")},
        {"search", QT_TRANSLATE_NOOP("Run", "searching for the best chunk and buffer sizes")},
        {"rate", QT_TRANSLATE_NOOP("Run", "searching for the sustained rate")},
        {"runs", QT_TRANSLATE_NOOP("Run", "starting the run")},
        {"run", QT_TRANSLATE_NOOP("Run", "running")},
        {"analysing", QT_TRANSLATE_NOOP("Run", "analysing")},
        {"stopping", QT_TRANSLATE_NOOP("Run", "stopping")},
        {"starting", QT_TRANSLATE_NOOP("Run", "checking and planning")},
    };
    for (const auto& [name, words] : texts)
        if (phase == QLatin1String(name)) return RunText::tr(words);
    return phase;
}

QString clockText(double seconds) {
    const auto whole = static_cast<qint64>(std::max(std::llround(seconds), 0LL));
    const QString minutes = QStringLiteral("%1:%2").arg(whole / 60 % 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
    if (whole < 3600) return minutes;
    return QStringLiteral("%1:%2:%3")
        .arg(whole / 3600)
        .arg(whole / 60 % 60, 2, 10, QLatin1Char('0'))
        .arg(whole % 60, 2, 10, QLatin1Char('0'));
}

std::vector<Problem> problemsOfRuns(const Json& results, const Json& project) {
    std::vector<Problem> problems;
    for (const Json& run : list(&results))
        for (const Json& reason : list(member(run, "reasons"))) {
            const QString code = string(reason, "code");
            if (!code.startsWith(QStringLiteral("E_")))
                continue;  // warnings about a run's numbers are shown beside them, and are not problems of the project
            const QString message = prose(reason, "message");
            const bool namesBlock = code == QLatin1String("E_BLOCK") || code == QLatin1String("E_CRASHED");
            Problem problem{code,    QStringLiteral("error"), {},
                            message, hintFor(code),           namesBlock ? blockNamedBy(message, project) : QString()};
            if (std::find(problems.begin(), problems.end(), problem) == problems.end())
                problems.push_back(std::move(problem));
        }
    return problems;
}

QString runsFolder(const QString& projectPath) {
    const QFileInfo folder(QFileInfo(projectPath).absolutePath());
    if (!projectPath.isEmpty() && folder.isWritable()) return folder.absoluteFilePath() + QStringLiteral("/runs");
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + QStringLiteral("/weir/runs");
}

}  // namespace weir::editor
