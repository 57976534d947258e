#include "features/welcome/welcome.h"

#include "core/json/json_reader.h"
#include "core/text/prose.h"
#include "features/files/document_files.h"
#include "shell/session/session.h"

#include <QDir>
#include <QFile>

#include <algorithm>

namespace weir::editor {

std::vector<Example> examplesIn(const QString& folder, const QString& first) {
    std::vector<Example> examples;
    const auto files = QDir(folder).entryInfoList({QStringLiteral("*.weir.json")}, QDir::Files, QDir::Name);
    for (const QFileInfo& info : files) {
        QFile file(info.filePath());
        if (!file.open(QIODevice::ReadOnly)) continue;
        const Json json = jsonFrom(file.readAll());
        if (!json.is_object()) continue;
        const QString title = string(json, "title");
        // The rest of the description is for readers of the file.
        examples.push_back({title.isEmpty() ? info.completeBaseName() : title,
                            firstSentence(string(json, "description")), info.filePath()});
    }
    std::stable_partition(examples.begin(), examples.end(),
                          [&](const Example& example) { return QFileInfo(example.path).fileName() == first; });
    return examples;
}

Welcome::Welcome(Session& session, DocumentFiles& files, QObject* parent)
    : QObject(parent), m_session(session), m_files(files) {
    session.actions().add(
        {.id = QStringLiteral("help.tour"), .group = ActionGroup::Help, .title = tr("A tour of the window")});
    connect(&session, &Session::historyChanged, this, &Welcome::freshChanged);
    connect(&session, &Session::summaryChanged, this, &Welcome::freshChanged);
    connect(&session, &Session::documentReplaced, this, [this] {
        // Leave the other views: they have nothing to show of an empty project.
        if (m_session.isEmpty()) m_session.setView(QStringLiteral("canvas"));
        emit freshChanged();
    });
}

bool Welcome::isFresh() const {
    // Undone steps can still be redone.
    return m_session.isEmpty() && m_session.document().undoStack().count() == 0;
}

void Welcome::setExampleFolder(const QString& folder) {
    m_examples.setRows(examplesIn(folder, QStringLiteral("quickstart.weir.json")));
}

void Welcome::openExample(const QString& path) { m_files.openCopy(path); }

bool Welcome::takeFirstStart() {
    const QString key = QStringLiteral("tour/shown");
    const bool first = !m_session.memory()->value(key, false).toBool();
    m_session.memory()->setValue(key, true);
    return first;
}

} // namespace weir::editor
