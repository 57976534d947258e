#include "views.h"

std::vector<View> Views::all()
{
    return {
        {QStringLiteral("canvas"), tr("Graph"), tr("Show the graph"), {}},
        {QStringLiteral("lanes"), tr("Mapping"), tr("Show the mapping"), QStringLiteral("LanesView.qml")},
        {QStringLiteral("code"), tr("Code"), tr("Show the generated code"), QStringLiteral("CodeView.qml")},
        {QStringLiteral("results"), tr("Results"), tr("Show the results"), QStringLiteral("ResultsPage.qml")},
        {QStringLiteral("compare"), tr("Compare"), tr("Compare runs"), QStringLiteral("ComparePage.qml")},
    };
}

QStringList Views::names()
{
    QStringList names;
    for (const View &view : all())
        names.append(view.name);
    return names;
}

QStringList Views::titles()
{
    QStringList titles;
    for (const View &view : all())
        titles.append(view.title);
    return titles;
}

int Views::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(all().size()) - 1;
}

QVariant Views::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const View view = all()[static_cast<std::size_t>(index.row()) + 1];
    switch (role) {
    case NameRole: return view.name;
    case PageRole: return view.page;
    default: return {};
    }
}

QHash<int, QByteArray> Views::roleNames() const
{
    return {{NameRole, "name"}, {PageRole, "page"}};
}
