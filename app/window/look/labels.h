#pragma once

#include <QLabel>

class QBoxLayout;

namespace plimsoll::app {

/// \p font in bold, \p scale times as large.
[[nodiscard]] QFont boldFont(QFont font, double scale = 1.0);

/// A label in bold that stands above a group of fields or begins a part of a page.
[[nodiscard]] QLabel* titleLabel(const QString& text, QWidget* parent, double scale = 1.0);

/// A label whose text goes over several lines and can be copied.
[[nodiscard]] QLabel* textLabel(const char* name, QWidget* parent);

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

/// Puts them one after the other; null is what stretches.
void addAll(QBoxLayout* layout, std::initializer_list<QWidget*> widgets);

} // namespace plimsoll::app
