#pragma once

#include <QElapsedTimer>
#include <QList>
#include <QTimer>
#include <QWidget>

#include <functional>

class QLabel;
class QMenu;
class QProgressBar;
class QToolButton;

namespace plimsoll::app {

class CliProcess;
class JobRunner;

/// "about 12 s left", told by what was done in that time, a part of 1. Empty until it tells something.
[[nodiscard]] QString timeLeft(double seconds, double done);

/// In the status bar: what is being worked on, how far it is, and a way to stop each of it. Short jobs are not shown.
class JobsStrip : public QWidget
{
    Q_OBJECT

public:
    explicit JobsStrip(JobRunner& jobs, QWidget* parent = nullptr);
    void watch(CliProcess& child, const QString& title); ///< Beside the jobs of the runner.

Q_SIGNALS:
    void busyChanged(bool busy); ///< It has come, or gone.

private:
    struct Job
    {
        QString id;
        QString title;
        std::function<void()> stop;
        QElapsedTimer since {};
    };
    void add(Job job);
    void remove(const QString& id);
    void setDone(const QString& id, double fraction, const QString& stage);
    void showLast();
    void showText(const QString& left = {}); ///< How long the newest one will take yet; empty: not known.
    void listAll();

    QList<Job> m_all; ///< The newest last.
    QTimer m_patience;
    QLabel* m_text;
    QProgressBar* m_bar;
    QToolButton* m_stop;
    QMenu* m_menu; ///< Of all of them, where there are several.
};

} // namespace plimsoll::app
