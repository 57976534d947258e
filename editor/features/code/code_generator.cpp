#include "features/code/code_generator.h"

#include "core/json/json_reader.h"
#include "core/text/prose.h"

#include <QFile>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr std::chrono::milliseconds kDelay{400};
const QString kCode = QStringLiteral("code");
constexpr qint64 kLargestFile = qint64{16} << 20;

/// Return the rank of a file for readers, lowest first.
int rank(const QString& file) {
    static const QStringList first{QStringLiteral("src/flowgraph.hpp"), QStringLiteral("src/main.cpp"),
                                   QStringLiteral("CMakeLists.txt"), QStringLiteral("plan.json")};
    const auto place = first.indexOf(file);
    return place < 0 ? static_cast<int>(first.size()) : static_cast<int>(place);
}

} // namespace

FileGroup groupOf(const QString& file) {
    if (file.startsWith(QStringLiteral("weir/blocks/"))) return FileGroup::Blocks;
    if (file.startsWith(QStringLiteral("weir/schedulers/"))) return FileGroup::Scheduler;
    return file.startsWith(QStringLiteral("weir/")) ? FileGroup::Runtime : FileGroup::Generated;
}

CodeGenerator::CodeGenerator(const CliCommand& command, Document& document, std::function<QString()> deployment,
                             QObject* parent)
    : QObject(parent), m_document(document), m_deployment(std::move(deployment)),
      m_ask(command,
            {.key = [this] { return key(); },
             .request = [this] { return request(); },
             .answered = [this](const CliAnswer& answer) { receive(answer); },
             .delay = kDelay},
            nullptr) {
    m_ask.setActive(false);
    connect(&m_ask, &Ask::stateChanged, this, &CodeGenerator::stateChanged);
    connect(&document, &Document::changed, this, &CodeGenerator::refresh);
    connect(&document, &Document::replaced, this, &CodeGenerator::refresh);
}

QString CodeGenerator::key() const {
    return QString::number(m_document.meaning()) + u'\n' + m_document.path() + u'\n' + m_deployment();
}

CliRequest CodeGenerator::request() {
    if (!m_temporary || !m_temporary->isValid()) m_temporary = std::make_unique<QTemporaryDir>();
    QStringList arguments{QStringLiteral("generate"), QStringLiteral("-"), QStringLiteral("--json"),
                          QStringLiteral("-o"), m_temporary->filePath(kCode)};
    if (const QString deployment = m_deployment(); !deployment.isEmpty())
        arguments << QStringLiteral("--deployment") << deployment;
    return {arguments, QByteArray::fromStdString(m_document.canonicalText()), m_document.folder()};
}

void CodeGenerator::receive(const CliAnswer& answer) {
    if (!m_temporary->isValid())
        return fail(tr("The folder for the code could not be created: %1").arg(m_temporary->errorString()));
    const Json json = jsonFrom(answer.output);
    const Json* files = member(json, "files");
    if (!files) {
        for (const Json& one : list(member(json, "diagnostics")))
            if (weir::editor::text(member(one, "severity")) == "error") return fail(prose(one, "message"));
        return fail(answer.explanation());
    }
    m_folder = m_temporary->filePath(kCode);
    m_files = strings(files);
    std::stable_sort(m_files.begin(), m_files.end(), [](const QString& a, const QString& b) {
        return std::tuple(groupOf(a), rank(a)) < std::tuple(groupOf(b), rank(b));
    });
    m_failure.clear();
    m_map = SourceMap(jsonFrom(text(QStringLiteral("source_map.json")).toUtf8()));
    emit generated();
}

void CodeGenerator::fail(const QString& why) { m_failure = why; }

QString CodeGenerator::text(const QString& name, QString* failure) const {
    QFile file(m_folder + u'/' + name);
    if (!file.open(QIODevice::ReadOnly)) {
        if (failure) *failure = tr("%1 cannot be read: %2").arg(name, file.errorString());
        return {};
    }
    return QString::fromUtf8(file.read(kLargestFile));
}

} // namespace weir::editor
