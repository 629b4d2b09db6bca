#pragma once

#include <QAbstractButton>

namespace plimsoll::app {

/// A button that is a title and a line or two beneath: a sample, a recent file.
class Card : public QAbstractButton
{
    Q_OBJECT

public:
    Card(const QString& title, const QString& story, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override; ///< It opens something: Return does, as well as Space.

private:
    [[nodiscard]] QRect titleRect(int width) const;

    QString m_story;
};

} // namespace plimsoll::app
