#pragma once

#include "core/graph/graph_scene.h"
#include "core/json/json.h"

#include <QtQml/qqmlregistration.h>

#include <QObject>
#include <QString>
#include <QStringList>

namespace weir::editor {

class Session;

/// Finder behind the bar over the canvas. Each step selects a block and brings it into view.
class GraphFinder : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by Editor")

    Q_PROPERTY(QString text READ text WRITE setText NOTIFY changed)
    Q_PROPERTY(int count READ count NOTIFY changed)
    /// Number of the shown block, from 1; 0 if none.
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

/// Return the ids of blocks whose id, type, title, comment, parameter names or values contain the text, in file order.
/// Names that begin with it come first.
QStringList findBlocks(const Json& project, const Catalog& catalog, const QString& text);

}  // namespace weir::editor
