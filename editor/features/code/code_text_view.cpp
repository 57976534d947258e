#include "features/code/code_text_view.h"

#include <QClipboard>
#include <QCursor>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>
#include <QStyleHints>

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

constexpr qreal kMargin = 8;
constexpr qreal kMarkWidth = 4;
constexpr qreal kLineSpacing = 1.5;

const char* nameOf(TokenKind kind) {
    switch (kind) {
        case TokenKind::Comment: return "comment";
        case TokenKind::Keyword: return "keyword";
        case TokenKind::Type: return "type";
        case TokenKind::String: return "string";
        case TokenKind::Number: return "number";
        case TokenKind::Preprocessor: return "preprocessor";
        case TokenKind::Key: return "key";
        case TokenKind::Plain: break;
    }
    return "text";
}

} // namespace

CodeTextView::CodeTextView(QQuickItem* parent) : QQuickPaintedItem(parent) {
    setOpaquePainting(true);
    setAcceptedMouseButtons(Qt::LeftButton);
    setFlag(ItemAcceptsInputMethod, false);
    setCursor(QCursor(Qt::IBeamCursor));
    connect(this, &CodeTextView::lookChanged, this, &CodeTextView::measure);
    connect(this, &CodeTextView::scrolled, this, [this] { update(); });
    connect(this, &CodeTextView::selectionChanged, this, [this] { update(); });
}

void CodeTextView::setController(CodeController* controller) {
    if (m_controller == controller) return;
    if (m_controller) m_controller->disconnect(this);
    m_controller = controller;
    if (controller) {
        connect(controller, &CodeController::textChanged, this, [this] {
            select({});
            emit contentSizeChanged();
            setContentY(m_y);
            setContentX(m_x);
            update();
        });
        connect(controller, &CodeController::marksChanged, this, [this] { update(); });
        connect(controller, &CodeController::matchesChanged, this, [this] { update(); });
        connect(controller, &CodeController::revealRequested, this, &CodeTextView::reveal);
    }
    emit controllerChanged();
    emit contentSizeChanged();
    update();
}

QFont CodeTextView::font() const {
    QFont font(m_family);
    font.setPixelSize(std::max(m_size, 11));
    font.setStyleHint(QFont::Monospace);
    return font;
}

void CodeTextView::measure() {
    const QFontMetricsF metrics(font());
    m_cell = metrics.horizontalAdvance(QLatin1Char('m'));
    m_lineHeight = std::ceil(m_size * kLineSpacing);
    m_ascent = (m_lineHeight + metrics.ascent() - metrics.descent()) / 2;
    emit contentSizeChanged();
    update();
}

qreal CodeTextView::gutterWidth() const {
    const int digits =
        static_cast<int>(QString::number(m_controller ? std::max(m_controller->lineCount(), 999) : 999).size());
    const qreal sign = m_controller && m_controller->isComparing() ? m_cell : 0;
    return kMarkWidth + kMargin + digits * m_cell + sign + kMargin;
}

qreal CodeTextView::contentWidth() const {
    return gutterWidth() + kMargin + (m_controller ? m_controller->text().columns() : 0) * m_cell + 4 * kMargin;
}

qreal CodeTextView::contentHeight() const {
    return kMargin + (m_controller ? m_controller->lineCount() : 0) * m_lineHeight + kMargin;
}

void CodeTextView::setContentX(qreal x) {
    x = std::clamp(x, 0.0, std::max(contentWidth() - width(), 0.0));
    if (x == m_x) return;
    m_x = x;
    emit scrolled();
}

void CodeTextView::setContentY(qreal y) {
    y = std::clamp(std::round(y), 0.0, std::max(contentHeight() - height(), 0.0));
    if (y == m_y) return;
    m_y = y;
    emit scrolled();
}

int CodeTextView::linesPerPage() const { return std::max(static_cast<int>(height() / m_lineHeight) - 1, 1); }

void CodeTextView::reveal(int line) {
    const qreal top = kMargin + line * m_lineHeight;
    if (top < m_y + m_lineHeight || top + 2 * m_lineHeight > m_y + height()) setContentY(top - height() / 3);
    update();
}

QPointF CodeTextView::pointOf(int line, int column) const {
    return {gutterWidth() + kMargin + column * m_cell - m_x, kMargin + (line + 0.5) * m_lineHeight - m_y};
}

TextPlace CodeTextView::placeAt(QPointF point) const {
    if (!m_controller) return {};
    const int line = static_cast<int>(std::floor((point.y() + m_y - kMargin) / m_lineHeight));
    const int column = static_cast<int>(std::round((point.x() + m_x - gutterWidth() - kMargin) / m_cell));
    return m_controller->text().clamped({line, std::max(column, 0)});
}

