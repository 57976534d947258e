#include "files_fixture.h"

using namespace Qt::StringLiterals;
using namespace weir::editor;

/// Tests of projects that GNU Radio runs, with the block files of the installed GNU Radio.
class TestHosted : public QObject {
    Q_OBJECT

    static constexpr const char* kFlowgraph = R"(options:
  parameters: {id: rows}
  states: {coordinate: [8, 8], state: enabled}

blocks:
- name: source
  id: blocks_null_source
  parameters: {type: complex, vlen: '1', num_outputs: '1'}
  states: {coordinate: [100, 100], state: enabled}
- name: rows
  id: blocks_stream_to_vector
  parameters: {type: complex, num_items: '8', vlen: '1'}
  states: {coordinate: [400, 100], state: enabled}
- name: sink
  id: blocks_null_sink
  parameters: {type: complex, vlen: '8', num_inputs: '1'}
  states: {coordinate: [700, 100], state: enabled}
- name: strobe
  id: blocks_message_strobe
  parameters: {msg: pmt.intern("x"), period: '1000'}
  states: {coordinate: [100, 300], state: enabled}
- name: store
  id: blocks_message_debug
  parameters: {}
  states: {coordinate: [400, 300], state: enabled}

connections:
- [source, '0', rows, '0']
- [rows, '0', sink, '0']
- [strobe, strobe, store, store]

metadata:
  file_format: 1
)";

    FilesFixture m_files;

    /// Opens the flowgraph in a window.
    std::unique_ptr<WindowFixture> opened() {
        auto w = std::make_unique<WindowFixture>(m_files.project());
        if (!w->isReady()) qFatal("the window is not ready");
        FilesFixture::write(m_files.path(u"rows.grc"_s), kFlowgraph);
        w->editor->files()->open(m_files.path(u"rows.grc"_s));
        const auto isListed = [&w] {
            return w->editor->isHosted() && !w->editor->isListing() && w->editor->isChecked();
        };
        if (!QTest::qWaitFor(isListed, 60000)) qFatal("%s", qPrintable(w->editor->notice()));
        w->settle();
        return w;
    }

    static const Json& entry(WindowFixture& w, const char* block) {
        const Json& project = w.editor->document().json();
        return *find(project, *blockPointer(project, block));
    }

    static const ParameterRow* row(WindowFixture& w, const QString& name) {
        return qobject_cast<ParameterModel*>(w.editor->inspector()->parameters())->row(name);
    }

  private slots:
    void initTestCase() {
        if (!QFileInfo::exists(u"/usr/share/gnuradio/grc/blocks"_s)) QSKIP("GNU Radio is not installed");
        setUpApplication();
    }
    void init() { WindowFixture::failOnQmlWarnings(); }

    void anImportKeepsEveryBlock() {
        const auto w = opened();
        const ExchangeReport& report = *w->editor->exchange()->report();
        QVERIFY2(report.counts().startsWith(u"5 kept · 0 replaced · 0 stubbed"_s), qPrintable(report.counts()));
        QVERIFY(report.rows().front().heading.contains(u"GNU Radio runs"_s));
        QCOMPARE(w->editor->worstSeverity(), QString());
        QVERIFY(w->item(u"run"_s)->isEnabled());
        QCOMPARE(w->editor->scene().block(u"strobe"_s)->title, u"Message Strobe"_s);
    }

    // Regression: the size of the canvas changes while the window is built, and the import took the first one.
    void anImportTakesTheLastSizeOfTheCanvas() {
        const CliCommand real = WindowFixture::realCommand();
        const QString script = m_files.path(u"sizes"_s), asked = m_files.path(u"sizes.asked"_s);
        FilesFixture::write(script, "echo \"$*\" >>" + asked.toUtf8() + "\nexec \"$@\"\n");
        WindowFixture w(m_files.project(), {u"/bin/sh"_s, QStringList{script, real.program} + real.arguments});
        QVERIFY(w.isReady());
        FilesFixture::write(m_files.path(u"rows.grc"_s), kFlowgraph);
        Exchange& exchange = *w.editor->exchange();
        exchange.setRoom({280, 83});
        w.editor->files()->open(m_files.path(u"rows.grc"_s));
        exchange.setRoom({854, 681});
        QTRY_VERIFY_WITH_TIMEOUT(w.editor->isHosted(), 60000);
        QVERIFY2(readAll(asked).contains("--room 854x681") && !readAll(asked).contains("280x83"),
                 readAll(asked).constData());
    }

    void aNewDeploymentCanRunTheFlowgraph() {
        const auto w = opened();
        w->editor->deploymentSettings()->add();
        const Json& deployments = *find(w->editor->document().json(), Pointer("/deployments"));
        QVERIFY(deployments.size() == 2 && deployments[1]["scheduler"] == "gnuradio310");
    }

    void theInspectorHasGnuRadiosLabels() {
        const auto w = opened();
        w->editor->goTo(u"rows"_s);
        QCOMPARE(w->editor->inspector()->title(), u"Stream to Vector"_s);
        const ParameterRow* type = row(*w, u"type"_s);
        QVERIFY(type && type->widget == u"choice"_s && type->options.contains(u"complex"_s));
        QCOMPARE(row(*w, u"num_items"_s)->title, u"Num Items"_s);
        const BlockType* correct = w->editor->scene().catalog().gnuradioBlock("blocks_correctiq");
        QVERIFY(correct && correct->documentation.find("IQ") != std::string::npos);
    }

    void portsFollowTheParametersInTheSameStep() {
        const auto w = opened();
        w->editor->goTo(u"rows"_s);
        w->settle();
        w->fill(u"field:num_items"_s, u"16"_s);
        const auto type = [&w] { return text(find(entry(*w, "rows"), Pointer("/gnuradio/outputs/0/type"))); };
        QTRY_VERIFY2_WITH_TIMEOUT(type() == "c64[16]", type().c_str(), 30000);
        w->editor->undo();
        QVERIFY(type() == "c64[8]" && w->editor->undoText().isEmpty());
        w->editor->redo();
        QVERIFY(type() == "c64[16]" && entry(*w, "rows")["parameters"]["num_items"] == "16");
    }

    void thePaletteHasGnuRadiosBlocks() {
        const auto w = opened();
        BlockPalette& palette = *w->editor->palette();
        const auto has = [&palette](const QString& type) {
            return std::any_of(palette.rows().begin(), palette.rows().end(),
                               [&type](const BlockEntry& one) { return one.type == type; });
        };
        palette.setFilter(u"tag debug"_s);
        QVERIFY(has(u"blocks_tag_debug"_s) && !has(u"digest_sink"_s));
        w->editor->selection().clear();
        BlockInserter& inserter = *w->editor->tools()->inserter();
        inserter.ask({100, 500});
        QVERIFY(inserter.insert(u"blocks_tag_debug"_s));
        const Json& added = entry(*w, "blocks_tag_debug");
        QVERIFY(added["gnuradio"]["name"] == "blocks_tag_debug_0" && added["gnuradio"]["inputs"].size() == 1);
        // Wires connect by type, and messages only to messages.
        GraphScene& scene = w->editor->scene();
        const PortRef source{u"source"_s, u"out0"_s, true}, strobe{u"strobe"_s, u"out_strobe"_s, true};
        const PortRef tags{u"blocks_tag_debug"_s, u"in0"_s, false};
        QVERIFY(scene.connectionProblem(source, tags).isEmpty());
        QVERIFY(!scene.connectionProblem(strobe, tags).isEmpty());
        QVERIFY(scene.connectionProblem(strobe, {u"store"_s, u"in_print"_s, false}).isEmpty());
        w->editor->connectPorts(source, tags);
        // A copy has a name of its own, too.
        w->editor->selection().set({u"blocks_tag_debug"_s});
        w->editor->clipboard()->duplicate();
        QVERIFY(entry(*w, w->editor->selection().onlyBlock().toUtf8().constData())["gnuradio"]["name"] ==
                "blocks_tag_debug_1");
        w->editor->removeSelection();
        const QString back = m_files.path(u"back.grc"_s);
        w->editor->exchange()->exportFlowgraph(QUrl::fromLocalFile(back));
        QTRY_VERIFY2_WITH_TIMEOUT(QFile::exists(back), qPrintable(w->editor->notice()), 60000);
        const QByteArray flowgraph = readAll(back);
        QVERIFY2(flowgraph.contains("- [source, '0', blocks_tag_debug_0, '0']") &&
                     flowgraph.contains("id: blocks_tag_debug\n"),
                 flowgraph.constData());
    }

    void theQuestionNamesTheCode() {
        WindowFixture w(QStringLiteral(WEIR_ROOT "/examples/saxpy_chain.weir.json"));
        QVERIFY(w.isReady());
        Json project = w.editor->document().json();
        Json& blocks = project["gnuradio"]["flowgraph"]["blocks"] = Json::array();
        blocks.push_back({{"name", "import_0"}, {"id", "import"}, {"parameters", {{"imports", "import math"}}}});
        for (const char* name : {"gain", "shift"}) blocks.push_back({{"name", name}, {"id", "epy_block"}});
        w.editor->document().replaceContent(u"code"_s, project);
        QCOMPARE(w.editor->trust()->code(), u"2 embedded Python blocks (gain, shift) · 1 import (import math)"_s);
    }

    void whatMeasuresAsksForTrust_data() {
        QTest::addColumn<QString>("verb");
        for (const char* verb : {"run", "tune", "sweep"}) QTest::newRow(verb) << QString::fromLatin1(verb);
    }

    void whatMeasuresAsksForTrust() {
        QFETCH(const QString, verb);
        const QString script = m_files.path(verb), asked = m_files.path(verb + u".asked"_s);
        const CliCommand real = WindowFixture::realCommand();
        FilesFixture::write(script, "case \"$*\" in\n*\" " + verb.toUtf8() + " \"*--trust*) echo trusted >>" +
                                        asked.toUtf8() + "; exit 1 ;;\n*\" " + verb.toUtf8() +
                                        " \"*--progress*) echo refused >>" + asked.toUtf8() +
                                        R"(
echo 'error: E_UNTRUSTED: m' >&2
echo '{"ok": false, "diagnostics": [{"code": "E_UNTRUSTED", "severity": "error", "pointer": "", "message": "m"}]}'
exit 3 ;;
esac
exec "$@"
)");
        WindowFixture w(QStringLiteral(WEIR_ROOT "/examples/saxpy_chain.weir.json"),
                        {u"/bin/sh"_s, QStringList{script, real.program} + real.arguments});
        QVERIFY(w.isReady());
        const auto begin = [&] {
            if (verb == u"run"_s) w.editor->runner()->run();
            else if (verb == u"tune"_s) w.editor->tuner()->begin();
            else w.editor->sweepRunner()->begin();
        };
        if (verb == u"sweep"_s) {
            w.editor->setView(u"sweep"_s);
            QTRY_VERIFY_WITH_TIMEOUT(w.editor->sweepRunner()->canBegin(), 30000);
        }
        begin();
        QTRY_VERIFY_WITH_TIMEOUT(w.item(u"trustCancel"_s), 20000);
        w.settle();
        // Regression: before the answer, the run had already failed.
        RunController& runner = *w.editor->runner();
        QCOMPARE(runner.state(), verb == u"run"_s ? u"asking"_s : QString());
        QAbstractItemModel& log = *runner.log();
        for (int line = 0; line < log.rowCount(); ++line)
            QVERIFY(log.index(line, 0).data(LogModel::LevelRole).toString() != u"error"_s);
        w.click(u"trustCancel"_s);
        QTRY_VERIFY(!w.item(u"trustCancel"_s) && !w.editor->trust()->isAsking());
        if (verb == u"run"_s) {
            QCOMPARE(runner.state(), u"stopped"_s);
            QCOMPARE(runner.status(), u"not run: the flowgraph is not trusted"_s);
        }
        begin();
        QTRY_VERIFY_WITH_TIMEOUT(w.item(u"trustRun"_s), 20000);
        w.settle();
        QCOMPARE(readAll(asked), QByteArray("refused\nrefused\n"));
        w.click(u"trustRun"_s);
        QTRY_COMPARE_WITH_TIMEOUT(readAll(asked), QByteArray("refused\nrefused\ntrusted\n"), 20000);
        QTRY_VERIFY(!w.item(u"trustRun"_s));
    }
};

QTEST_MAIN(TestHosted)
#include "tst_hosted.moc"
