#pragma once

#include "core/runs/run_record.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>

#include <vector>

/// Distributions that are drawn together.
class CurveSet : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by what was measured")
    Q_PROPERTY(int count READ count NOTIFY changed)

  public:
    using QObject::QObject;

    int count() const { return static_cast<int>(m_curves.size()); }
    const std::vector<weir::editor::Curve>& curves() const { return m_curves; }
    void set(std::vector<weir::editor::Curve> curves) {
        m_curves = std::move(curves);
        emit changed();
    }

  signals:
    void changed();

  private:
    std::vector<weir::editor::Curve> m_curves;
};
