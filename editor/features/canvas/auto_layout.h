#pragma once

#include "ask.h"

#include <QObject>
#include <QSizeF>
#include <QStringList>
#include <QtQml/qqmlregistration.h>

class Session;

/// Asks the command line where blocks should go. The answer comes later and is one step of the document.
class AutoLayout : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by Editor")

    Q_PROPERTY(bool running READ isRunning NOTIFY runningChanged)

public:
    explicit AutoLayout(Session &session);

    bool isRunning() const { return m_ask.isBusy(); }
    /// Of the canvas: a flowgraph that is too long for it is laid out in rows.
    void setRoom(QSizeF room) { m_room = room; }
    void layOutAll();
    /// The selected blocks take their new places around where they were.
    void layOutSelection();
    /// Lays out a drawing that was made for blocks of other sizes, if they lie on each other here: in the order from top
    /// to bottom that its author chose. Waits for the catalog, which knows how large they are.
    void makeRoom();

signals:
    void runningChanged();
    void finished();
    /// Every block has a new place.
    void arranged();

private:
    /// Positions of a file without any come from the command line too; they are no step, as nothing was done.
    void arrangeUnplaced();
    void ask(const QStringList &blocks, bool isStep);
    void late();
    void receive(const weir::editor::CliAnswer &answer);
    void place(const QByteArray &output);
    QStringList allBlocks() const;
    /// Whether what is asked about is the whole graph.
    bool isWhole() const;

    Session &m_session;
    // What is asked.
    QStringList m_asked;
    bool m_isStep = false;
    bool m_needsRoom = false; ///< not looked at yet
    QSizeF m_room;
    weir::editor::Ask m_ask;
};
