#include "canonical_json.h"
#include "cli_command.h"
#include "document.h"
#include "editor.h"
#include "fonts.h"
#include "screenshot.h"

#include <QCommandLineParser>
#include <QGuiApplication>
#include <QQmlApplicationEngine>
#include <QQmlEngineExtensionPlugin>
#include <QQuickStyle>
#include <QQuickWindow>

#include <csignal>
#include <cstdio>

Q_IMPORT_QML_PLUGIN(WeirPlugin)

using namespace weir::editor;

namespace {

int roundTrip(const QString &in, const QString &out)
{
    Document document;
    QString failure = document.open(in);
    if (failure.isEmpty())
        failure = document.save(out);
    if (failure.isEmpty())
        return 0;
    std::fprintf(stderr, "weir-editor: %s\n", qPrintable(failure));
    return 1;
}

int usage(const QCommandLineParser &parser, const QString &message)
{
    std::fprintf(stderr, "weir-editor: %s\n%s", qPrintable(message), qPrintable(parser.helpText()));
    return 2;
}

} // namespace

int main(int argc, char *argv[])
{
    // A limit on the size of files is a reason why a save fails, not to die of.
    std::signal(SIGXFSZ, SIG_IGN);
    QGuiApplication app(argc, argv);
    QGuiApplication::setApplicationName(QStringLiteral("weir-editor"));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Weir"));
    QFont font(Fonts::sans());
    font.setPixelSize(13);
    QGuiApplication::setFont(font);
    QQuickStyle::setStyle(QStringLiteral("Basic"));

    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addPositionalArgument(QStringLiteral("project"), QStringLiteral("project file (*.weir.json)"), QStringLiteral("[project]"));
    parser.addOptions({
        {QStringLiteral("weir"), QStringLiteral("the weir command; else WEIR_CLI, else weir on PATH"), QStringLiteral("command")},
        {QStringLiteral("block-path"), QStringLiteral("a folder of blocks outside the tree; its code is trusted"), QStringLiteral("folder")},
        {QStringLiteral("scheduler-path"), QStringLiteral("a folder of schedulers outside the tree; its code is trusted"), QStringLiteral("folder")},
        {QStringLiteral("examples"), QStringLiteral("the folder of the example projects"), QStringLiteral("folder")},
        {QStringLiteral("screenshot"), QStringLiteral("write a picture of the window, and close it"), QStringLiteral("file")},
        {QStringLiteral("view"), QStringLiteral("the view to begin with: canvas, lanes, code, results or compare"), QStringLiteral("name"), QStringLiteral("canvas")},
        {QStringLiteral("theme"), QStringLiteral("light or dark"), QStringLiteral("name"), QStringLiteral("light")},
        {QStringLiteral("size"), QStringLiteral("size of the window"), QStringLiteral("WxH"), QStringLiteral("1600x1000")},
        {QStringLiteral("select"), QStringLiteral("select this block"), QStringLiteral("block")},
        {QStringLiteral("first-frame"), QStringLiteral("end once the project is shown with every block; for measuring")},
        {QStringLiteral("runs"), QStringLiteral("folder of the runs that are shown, else runs beside the project; their numbers are put on the graph"), QStringLiteral("folder")},
        {QStringLiteral("roundtrip"), QStringLiteral("open project, save it as this file, show nothing"), QStringLiteral("file")},
    });
    parser.process(app);
    const QStringList files = parser.positionalArguments();
    if (files.size() > 1)
        return usage(parser, QStringLiteral("only one project can be opened"));
    if (parser.isSet(QStringLiteral("roundtrip"))) {
        if (files.isEmpty())
            return usage(parser, QStringLiteral("--roundtrip needs a project"));
        return roundTrip(files.first(), parser.value(QStringLiteral("roundtrip")));
    }
    const QString view = parser.value(QStringLiteral("view"));
    if (!Editor::viewNames().contains(view))
        return usage(parser, QStringLiteral("--view is one of: ") + Editor::viewNames().join(QStringLiteral(", ")));
    const QString theme = parser.value(QStringLiteral("theme"));
    if (theme != QLatin1String("light") && theme != QLatin1String("dark"))
        return usage(parser, QStringLiteral("--theme is light or dark"));
    const QStringList size = parser.value(QStringLiteral("size")).split(u'x');
    const QSize windowSize = size.size() == 2 ? QSize(size[0].toInt(), size[1].toInt()) : QSize();
    if (windowSize.width() < 400 || windowSize.height() < 300 || windowSize.width() > 10000 || windowSize.height() > 10000)
        return usage(parser, QStringLiteral("--size is WIDTHxHEIGHT, from 400x300 to 10000x10000"));

    CliCommand command = CliCommand::find(parser.value(QStringLiteral("weir")));
    for (const char *option : {"block-path", "scheduler-path"})
        command.addLibraries(QStringLiteral("--") + QLatin1String(option), parser.values(QLatin1String(option)));
    Editor editor(command);
    // A picture shows the project, not what the user did last.
    if (!parser.isSet(QStringLiteral("screenshot")))
        editor.remember(UserPlaces::ofUser());
    editor.setView(parser.isSet(QStringLiteral("view")) ? view : editor.memory()->value(QStringLiteral("view"), view).toString());
    const bool dark = (parser.isSet(QStringLiteral("theme"))
                           ? theme
                           : editor.memory()->value(QStringLiteral("theme"), theme).toString()) == QLatin1String("dark");
    const QSize shownSize = parser.isSet(QStringLiteral("size"))
                                ? windowSize
                                : editor.memory()->value(QStringLiteral("size"), windowSize).toSize();
    editor.welcome()->setExampleFolder(parser.value(QStringLiteral("examples")));
    if (!files.isEmpty())
        editor.files()->open(files.first());
    if (parser.isSet(QStringLiteral("runs"))) {
        editor.results()->library()->setFolder(parser.value(QStringLiteral("runs")));
        editor.results()->heat()->setEnabled(true);
    }
    editor.start();

    QQmlApplicationEngine engine;
    engine.addImportPath(QStringLiteral("qrc:/qt/qml"));
    engine.setInitialProperties({{QStringLiteral("editor"), QVariant::fromValue(&editor)},
                                 {QStringLiteral("dark"), dark},
                                 {QStringLiteral("welcoming"), !parser.isSet(QStringLiteral("screenshot"))},
                                 {QStringLiteral("width"), shownSize.width()},
                                 {QStringLiteral("height"), shownSize.height()}});
    engine.load(QUrl(QStringLiteral("qrc:/qt/qml/Weir/Main.qml")));
    if (engine.rootObjects().isEmpty())
        return 1;
    auto *window = qobject_cast<QQuickWindow *>(engine.rootObjects().constFirst());
    if (parser.isSet(QStringLiteral("first-frame")))
        QObject::connect(
            window, &QQuickWindow::frameSwapped, &editor,
            [&editor] {
                if (editor.isCatalogLoaded())
                    QGuiApplication::quit();
            },
            Qt::QueuedConnection);
    if (parser.isSet(QStringLiteral("screenshot")))
        new Screenshot(editor, *window,
                       {parser.value(QStringLiteral("screenshot")), parser.value(QStringLiteral("select")),
                        parser.value(QStringLiteral("runs"))},
                       &app);
    return QGuiApplication::exec();
}
