#include "welcome.h"

#include "editor.h"

Welcome::Welcome(Editor &editor, QObject *parent) : QObject(parent), m_editor(editor)
{
    editor.actions().add({.id = QStringLiteral("help.tour"), .group = ActionGroup::Help,
                          .title = tr("A tour of the window")});
    connect(&editor, &Editor::historyChanged, this, &Welcome::freshChanged);
    connect(&editor, &Editor::summaryChanged, this, &Welcome::freshChanged);
    connect(&editor, &Editor::documentReplaced, this, [this] {
        // Whatever was looked at before: the other views have nothing to show of an empty project.
        if (m_editor.isEmpty())
            m_editor.setView(QStringLiteral("canvas"));
        emit freshChanged();
    });
}

bool Welcome::isFresh() const
{
    // What was undone is still there for who wants it again.
    return m_editor.isEmpty() && m_editor.document().undoStack().count() == 0;
}

void Welcome::setExampleFolder(const QString &folder)
{
    m_examples.setFolder(folder, QStringLiteral("quickstart.weir.json"));
}

void Welcome::openExample(const QString &path)
{
    m_editor.files()->openCopy(path);
}

bool Welcome::takeFirstStart()
{
    const QString key = QStringLiteral("tour/shown");
    const bool first = !m_editor.memory()->value(key, false).toBool();
    m_editor.memory()->setValue(key, true);
    return first;
}
