#pragma once

#include <QDateTime>
#include <QString>

namespace weir::editor {

/// Tells which editor has a project open. Linux holds the lock as long as the process lives, so a killed editor
/// leaves no lock, even if its process id is reused. The content of the file only describes the owner.
class ProjectLock {
  public:
    struct Owner {
        qint64 process = 0; ///< process id; 0: not known
        QDateTime since;
    };

    ProjectLock() = default;
    ProjectLock(const ProjectLock&) = delete;
    ProjectLock& operator=(const ProjectLock&) = delete;
    ~ProjectLock() { release(); }

    /// Sets the folder of the locks, which is apart from the projects. Without a folder, nothing is locked and every
    /// project is free.
    void setFolder(const QString& folder) { m_folder = folder; }
    /// Releases the previous project and locks this one, under whatever name or link. Returns false if another editor
    /// has it. If the folder takes no lock, it locks nothing and returns true.
    bool take(const QString& path);
    void release();
    bool isHeld() const { return m_handle >= 0; }
    /// Return the owner of the project that could not be taken.
    const Owner& owner() const { return m_owner; }
    /// Return whether another editor has the project open.
    bool isTaken(const QString& path) const;

  private:
    QString fileFor(const QString& path) const;

    QString m_folder;
    QString m_file;  ///< the lock file held
    int m_handle = -1;
    Owner m_owner;
};

}  // namespace weir::editor
