#pragma once

#include "core/document/project_file.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

#include <array>
#include <optional>

namespace weir::editor {

/// Reports when a file is written, replaced by a rename, deleted, or restored. Compares contents: touching or saving a
/// file without a change is not reported.
class FileWatch : public QObject {
    Q_OBJECT

  public:
    enum class State { Same, Changed, Missing };
    Q_ENUM(State)

    explicit FileWatch(QObject* parent = nullptr);

    /// Sets the expected state of the file to `base`; an empty path watches nothing.
    void watch(const QString& path, const FileStamp& base);
    State state() const { return m_state; }
    /// Stamp of the file at the last check.
    const FileStamp& seen() const { return m_seen; }
    /// Checks at once. `thorough`: read the file even if its size and times are unchanged.
    State check(bool thorough);

  signals:
    /// The file has changed since the last check.
    void changed(weir::editor::FileWatch::State state);

  private:
    void follow();
    void lookSoon();
    void look();

    QFileSystemWatcher m_watcher;
    QTimer m_delay;
    QString m_path;
    FileStamp m_base;
    FileStamp m_seen;
    std::optional<std::array<qint64, 4>> m_quick;  ///< size and times; nothing: the file must be read
    State m_state = State::Same;
    int m_looksForMissing = 0;
};

}  // namespace weir::editor
