#pragma once

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QStringList>

namespace weir::editor {

class Session;

/// Find in the graph: what the bar over the canvas shows. Each step selects a block and brings it into view.
class GraphFinder : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by Editor")

    Q_PROPERTY(QString text READ text WRITE setText NOTIFY changed)
    Q_PROPERTY(int count READ count NOTIFY changed)
    /// Of the block that is shown, from 1; 0 when none is.
    Q_PROPERTY(int current READ current NOTIFY changed)

  public:
    explicit GraphFinder(Session& session);

    QString text() const { return m_text; }
    void setText(const QString& text);
    int count() const { return static_cast<int>(m_found.size()); }
    int current() const { return m_current + 1; }

    Q_INVOKABLE void next() { step(1); }
    Q_INVOKABLE void previous() { step(-1); }

  signals:
    void changed();
    void requested();

  private:
    void search();
    void step(int by);

    Session& m_session;
    QString m_text;
    QStringList m_found;
    int m_current = -1;
};

} // namespace weir::editor
