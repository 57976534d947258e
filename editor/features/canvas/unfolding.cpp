#include "features/canvas/unfolding.h"

#include "core/document/project_places.h"
#include "core/json/json_reader.h"
#include "shell/session/session.h"

namespace weir::editor {
namespace {

constexpr std::chrono::milliseconds kUnfoldingDelay{250};

QString qt(const Json* value) { return QString::fromStdString(text(value)); }

} // namespace

Unfolding::Unfolding(Session& session)
    : QObject(&session), m_session(session), m_ask(session.command(),
                                                   {.key = [this] { return key(); },
                                                    .request = [this] { return request(); },
                                                    .answered = [this](const CliAnswer& answer) { receive(answer); },
                                                    .delay = kUnfoldingDelay},
                                                   nullptr) {
    connect(&m_ask, &Ask::stateChanged, this, &Unfolding::changed);
    connect(&session.document(), &Document::replaced, this, &Unfolding::fold);
    connect(&session.scene(), &GraphScene::changed, this, &Unfolding::update);
    connect(&session.scene(), &GraphScene::moved, this, &Unfolding::update);
    connect(&session.document(), &Document::changed, this, &Unfolding::askSoon);
    connect(&session, &Session::deploymentsChanged, this, &Unfolding::askSoon);
}

const Json* Unfolding::repeatedGroupOf(const QString& block) const {
    for (const Json& group : list(find(m_session.document().json(), kGraph.groups)))
        for (const Json& id : list(member(group, "blocks")))
            if (qt(&id) == block && member(group, "repeat")) return &group;
    return nullptr;
}

bool Unfolding::isStack(const QString& block) const {
    const BlockView* view = m_session.scene().block(block);
    return view && (!view->badge.isEmpty() || !m_session.scene().pipesBadge().isEmpty() || repeatedGroupOf(block));
}

void Unfolding::unfold(const QString& block) {
    if (!isStack(block)) return;
    m_blocks = {block};
    m_title = block;
    if (const Json* group = repeatedGroupOf(block)) {
        m_blocks.clear();
        for (const Json& id : list(member(*group, "blocks"))) m_blocks.append(qt(&id));
        m_title = qt(member(*group, "id"));
    }
    m_model.setInstances({});
    m_ask.forget();
    m_ask.now();
    update();
}

void Unfolding::fold() {
    if (!isOpen()) return;
    m_blocks.clear();
    m_model.setInstances({});
    m_ask.forget();
}

void Unfolding::update() {
    if (!isOpen()) return;
    QRectF place;
    for (const QString& id : m_blocks)
        if (const BlockView* block = m_session.scene().block(id)) place |= block->rect;
    if (place.isNull()) {
        fold();
        return;
    }
    m_place = place;
    emit changed();
}

void Unfolding::askSoon() {
    if (isOpen()) m_ask.refresh();
}

QString Unfolding::key() const {
    return QString::number(m_session.document().meaning()) + u'\n' + m_session.deployment();
}

CliRequest Unfolding::request() const {
    QStringList arguments{QStringLiteral("plan"), QStringLiteral("-"), QStringLiteral("--json")};
    if (const QString deployment = m_session.deployment(); !deployment.isEmpty())
        arguments << QStringLiteral("--deployment") << deployment;
    return {arguments, QByteArray::fromStdString(m_session.document().canonicalText()), m_session.document().folder()};
}

void Unfolding::receive(const CliAnswer& answer) {
    const auto parsed = readJson(answer.output.toStdString());
    const Json* plan = std::get_if<Json>(&parsed);
    if (answer.isFine() && plan) m_model.setInstances(instancesOf(*plan, m_blocks));
    else m_session.setNotice(tr("%1 cannot be unfolded: %2").arg(m_title, answer.explanation()));
    if (m_model.rowCount() == 0) fold();
}

} // namespace weir::editor
