#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;

namespace plimsoll::app {

class JobRunner;

/// What is shown while a file is read and planned for the first time: which one, what is done, how far it is, and a way
/// to stop it. What opens at once never shows it.
class OpeningPage : public QWidget
{
    Q_OBJECT

public:
    explicit OpeningPage(JobRunner& jobs, QWidget* parent = nullptr);

    void begin(const QString& file);
    void setDoing(const QString& what);

Q_SIGNALS:
    void wanted(); ///< A while after begin().
    void stopRequested();

private:
    QTimer m_patience;
    QLabel* m_title;
    QLabel* m_file;
    QLabel* m_doing;
    QProgressBar* m_bar;
};

} // namespace plimsoll::app
