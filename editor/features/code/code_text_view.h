#pragma once

#include "features/code/code_controller.h"

#include <QtQml/qqmlregistration.h>
#include <QColor>
#include <QFont>
#include <QPointer>
#include <QQuickPaintedItem>
#include <QVariantMap>

#include <optional>

namespace weir::editor {

/// Paints only the visible lines of the code, since a file may have any number.
class CodeTextView : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(
        weir::editor::CodeController* controller READ controller WRITE setController NOTIFY controllerChanged REQUIRED)
    Q_PROPERTY(QString fontFamily MEMBER m_family NOTIFY lookChanged)
    Q_PROPERTY(int fontSize MEMBER m_size NOTIFY lookChanged)
    /// Colours by name: background, gutter, number, text, selectedLine, selection, selectionText, match, currentMatch,
    /// accent, error, errorLine, added, addedLine, removed, removedLine, and those of the syntax.
    Q_PROPERTY(QVariantMap colours MEMBER m_colours NOTIFY lookChanged)
    Q_PROPERTY(QVariantMap categoryColors MEMBER m_categoryColors NOTIFY lookChanged)
    Q_PROPERTY(qreal contentX READ contentX WRITE setContentX NOTIFY scrolled)
    Q_PROPERTY(qreal contentY READ contentY WRITE setContentY NOTIFY scrolled)
    Q_PROPERTY(qreal contentWidth READ contentWidth NOTIFY contentSizeChanged)
    Q_PROPERTY(qreal contentHeight READ contentHeight NOTIFY contentSizeChanged)
    Q_PROPERTY(QString selectedText READ selectedText NOTIFY selectionChanged)

  public:
    explicit CodeTextView(QQuickItem* parent = nullptr);

    CodeController* controller() const { return m_controller; }
    void setController(CodeController* controller);
    qreal contentX() const { return m_x; }
    qreal contentY() const { return m_y; }
    void setContentX(qreal x);
    void setContentY(qreal y);
    qreal contentWidth() const;
    qreal contentHeight() const;
    QString selectedText() const;

    Q_INVOKABLE void copy() const;
    Q_INVOKABLE void selectAll();
    /// Return the middle of a line (from 0) on the item.
    Q_INVOKABLE QPointF pointOf(int line, int column) const;

    void paint(QPainter* painter) override;

  signals:
    void controllerChanged();
    void lookChanged();
    void scrolled();
    void contentSizeChanged();
    void selectionChanged();

  protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void geometryChange(const QRectF& newGeometry, const QRectF& oldGeometry) override;

  private:
    struct Selected {
        TextPlace anchor;
        TextPlace caret;
    };

    QFont font() const;
    void measure();
    void reveal(int line);
    int linesPerPage() const;
    qreal gutterWidth() const;
    TextPlace placeAt(QPointF point) const;
    void select(std::optional<Selected> selected);
    QColor colour(const char* name) const { return m_colours.value(QLatin1String(name)).value<QColor>(); }
    void paintLine(QPainter& painter, int line, qreal y) const;
    void paintText(QPainter& painter, int line, qreal y) const;
    void paintGutter(QPainter& painter, int line, qreal y) const;

    QPointer<CodeController> m_controller;
    QString m_family;
    int m_size = 12;
    QVariantMap m_colours;
    QVariantMap m_categoryColors;
    qreal m_x = 0;
    qreal m_y = 0;
    qreal m_cell = 7;
    qreal m_lineHeight = 18;
    qreal m_ascent = 12;
    std::optional<Selected> m_selected;
    QPointF m_pressed;
    bool m_dragging = false;
};

}  // namespace weir::editor
