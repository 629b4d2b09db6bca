#pragma once

#include "core/base/result.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;

namespace plimsoll::app {

/// What is shown instead of a file that cannot be opened: what it looks like, what failed, where, and what to do.
class ProblemPage : public QWidget
{
    Q_OBJECT

public:
    explicit ProblemPage(QWidget* parent = nullptr);

    /// \p opened is the graph; the error may be of another file, or of what was asked.
    void show(const QString& opened, const Error& error);
    void showFine(const QString& file); ///< That there is no problem; \p file is empty where none is open.
    [[nodiscard]] QString asText() const;

Q_SIGNALS:
    void openRequested();
    void retryRequested();
    void startRequested();

private:
    QLayout* makeButtons();

    QLabel* m_title;
    QLabel* m_message;
    QLabel* m_facts;
    QPlainTextEdit* m_excerpt;
    QLabel* m_mark;
    QString m_text;
};

} // namespace plimsoll::app
