#include "app/all_views.h"

#include <QCoreApplication>

namespace weir::editor {
namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(Views)
};

} // namespace

std::vector<View> allViews() {
    return {
        {QStringLiteral("canvas"), Texts::tr("Graph"), Texts::tr("Show the graph"), {}},
        {QStringLiteral("lanes"), Texts::tr("Mapping"), Texts::tr("Show the mapping"), QStringLiteral("LanesView.qml")},
        {QStringLiteral("code"), Texts::tr("Code"), Texts::tr("Show the generated code"),
         QStringLiteral("CodeView.qml")},
        {QStringLiteral("results"), Texts::tr("Results"), Texts::tr("Show the results"),
         QStringLiteral("ResultsPage.qml")},
        {QStringLiteral("compare"), Texts::tr("Compare"), Texts::tr("Compare runs"), QStringLiteral("ComparePage.qml")},
        {QStringLiteral("sweep"), Texts::tr("Sweep"), Texts::tr("Show the sweep"), QStringLiteral("SweepPage.qml")},
    };
}

} // namespace weir::editor
