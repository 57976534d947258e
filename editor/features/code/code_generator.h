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

/// The C++ of the document as it is now: asks `weir generate` while somebody looks, some time after the last change.
class CodeGenerator : public QObject {
    Q_OBJECT

  public:
    /// `deployment` is asked for its name before each call.
    CodeGenerator(const CliCommand& command, Document& document, std::function<QString()> deployment,
                  QObject* parent = nullptr);

    /// Only while active the code follows the document.
    void setActive(bool active) { m_ask.setActive(active); }
    bool isActive() const { return m_ask.isActive(); }
    bool isBusy() const { return m_ask.isBusy(); }
    /// Return whether `files` are those of the present document and deployment.
    bool isUpToDate() const { return m_ask.isUpToDate(); }

    /// The folder of the generated project, empty before the first answer.
    QString folder() const { return m_folder; }
    /// Relative to the folder: what the project decides first, then blocks, scheduler and runtime.
    const QStringList& files() const { return m_files; }
    const SourceMap& map() const { return m_map; }
    /// The text of a file; empty, and why in `failure`, when it cannot be read.
    QString text(const QString& file, QString* failure = nullptr) const;
    /// Return why there is no code, empty after a good answer.
    QString failure() const { return m_failure; }

    /// Something that the answer depends on may have changed: at once where nothing is known yet, else after a while.
    void refresh() { m_ask.refresh(); }
    void generateNow() { m_ask.now(); }

  signals:
    void stateChanged();
    /// There is new code.
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
    Ask m_ask;  ///< writes into the folder, so it ends before that goes
};

/// The place of a file in the list: its group, in the order of the list.
enum class FileGroup { Generated, Blocks, Scheduler, Runtime };
FileGroup groupOf(const QString& file);

}  // namespace weir::editor
