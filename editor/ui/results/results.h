#pragma once

#include "heat_map.h"
#include "run_comparison.h"
#include "run_library.h"
#include "run_view.h"

#include <QObject>
#include <QtQml/qqmlregistration.h>

/// What was measured: all runs, the chosen one, two beside each other, and the numbers on the canvas.
class Results : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(RunLibrary *library READ library CONSTANT)
    Q_PROPERTY(RunView *run READ run CONSTANT)
    Q_PROPERTY(RunComparison *comparison READ comparison CONSTANT)
    Q_PROPERTY(HeatMap *heat READ heat CONSTANT)

public:
    Results(Editor &editor, QObject *parent);

    RunLibrary *library() { return &m_library; }
    RunView *run() { return &m_run; }
    RunComparison *comparison() { return &m_comparison; }
    HeatMap *heat() { return &m_heat; }

    /// Shows this run, with its numbers on the canvas if it has any.
    Q_INVOKABLE void show(const QString &path);
    /// Makes a run side A of the comparison, and what the list of runs refers to.
    Q_INVOKABLE void compareFrom(const QString &path);
    Q_INVOKABLE void copyText(const QString &text) const;

private:
    void choose();

    Editor &m_editor;
    RunLibrary m_library;
    RunView m_run;
    RunComparison m_comparison;
    HeatMap m_heat;
    bool m_newRun = false;
};
