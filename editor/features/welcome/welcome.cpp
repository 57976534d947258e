#include "features/welcome/welcome.h"

#include "features/files/document_files.h"
#include "shell/session/session.h"

namespace weir::editor {

Welcome::Welcome(Session& session, DocumentFiles& files, QObject* parent)
    : QObject(parent), m_session(session), m_files(files) {
    session.actions().add(
        {.id = QStringLiteral("help.tour"), .group = ActionGroup::Help, .title = tr("A tour of the window")});
    connect(&session, &Session::historyChanged, this, &Welcome::freshChanged);
    connect(&session, &Session::summaryChanged, this, &Welcome::freshChanged);
    connect(&session, &Session::documentReplaced, this, [this] {
        // Whatever was looked at before: the other views have nothing to show of an empty project.
        if (m_session.isEmpty()) m_session.setView(QStringLiteral("canvas"));
        emit freshChanged();
    });
}

bool Welcome::isFresh() const {
    // What was undone is still there for who wants it again.
    return m_session.isEmpty() && m_session.document().undoStack().count() == 0;
}

void Welcome::setExampleFolder(const QString& folder) {
    m_examples.setFolder(folder, QStringLiteral("quickstart.weir.json"));
}

void Welcome::openExample(const QString& path) { m_files.openCopy(path); }

bool Welcome::takeFirstStart() {
    const QString key = QStringLiteral("tour/shown");
    const bool first = !m_session.memory()->value(key, false).toBool();
    m_session.memory()->setValue(key, true);
    return first;
}

} // namespace weir::editor
