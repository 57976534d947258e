#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include <variant>

class QCoreApplication;

namespace weir::editor {

/// Options of the command line. An empty one was not given.
struct StartOptions {
    QString project;
    QString weir;
    QStringList extensions;
    QString examples;
    QString screenshot;
    QString view;
    QString theme;
    QSize size;
    QString select;
    QString runs;
    QString roundtrip;
    bool firstFrame = false;

    /// The options, or what is wrong with them and how they are used. `--help` ends the program.
    static std::variant<StartOptions, QString> read(QCoreApplication& app);
};

/// The size of a window that shall stay on a screen with so much room, its frame included.
QSize fitting(QSize window, QSize available);

/// Return whether a window can be shown. Qt aborts if not, so ask before there is an application.
bool hasDisplay(int argc, char* argv[]);

} // namespace weir::editor
