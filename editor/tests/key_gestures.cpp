#include "key_gestures.h"

#include <QSignalSpy>

namespace weir::editor {

void KeyGestures::tabAndTypingAddABlock() {
    ReadyWindow w(project());
    w.click(at(w, {500, 300}));
    w.key(Qt::Key_Shift); // switches to keyboard hints
    QCOMPARE(w.canvas()->tabWords(), QStringLiteral("Tab: insert a block"));
    QTRY_VERIFY(w.item(QStringLiteral("tabWords")));
    w.key(Qt::Key_Tab);
    QTRY_VERIFY(popupIsOpen(w));
    QVERIFY(w.editor->tools()->inserter()->purpose().isEmpty());
    // A shortcut of the window types no text.
    const auto typed = [&w] { return w.focusItem()->property("text").toString(); };
    w.key(Qt::Key_4, Qt::AltModifier);
    QCOMPARE(typed(), QString());
    w.type(QStringLiteral("thrt"));
    QSignalSpy revealed(w.editor.get(), &Session::revealRequested);
    w.key(Qt::Key_Return);
    QTRY_VERIFY(w.item(QStringLiteral("block:throttle")));
    QCOMPARE(revealed.count(), 1);
    isOneStep(w, "Add throttle");
}

/// After the sink is deleted, Tab continues the only open stream.
void KeyGestures::withNothingSelectedTheOnlyOpenStreamGoesOn() {
    ReadyWindow w(QStringLiteral(WEIR_ROOT "/examples/quickstart.weir.json"));
    keysFor(w, "sink");
    w.key(Qt::Key_Shift); // switches to keyboard hints
    w.key(Qt::Key_Delete);
    QTRY_VERIFY(!w.item(QStringLiteral("block:sink")) && w.editor->selection().isEmpty());
    QTRY_COMPARE(w.canvas()->tabWords(), QStringLiteral("Tab: insert a block after stage"));
    w.key(Qt::Key_Tab);
    QTRY_VERIFY(popupIsOpen(w));
    QCOMPARE(w.editor->tools()->inserter()->purpose(), QStringLiteral("after stage"));
    w.type(QStringLiteral("null sink"));
    w.key(Qt::Key_Return);
    QTRY_VERIFY(w.item(QStringLiteral("block:null_sink")));
    QCOMPARE(wires(w).last(), QStringLiteral("stage>null_sink"));
    // After a click on the canvas, the block goes to the clicked place.
    w.editor->undo();
    QTRY_VERIFY(!w.item(QStringLiteral("block:null_sink")));
    w.click(at(w, {500, 600}));
    w.key(Qt::Key_Tab);
    QTRY_VERIFY(popupIsOpen(w));
    QVERIFY(w.editor->tools()->inserter()->purpose().isEmpty());
}

void KeyGestures::aNewBlockIsJoinedToTheSelectedOne() {
    ReadyWindow w(project());
    keysFor(w, "lone");
    w.key(Qt::Key_Insert);
    QTRY_VERIFY(popupIsOpen(w));
    QCOMPARE(w.editor->tools()->inserter()->purpose(), QStringLiteral("after lone"));
    w.type(QStringLiteral("null sink"));
    w.key(Qt::Key_Return);
    QTRY_VERIFY(w.item(QStringLiteral("block:null_sink")));
    QCOMPARE(wires(w).last(), QStringLiteral("lone>null_sink"));
    const GraphScene& scene = w.editor->scene();
    QVERIFY(scene.block(QStringLiteral("null_sink"))->rect.left() > scene.block(QStringLiteral("lone"))->rect.right());
    QCOMPARE(scene.wires().back().from.y(), scene.wires().back().to.y());
    isOneStep(w, "Add null_sink");
    // Fitting blocks come first, after exact name matches. The other blocks say that they will not be connected.
    keysFor(w, "bytes");
    w.key(Qt::Key_Insert);
    QTRY_VERIFY(popupIsOpen(w));
    const auto& rows = w.editor->tools()->inserter()->rows();
    const auto rowOf = [&rows](const char* type) {
        return std::find_if(rows.begin(), rows.end(),
                            [&](const BlockEntry& row) { return row.type == QLatin1String(type); });
    };
    w.type(QStringLiteral("sourc"));
    QVERIFY(rowOf("throttle") < rowOf("null_source") && rowOf("null_source") != rows.end());
    QCOMPARE(rowOf("null_source")->reason, QStringLiteral("stands alone"));
    QVERIFY(rowOf("throttle")->reason != QStringLiteral("stands alone"));
    w.key(Qt::Key_A, Qt::ControlModifier);
    w.type(QStringLiteral("null source"));
    QCOMPARE(rows.front().type, QStringLiteral("null_source"));
    w.key(Qt::Key_Escape);
    // A block that has only an output goes before the selected block. If no port is free, nothing is connected.
    keysFor(w, "lone");
    w.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    w.type(QStringLiteral("null source"));
    w.key(Qt::Key_Return);
    QCOMPARE(wires(w).last(), QStringLiteral("null_source>lone"));
    QVERIFY(w.canvas()->hasActiveFocus());
    const auto joined = wires(w).size();
    keysFor(w, "mag");
    w.key(Qt::Key_Insert);
    QTRY_VERIFY(popupIsOpen(w));
    QCOMPARE(w.editor->tools()->inserter()->purpose(), QString());
    w.type(QStringLiteral("head"));
    w.key(Qt::Key_Return);
    QTRY_VERIFY(w.item(QStringLiteral("block:head")));
    QCOMPARE(wires(w).size(), joined);
    blocksAreApart(w);
}

// Regression: the popup covered the selected block, and the new block was out of view.
void KeyGestures::atTheEdgeOfTheViewNothingIsCovered() {
    ReadyWindow w(project());
    const BlockView* lone = w.editor->scene().block(QStringLiteral("lone"));
    const QPointF corner = w.canvas()->toView(lone->rect.bottomRight());
    w.canvas()->panBy(QPointF(w.canvas()->width() - 10, w.canvas()->height() / 2) - corner);
    keysFor(w, "lone");
    const QPointF before = w.canvas()->toView(lone->rect.topLeft());
    w.key(Qt::Key_Insert);
    QTRY_VERIFY(popupIsOpen(w));
    const auto onScreen = [&w](const QString& name) {
        const QQuickItem* item = w.item(name);
        return item->mapRectToScene(item->boundingRect());
    };
    const QRectF popup = onScreen(QStringLiteral("insertList")).united(onScreen(QStringLiteral("insertFilter")));
    const QRectF block = onScreen(QStringLiteral("block:lone"));
    QVERIFY2(!popup.intersects(block), qPrintable(QStringLiteral("%1 to %2, %3 to %4")
                                                      .arg(popup.left())
                                                      .arg(popup.right())
                                                      .arg(block.left())
                                                      .arg(block.right())));
    w.type(QStringLiteral("null sink"));
    w.key(Qt::Key_Return);
    QTRY_VERIFY(w.item(QStringLiteral("block:null_sink")));
    const QRectF view = w.canvas()->mapRectToScene(w.canvas()->boundingRect());
    QTRY_VERIFY(view.contains(onScreen(QStringLiteral("block:null_sink"))));
    QVERIFY(view.contains(onScreen(QStringLiteral("block:lone"))));
    // The view moves no further than necessary to show the new block, and not vertically.
    const QPointF after = w.canvas()->toView(w.editor->scene().block(QStringLiteral("lone"))->rect.topLeft());
    QCOMPARE(after.y(), before.y());
    QVERIFY2(view.right() - onScreen(QStringLiteral("block:null_sink")).right() <= 22, "it went further than needed");
    blocksAreApart(w);
}

void KeyGestures::aChainIsDrawnWithoutLeavingThePopup() {
    ReadyWindow w(project());
    w.click(QStringLiteral("insertButton"));
    QTRY_VERIFY(popupIsOpen(w));
    QTRY_VERIFY(w.item(QStringLiteral("insertFilter"))->hasActiveFocus());
    // An open popup keeps all keys from the window, except the key of the command palette.
    w.key(Qt::Key_F1);
    QTRY_VERIFY(w.item(QStringLiteral("commandField")));
    QVERIFY(!popupIsOpen(w));
    w.key(Qt::Key_Escape);
    QTRY_VERIFY(!w.item(QStringLiteral("commandField")));
    w.click(QStringLiteral("insertButton"));
    QTRY_VERIFY(popupIsOpen(w) && w.item(QStringLiteral("insertFilter"))->hasActiveFocus());
    // A click on the star of a block does not insert it.
    const QString first = QStringLiteral("insert:") + w.editor->tools()->inserter()->rows().front().type;
    QTRY_VERIFY(w.item(first + QStringLiteral(":star")));
    w.click(first + QStringLiteral(":star"));
    QVERIFY(w.editor->tools()->inserter()->rows().front().favourite);
    QVERIFY(popupIsOpen(w));
    QCOMPARE(w.editor->document().undoStack().count(), 0);
    for (const char* type : {"signal_source", "throttle", "rotator", "fft", "complex_to_mag", "log10", "null_sink"}) {
        w.type(QString::fromLatin1(type));
        w.key(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(w.item(QStringLiteral("block:") + QLatin1String(type)));
        QVERIFY(popupIsOpen(w));
        QCOMPARE(w.item(QStringLiteral("insertFilter"))->property("text").toString(), QString());
        QVERIFY(w.item(QStringLiteral("insertFilter"))->hasActiveFocus());
        const QRectF rect = w.editor->scene().block(QLatin1String(type))->rect;
        const QRectF shown(w.canvas()->toView(rect.topLeft()), w.canvas()->toView(rect.bottomRight()));
        QVERIFY2(w.canvas()->boundingRect().contains(shown), type);
        // The block inserted last stays visible while the user chooses the next one.
        const QQuickItem* list = w.item(QStringLiteral("insertList"));
        QVERIFY2(w.canvas()->blocksUnder(list->mapRectToItem(w.canvas(), list->boundingRect())) == 0, type);
    }
    QCOMPARE(wires(w).mid(3), (QStringList{QStringLiteral("signal_source>throttle"), QStringLiteral("throttle>rotator"),
                                           QStringLiteral("rotator>fft"), QStringLiteral("fft>complex_to_mag"),
                                           QStringLiteral("complex_to_mag>log10"), QStringLiteral("log10>null_sink")}));
    blocksAreApart(w);
    QCOMPARE(w.editor->document().undoStack().count(), 7);
    w.key(Qt::Key_Escape);
    QTRY_VERIFY(!popupIsOpen(w));
    QVERIFY(w.canvas()->hasActiveFocus());
}

void KeyGestures::tabAsksWhateverLedToTheGraph() {
    ReadyWindow w(project());
    w.click(QStringLiteral("paletteSearch"));
    w.click(QStringLiteral("tab:Mapping"));
    QTRY_COMPARE(w.editor->view(), QStringLiteral("lanes"));
    w.click(QStringLiteral("tab:Graph"));
    QTRY_COMPARE(w.editor->view(), QStringLiteral("canvas"));
    w.key(Qt::Key_Tab);
    QTRY_VERIFY(popupIsOpen(w));
    w.key(Qt::Key_Escape);
    QTRY_VERIFY(!popupIsOpen(w));
    QVERIFY(w.canvas()->hasActiveFocus());
}

void KeyGestures::lettersEnableDisableAndBypass() {
    ReadyWindow w(project());
    const auto state = [&w](const char* block) { return w.editor->scene().block(QLatin1String(block))->state; };
    keysFor(w, "gain");
    w.key(Qt::Key_D);
    QCOMPARE(state("gain"), BlockState::Disabled);
    isOneStep(w, "Disable gain");
    w.key(Qt::Key_B);
    QCOMPARE(state("gain"), BlockState::Bypassed);
    w.key(Qt::Key_E);
    QCOMPARE(state("gain"), BlockState::Enabled);
    keysFor(w, "mag");
    w.key(Qt::Key_B);
    QCOMPARE(state("mag"), BlockState::Enabled);
    QVERIFY2(w.editor->notice().contains(QStringLiteral("c64")), qPrintable(w.editor->notice()));
    keysFor(w, "source");
    w.key(Qt::Key_B);
    QVERIFY2(w.editor->notice().contains(QStringLiteral("one input")), qPrintable(w.editor->notice()));
}

void KeyGestures::severalBlocksAreSelectedByKeysAlone() {
    ReadyWindow w(project());
    const auto chosen = [&] {
        QStringList ids = w.editor->selection().blocks().values();
        ids.sort();
        return ids.join(u' ');
    };
    const auto at = [&] { return w.canvas()->walkedBlock(); };
    w.canvas()->forceActiveFocus(Qt::TabFocusReason);
    w.key(Qt::Key_Home);
    w.key(Qt::Key_Tab);
    w.key(Qt::Key_Right, Qt::ShiftModifier);
    w.key(Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(chosen(), QStringLiteral("gain mag sink"));
    w.key(Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(chosen(), QStringLiteral("gain mag"));
    QVERIFY2(w.editor->selectionSummary().contains(u'2'), qPrintable(w.editor->selectionSummary()));
    w.key(Qt::Key_Home, Qt::ShiftModifier);
    QCOMPARE(chosen(), QStringLiteral("mag source"));
    QVERIFY2(!w.editor->isModified(), "no arrow moved a block");

    // Keys move one block at a time and show the current block, whether or not it is selected.
    w.key(Qt::Key_End, Qt::ControlModifier);
    w.key(Qt::Key_Home, Qt::ControlModifier);
    w.key(Qt::Key_Down, Qt::ControlModifier);
    w.key(Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(at(), QStringLiteral("gain"));
    QVERIFY(!w.canvas()->focusFrame().isEmpty());
    QCOMPARE(chosen(), QStringLiteral("mag source"));
    w.key(Qt::Key_Space, Qt::ControlModifier);
    w.key(Qt::Key_Up, Qt::ControlModifier);
    w.key(Qt::Key_Up, Qt::ControlModifier);
    w.key(Qt::Key_Space, Qt::ControlModifier);
    QCOMPARE(chosen(), QStringLiteral("gain mag"));
    QCOMPARE(at(), QStringLiteral("source"));
    w.key(Qt::Key_G, Qt::ControlModifier);
    QCOMPARE(w.editor->scene().groups().size(), std::size_t{1});

    // A click moves the keyboard's position to the clicked block.
    w.click(w.centre(QStringLiteral("block:gain")) - QPoint(0, 15));
    w.key(Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(chosen(), QStringLiteral("gain sink"));
    w.key(Qt::Key_Escape);
    QVERIFY(at().isEmpty() && chosen().isEmpty());
}

void KeyGestures::theMenuOfTheSelectionOpensByKey() {
    ReadyWindow w(project());
    w.canvas()->forceActiveFocus();
    // With nothing selected, an arrow key selects the starting block and moves nothing.
    w.key(Qt::Key_Home);
    const QString first = w.editor->selection().onlyBlock();
    w.key(Qt::Key_Escape);
    QVERIFY(w.editor->selection().isEmpty());
    w.key(Qt::Key_Right);
    QCOMPARE(w.editor->selection().onlyBlock(), first);
    w.key(Qt::Key_Right); // the next arrow key selects the next block
    QVERIFY(!w.editor->selection().onlyBlock().isEmpty() && w.editor->selection().onlyBlock() != first);
    w.key(Qt::Key_Left);
    QCOMPARE(w.editor->selection().onlyBlock(), first);
    QVERIFY(!first.isEmpty() && !w.editor->isModified());

    const auto opens = [&w](Qt::Key key, Qt::KeyboardModifiers modifiers, const QString& entry) {
        w.key(key, modifiers);
        const bool open =
            QTest::qWaitFor([&] { return w.item(entry) && w.item(entry)->property("highlighted").toBool(); });
        WindowFixture::settle();
        return open && w.item(entry)->property("highlighted").toBool();
    };
    QVERIFY(opens(Qt::Key_Menu, {}, QStringLiteral("menu:graph.connect")));
    const QQuickItem* block = w.item(QStringLiteral("block:") + first);
    const QPointF corner = block->mapToScene({0, block->height()});
    const QPointF menu = w.item(QStringLiteral("menu:graph.connect"))->mapToScene({0, 0});
    QVERIFY2(QLineF(corner, menu).length() < 60, qPrintable(QStringLiteral("%1 %2").arg(menu.x()).arg(menu.y())));
    w.key(Qt::Key_Escape);
    QTRY_COMPARE(w.focusItem(), w.canvas());
    // If the selection is out of view, the menu still opens in view.
    w.canvas()->panBy({-9000, 0});
    QVERIFY(opens(Qt::Key_F10, Qt::ShiftModifier, QStringLiteral("menu:graph.connect")));
    QVERIFY(w.canvas()->contains(w.item(QStringLiteral("menu:graph.connect"))->mapToItem(w.canvas(), {5, 5})));
    w.key(Qt::Key_Escape);
    QTRY_COMPARE(w.focusItem(), w.canvas());
    w.key(Qt::Key_Escape);
    QVERIFY(opens(Qt::Key_F10, Qt::ShiftModifier, QStringLiteral("menu:graph.insert")));
}

void KeyGestures::whatWasSelectedIsSoAgainOnceAnInsertIsUndone() {
    ReadyWindow w(project());
    keysFor(w, "lone");
    w.key(Qt::Key_Insert);
    QTRY_VERIFY(popupIsOpen(w));
    w.type(QStringLiteral("null sink"));
    w.key(Qt::Key_Return);
    QTRY_COMPARE(w.editor->selection().onlyBlock(), QStringLiteral("null_sink"));
    w.key(Qt::Key_Right, Qt::AltModifier); // a second undo step, with its own selection
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("null_sink"));
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w.editor->selection().onlyBlock(), QStringLiteral("lone"));
}

} // namespace weir::editor

#include "moc_key_gestures.cpp"
