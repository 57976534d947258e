#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include <variant>

class QCoreApplication;

namespace weir::editor {

/// Options of the command line. An option that was not given is empty.
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

    /// Return the options, or a message with the error and the usage. `--help` ends the program.
    static std::variant<StartOptions, QString> read(QCoreApplication& app);
};

/// Return the size for a window that, with its frame, fits on a screen with this available room.
QSize fitting(QSize window, QSize available);

/// Return whether a window can be shown. Qt aborts if not, so ask before there is an application.
bool hasDisplay(int argc, char* argv[]);

} // namespace weir::editor
