#pragma once

#include "core/ask/ask.h"
#include "core/document/document.h"
#include "core/problems/problem_model.h"
#include "features/code/source_map.h"

#include <QObject>
#include <QStringList>
#include <QTemporaryDir>

#include <functional>
#include <memory>

namespace weir::editor {

/// The C++ of the current document. Asks `weir generate` while the code is visible, a while after the last change.
class CodeGenerator : public QObject {
    Q_OBJECT

  public:
    /// Each call takes its deployment's name from `deployment`.
    CodeGenerator(const CliCommand& command, Document& document, std::function<QString()> deployment,
                  QObject* parent = nullptr);

    /// Follow the document only while active.
    void setActive(bool active) { m_ask.setActive(active); }
    bool isActive() const { return m_ask.isActive(); }
    bool isBusy() const { return m_ask.isBusy(); }
    /// Return whether `files` belong to the current document and deployment.
    bool isUpToDate() const { return m_ask.isUpToDate(); }

    /// The folder of the generated project, empty before the first answer.
    QString folder() const { return m_folder; }
    /// Files relative to the folder: those that the project decides first, then blocks, scheduler and runtime.
    const QStringList& files() const { return m_files; }
    const SourceMap& map() const { return m_map; }
    /// Return the text of a file. If it cannot be read, return an empty text and set `failure`.
    QString text(const QString& file, QString* failure = nullptr) const;
    /// Return the reason why there is no code; empty after a good answer.
    QString failure() const { return m_failure; }

    /// Refresh after a possible change: at once if nothing is known yet, else after a delay.
    void refresh() { m_ask.refresh(); }
    void generateNow() { m_ask.now(); }

  signals:
    void stateChanged();
    /// Emitted when there is new code.
    void generated();

  private:
    QString key() const;
    CliRequest request();
    void receive(const CliAnswer& answer);
    void fail(const QString& why);

    Document& m_document;
    std::function<QString()> m_deployment;
    std::unique_ptr<QTemporaryDir> m_temporary;
    QString m_folder;
    QStringList m_files;
    SourceMap m_map;
    QString m_failure;
    Ask m_ask;  ///< writes into the folder, so it is destroyed before the folder
};

/// Group of a file, in the order of the list.
enum class FileGroup { Generated, Blocks, Scheduler, Runtime };
FileGroup groupOf(const QString& file);

}  // namespace weir::editor
