#pragma once

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QString>
#include <QStringList>

namespace weir::editor {

/// Options of the next run that override the project; empty: the project's value applies.
class RunOptions : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of RunController")

    Q_PROPERTY(QString repetitions READ repetitions WRITE setRepetitions NOTIFY changed)
    Q_PROPERTY(QString items READ items WRITE setItems NOTIFY changed)
    Q_PROPERTY(QString trace READ trace WRITE setTrace NOTIFY changed)
    Q_PROPERTY(bool allDeployments READ allDeployments WRITE setAllDeployments NOTIFY changed)
    /// True if any option overrides the project.
    Q_PROPERTY(bool any READ any NOTIFY changed)

  public:
    using QObject::QObject;

    QString repetitions() const { return m_repetitions; }
    void setRepetitions(const QString& text) { set(m_repetitions, text.trimmed()); }
    /// Return a count with a suffix, such as 50M.
    QString items() const { return m_items; }
    void setItems(const QString& text) { set(m_items, text.trimmed()); }
    /// Return lttng, memory or off.
    QString trace() const { return m_trace; }
    void setTrace(const QString& backend) { set(m_trace, backend); }
    bool allDeployments() const { return m_allDeployments; }
    void setAllDeployments(bool all) {
        m_allDeployments = all;
        emit changed();
    }
    bool any() const {
        return m_allDeployments || !m_repetitions.isEmpty() || !m_items.isEmpty() || !m_trace.isEmpty();
    }

    /// Clear the options: they do not apply to another project.
    void clear() {
        m_repetitions = m_items = m_trace = QString();
        setAllDeployments(false);
    }

    /// Return the options of `weir run`.
    QStringList arguments() const {
        QStringList words;
        for (const auto& [option, value] :
             {std::pair("--repeat", m_repetitions), {"--items", m_items}, {"--trace", m_trace}})
            if (!value.isEmpty()) words << QLatin1String(option) << value;
        return words;
    }

  signals:
    void changed();

  private:
    void set(QString& field, const QString& value) {
        if (field == value) return;
        field = value;
        emit changed();
    }

    QString m_repetitions;
    QString m_items;
    QString m_trace;
    bool m_allDeployments = false;
};

} // namespace weir::editor
