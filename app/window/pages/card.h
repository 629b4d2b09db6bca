#pragma once

#include <QAbstractButton>
#include <QImage>

namespace plimsoll::app {

/// A button that is a title and a line or two beneath, and may have a picture above: a sample, a recent file.
class Card : public QAbstractButton
{
    Q_OBJECT

public:
    Card(const QString& title, const QString& story, QWidget* parent = nullptr);

    static constexpr QSize PictureSize {290, 56};
    /// Takes the room of a picture, until it comes, too.
    void reservePicture();
    void setPicture(const QImage& picture);
    [[nodiscard]] const QImage& picture() const { return m_picture; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override; ///< It opens something: Return does, as well as Space.

private:
    [[nodiscard]] QRect titleRect(int width) const;

    QString m_story;
    int m_top = 0; ///< Beneath the picture, if there is one.
    QImage m_picture;
};

} // namespace plimsoll::app
