#pragma once

#include <QDateTime>
#include <QString>

namespace weir::editor {

/// Says which editor has a project open. The kernel holds the lock for as long as that process lives, so that one that
/// was killed leaves none behind, whoever gets its number; what is in the file only says who it is.
class ProjectLock {
  public:
    struct Owner {
        qint64 process = 0; ///< 0: not known
        QDateTime since;
    };

    ProjectLock() = default;
    ProjectLock(const ProjectLock&) = delete;
    ProjectLock& operator=(const ProjectLock&) = delete;
    ~ProjectLock() { release(); }

    /// Folder of the locks, apart from the projects. Without a folder nothing is locked, and everything is free.
    void setFolder(const QString& folder) { m_folder = folder; }
    /// Lets go of the project before, and takes this one; by whatever name or link it is called. False: another editor
    /// has it. A folder that takes no lock locks nothing, and refuses nothing.
    bool take(const QString& path);
    void release();
    bool isHeld() const { return m_handle >= 0; }
    /// Return the owner of the project that could not be taken.
    const Owner& owner() const { return m_owner; }
    /// Return whether another editor has it open.
    bool isTaken(const QString& path) const;

  private:
    QString fileFor(const QString& path) const;

    QString m_folder;
    QString m_file;  ///< the one that is held
    int m_handle = -1;
    Owner m_owner;
};

}  // namespace weir::editor
