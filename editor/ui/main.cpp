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
#include <QSurfaceFormat>

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
    QSurfaceFormat format = QSurfaceFormat::defaultFormat();
    format.setSamples(4);
    QSurfaceFormat::setDefaultFormat(format);
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
        {QStringLiteral("screenshot"), QStringLiteral("write a picture of the window, and close it"), QStringLiteral("file")},
        {QStringLiteral("view"), QStringLiteral("what the picture shows: canvas, or results of a run"), QStringLiteral("name"), QStringLiteral("canvas")},
        {QStringLiteral("theme"), QStringLiteral("light or dark"), QStringLiteral("name"), QStringLiteral("light")},
        {QStringLiteral("size"), QStringLiteral("size of the window"), QStringLiteral("WxH"), QStringLiteral("1600x1000")},
        {QStringLiteral("select"), QStringLiteral("select this block"), QStringLiteral("block")},
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
    if (view != QLatin1String("canvas") && view != QLatin1String("results"))
        return usage(parser, QStringLiteral("--view is canvas or results"));
    const QString theme = parser.value(QStringLiteral("theme"));
    if (theme != QLatin1String("light") && theme != QLatin1String("dark"))
        return usage(parser, QStringLiteral("--theme is light or dark"));
    const QStringList size = parser.value(QStringLiteral("size")).split(u'x');
    const QSize windowSize = size.size() == 2 ? QSize(size[0].toInt(), size[1].toInt()) : QSize();
    if (windowSize.width() < 400 || windowSize.height() < 300 || windowSize.width() > 10000 || windowSize.height() > 10000)
        return usage(parser, QStringLiteral("--size is WIDTHxHEIGHT, from 400x300 to 10000x10000"));

    Editor editor(CliCommand::find(parser.value(QStringLiteral("weir"))));
    if (!files.isEmpty())
        editor.openPath(files.first());
    editor.start();

    QQmlApplicationEngine engine;
    engine.addImportPath(QStringLiteral("qrc:/qt/qml"));
    engine.setInitialProperties({{QStringLiteral("editor"), QVariant::fromValue(&editor)},
                                 {QStringLiteral("dark"), theme == QLatin1String("dark")},
                                 {QStringLiteral("width"), windowSize.width()},
                                 {QStringLiteral("height"), windowSize.height()}});
    engine.load(QUrl(QStringLiteral("qrc:/qt/qml/Weir/Main.qml")));
    if (engine.rootObjects().isEmpty())
        return 1;
    auto *window = qobject_cast<QQuickWindow *>(engine.rootObjects().constFirst());
    if (parser.isSet(QStringLiteral("screenshot")))
        new Screenshot(editor, *window,
                       {parser.value(QStringLiteral("screenshot")), parser.value(QStringLiteral("select")),
                        view == QLatin1String("results")},
                       &app);
    return QGuiApplication::exec();
}
