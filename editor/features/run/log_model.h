#pragma once

#include <QAbstractListModel>
#include <QSortFilterProxyModel>
#include <QString>
#include <QStringList>

#include <deque>

namespace weir::editor {

/// Output of the command line, up to a number of lines; the oldest are dropped.
class LogModel : public QAbstractListModel {
    Q_OBJECT

  public:
    enum Role { TextRole = Qt::UserRole + 1, LevelRole };
    static constexpr int kMostLines = 20000;

    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    void append(const QStringList& lines);
    void clear();
    int warnings() const;
    /// Return "error", "warning", "hint" or "info", from the words of the line.
    static QString levelOf(const QString& line);

  private:
    struct Line {
        QString text;
        QString level;
    };

    std::deque<Line> m_lines;
};

/// Lines that contain a text, or have a level.
class LogFilter : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    explicit LogFilter(LogModel& log, QObject* parent = nullptr);

    const QString& wanted() const { return m_wanted; }
    void setWanted(const QString& text);
    /// Return the lines that pass, as text.
    QString text() const;

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

  private:
    QString m_wanted;
};

} // namespace weir::editor
