#include "results.h"

#include "editor.h"

#include <QClipboard>
#include <QGuiApplication>

using namespace weir::editor;

Results::Results(Editor &editor, QObject *parent)
    : QObject(parent), m_editor(editor), m_library(editor, this), m_run(m_library, this), m_comparison(editor, m_library, this),
      m_heat(m_run, this)
{
    connect(&m_library, &RunLibrary::listed, this, &Results::choose);
    connect(&m_library, &RunLibrary::removed, this, [this](const QString &path) {
        if (m_run.path() == path)
            m_run.show({});
    });
    connect(&editor.document(), &Document::replaced, this, [this] {
        m_run.show({});
        m_heat.setEnabled(false);
    });
    connect(editor.runner(), &RunController::finished, this, [this] {
        m_newRun = true;
        m_library.refresh();
    });
}

void Results::show(const QString &path)
{
    m_run.show(path);
}

void Results::compareFrom(const QString &path)
{
    m_library.list().setBaseline(path);
    m_comparison.setSide(path, true);
}

void Results::copyText(const QString &text) const
{
    QGuiApplication::clipboard()->setText(text);
}

void Results::choose()
{
    const RunListModel &list = m_library.list();
    if (!m_newRun && m_run.isShown())
        return;
    // The newest that can be read: rows are the newest first, and a filter may hide it.
    for (int row = 0; row < list.rowCount(); ++row)
        if (const RunRow *run = list.runAt(row); run->isReadable()) {
            m_run.show(run->path);
            break;
        }
    if (std::exchange(m_newRun, false) && m_heat.loads().hasWork())
        m_heat.setEnabled(true);
}
