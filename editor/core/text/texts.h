// Contexts for texts outside QObjects: lupdate finds a text only through the class whose tr() translates it.
#pragma once

#include <QCoreApplication>

namespace weir::editor {

struct ClipboardText {
    Q_DECLARE_TR_FUNCTIONS(Clipboard)
};

struct MappingText {
    Q_DECLARE_TR_FUNCTIONS(Mapping)
};

struct NameText {
    Q_DECLARE_TR_FUNCTIONS(Name)

  public:
    /// Return why it cannot be the name of a block, a group or a parameter.
    static QString refused(const QString& name) {
        return tr("\"%1\" is not a name: use a-z, 0-9 and _, beginning with a letter").arg(name);
    }
};

struct ProjectText {
    Q_DECLARE_TR_FUNCTIONS(Project)
};

struct ResultsText {
    Q_DECLARE_TR_FUNCTIONS(Results)
};

struct RunText {
    Q_DECLARE_TR_FUNCTIONS(Run)
};

struct SweepText {
    Q_DECLARE_TR_FUNCTIONS(Sweep)
};

} // namespace weir::editor
