#pragma once

#include "shell/session/session.h"

#include <QtQml/qqmlregistration.h>
#include <QPointer>
#include <QQuickPaintedItem>
#include <QVariantMap>

namespace weir::editor {

/// Small picture of the flowgraph in a project file.
class GraphPicture : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(weir::editor::Session* session READ session WRITE setSession NOTIFY changed REQUIRED)
    Q_PROPERTY(QString path READ path WRITE setPath NOTIFY changed REQUIRED)
    /// True if there is a flowgraph to show.
    Q_PROPERTY(bool shown READ isShown NOTIFY changed)
    /// Name and description of the project.
    Q_PROPERTY(QString title READ title NOTIFY changed)
    Q_PROPERTY(QString description READ description NOTIFY changed)
    Q_PROPERTY(QVariantMap colors MEMBER m_colors NOTIFY changed)

  public:
    explicit GraphPicture(QQuickItem* parent = nullptr);

    Session* session() const { return m_session; }
    void setSession(Session* session);
    QString path() const { return m_path; }
    void setPath(const QString& path);
    bool isShown() const { return !m_scene.blocks().empty(); }
    QString title() const;
    QString description() const;
    void paint(QPainter* painter) override;

  signals:
    void changed();

  private:
    QPointer<Session> m_session;
    QString m_path;
    Document m_document;
    GraphScene m_scene;
    QVariantMap m_colors;
};

} // namespace weir::editor
