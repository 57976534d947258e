#include "core/document/project_places.h"
#include "inspector_window.h"

using namespace weir::editor;

/// Tests of filter design in the inspector with real input and the real command line.
class TestDesignWindow : public InspectorWindow {
    Q_OBJECT

    /// Adds a filter with three hand-written taps and selects it.
    void addFilter() {
        QVERIFY(editor().edit(QStringLiteral("add"), [](Transaction& t) {
            addBlock(t, "fir", "fir_filter", {0, 300});
            t.set(*blockPointer(t.json(), "fir") / "parameters" / "taps", Json::array({0.25, 0.5, 0.25}));
        }));
        select({QStringLiteral("fir")});
    }
    Json filterTaps() {
        const auto block = blockPointer(editor().document().json(), "fir");
        const Json* taps = block ? find(editor().document().json(), *block / "parameters" / "taps") : nullptr;
        return taps ? *taps : Json();
    }
    /// Scrolls the inspector until the item is in view.
    void show(const char* item) {
        QTRY_VERIFY(w().item(QLatin1String(item)));
        QQuickItem *found = w().item(QLatin1String(item)), *scroll = found->parentItem();
        while (scroll && !scroll->inherits("QQuickFlickable")) scroll = scroll->parentItem();
        QVERIFY(scroll);
        const QQuickItem* content = scroll->property("contentItem").value<QQuickItem*>();
        // Items above this one and the scrolled content may still be growing.
        const auto below = [&] {
            return found->mapToItem(scroll, QPointF(0, found->height())).y() + 40 - scroll->height();
        };
        double y = 0, before = -1;
        for (int turn = 0; turn < 20 && (y != before || below() > 1); ++turn) {
            before = y;
            y = found->mapToItem(content, QPointF(0, found->height())).y() + 40;
            scroll->setProperty("contentY", std::max(0.0, y - scroll->height()));
            WindowFixture::settle();
        }
    }
    void fillField(const char* name, const QString& text, bool enter = true) {
        const QByteArray field = QByteArray("field:") + name;
        show(field.constData());
        w().click(QLatin1String(field));
        w().key(Qt::Key_A, Qt::ControlModifier);
        w().type(text);
        if (enter) w().key(Qt::Key_Return);
    }

