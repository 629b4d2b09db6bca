#pragma once

#include "core/base/result.h"

#include <QTemporaryDir>
#include <QWidget>

#include <functional>

class QLineEdit;

namespace plimsoll::app {

class Session;

/// What a run takes for inputs: a folder of files, a file or an image, typed, chosen or dropped. Another graph empties
/// it.
class InputsField : public QWidget
{
    Q_OBJECT

public:
    explicit InputsField(Session& session, QWidget* parent = nullptr);

    [[nodiscard]] QString path() const; ///< Empty: inputs are drawn.
    [[nodiscard]] bool isFile() const;  ///< That has to be read, converted maybe.
    /// The folder that a run reads it from, made on any thread. BadInput where no input takes it.
    [[nodiscard]] std::function<Result<QString>()> folder() const;
    [[nodiscard]] QSize sizeHint() const override; ///< The others go first; it takes what is left.
    void showLine(bool show);                      ///< Where it is typed, and read; else there is a button alone.

Q_SIGNALS:
    void given(); ///< Chosen or dropped.

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void choose(bool folder);
    void take(const QString& path);

    Session& m_session;
    QString m_of; ///< The graph that the folder was given for.
    QLineEdit* m_field;
    QTemporaryDir m_room; ///< For what is no folder.
};

} // namespace plimsoll::app
