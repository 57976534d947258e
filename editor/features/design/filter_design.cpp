#include "features/design/filter_design.h"

#include "core/document/project_places.h"
#include "core/edits/project_edits.h"
#include "core/text/value_text.h"
#include "features/design/design_answer.h"
#include "features/design/known_rate.h"

namespace weir::editor {
namespace {

constexpr std::chrono::milliseconds kDelay{150};

} // namespace

FilterDesign::FilterDesign(QObject* parent) : QObject(parent) {}

void FilterDesign::setSession(Session* session) {
    if (m_session == session || !session) return;
    m_session = session;
    m_ask = std::make_unique<Ask>(
        session->command(),
        Ask::Spec{
            .key = [this] { return m_place ? QString::fromUtf8(question(*m_place, shownEntry()).input) : QString(); },
            .request = [this] { return question(*m_place, shownEntry()); },
            .answered = [this](const CliAnswer& answer) { show(readDesignReply(answer, m_place->name())); },
            .delay = kDelay},
        nullptr);
    m_ask->setActive(m_active);
    connect(m_ask.get(), &Ask::stateChanged, this, &FilterDesign::changed);
    connect(&session->document(), &Document::replaced, this, [this] {
        m_drafts.clear();
        m_jobs.clear();
    });
    connect(&session->document(), &Document::changed, this, [this](const ChangedPaths& paths) {
        if (!paths.isDrawing()) update();
    });
    connect(&session->selection(), &Selection::changed, this, &FilterDesign::update);
    connect(session, &Session::catalogChanged, this, &FilterDesign::update);
    emit sessionChanged();
    update();
}

void FilterDesign::setActive(bool active) {
    if (m_active == active) return;
    m_active = active;
    emit activeChanged();
    update();
}

std::optional<DesignPlace> FilterDesign::selectedPlace() const {
    const BlockView* block = m_session->scene().block(m_session->selection().onlyBlock());
    const BlockType* type = block ? m_session->scene().catalog().block(block->type.toStdString()) : nullptr;
    if (type)
        for (const ParameterType& parameter : type->parameters)
            if (parameter.design == "fir") return DesignPlace{block->id.toStdString(), parameter.id};
    return {};
}

Json FilterDesign::storedEntry(const DesignPlace& place) const {
    const Json* entry = find(m_session->document().json(), kDesigns / place.name());
    return entry && entry->is_object() ? *entry : Json();
}

Json FilterDesign::shownEntry() const {
    if (!m_place) return {};
    const auto draft = m_drafts.find(m_place->name());
    Json stored = storedEntry(*m_place);
    return draft != m_drafts.end() && draft->second.base == stored ? draft->second.entry : stored;
}

/// Return the value in the project, else the default of the block.
Json FilterDesign::taps(const DesignPlace& place) const {
    const Json& project = m_session->document().json();
    const auto block = blockPointer(project, place.block);
    if (!block) return {};
    if (const Json* taps = find(project, *block / "parameters" / place.parameter)) return *taps;
    const BlockType* type = m_session->scene().catalog().block(text(find(project, *block / "type")));
    const ParameterType* parameter = type ? type->parameter(place.parameter) : nullptr;
    return parameter && !parameter->isRequired() ? parameter->defaultValue : Json();
}

/// Request a project that has this block alone, so that no other part influences the answer.
CliRequest FilterDesign::question(const DesignPlace& place, const Json& entry) const {
    Json block{{"id", place.block}, {"type", "taps"}, {"parameters", {{place.parameter, taps(place)}}}};
    Json project{{"schema_version", 1},
                 {"name", "design"},
                 {"parameters", object(member(m_session->document().json(), "parameters"))},
                 {"graph", {{"blocks", Json::array({std::move(block)})}, {"connections", Json::array()}}}};
    if (entry.is_object()) project["ui"] = {{"designs", {{place.name(), entry}}}};
    return {{QStringLiteral("design"), QStringLiteral("-"), QStringLiteral("--at"),
             QString::fromStdString(place.name()), QStringLiteral("--json")},
            QByteArray::fromStdString(project.dump()),
            m_session->document().folder()};
}

void FilterDesign::update() {
    if (!m_session) return;
    const auto place = selectedPlace();
    if (place != m_place) {
        tellOfUnused();
        m_reply = {};
        m_ask->forget(); // do not show the old answer again, even if the same block is selected later
    }
    m_place = place;
    if (m_place) {
        const auto draft = m_drafts.find(m_place->name());
        if (draft != m_drafts.end() && draft->second.base != storedEntry(*m_place)) m_drafts.erase(draft);
    }
    showFields();
    // A design is shown, too, while its taps for the project are computed.
    m_ask->setActive(m_active && m_place && !isComputing());
    m_ask->refresh();
    showFacts();
    emit changed();
}

void FilterDesign::tellOfUnused() {
    if (state() == Proposed && !isComputing() && m_session->scene().block(QString::fromStdString(m_place->block)))
        m_session->setNotice(
            tr("The design of %1 is not used yet: the block keeps its taps. Select the block to continue.")
                .arg(QString::fromStdString(m_place->block)),
            true);
}

void FilterDesign::showFields() {
    const Json entry = shownEntry();
    std::vector<ParameterRow> rows = designRows(entry);
    for (ParameterRow& row : rows) {
        const std::string key = row.name.toStdString();
        if (const auto fault = m_reply.faults.fields.find(key); fault != m_reply.faults.fields.end()) {
            row.problem = fault->second;
            row.severity = QStringLiteral("error");
        }
        if (!row.value.startsWith(u'=')) continue;
        const Json* value = m_reply.answer ? member(m_reply.answer->design, key) : nullptr;
        row.evaluated =
            value && value->is_number() ? QStringLiteral("→ %1").arg(numberText(value->get<double>())) : QString();
    }
    m_fields.setRows(std::move(rows));
}

void FilterDesign::showFacts() { m_facts.setRows(m_reply.answer ? designFacts(*m_reply.answer) : Facts()); }

void FilterDesign::show(DesignReply reply) {
    // Keep the last good curve until the next one.
    if (!reply.answer) reply.answer = m_reply.answer;
    m_reply = std::move(reply);
    showFields();
    showFacts();
    emit changed();
}

FilterDesign::State FilterDesign::state() const {
    if (!m_place || shownEntry().is_null()) return Plain;
    if (storedEntry(*m_place).is_null()) return Proposed;
    // A refused value is marked at its field. The taps still come from the design in the project.
    const bool isTyped = shownEntry() != storedEntry(*m_place);
    return !isTyped && (!isSound() || (m_reply.answer && !m_reply.answer->agrees)) ? Changed : Kept;
}

bool FilterDesign::isAsking() const { return m_place && (m_ask->isBusy() || isComputing()); }

bool FilterDesign::isComputing() const {
    const auto job = m_place ? m_jobs.find(m_place->name()) : m_jobs.end();
    return job != m_jobs.end() && job->second.ask->isBusy();
}

QString FilterDesign::summary() const {
    if (!m_place) return {};
    const Json stored = taps(*m_place);
    QStringList parts{tr("%n tap(s)", nullptr, stored.is_array() ? static_cast<int>(stored.size()) : 0)};
    const State now = state();
    if (now == Kept) {
        parts.append(kindTitle(text(member(storedEntry(*m_place), "kind"))));
        if (const QString edges = m_reply.answer ? edgesText(*m_reply.answer) : QString(); !edges.isEmpty())
            parts.append(edges);
    } else if (now != Plain && isAsking()) {
        parts.append(tr("designing…"));
    } else if (now != Plain && isSound() && m_reply.answer) {
        parts.append(tr("the design has %n tap(s)", nullptr, static_cast<int>(m_reply.answer->taps.size())));
    }
    return parts.join(QStringLiteral(" · "));
}

void FilterDesign::propose() {
    if (state() != Plain || !m_place) return;
    const Json rate =
        knownRate(m_session->scene(), m_session->document().json(), QString::fromStdString(m_place->block));
    m_drafts[m_place->name()] = {Json(), proposedDesign(rate)};
    update();
}

void FilterDesign::discard() {
    if (!m_place) return;
    m_drafts.erase(m_place->name());
    if (storedEntry(*m_place).is_null())
        m_jobs.erase(m_place->name()); // a proposal was never used, so its taps are not needed
    m_reply.faults = {};
    update();
}

void FilterDesign::apply() {
    if (m_place && !shownEntry().is_null()) start(*m_place, storedEntry(*m_place), shownEntry());
}

void FilterDesign::forget() {
    if (!m_place) return;
    const std::string name = m_place->name();
    m_drafts.erase(name);
    m_reply = {};
    m_session->edit(tr("Discard the design of %1").arg(QString::fromStdString(m_place->block)),
                    [&](Transaction& t) { t.remove(kDesigns / name); });
}

void FilterDesign::commit(int row, const QString& typed) {
    if (!m_place || row < 0 || row >= m_fields.rowCount()) return;
    const Json shown = shownEntry(), stored = storedEntry(*m_place);
    Json entry = withField(shown, m_fields.rows()[static_cast<std::size_t>(row)].name.toStdString(), typed);
    if (entry == shown) return showFields();
    m_drafts[m_place->name()] = {stored, entry};
    m_reply.faults = {};
    if (!stored.is_null()) start(*m_place, stored, entry);
    update();
}

void FilterDesign::revert(int) {
    if (m_place && !storedEntry(*m_place).is_null()) discard();
}

void FilterDesign::start(const DesignPlace& place, const Json& base, const Json& entry) {
    Job& job = m_jobs[place.name()];
    job.base = base;
    job.entry = entry;
    if (!job.ask) {
        job.ask = std::make_unique<Ask>(
            m_session->command(),
            Ask::Spec{.key =
                          [this, place] {
                              const Job& asked = m_jobs.at(place.name());
                              return QString::fromUtf8(question(place, asked.entry).input) +
                                     (storedEntry(place) == asked.base ? u'=' : u'!');
                          },
                      .request = [this, place] { return question(place, m_jobs.at(place.name()).entry); },
                      .answered = [this, place](const CliAnswer& answer) { finish(place, answer); },
                      .late =
                          [this, place] {
                              m_session->setNotice(tr("%1 was not designed: the block changed in the meantime")
                                                       .arg(QString::fromStdString(place.block)));
                              update();
                          }},
            nullptr);
        connect(job.ask.get(), &Ask::stateChanged, this, &FilterDesign::update);
    }
    job.ask->now();
}

void FilterDesign::finish(const DesignPlace& place, const CliAnswer& answer) {
    const Job& job = m_jobs.at(place.name());
    const QString block = QString::fromStdString(place.block);
    DesignReply reply = readDesignReply(answer, place.name());
    const auto pointer = blockPointer(m_session->document().json(), place.block);
    if (reply.answer && pointer) {
        const QString step = tr("Design %1: %2").arg(block, kindTitle(text(member(job.entry, "kind"))));
        m_session->edit(step, [&](Transaction& t) {
            t.set(*pointer / "parameters" / place.parameter, reply.answer->taps);
            t.set(kDesigns / place.name(), job.entry);
        });
        return;
    }
    if (m_place == place) show(std::move(reply));
    else // The block's fields are not shown now, so report here. The draft reappears when the block is selected.
        m_session->setNotice(
            tr("%1 was not designed: %2")
                .arg(block, reply.faults.fields.empty() ? reply.faults.other : reply.faults.fields.begin()->second));
}

} // namespace weir::editor
