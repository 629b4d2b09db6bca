#pragma once

#include "app/views/style.h"
#include "core/picture/colour_by.h"

#include <QWidget>

namespace plimsoll::app {

/// The legend of the pictures, in one line beside their tabs: as much of it as there is room for, all of it as a
/// tip, and with its colours when clicked.
class ColourKeyBar : public QWidget
{
    Q_OBJECT

public:
    explicit ColourKeyBar(QWidget* parent = nullptr);

    void setKey(ColourBy by, std::vector<ColourKey> key);
    void setTheme(Theme theme);
    /// "Conv  ×12", "3 to 9 steps  ×4", "1.2 ms to 3.4 ms  ×4"
    [[nodiscard]] static QString textOf(ColourBy by, const ColourKey& key);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, 0}; }

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QString wholeKey() const; ///< With its colours.
    [[nodiscard]] int widestName() const;

    ColourBy m_by = ColourBy::Storage;
    std::vector<ColourKey> m_key;
    QString m_lack; ///< Why nothing has a colour; empty: something has.
    Theme m_theme = Theme::Light;
};

} // namespace plimsoll::app
