#include "core/runs/run_record.h"

#include "core/json/json_reader.h"
#include "core/text/prose.h"
#include "core/text/texts.h"
#include "core/text/ticks.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>

#include <algorithm>
#include <limits>

namespace weir::editor {
namespace {

constexpr int kSchemaVersion = 1;
constexpr qint64 kMostCurveBytes = 4 << 20;

/// Return false for pipes and the like: opening one would block. Reading a missing file fails on its own.
bool mayBeRead(const QString& path) {
    const QFileInfo info(path);
    return !info.exists() || info.isFile();
}

std::variant<Hgrm, QString> curveIn(const QString& path) {
    QFile file(path);
    if (!mayBeRead(path) || !file.open(QIODevice::ReadOnly))
        return ResultsText::tr("%1 cannot be read: %2").arg(QFileInfo(path).fileName(), file.errorString());
    if (file.size() > kMostCurveBytes) return ResultsText::tr("%1 is too large").arg(QFileInfo(path).fileName());
    return readHgrm(file.readAll());
}

QString readResults(const QString& folder, Json& results) {
    QFile file(folder + QStringLiteral("/results.json"));
    if (!QFileInfo(folder).isDir()) return ResultsText::tr("The folder of this run no longer exists.");
    if (!mayBeRead(file.fileName()) || !file.open(QIODevice::ReadOnly))
        return ResultsText::tr("results.json cannot be read: %1").arg(file.errorString());
    auto parsed = readJson(file.read(static_cast<qint64>(kMaximumBytes) + 1).toStdString());
    if (const auto* error = std::get_if<ReadError>(&parsed))
        return ResultsText::tr("results.json is damaged: %1").arg(QString::fromStdString(error->message));
    results = std::move(std::get<Json>(parsed));
    const Json* version = member(results, "schema_version");
    if (!version || !version->is_number_integer())
        return ResultsText::tr("results.json does not contain the results of a run");
    if (version->get<int>() != kSchemaVersion)
        return ResultsText::tr(
                   "another version of Weir wrote results.json: its schema_version is %1, this version reads %2")
            .arg(version->get<int>())
            .arg(kSchemaVersion);
    return {};
}

/// Return run.json; null if it cannot be read, since no measured value depends on it.
Json readMade(const QString& folder) {
    QFile file(folder + QStringLiteral("/run.json"));
    if (!mayBeRead(file.fileName()) || !file.open(QIODevice::ReadOnly)) return {};
    return jsonFrom(file.read(static_cast<qint64>(kMaximumBytes) + 1));
}

} // namespace

QString pairName(const Json& pair) {
    return QStringLiteral("%1 → %2").arg(string(pair, "source"), string(pair, "sink"));
}

double numberOf(const Json& object, const char* key) {
    const Json* value = member(object, key);
    return value && value->is_number() ? value->get<double>() : std::numeric_limits<double>::quiet_NaN();
}

RunRecord readRun(const QString& folder) {
    RunRecord record{QDir(folder).absolutePath(), {}, {}, {}, {}, {}};
    record.fault = readResults(folder, record.results);
    if (!record.isReadable()) return record;
    record.run = readMade(folder);
    auto pooled = curveIn(folder + QStringLiteral("/latency.hgrm"));
    if (const auto* why = std::get_if<QString>(&pooled)) {
        record.curveFault = *why;
        return record;
    }
    const Json& pairs = list(member(record.results, "latency_pairs"));
    const bool several = pairs.size() > 1;
    const Json& latency = object(member(record.results, "latency"));
    if (Hgrm& all = std::get<Hgrm>(pooled); !all.isEmpty())
        record.curves.push_back({several         ? ResultsText::tr("all pairs")
                                 : pairs.empty() ? ResultsText::tr("latency")
                                                 : pairName(pairs.front()),
                                 std::move(all), 0, false, numberOf(latency, "p50_ns"), numberOf(latency, "p99_ns")});
    for (std::size_t index = 0; several && index < pairs.size(); ++index) {
        auto curve = curveIn(folder + QStringLiteral("/latency.%1.hgrm").arg(index));
        if (Hgrm* of = std::get_if<Hgrm>(&curve); of && !of->isEmpty())
            record.curves.push_back({pairName(pairs[index]), std::move(*of), static_cast<int>(index) + 1, false,
                                     numberOf(pairs[index], "p50_ns"), numberOf(pairs[index], "p99_ns")});
    }
    return record;
}

QString statusOf(const RunRecord& record) {
    const QString status = string(record.results, "status");
    return record.isReadable() && !status.isEmpty() ? status : QStringLiteral("damaged");
}

QStringList reasonsOf(const Json& results) {
    QStringList deciding, others;
    for (const Json& reason : list(member(results, "reasons"))) {
        const QString message = prose(reason, "message");
        const bool decides = text(member(reason, "code")).starts_with("E_");
        (decides ? deciding : others).append(message);
    }
    return deciding + others;
}

QStringList warningsOf(const Json& results) {
    QStringList found;
    for (const Json& reason : list(member(results, "reasons")))
        if (text(member(reason, "code")).starts_with("W_")) found.append(prose(reason, "message"));
    return found;
}

QStringList notesOf(const Json& results) {
    QStringList found;
    for (const Json& reason : list(member(results, "reasons"))) {
        const std::string code = text(member(reason, "code"));
        if (code.starts_with("N_") && code != "N_SHORT_WINDOW") found.append(prose(reason, "message"));
    }
    return found;
}

bool isSpinning(const Json& results) {
    const Json& reasons = list(member(results, "reasons"));
    return std::any_of(reasons.begin(), reasons.end(), [](const Json& reason) {
        const std::string code = text(member(reason, "code"));
        return code == "W_OVERSUBSCRIBED" || code == "W_SPIN_SHARED";
    });
}

bool isUnverified(const Json& results) {
    const Json& reasons = list(member(results, "reasons"));
    return std::any_of(reasons.begin(), reasons.end(), [](const Json& reason) {
        const std::string code = text(member(reason, "code"));
        return code == "N_NOT_VERIFIED" || code == "N_ADOPTED";
    });
}

QString shortWindowOf(const Json& results) {
    const Json& reasons = list(member(results, "reasons"));
    const bool isShort = std::any_of(reasons.begin(), reasons.end(), [](const Json& reason) {
        return text(member(reason, "code")) == "N_SHORT_WINDOW";
    });
    return isShort ? ResultsText::tr(
                         "Uncertain: the window is shorter than 0.2 s. Run more items, under Options or Settings.")
                   : QString();
}

double percentileOf(const QString& field) {
    static const QRegularExpression kPercentile(QStringLiteral("^p(\\d{1,2})(\\d*)_ns$"));
    const QRegularExpressionMatch match = kPercentile.match(field);
    return match.hasMatch() ? QString(match.captured(1) + u'.' + match.captured(2) + u'0').toDouble() / 100 : 0;
}

QString lackingFor(double percentile, double count) {
    if (percentile <= 0 || !(count > 0) || count >= neededFor(percentile)) return {};
    return ResultsText::tr("%1, so that 10 lie above the percentile. Run more items.")
        .arg(tooFewText(percentile, count));
}

QString tooFewWords() { return ResultsText::tr("too few latencies"); }

QString tooFewInShort() { return ResultsText::tr("too few"); }

QString tooFewText(double percentile, double count) {
    return ResultsText::tr("p%1 needs at least %2 latencies, this run has %3")
        .arg(percentileText(percentile), tickText(neededFor(percentile)), tickText(count));
}

QString verificationOf(const Json& results) {
    const Json& verification = object(member(results, "verification"));
    const QString message = prose(verification, "message");
    const Json* ok = member(verification, "ok");
    if (message.isEmpty() || !ok || !ok->is_boolean()) return {};
    return ok->get<bool>() ? message : ResultsText::tr("failed: %1").arg(message);
}

} // namespace weir::editor
