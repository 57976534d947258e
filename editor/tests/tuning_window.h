#pragma once

#include "core/document/project_places.h"
#include "core/edits/project_edits.h"
#include "features/tuning/tuner.h"
#include "measured_window.h"
#include "pictures.h"

namespace weir::editor {

using namespace Qt::StringLiterals;
using pictures::inkOf;

inline const QString kAnswer = QStringLiteral(WEIR_TEST_DATA "/tuned_answer.json");
inline const QString kExample = QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json");

/// Return the real command line, except that a one-minute search is recorded: it logs its arguments, and waits for the
/// file `go` or an interrupt.
inline CliCommand recordedSearch(const QTemporaryDir& folder) {
    QFile file(folder.filePath(QStringLiteral("cli.py")));
    if (!file.open(QIODevice::WriteOnly)) qFatal("no command");
    file.write(
        "import json, os, signal, sys, time\nsys.path.insert(0, '" WEIR_ROOT
        "/codegen')\n"
        "here = os.path.dirname(sys.argv[0])\n"
        "if sys.argv[1] == 'tune' and '60s' in sys.argv:\n"
        "    signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "    open(here + '/input', 'w').write(sys.stdin.read())\n"
        "    open(here + '/words', 'w').write(' '.join(sys.argv[1:]))\n"
        "    answer = json.load(open('" WEIR_TEST_DATA
        "/tuned_answer.json'))\n"
        "    for phase, name in (('profiling', None), ('looking', None), ('measuring', 'flow-auto-w2-spin')):\n"
        "        print(json.dumps({'phase': phase, 'done': 1, 'total': 4, 'eta_s': 40.0, 'run_id': None,\n"
        "                          'items_per_s': None, 'deployment': name, 'left': 4}), file=sys.stderr, flush=True)\n"
        "    try:\n"
        "        while not os.path.exists(here + '/go'):\n            time.sleep(0.01)\n"
        "    except KeyboardInterrupt:\n        answer['interrupted'] = True\n"
        "    open(sys.argv[sys.argv.index('--output') + 1], 'w').write('{}')\n"
        "    print(json.dumps(answer), flush=True)\n"
        "    sys.exit(4 if answer['interrupted'] else 0)\n"
        "from weir.cli import main\nsys.exit(main(sys.argv[1:]))\n");
    return {QStringLiteral("/usr/bin/python3"), {file.fileName()}};
}

/// Window with one project for all cases of the search for a better deployment. Each case restores the project.
class TuningWindow : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        setUpApplication();
        WindowFixture::failOnQmlWarnings();
        m_window = std::make_unique<WindowFixture>(kExample, recordedSearch(m_folder));
        QVERIFY(m_window->isReady());
        w().window->resize(1440, 900);
    }

    void init() {
        WindowFixture::failOnQmlWarnings();
        QFile::remove(m_folder.filePath(u"go"_s));
    }

    void cleanup() {
        if (tuner().isRunning()) {
            tuner().stop();
            QVERIFY(comesTo([&] { return !tuner().isRunning(); }));
        }
        tuner().discard();
        tuner().setOpen(false);
        while (editor().document().canUndo()) editor().undo();
        editor().dismissNotice();
        QVERIFY(comesTo([&] { return editor().isChecked(); }));
        editor().setDeploymentIndex(0);
    }

    void cleanupTestCase() { m_window.reset(); }

  protected:
    QTemporaryDir m_folder;
    std::unique_ptr<WindowFixture> m_window;

    WindowFixture& w() { return *m_window; }
    Editor& editor() { return *m_window->editor; }
    Tuner& tuner() { return *m_window->editor->tuner(); }
    QString words() { return QString::fromUtf8(readAll(m_folder.filePath(u"words"_s))); }
    QString textOf(const char* item) {
        const QQuickItem* found = w().item(QLatin1String(item));
        return found ? found->property("text").toString() : QString();
    }
    void letGo() {
        QFile go(m_folder.filePath(u"go"_s));
        QVERIFY(go.open(QIODevice::WriteOnly));
    }
    bool comesTo(const std::function<bool()>& what) { return QTest::qWaitFor(what, kAnswerMs); }

    /// Runs the recorded search until it has answered.
    void search() {
        letGo();
        tuner().setOpen(true);
        tuner().setBudget(u"60"_s);
        tuner().begin();
        QVERIFY(comesTo([&] { return tuner().isAnswered(); }));
    }

    /// Choose a candidate that moves blocks and is not a deployment of the project. Return its row.
    int moving() {
        const auto& all = tuner().answer()->candidates;
        for (std::size_t row = 0; row < all.size(); ++row) {
            tuner().choose(int(row));
            if (tuner().canApply() && !tuner().blockColours().isEmpty()) return int(row);
        }
        return -1;
    }
};

} // namespace weir::editor