  private slots:
    void aFilterIsDesignedBesideItsTaps() {
        const int before = editor().document().undoStack().index();
        addFilter();
        QTRY_COMPARE(textOf("designSummary"), QStringLiteral("3 taps"));
        const std::string byHand = editor().document().canonicalText();

        // With keys alone: Tab leads from the last field of the parameters to the button.
        w().click(QStringLiteral("field:decimation"));
        for (int key = 0; key < 4 && w().focusItem()->objectName() != QLatin1String("beginDesign"); ++key)
            w().key(Qt::Key_Tab);
        QCOMPARE(w().focusItem()->objectName(), QStringLiteral("beginDesign"));
        w().key(Qt::Key_Return);
        QTRY_COMPARE(w().focusItem()->objectName(), QStringLiteral("field:kind"));
        fillField("cutoff", QStringLiteral("10 kHz"));
        // As in every field, Enter commits the text and stays. A second Enter leads to the next step.
        WindowFixture::settle();
        QCOMPARE(w().focusItem()->objectName(), QStringLiteral("field:cutoff"));
        w().key(Qt::Key_Return);
        QTRY_COMPARE(w().focusItem()->objectName(), QStringLiteral("applyDesign"));
        QTRY_VERIFY_WITH_TIMEOUT(w().item(QStringLiteral("designFacts"))->height() > 60, 30000);
        QCOMPARE(editor().document().canonicalText(), byHand);  // the design is only a proposal so far
        // Tab from the response also leads there, not to the fields below.
        w().item(QStringLiteral("response"))->forceActiveFocus(Qt::TabFocusReason);
        w().key(Qt::Key_Tab);
        QCOMPARE(w().focusItem()->objectName(), QStringLiteral("applyDesign"));
        QTRY_COMPARE_WITH_TIMEOUT(textOf("designSummary"), QString::fromUtf8("3 taps · the design has 49 taps"), 30000);
        // On the screen and for Tab, the inputs come first, then the result, then the buttons.
        double above = 0;
        for (const char* part : {"designSummary", "field:kind", "field:gain", "response", "designFacts"}) {
            const double y = w().item(QLatin1String(part))->mapToScene({}).y();
            QVERIFY2(y > above, part);
            above = y;
        }
        // Tab scrolls the focused item into view.
        QQuickItem* below = w().item(QStringLiteral("field:repeat"));
        QVERIFY(below);
        below->forceActiveFocus(Qt::TabFocusReason);
        const auto bottom = [](QQuickItem* item) { return item->mapRectToScene(item->boundingRect()).bottom(); };
        QTRY_VERIFY(bottom(below) <= w().item(QStringLiteral("designFoot"))->mapToScene({}).y());
        show("field:gain");
        w().click(QStringLiteral("field:gain"));
        w().key(Qt::Key_Tab);
        QCOMPARE(w().focusItem()->objectName(), QStringLiteral("response"));
        // The buttons are in view at every scroll position. A design that the user leaves is kept, and a message says
        // so.
        for (const char* shown : {"field:kind", "designFacts"}) {
            show(shown);
            const QRectF use = w().item(QStringLiteral("applyDesign"))->mapRectToScene({0, 0, 20, 20});
            QVERIFY(QRectF(QPointF(), w().window->size()).contains(use));
        }
        select({QStringLiteral("gain")});
        QVERIFY(!w().item(QStringLiteral("designFoot")));
        QVERIFY2(editor().notice().startsWith(QStringLiteral("The design of fir is not used yet")),
                 qPrintable(editor().notice()));
        select({QStringLiteral("fir")});
        QTRY_VERIFY(w().item(QStringLiteral("designUnused")));
        QTRY_VERIFY_WITH_TIMEOUT(w().item(QStringLiteral("designFacts"))->height() > 60,
                                 30000);  // the response is drawn again
        w().click(QStringLiteral("applyDesign"));
        QTRY_COMPARE_WITH_TIMEOUT(lastStep(), QStringLiteral("Design fir: low pass"), 30000);
        QVERIFY(at("/ui/designs/fir.taps/cutoff") == Json({{"expr", "10 k"}}));
        QVERIFY(at("/ui/designs/fir.taps/sample_rate") == Json(48000));
        const Json taps = filterTaps();
        QVERIFY2(taps.size() == 49 && taps[0] == taps[48], taps.dump().c_str());
        QCOMPARE(editor().document().undoStack().index(), before + 2);
        QTRY_COMPARE_WITH_TIMEOUT(textOf("designSummary"), QString::fromUtf8("49 taps · low pass · 10.0 kHz"), 30000);

        // A change is one step that sets both taps and design. An impossible design changes nothing and can be
        // corrected.
        fillField("transition", QStringLiteral("= 2 * 2400"));
        QTRY_COMPARE_WITH_TIMEOUT(filterTaps().size(), std::size_t{25}, 30000);
        QCOMPARE(editor().document().undoStack().index(), before + 3);
        const std::string wide = editor().document().canonicalText();
        fillField("cutoff", QStringLiteral("30k"));
        QTRY_VERIFY_WITH_TIMEOUT(w().item(QStringLiteral("fieldProblem")), 30000);
        QVERIFY(textOf("fieldProblem").contains(QStringLiteral("half the sample rate")));
        QCOMPARE(editor().document().canonicalText(), wide);
        QCOMPARE(textOf("field:cutoff"), QStringLiteral("30k"));
        w().click(QStringLiteral("field:cutoff"));
        w().key(Qt::Key_Escape);
        QTRY_VERIFY(!w().item(QStringLiteral("fieldProblem")));
        QCOMPARE(textOf("field:cutoff"), QStringLiteral("10 kHz"));
        editor().undo();
        QVERIFY(filterTaps() == taps);
        editor().undo();
        QCOMPARE(editor().document().canonicalText(), byHand);
        editor().document().undoStack().setIndex(before);
    }

    void aDesignThatNoLongerGivesTheTapsIsMarked() {
        const int before = editor().document().undoStack().index();
        addFilter();
        const Pointer block = *blockPointer(editor().document().json(), "fir");
        QVERIFY(editor().edit(QStringLiteral("design"), [](Transaction& t) {
            t.set(Pointer("/parameters/rate"), {{"value", 48000}});
            t.set(Pointer("/ui/designs/fir.taps"), {{"kind", "high_pass"},
                                                    {"sample_rate", {{"expr", "rate"}}},
                                                    {"cutoff", 9000},
                                                    {"transition", 6000},
                                                    {"window", "hann"}});
        }));
        QTRY_VERIFY_WITH_TIMEOUT(w().item(QStringLiteral("designChanged")), 30000);
        w().click(QStringLiteral("applyDesign"));
        QTRY_COMPARE_WITH_TIMEOUT(filterTaps().size(), std::size_t{17}, 30000);
        QTRY_VERIFY_WITH_TIMEOUT(!w().item(QStringLiteral("applyDesign")), 30000);

        QVERIFY(editor().edit(QStringLiteral("by hand"),
                              [&](Transaction& t) { t.set(block / "parameters" / "taps" / 3, 0.25); }));
        QTRY_VERIFY_WITH_TIMEOUT(w().item(QStringLiteral("designChanged")), 30000);
        editor().undo();
        QTRY_VERIFY_WITH_TIMEOUT(!w().item(QStringLiteral("designChanged")), 30000);
        QVERIFY(editor().edit(QStringLiteral("faster"),
                              [](Transaction& t) { t.set(Pointer("/parameters/rate/value"), 50000); }));
        QTRY_VERIFY_WITH_TIMEOUT(w().item(QStringLiteral("designChanged")), 30000);
        w().click(QStringLiteral("dropDesign"));
        QCOMPARE(lastStep(), QStringLiteral("Discard the design of fir"));
        QVERIFY(at("/ui/designs/fir.taps").is_null() && filterTaps().size() == 17);
        QTRY_VERIFY(w().item(QStringLiteral("beginDesign")));
        editor().document().undoStack().setIndex(before);
    }

