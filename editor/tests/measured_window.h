#pragma once

#include "results_fixture.h"
#include "window_fixture.h"

#include <QDir>
#include <QTemporaryDir>

#include <algorithm>
#include <functional>

namespace weir::editor {

constexpr int kAnswerMs = 30000;

inline bool copyFolder(const QString& from, const QString& to) {
    QDir().mkpath(to);
    for (const QFileInfo& entry : QDir(from).entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot))
        if (!(entry.isDir() ? copyFolder(entry.filePath(), to + u'/' + entry.fileName())
                            : QFile::copy(entry.filePath(), to + u'/' + entry.fileName())))
            return false;
    return true;
}

/// Applies `change` to the content of a file.
inline bool changeText(const QString& path, const std::function<QByteArray(QByteArray)>& change) {
    QFile file(path);
    const QByteArray text = change(readAll(path));
    return file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(text) == text.size() && file.flush();
}

/// Applies `change` to the content of a JSON file.
inline bool changeJson(const QString& path, const std::function<void(Json&)>& change) {
    return changeText(path, [&change](const QByteArray& text) {
        Json json = parse(text);
        change(json);
        return QByteArray::fromStdString(json.dump());
    });
}

/// Temporary folder with the measured projects and copies of the recorded runs whose names match the patterns.
class RunsFolder {
  public:
    explicit RunsFolder(const QStringList& patterns = {QStringLiteral("*")}) {
        for (const QFileInfo& project : QDir(kMeasured).entryInfoList({QStringLiteral("*.weir.json")}))
            if (!QFile::copy(project.filePath(), path(project.fileName()))) qFatal("a project cannot be copied");
        for (const QString& run : QDir(kMeasured).entryList(patterns, QDir::Dirs | QDir::NoDotAndDotDot)) add(run);
    }

    QString path(const QString& name = {}) const { return m_folder.filePath(name); }
    QString project(const QString& name = QStringLiteral("series")) const {
        return path(name + QStringLiteral(".weir.json"));
    }
    /// Return the paths of the runs whose names match, the oldest first.
    QStringList runs(const char* pattern = "*-series-*") const {
        QStringList found;
        for (const QString& name : QDir(path()).entryList({QLatin1String(pattern)}, QDir::Dirs, QDir::Name))
            found.append(path(name));
        return found;
    }
    /// Adds a copy of a recorded run.
    void add(const QString& run) const {
        if (!copyFolder(kMeasured + u'/' + run, path(run))) qFatal("a run cannot be copied");
    }
    /// Applies `change` to results.json of each matching run.
    bool change(const char* pattern, const std::function<void(Json&)>& change) const {
        const QStringList changed = runs(pattern);
        return !changed.isEmpty() && std::all_of(changed.begin(), changed.end(), [&change](const QString& run) {
            return changeJson(run + QStringLiteral("/results.json"), change);
        });
    }

    /// Return a command that acts as the real command line, except that `run` only logs its arguments.
    CliCommand noting() const {
        QFile file(path(QStringLiteral("cli.py")));
        if (!file.open(QIODevice::WriteOnly)) qFatal("no command");
        file.write("import os, sys\nsys.path.insert(0, '" WEIR_ROOT
                   "/codegen')\n"
                   "if sys.argv[1] == 'run':\n"
                   "    open(os.path.dirname(sys.argv[0]) + '/words', 'w').write(' '.join(sys.argv[1:]))\n"
                   "    print('[]')\n    sys.exit(0)\n"
                   "from weir.cli import main\nsys.exit(main(sys.argv[1:]))\n");
        return {QStringLiteral("/usr/bin/python3"), {file.fileName()}};
    }

  private:
    QTemporaryDir m_folder;
};

/// Window with a project and a folder of runs.
struct MeasuredWindow : WindowFixture {
    explicit MeasuredWindow(const QString& project, const QString& runs = kMeasured, const char* view = "",
                            const CliCommand& command = realCommand())
        : WindowFixture(project, command), results(*editor->results()), comparison(*editor->comparison()),
          heat(*results.heat()) {
        results.library()->setFolder(runs);
        editor->setView(QLatin1String(view));
    }
    explicit MeasuredWindow(const RunsFolder& folder, const char* view = "results",
                            const CliCommand& command = realCommand())
        : MeasuredWindow(folder.project(), folder.path(), view, command) {}

    /// Wait until the runs are listed and the newest one is read.
    bool isShown() {
        return isReady() && QTest::qWaitFor([this] { return results.run()->isShown(); }, kAnswerMs);
    }
    /// Wait until the graph also shows the numbers of the chosen deployment.
    bool isMeasured() {
        return isShown() && QTest::qWaitFor([this] { return item(QStringLiteral("heatLegend")); }, kAnswerMs);
    }
    /// Return whether the graph shows the numbers of the page's run.
    bool isOnGraph() const { return heat.isEnabled() && results.shown()->path() == results.run()->path(); }

    void choose(const QString& deployment) {
        editor->setDeploymentIndex(static_cast<int>(editor->deployments().indexOf(deployment)));
    }

    Results& results;
    RunComparison& comparison;
    HeatMap& heat;
};

} // namespace weir::editor
