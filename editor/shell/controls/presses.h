#pragma once

#include <QObject>
#include <QtQml/qqmlregistration.h>

/// Tells of every press of a button or key in the application, whoever takes it.
class Presses : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON

public:
    explicit Presses(QObject *parent = nullptr);

signals:
    void pressed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};