void CodeTextView::select(std::optional<Selected> selected) {
    m_selected = selected && selected->anchor != selected->caret ? selected : std::nullopt;
    emit selectionChanged();
}

QString CodeTextView::selectedText() const {
    return m_selected && m_controller ? m_controller->text().between(m_selected->anchor, m_selected->caret) : QString();
}

void CodeTextView::copy() const {
    if (const QString text = selectedText(); !text.isEmpty()) QGuiApplication::clipboard()->setText(text);
}

void CodeTextView::selectAll() {
    if (m_controller) select(Selected{{0, 0}, m_controller->text().clamped({m_controller->lineCount(), 1 << 20})});
}

void CodeTextView::mousePressEvent(QMouseEvent* event) {
    forceActiveFocus(Qt::MouseFocusReason);
    m_pressed = event->position();
    m_dragging = false;
    const TextPlace place = placeAt(m_pressed);
    if (event->modifiers() & Qt::ShiftModifier && m_selected) select(Selected{m_selected->anchor, place});
    else select(Selected{place, place});
    event->accept();
}

void CodeTextView::mouseMoveEvent(QMouseEvent* event) {
    if (!m_dragging &&
        (event->position() - m_pressed).manhattanLength() < QGuiApplication::styleHints()->startDragDistance())
        return;
    const TextPlace anchor = m_dragging && m_selected ? m_selected->anchor : placeAt(m_pressed);
    m_dragging = true;
    if (event->position().y() < 0) setContentY(m_y - m_lineHeight);
    else if (event->position().y() > height()) setContentY(m_y + m_lineHeight);
    select(Selected{anchor, placeAt(event->position())});
}

void CodeTextView::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_dragging && m_controller && !(event->modifiers() & Qt::ShiftModifier) && !m_selected)
        m_controller->pointAt(placeAt(event->position()).line);
    m_dragging = false;
}

void CodeTextView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (!m_controller) return;
    const auto [first, last] = m_controller->text().wordAt(placeAt(event->position()));
    select(Selected{first, last});
}

void CodeTextView::wheelEvent(QWheelEvent* event) {
    const QPointF pixels = event->pixelDelta().isNull() ? QPointF(event->angleDelta()) / 120.0 * 3 * m_lineHeight
                                                        : QPointF(event->pixelDelta());
    const bool sideways = event->modifiers() & Qt::ShiftModifier;
    setContentY(m_y - (sideways ? 0 : pixels.y()));
    setContentX(m_x - (sideways ? pixels.y() : pixels.x()));
    event->accept();
}

void CodeTextView::keyPressEvent(QKeyEvent* event) {
    if (!m_controller) return;
    const int line = std::max(m_controller->cursorLine(), 0);
    const int last = m_controller->lineCount() - 1;
    int target = -1;
    if (event->matches(QKeySequence::Copy)) copy();
    else if (event->matches(QKeySequence::SelectAll)) selectAll();
    else if (event->key() == Qt::Key_Up) target = line - 1;
    else if (event->key() == Qt::Key_Down) target = m_controller->cursorLine() < 0 ? 0 : line + 1;
    else if (event->key() == Qt::Key_PageUp) target = line - linesPerPage();
    else if (event->key() == Qt::Key_PageDown) target = line + linesPerPage();
    else if (event->key() == Qt::Key_Home) target = 0;
    else if (event->key() == Qt::Key_End) target = last;
    else if (event->key() == Qt::Key_Left) setContentX(m_x - 4 * m_cell);
    else if (event->key() == Qt::Key_Right) setContentX(m_x + 4 * m_cell);
    else return event->ignore();
    if (target >= 0 || event->key() == Qt::Key_Up || event->key() == Qt::Key_PageUp) {
        m_controller->pointAt(std::clamp(target, 0, std::max(last, 0)));
        reveal(m_controller->cursorLine());
    }
    event->accept();
}

void CodeTextView::geometryChange(const QRectF& newGeometry, const QRectF& oldGeometry) {
    QQuickPaintedItem::geometryChange(newGeometry, oldGeometry);
    setContentY(m_y);
    setContentX(m_x);
}

