#include "inspector_rows.h"

#include "project_edits.h"
#include "value_text.h"

namespace weir::editor {
namespace {

QString qt(const std::string &utf8)
{
    return QString::fromStdString(utf8);
}

QString widgetFor(const std::string &type)
{
    if (type == "bool")
        return QStringLiteral("switch");
    return type == "enum" ? QStringLiteral("choice") : QStringLiteral("text");
}

ParameterRow row(const Json &project, const Pointer &pointer, const char *type, const QString &title, const QString &placeholder)
{
    ParameterRow result;
    result.name = qt(pointer.back());
    result.title = title;
    result.type = QString::fromLatin1(type);
    result.widget = widgetFor(type);
    result.placeholder = placeholder;
    result.pointer = pointer;
    if (const Json *value = find(project, pointer)) {
        result.set = true;
        result.value = fieldText(*value);
    }
    return result;
}

ParameterRow described(const Json &project, const Pointer &pointer, const ParameterType &type)
{
    ParameterRow result = row(project, pointer, type.type.c_str(), qt(type.title),
                              type.isRequired() ? QObject::tr("required") : fieldText(type.defaultValue));
    result.unit = qt(type.unit);
    result.documentation = qt(type.documentation);
    for (const std::string &option : type.options)
        result.options.append(qt(option));
    return result;
}

ParameterRow choice(ParameterRow row, const QStringList &options)
{
    row.widget = QStringLiteral("choice");
    row.options = options;
    return row;
}

/// Members of the file that no descriptor knows: shown, so that they can be seen and corrected.
void addUnknown(std::vector<ParameterRow> &rows, const Json &project, const Pointer &container)
{
    for (const auto &item : object(find(project, container)).items()) {
        const QString name = qt(item.key());
        const bool known = std::any_of(rows.begin(), rows.end(), [&name](const ParameterRow &r) { return r.name == name; });
        if (!known)
            rows.push_back(row(project, container / item.key(), item.value().is_string() ? "string" : "", name, {}));
    }
}

} // namespace

std::vector<ParameterRow> blockParameterRows(const Json &project, const Catalog &catalog, const QString &blockId)
{
    std::vector<ParameterRow> rows;
    const auto block = blockPointer(project, blockId.toStdString());
    if (!block)
        return rows;
    const Pointer parameters = *block / "parameters";
    const BlockType *type = catalog.block(text(find(project, *block / "type")));
    if (type && type->itemTypes.size() > 1) {
        QStringList options;
        for (const std::string &itemType : type->itemTypes)
            options.append(qt(itemType));
        rows.push_back(choice(row(project, parameters / "item_type", "enum", QObject::tr("Item type"), QObject::tr("inferred")),
                              options));
    }
    if (type)
        for (const ParameterType &parameter : type->parameters)
            rows.push_back(described(project, parameters / parameter.id, parameter));
    addUnknown(rows, project, parameters);
    return rows;
}

std::vector<ParameterRow> blockPropertyRows(const Json &project, const QString &blockId)
{
    const auto block = blockPointer(project, blockId.toStdString());
    if (!block)
        return {};
    return {choice(row(project, *block / "state", "enum", QObject::tr("State"), QStringLiteral("enabled")),
                   {QStringLiteral("enabled"), QStringLiteral("disabled"), QStringLiteral("bypassed")}),
            row(project, *block / "repeat", "i64", QObject::tr("Repeat"), QStringLiteral("1")),
            row(project, *block / "probe", "bool", QObject::tr("Probe"), QStringLiteral("false")),
            row(project, *block / "comment", "string", QObject::tr("Comment"), {})};
}

std::vector<ParameterRow> projectParameterRows(const Json &project)
{
    std::vector<ParameterRow> rows;
    const Pointer parameters("/parameters");
    for (const auto &item : object(find(project, parameters)).items()) {
        const Pointer value = parameters / item.key() / "value";
        ParameterRow field = row(project, value, item.value().is_string() ? "string" : "", qt(item.key()), {});
        field.name = qt(item.key());
        field.documentation = qt(text(member(item.value(), "description")));
        rows.push_back(std::move(field));
    }
    return rows;
}

std::vector<ParameterRow> deploymentRows(const Json &project, const Catalog &catalog, const QString &deployment)
{
    const auto place = deploymentPointer(project, deployment.toStdString());
    if (!place)
        return {};
    QStringList schedulers;
    for (const SchedulerType &scheduler : catalog.schedulers())
        schedulers.append(qt(scheduler.id));
    std::vector<ParameterRow> rows{
        choice(row(project, *place / "scheduler", "enum", QObject::tr("Scheduler"), QObject::tr("required")), schedulers)};
    const SchedulerType *scheduler = catalog.scheduler(text(find(project, *place / "scheduler")));
    if (!scheduler || scheduler->workers == "chosen")
        rows.push_back(row(project, *place / "workers", "i64", QObject::tr("Workers"), QStringLiteral("auto")));
    rows.push_back(row(project, *place / "chunk_items", "i64", QObject::tr("Chunk"), QStringLiteral("auto")));
    rows.back().unit = QStringLiteral("items");
    QStringList wait;
    if (scheduler)
        for (const std::string &policy : scheduler->waitPolicies)
            wait.append(qt(policy));
    if (!wait.isEmpty())
        rows.push_back(choice(row(project, *place / "wait", "enum", QObject::tr("Waiting"), QStringLiteral("auto")), wait));
    if (scheduler)
        for (const ParameterType &parameter : scheduler->parameters)
            rows.push_back(described(project, *place / "parameters" / parameter.id, parameter));
    return rows;
}

std::vector<ParameterRow> runRows(const Json &project)
{
    const Pointer run("/run");
    const QString byDefault = QObject::tr("default");
    std::vector<ParameterRow> rows{
        row(project, run / "items", "i64", QObject::tr("Items"), byDefault),
        row(project, run / "warmup_items", "i64", QObject::tr("Warm-up"), byDefault),
        row(project, run / "repetitions", "i64", QObject::tr("Repetitions"), byDefault),
        row(project, run / "timeout_s", "f64", QObject::tr("Time limit"), byDefault),
        choice(row(project, run / "trace" / "backend", "enum", QObject::tr("Trace"), byDefault),
               {QStringLiteral("lttng"), QStringLiteral("memory"), QStringLiteral("off")})};
    rows[0].unit = rows[1].unit = QStringLiteral("items");
    rows[3].unit = QStringLiteral("s");
    return rows;
}

void markProblems(std::vector<ParameterRow> &rows, const ProblemModel &problems)
{
    for (ParameterRow &row : rows)
        row.problem = problems.messageAt(QString::fromStdString(row.pointer.to_string()));
}

} // namespace weir::editor
