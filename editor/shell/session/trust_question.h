#pragma once

#include "core/json/json.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QString>

#include <functional>

namespace weir::editor {

class Document;

/// Asks whether GNU Radio may execute the code of the open flowgraph. The command line refuses a run without this.
class TrustQuestion : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Session")

    Q_PROPERTY(bool asking READ isAsking NOTIFY changed)
    /// Code that the flowgraph contains besides expressions: "1 embedded Python block (gain) · 1 import (import math)";
    /// empty: none.
    Q_PROPERTY(QString code READ code NOTIFY changed)

  public:
    explicit TrustQuestion(Document& document, QObject* parent = nullptr);

    bool isAsking() const { return bool(m_again); }
    QString code() const;
    /// Asks if `answer`, of a verb, refuses the flowgraph for lack of trust; returns whether it does. `again` repeats
    /// the verb with --trust.
    bool ask(const Json& answer, std::function<void()> again);
    Q_INVOKABLE void answer(bool trusts);

  signals:
    void changed();

  private:
    Document& m_document;
    std::function<void()> m_again;
};

}  // namespace weir::editor
