#pragma once

#include <QLabel>

namespace plimsoll::app {

/// A name that takes the room it is given: cut in the middle where it is longer, whole in the tip.
class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text, QWidget* parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace plimsoll::app
