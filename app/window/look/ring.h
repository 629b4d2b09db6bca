#pragma once

#include <QWidget>

namespace plimsoll::app {

/// A line around a part of the window, through which the mouse goes.
class Ring final : public QWidget
{
    Q_OBJECT

public:
    explicit Ring(QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace plimsoll::app
