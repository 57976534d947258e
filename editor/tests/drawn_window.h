#pragma once

#include <QProcess>
#include <QTemporaryDir>

namespace weir::editor {

/// Window drawn by a separate process. The process runs in `folder` and writes its pictures there (WEIR_PICTURES).
struct DrawnWindow {
    QTemporaryDir folder;
    QProcess display;
    QProcess process;
    QString lacks;  ///< reason why there is no picture

    void start(const QString& program, const QStringList& arguments, qreal scale, bool threaded) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QString::number(scale));
        environment.insert(QStringLiteral("WEIR_PICTURES"), folder.path());
        if (threaded && !addDisplay(environment)) {
            lacks = QStringLiteral("needs Xvfb of the package xvfb");
            return;
        }
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.setWorkingDirectory(folder.path());
        process.start(program, arguments);
    }

    bool addDisplay(QProcessEnvironment& environment) {
        display.start(
            QStringLiteral("Xvfb"),
            {QStringLiteral("-displayfd"), QStringLiteral("1"), QStringLiteral("-screen"), QStringLiteral("0"),
             QStringLiteral("2400x1500x24"), QStringLiteral("-nolisten"), QStringLiteral("tcp")});
        if (!display.waitForReadyRead(15000)) return false;
        environment.remove(QStringLiteral("QT_QUICK_BACKEND"));
        environment.insert(QStringLiteral("DISPLAY"),
                           u':' + QString::fromLatin1(display.readAllStandardOutput().trimmed()));
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("xcb"));
        environment.insert(QStringLiteral("QSG_RHI_BACKEND"), QStringLiteral("opengl"));
        environment.insert(QStringLiteral("QSG_RENDER_LOOP"), QStringLiteral("threaded"));
        environment.insert(QStringLiteral("LIBGL_ALWAYS_SOFTWARE"), QStringLiteral("1"));
        return true;
    }

    ~DrawnWindow() {
        display.terminate();
        display.waitForFinished();
    }
};

}  // namespace weir::editor
