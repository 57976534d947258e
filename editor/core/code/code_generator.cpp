#include "code_generator.h"

#include "json_reader.h"

#include <QFile>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr int kDelayMs = 400;
constexpr qint64 kLargestFile = qint64{16} << 20;

/// What a reader wants first.
int rank(const QString &file)
{
    static const QStringList first{QStringLiteral("src/flowgraph.hpp"), QStringLiteral("src/main.cpp"),
                                   QStringLiteral("CMakeLists.txt"), QStringLiteral("plan.json")};
    const auto place = first.indexOf(file);
    return place < 0 ? static_cast<int>(first.size()) : static_cast<int>(place);
}

} // namespace

FileGroup groupOf(const QString &file)
{
    if (file.startsWith(QStringLiteral("weir/blocks/")))
        return FileGroup::Blocks;
    if (file.startsWith(QStringLiteral("weir/schedulers/")))
        return FileGroup::Scheduler;
    return file.startsWith(QStringLiteral("weir/")) ? FileGroup::Runtime : FileGroup::Generated;
}

CodeGenerator::CodeGenerator(const CliCommand &command, Document &document, std::function<QString()> deployment,
                             QObject *parent)
    : QObject(parent), m_command(command), m_document(document), m_deployment(std::move(deployment))
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &CodeGenerator::generateNow);
    connect(&document, &Document::changed, this, &CodeGenerator::refresh);
    connect(&document, &Document::replaced, this, &CodeGenerator::refresh);
}

CodeGenerator::~CodeGenerator()
{
    // It writes into the folder that goes with this object.
    delete m_process;
}

QString CodeGenerator::key() const
{
    return QString::number(m_document.revision()) + u'\n' + m_document.path() + u'\n' + m_deployment();
}

void CodeGenerator::setActive(bool active)
{
    m_active = active;
    refresh();
}

void CodeGenerator::refresh()
{
    if (!m_active) {
        m_delay.stop();
    } else if (m_answered.isEmpty() && !m_process) {
        generateNow();
    } else if (!isUpToDate() && !(m_process && m_asked == key())) {
        m_delay.start();
    }
    emit stateChanged();
}

void CodeGenerator::generateNow()
{
    m_delay.stop();
    abandonCall(m_process);
    if (!m_temporary)
        m_temporary = std::make_unique<QTemporaryDir>();
    if (!m_temporary->isValid()) {
        const QString why = m_temporary->errorString();
        m_temporary.reset();
        return fail(tr("There is no folder for the code: %1").arg(why));
    }
    const QString folder = m_temporary->filePath(QStringLiteral("code"));
    QStringList arguments{QStringLiteral("generate"), QStringLiteral("-"), QStringLiteral("--json"),
                          QStringLiteral("-o"), folder};
    if (const QString deployment = m_deployment(); !deployment.isEmpty())
        arguments << QStringLiteral("--deployment") << deployment;
    m_asked = key();
    m_process = callCli(m_command, arguments, QByteArray::fromStdString(m_document.canonicalText()),
                        m_document.folder(), this,
                        [this, asked = m_asked, folder](const CliAnswer &answer) { receive(answer, asked, folder); });
    emit stateChanged();
}

void CodeGenerator::receive(const CliAnswer &answer, const QString &asked, const QString &folder)
{
    m_process.clear();
    if (asked != key()) {
        refresh();
        return;
    }
    const auto parsed = readJson(answer.output.toStdString());
    const Json *json = std::get_if<Json>(&parsed);
    const Json *files = json ? member(*json, "files") : nullptr;
    m_answered = asked;
    if (!files) {
        const Json *diagnostics = json ? member(*json, "diagnostics") : nullptr;
        for (const Json &one : list(diagnostics))
            if (weir::editor::text(member(one, "severity")) == "error")
                return fail(QString::fromStdString(weir::editor::text(member(one, "message"))));
        return fail(answer.explanation());
    }
    m_folder = folder;
    m_files.clear();
    for (const Json &file : list(files))
        m_files.append(QString::fromStdString(weir::editor::text(&file)));
    std::stable_sort(m_files.begin(), m_files.end(), [](const QString &a, const QString &b) {
        return std::tuple(groupOf(a), rank(a)) < std::tuple(groupOf(b), rank(b));
    });
    m_failure.clear();
    const auto map = readJson(text(QStringLiteral("source_map.json")).toStdString());
    const Json *regions = std::get_if<Json>(&map);
    m_map = regions ? SourceMap(*regions) : SourceMap();
    emit generated();
    emit stateChanged();
}

void CodeGenerator::fail(const QString &why)
{
    m_failure = why;
    emit stateChanged();
}

QString CodeGenerator::text(const QString &name, QString *failure) const
{
    QFile file(m_folder + u'/' + name);
    if (!file.open(QIODevice::ReadOnly)) {
        if (failure)
            *failure = tr("%1 cannot be read: %2").arg(name, file.errorString());
        return {};
    }
    return QString::fromUtf8(file.read(kLargestFile));
}

} // namespace weir::editor
