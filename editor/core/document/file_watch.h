#pragma once

#include "core/document/project_file.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

#include <array>
#include <optional>

namespace weir::editor {

/// Tells when a file stops being what it was: written, replaced by a rename, deleted, or back again.
/// Compares contents, so that a touched file, or one that was saved without a change, is no news.
class FileWatch : public QObject {
    Q_OBJECT

  public:
    enum class State { Same, Changed, Missing };
    Q_ENUM(State)

    explicit FileWatch(QObject* parent = nullptr);

    /// From now on `base` is what the file should be; an empty path watches nothing.
    void watch(const QString& path, const FileStamp& base);
    State state() const { return m_state; }
    /// The file as it was last seen.
    const FileStamp& seen() const { return m_seen; }
    /// Looks at once. `thorough`: reads the file even if its size and times are as before.
    State check(bool thorough);

  signals:
    /// The file is not what it was at the last look.
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
    std::optional<std::array<qint64, 4>> m_quick;  ///< what the file system says without reading; none: it must be read
    State m_state = State::Same;
    int m_looksForMissing = 0;
};

}  // namespace weir::editor
