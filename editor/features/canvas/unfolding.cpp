#include "features/canvas/unfolding.h"

#include "core/document/project_places.h"
#include "core/json/json_reader.h"
#include "shell/session/session.h"

namespace weir::editor {
namespace {

constexpr std::chrono::milliseconds kUnfoldingDelay{250};

constexpr int kShownRows = 8;
constexpr int kShownColumns = 6;

/// Return the number after `[` or `@p` in an instance's name; 0 if there is none.
int numberAfter(const QString& name, const QString& sign) {
    const auto at = name.indexOf(sign);
    if (at < 0) return 0;
    auto end = at + sign.size();
    while (end < name.size() && name[end].isDigit()) ++end;
    return name.mid(at + sign.size(), end - at - sign.size()).toInt();
}

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
        if (member(group, "repeat") && strings(member(group, "blocks")).contains(block)) return &group;
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
        m_blocks = strings(member(*group, "blocks"));
        m_title = string(*group, "id");
    }
    show({});
    m_ask.forget();
    m_ask.now();
    update();
}

void Unfolding::fold() {
    if (!isOpen()) return;
    m_blocks.clear();
    show({});
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

void Unfolding::show(const Json& plan) {
    std::vector<InstanceCell> cells;
    m_rows = m_columns = m_hidden = 0;
    QHash<QString, int> rowOf;
    for (const Json& entry : list(member(plan, "blocks"))) {
        const QString block = string(entry, "block"), name = string(entry, "instance");
        if (!m_blocks.contains(block) || name.isEmpty()) continue;
        const int column = numberAfter(name, QStringLiteral("["));
        const QString key = QStringLiteral("%1@%2").arg(block).arg(numberAfter(name, QStringLiteral("@p")));
        const int row = rowOf.value(key, static_cast<int>(rowOf.size()));
        rowOf.insert(key, row);
        if (row >= kShownRows || column >= kShownColumns) {
            ++m_hidden;
            continue;
        }
        m_rows = std::max(m_rows, row + 1);
        m_columns = std::max(m_columns, column + 1);
        cells.push_back({name, string(entry, "worker"), row, column});
    }
    m_model.setRows(std::move(cells));
}

void Unfolding::receive(const CliAnswer& answer) {
    const Json plan = jsonFrom(answer.output);
    if (answer.isFine() && plan.is_object()) show(plan);
    else m_session.setNotice(tr("%1 cannot be unfolded: %2").arg(m_title, answer.explanation()));
    if (m_model.rowCount() == 0) fold();
}

} // namespace weir::editor