void CodeTextView::paint(QPainter* painter) {
    painter->fillRect(boundingRect(), colour("background"));
    if (!m_controller || m_controller->lineCount() == 0) return;
    painter->setFont(font());
    const int first = std::max(static_cast<int>((m_y - kMargin) / m_lineHeight), 0);
    const int last = std::min(first + static_cast<int>(height() / m_lineHeight) + 2, m_controller->lineCount());
    for (int line = first; line < last; ++line) paintLine(*painter, line, kMargin + line * m_lineHeight - m_y);
    painter->fillRect(QRectF(0, 0, gutterWidth(), height()), colour("gutter"));
    for (int line = first; line < last; ++line) paintGutter(*painter, line, kMargin + line * m_lineHeight - m_y);
}

void CodeTextView::paintLine(QPainter& painter, int line, qreal y) const {
    const CodeController::LineMark& mark = m_controller->mark(line);
    const QRectF row(gutterWidth(), y, width() - gutterWidth(), m_lineHeight);
    if (!mark.problem.isEmpty()) painter.fillRect(row, colour("errorLine"));
    else if (mark.selected) painter.fillRect(row, colour("selectedLine"));
    else if (!mark.sign.isNull()) painter.fillRect(row, colour(mark.sign == u'+' ? "addedLine" : "removedLine"));
    const qreal left = gutterWidth() + kMargin - m_x;
    const auto& matches = m_controller->matches();
    auto match = std::lower_bound(matches.begin(), matches.end(), line,
                                  [](const TextMatch& one, int wanted) { return one.line < wanted; });
    for (; match != matches.end() && match->line == line; ++match) {
        const QRectF box(left + match->column * m_cell, y + 1, match->length * m_cell, m_lineHeight - 2);
        painter.fillRect(box, colour("match"));
        if (match - matches.begin() == m_controller->match()) {
            painter.setPen(QPen(colour("accent"), 2));
            painter.drawRect(box.adjusted(0, 0, 0, -1));
        }
    }
    if (line == m_controller->cursorLine()) {
        painter.setPen(QPen(colour("accent"), 1));
        painter.drawLine(QPointF(row.left(), row.bottom() - 0.5), QPointF(row.right(), row.bottom() - 0.5));
    }
    paintText(painter, line, y);
}

void CodeTextView::paintText(QPainter& painter, int line, qreal y) const {
    const QString text = m_controller->text().line(line);
    const qreal left = gutterWidth() + kMargin - m_x;
    const auto draw = [&](qsizetype start, qsizetype length, const QColor& pen) {
        painter.setPen(pen);
        painter.drawText(QPointF(left + start * m_cell, y + m_ascent), text.mid(start, length));
    };
    qsizetype at = 0;
    for (const Token& token : m_controller->text().tokens(line)) {
        if (token.start > at) draw(at, token.start - at, colour("text"));
        draw(token.start, token.length, colour(nameOf(token.kind)));
        at = token.start + token.length;
    }
    if (at < text.size()) draw(at, text.size() - at, colour("text"));

    if (m_selected) {
        const auto [first, last] = std::minmax(m_selected->anchor, m_selected->caret);
        if (line >= first.line && line <= last.line) {
            const int from = line == first.line ? first.column : 0;
            const int to = line == last.line ? last.column : static_cast<int>(text.size()) + 1;
            painter.fillRect(QRectF(left + from * m_cell, y, (to - from) * m_cell, m_lineHeight), colour("selection"));
            draw(from, to - from, colour("selectionText"));
        }
    }
    if (const QString problem = m_controller->mark(line).problem; !problem.isEmpty()) {
        painter.setPen(colour("error"));
        painter.drawText(QPointF(left + (text.size() + 3) * m_cell, y + m_ascent), QStringLiteral("✕ ") + problem);
    }
}

void CodeTextView::paintGutter(QPainter& painter, int line, qreal y) const {
    const CodeController::LineMark& mark = m_controller->mark(line);
    if (!mark.category.isEmpty())
        painter.fillRect(QRectF(0, y, kMarkWidth, m_lineHeight), m_categoryColors.value(mark.category).value<QColor>());
    painter.setPen(colour(!mark.problem.isEmpty() ? "error" : mark.selected ? "text" : "lineNumber"));
    const qreal sign = m_controller->isComparing() ? m_cell : 0;
    if (mark.number > 0)
        painter.drawText(QRectF(kMarkWidth, y, gutterWidth() - kMarkWidth - kMargin - sign, m_lineHeight),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(mark.number));
    if (mark.sign.isNull()) return;
    painter.setPen(colour(mark.sign == u'+' ? "added" : "removed"));
    painter.drawText(QRectF(gutterWidth() - kMargin - sign + 3, y, m_cell + 2, m_lineHeight),
                     Qt::AlignLeft | Qt::AlignVCenter, QString(mark.sign));
}

} // namespace weir::editor