    // A fixed default of 48 kHz would be wrong for most graphs.
    void aDesignBeginsWithTheRateOfItsStream() {
        const int before = editor().document().undoStack().index();
        addFilter();
        QVERIFY(editor().edit(QStringLiteral("source"), [](Transaction& t) {
            addBlock(t, "tone", "signal_source", {-600, 300});
            addBlock(t, "thin", "fir_filter", {-300, 300});
            t.set(*blockPointer(t.json(), "thin") / "parameters" / "decimation", 10);
            t.set(Pointer("/parameters/samp_rate"), {{"value", 1000}});
            for (const auto& [from, to] : {std::pair("tone", "thin"), std::pair("thin", "fir")})
                t.append(kGraph.connections, Json::array({from, "out", to, "in"}));
        }));
        const auto begun = [&] {
            show("beginDesign");
            w().click(QStringLiteral("beginDesign"));
            const bool isBegun =
                QTest::qWaitFor([&] { return w().item(QStringLiteral("field:sample_rate")) != nullptr; }, 5000);
            return isBegun ? textOf("field:sample_rate") : QString();
        };
        QCOMPARE(begun(), QStringLiteral("= samp_rate"));  // no block states another rate
        w().click(QStringLiteral("dropDesign"));
        QVERIFY(editor().edit(QStringLiteral("rate"), [](Transaction& t) {
            t.set(*blockPointer(t.json(), "tone") / "parameters" / "sample_rate", 240000);
        }));
        QCOMPARE(begun(), QStringLiteral("24 kHz"));
        // After a change of the rate, values that no longer fit are marked.
        const auto isMarked = [&] { return w().item(QStringLiteral("field:cutoff"))->property("wrong").toBool(); };
        QVERIFY(!isMarked());
        fillField("sample_rate", QStringLiteral("4k"));
        QTRY_VERIFY_WITH_TIMEOUT(isMarked(), 30000);
        fillField("sample_rate", QStringLiteral("48k"));
        QTRY_VERIFY_WITH_TIMEOUT(!isMarked(), 30000);
        editor().document().undoStack().setIndex(before);
    }

    void aDesignIsForTheBlockThatItWasTypedFor() {
        const int before = editor().document().undoStack().index();
        addFilter();
        QVERIFY(editor().edit(QStringLiteral("design"), [](Transaction& t) {
            t.set(Pointer("/ui/designs/fir.taps"), {{"kind", "low_pass"},
                                                    {"sample_rate", 48000},
                                                    {"cutoff", 9000},
                                                    {"transition", 6000},
                                                    {"window", "hann"}});
        }));
        QTRY_VERIFY(w().item(QStringLiteral("field:transition")));
        fillField("transition", QStringLiteral("3k"), false);
        select({QStringLiteral("gain")});  // the focus leaves the field, and another block is shown
        QTRY_COMPARE_WITH_TIMEOUT(filterTaps().size(), std::size_t{33}, 30000);
        QVERIFY(at("/ui/designs/fir.taps/transition") == Json({{"expr", "3k"}}));
        // The design does not overwrite taps that changed in the meantime.
        select({QStringLiteral("fir")});
        QTRY_VERIFY(w().item(QStringLiteral("field:transition")));
        fillField("transition", QStringLiteral("6k"));
        QVERIFY(editor().edit(QStringLiteral("other"),
                              [](Transaction& t) { t.set(Pointer("/ui/designs/fir.taps/cutoff"), 5000); }));
        QTRY_VERIFY_WITH_TIMEOUT(editor().notice().contains(QStringLiteral("changed in the meantime")), 30000);
        QCOMPARE(filterTaps().size(), std::size_t{33});
        QVERIFY(at("/ui/designs/fir.taps/transition") == Json({{"expr", "3k"}}));
        editor().document().undoStack().setIndex(before);
    }
};

QTEST_MAIN(TestDesignWindow)
#include "moc_inspector_window.cpp"
#include "tst_design_window.moc"
