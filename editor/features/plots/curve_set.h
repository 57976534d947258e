#pragma once

#include "core/runs/run_record.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>

#include <vector>

namespace weir::editor {

/// Distributions drawn in one plot.
class CurveSet : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by what was measured")
    Q_PROPERTY(int count READ count NOTIFY changed)

  public:
    using QObject::QObject;

    int count() const { return static_cast<int>(m_curves.size()); }
    const std::vector<Curve>& curves() const { return m_curves; }
    void set(std::vector<Curve> curves) {
        m_curves = std::move(curves);
        emit changed();
    }

  signals:
    void changed();

  private:
    std::vector<Curve> m_curves;
};

} // namespace weir::editor
