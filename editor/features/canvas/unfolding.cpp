#include "unfolding.h"

#include "editor.h"
#include "json_reader.h"
#include "project_places.h"

using namespace weir::editor;

namespace {

constexpr std::chrono::milliseconds kUnfoldingDelay{250};

QString qt(const Json *value)
{
    return QString::fromStdString(text(value));
}

} // namespace

Unfolding::Unfolding(Editor &editor)
    : QObject(&editor), m_editor(editor),
      m_ask(editor.command(),
            {.key = [this] { return key(); },
             .request = [this] { return request(); },
             .answered = [this](const CliAnswer &answer) { receive(answer); },
             .delay = kUnfoldingDelay},
            nullptr)
{
    connect(&m_ask, &Ask::stateChanged, this, &Unfolding::changed);
    connect(&editor.document(), &Document::replaced, this, &Unfolding::fold);
    connect(&editor.scene(), &GraphScene::changed, this, &Unfolding::update);
    connect(&editor.scene(), &GraphScene::moved, this, &Unfolding::update);
    connect(&editor.document(), &Document::changed, this, &Unfolding::askSoon);
    connect(&editor, &Editor::deploymentsChanged, this, &Unfolding::askSoon);
}

const Json *Unfolding::repeatedGroupOf(const QString &block) const
{
    for (const Json &group : list(find(m_editor.document().json(), kGroups)))
        for (const Json &id : list(member(group, "blocks")))
            if (qt(&id) == block && member(group, "repeat"))
                return &group;
    return nullptr;
}

bool Unfolding::isStack(const QString &block) const
{
    const BlockView *view = m_editor.scene().block(block);
    return view && (!view->badge.isEmpty() || !m_editor.scene().pipesBadge().isEmpty() || repeatedGroupOf(block));
}

void Unfolding::unfold(const QString &block)
{
    if (!isStack(block))
        return;
    m_blocks = {block};
    m_title = block;
    if (const Json *group = repeatedGroupOf(block)) {
        m_blocks.clear();
        for (const Json &id : list(member(*group, "blocks")))
            m_blocks.append(qt(&id));
        m_title = qt(member(*group, "id"));
    }
    m_model.setInstances({});
    m_ask.forget();
    m_ask.now();
    update();
}

void Unfolding::fold()
{
    if (!isOpen())
        return;
    m_blocks.clear();
    m_model.setInstances({});
    m_ask.forget();
}

void Unfolding::update()
{
    if (!isOpen())
        return;
    QRectF place;
    for (const QString &id : m_blocks)
        if (const BlockView *block = m_editor.scene().block(id))
            place |= block->rect;
    if (place.isNull()) {
        fold();
        return;
    }
    m_place = place;
    emit changed();
}

void Unfolding::askSoon()
{
    if (isOpen())
        m_ask.refresh();
}

QString Unfolding::key() const
{
    return QString::number(m_editor.document().meaning()) + u'\n' + m_editor.deployment();
}

CliRequest Unfolding::request() const
{
    QStringList arguments{QStringLiteral("plan"), QStringLiteral("-"), QStringLiteral("--json")};
    if (const QString deployment = m_editor.deployment(); !deployment.isEmpty())
        arguments << QStringLiteral("--deployment") << deployment;
    return {arguments, QByteArray::fromStdString(m_editor.document().canonicalText()), m_editor.document().folder()};
}

void Unfolding::receive(const CliAnswer &answer)
{
    const auto parsed = readJson(answer.output.toStdString());
    const Json *plan = std::get_if<Json>(&parsed);
    if (answer.isFine() && plan)
        m_model.setInstances(instancesOf(*plan, m_blocks));
    else
        m_editor.setNotice(tr("%1 cannot be unfolded: %2").arg(m_title, answer.explanation()));
    if (m_model.rowCount() == 0)
        fold();
}
