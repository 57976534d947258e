// Contexts of the words that no QObject says: lupdate finds a text only by the class whose tr() translates it.
#pragma once

#include <QCoreApplication>

namespace weir::editor {

struct ClipboardText
{
    Q_DECLARE_TR_FUNCTIONS(Clipboard)
};

struct MappingText
{
    Q_DECLARE_TR_FUNCTIONS(Mapping)
};

struct ProjectText
{
    Q_DECLARE_TR_FUNCTIONS(Project)
};

struct ResultsText
{
    Q_DECLARE_TR_FUNCTIONS(Results)
};

struct RunText
{
    Q_DECLARE_TR_FUNCTIONS(Run)
};

} // namespace weir::editor
