#pragma once

#include <QtQml/qqmlregistration.h>
#include <QSortFilterProxyModel>
#include <QStringList>

namespace weir::editor {

/// The recent projects in whose name or folder is each word that was typed.
class RecentFilter : public QSortFilterProxyModel {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(QString typed READ typed WRITE setTyped NOTIFY typedChanged)

  public:
    explicit RecentFilter(QObject* parent = nullptr) : QSortFilterProxyModel(parent) {}

    QString typed() const { return m_words.join(u' '); }
    void setTyped(const QString& typed);
    /// Of the first that is there; empty: none.
    Q_INVOKABLE QString firstPath() const;

  signals:
    void typedChanged();

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

  private:
    QStringList m_words;
};

} // namespace weir::editor
