#include "app/start_options.h"

#include "app/all_views.h"

#include <QCommandLineParser>

#include <algorithm>
#include <iterator>

namespace weir::editor {
namespace {

const QString kWeir = QStringLiteral("weir");
const QString kExtensions = QStringLiteral("extensions");
const QStringList kFormerly{QStringLiteral("block-path"), QStringLiteral("scheduler-path"),
                            QStringLiteral("target-path")};
const QString kExamples = QStringLiteral("examples");
const QString kScreenshot = QStringLiteral("screenshot");
const QString kView = QStringLiteral("view");
const QString kTheme = QStringLiteral("theme");
const QString kSize = QStringLiteral("size");
const QString kSelect = QStringLiteral("select");
const QString kFirstFrame = QStringLiteral("first-frame");
const QString kOut = QStringLiteral("out");
const QString kRoundtrip = QStringLiteral("roundtrip");

QStringList viewNames() { return Views(allViews()).names(); }

void describe(QCommandLineParser& parser) {
    const QString views = viewNames().join(QStringLiteral(", "));
    const QString folder = QStringLiteral("folder");
    parser.addHelpOption();
    parser.addPositionalArgument(QStringLiteral("project"), QStringLiteral("project file (*.weir.json)"),
                                 QStringLiteral("[project]"));
    parser.addOptions({
        {kWeir, QStringLiteral("the weir command; else WEIR_CLI, else weir on PATH"), QStringLiteral("command")},
        {kExtensions, QStringLiteral("a folder of blocks, schedulers or targets outside the tree; its code is trusted"),
         folder},
        {kExamples, QStringLiteral("the folder of the example projects"), folder},
        {kScreenshot, QStringLiteral("write a picture of the window, and close it"), QStringLiteral("file")},
        {kView, QStringLiteral("the view to begin with: ") + views, QStringLiteral("name")},
        {kTheme, QStringLiteral("light or dark"), QStringLiteral("name")},
        {kSize, QStringLiteral("size of the window"), QStringLiteral("WxH")},
        {kSelect, QStringLiteral("select this block"), QStringLiteral("block")},
        {kFirstFrame, QStringLiteral("end once the project is shown with every block; for measuring")},
        {{kOut, QStringLiteral("runs")},
         QStringLiteral(
             "folder of the runs: those in it are shown, and new ones go there; else runs beside the project, "
             "where those of runs in the present folder are shown, too; the newest one's numbers are put on the graph"),
         folder},
        {kRoundtrip, QStringLiteral("open project, save it as this file, show nothing"), QStringLiteral("file")},
    });
    QCommandLineOption former(kFormerly, {}, folder);
    former.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(former);
}

QString problemOf(const StartOptions& options, const QCommandLineParser& parser) {
    if (parser.positionalArguments().size() > 1) return QStringLiteral("only one project can be opened");
    if (!options.roundtrip.isEmpty() && options.project.isEmpty()) return QStringLiteral("--roundtrip needs a project");
    if (parser.isSet(kView) && !viewNames().contains(options.view))
        return QStringLiteral("--view is one of: ") + viewNames().join(QStringLiteral(", "));
    if (parser.isSet(kTheme) && options.theme != QLatin1String("light") && options.theme != QLatin1String("dark"))
        return QStringLiteral("--theme is light or dark");
    const QSize size = options.size;
    if (parser.isSet(kSize) &&
        (size.width() < 400 || size.height() < 300 || size.width() > 10000 || size.height() > 10000))
        return QStringLiteral("--size is WIDTHxHEIGHT, from 400x300 to 10000x10000");
    return {};
}

QSize sizeOf(const QString& text) {
    const QStringList parts = text.split(u'x');
    return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

} // namespace

std::variant<StartOptions, QString> StartOptions::read(QCoreApplication& app) {
    QCommandLineParser parser;
    describe(parser);
    parser.process(app);
    const StartOptions options{parser.positionalArguments().value(0),
                               parser.value(kWeir),
                               parser.values(kExtensions) + parser.values(kFormerly.first()),
                               parser.value(kExamples),
                               parser.value(kScreenshot),
                               parser.value(kView),
                               parser.value(kTheme),
                               sizeOf(parser.value(kSize)),
                               parser.value(kSelect),
                               parser.value(kOut),
                               parser.value(kRoundtrip),
                               parser.isSet(kFirstFrame)};
    const QString problem = problemOf(options, parser);
    if (!problem.isEmpty()) return problem + u'\n' + parser.helpText().trimmed();
    return options;
}

QSize fitting(QSize window, QSize available) {
    constexpr QSize kFrame(8, 40);
    return available.isValid() ? window.boundedTo(available - kFrame) : window;
}

bool hasDisplay(int argc, char* argv[]) {
    const char* const variables[] = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"};
    return std::any_of(std::begin(variables), std::end(variables),
                       [](auto name) { return !qEnvironmentVariableIsEmpty(name); }) ||
           std::any_of(argv + 1, argv + argc,
                       [](auto given) { return QLatin1String(given) == QLatin1String("-platform"); });
}

} // namespace weir::editor
