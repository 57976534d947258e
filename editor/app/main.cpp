#include "app/editor.h"
#include "app/screenshot.h"
#include "app/start_options.h"
#include "core/ask/cli_command.h"
#include "core/document/document.h"
#include "core/json/canonical_json.h"
#include "core/text/english.h"
#include "shell/controls/fonts.h"

#include <QDir>
#include <QGuiApplication>
#include <QQmlApplicationEngine>
#include <QQmlEngineExtensionPlugin>
#include <QQuickStyle>
#include <QQuickWindow>
#include <QScreen>
#include <QStandardPaths>
#include <QTranslator>

#include <csignal>
#include <cstdio>

Q_IMPORT_QML_PLUGIN(WeirPlugin)

using namespace weir::editor;

namespace {

constexpr QSize kUsualSize(1600, 1000);

int say(const QString& message, int exitCode) {
    std::fprintf(stderr, "weir-editor: %s\n", qPrintable(message));
    return exitCode;
}

int roundTrip(const QString& in, const QString& out) {
    Document document;
    QString failure = document.open(in);
    if (failure.isEmpty()) failure = document.save(out);
    return failure.isEmpty() ? 0 : say(failure, 1);
}

/// Folder with translations such as weir_pl.qm; empty if there is none.
QString translations() {
    return QStandardPaths::locate(QStandardPaths::AppDataLocation, QStringLiteral("translations"),
                                  QStandardPaths::LocateDirectory);
}

} // namespace

int main(int argc, char* argv[]) {
    // A file size limit makes a save fail; the signal must not end the program.
    std::signal(SIGXFSZ, SIG_IGN);
    const bool canShow = hasDisplay(argc, argv);
    if (!canShow) qputenv("QT_QPA_PLATFORM", "offscreen"); // for options that need no window
    QGuiApplication app(argc, argv);
    QGuiApplication::setApplicationName(QStringLiteral("weir-editor"));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Weir"));
    speakEnglish();
    QTranslator translation;
    if (const QString folder = translations();
        !folder.isEmpty() && translation.load(QLocale(), QStringLiteral("weir"), QStringLiteral("_"), folder))
        QCoreApplication::installTranslator(&translation);
    QFont font(Fonts::sans());
    font.setPixelSize(13);
    QGuiApplication::setFont(font);
    QQuickStyle::setStyle(QStringLiteral("Basic"));

    const auto read = StartOptions::read(app);
    if (const QString* wrong = std::get_if<QString>(&read)) return say(*wrong, 2);
    const StartOptions& options = std::get<StartOptions>(read);
    if (!options.roundtrip.isEmpty()) return roundTrip(options.project, options.roundtrip);
    const bool pictured = !options.screenshot.isEmpty();
    if (!canShow && !pictured)
        return say(
            QStringLiteral("there is no display to show a window on: neither DISPLAY nor WAYLAND_DISPLAY is set\n"
                           "hint: start it in a desktop session, with `ssh -X` or under `xvfb-run`; "
                           "--screenshot needs none"),
            3);

    CliCommand command = CliCommand::find(options.weir);
    command.addExtensions(options.extensions);
    Editor editor(command);
    // A picture shows the project, not the user's last settings.
    if (!pictured) editor.remember(UserPlaces::ofUser());
    const auto remembered = [&](const QString& name, const QVariant& usual) {
        return editor.memory()->value(name, usual);
    };
    if (!options.project.isEmpty())
        editor.setView(remembered(QStringLiteral("view"), QStringLiteral("canvas")).toString());
    const QString theme = !options.theme.isEmpty()
                              ? options.theme
                              : remembered(QStringLiteral("theme"), QStringLiteral("light")).toString();
    QSize size = options.size.isValid() ? options.size : remembered(QStringLiteral("size"), kUsualSize).toSize();
    if (!pictured && !options.size.isValid()) size = fitting(size, QGuiApplication::primaryScreen()->availableSize());
    editor.welcome()->setExampleFolder(options.examples);
    editor.results()->library()->setStartedIn(QDir::currentPath());
    if (!options.project.isEmpty()) editor.files()->open(options.project);
    editor.setView(options.view);
    if (!options.runs.isEmpty()) {
        editor.results()->library()->setFolder(options.runs);
        editor.results()->heat()->setEnabled(true);
    }
    editor.start();

    QQmlApplicationEngine engine;
    engine.addImportPath(QStringLiteral("qrc:/qt/qml"));
    engine.setInitialProperties({{QStringLiteral("editor"), QVariant::fromValue(&editor)},
                                 {QStringLiteral("dark"), theme == QLatin1String("dark")},
                                 {QStringLiteral("welcoming"), !pictured},
                                 {QStringLiteral("width"), size.width()},
                                 {QStringLiteral("height"), size.height()}});
    engine.load(QUrl(QStringLiteral("qrc:/qt/qml/Weir/Main.qml")));
    if (engine.rootObjects().isEmpty()) return 1;
    auto* window = qobject_cast<QQuickWindow*>(engine.rootObjects().constFirst());
    if (options.firstFrame)
        QObject::connect(
            window, &QQuickWindow::frameSwapped, &editor,
            [&editor] {
                if (editor.isCatalogLoaded()) QGuiApplication::quit();
            },
            Qt::QueuedConnection);
    if (pictured) new Screenshot(editor, *window, {options.screenshot, options.select, options.runs}, &app);
    return QGuiApplication::exec();
}
