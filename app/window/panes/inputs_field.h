#pragma once

#include <QWidget>

class QLineEdit;

namespace plimsoll::app {

class Session;

/// The folder whose files a run takes for inputs: typed, chosen or dropped. Another graph empties it.
class InputsField : public QWidget
{
    Q_OBJECT

public:
    explicit InputsField(Session& session, QWidget* parent = nullptr);

    [[nodiscard]] QString folder() const;          ///< Empty: inputs are drawn.
    [[nodiscard]] QSize sizeHint() const override; ///< The others go first; it takes what is left.
    void showLine(bool show);                      ///< Where it is typed, and read; else there is a button alone.

Q_SIGNALS:
    void given(); ///< Chosen or dropped.

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void choose();
    void take(const QString& path);

    Session& m_session;
    QString m_of; ///< The graph that the folder was given for.
    QLineEdit* m_field;
};

} // namespace plimsoll::app
