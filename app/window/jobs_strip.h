#pragma once

#include <QHash>
#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace plimsoll::app {

class JobRunner;

/// In the status bar: what is being worked on, how far it is, and a way to stop it. Short jobs are not shown.
class JobsStrip : public QWidget
{
    Q_OBJECT

public:
    explicit JobsStrip(JobRunner& jobs, QWidget* parent = nullptr);

private:
    void add(const QString& tag, const QString& title);
    void remove(const QString& tag);
    void showLast();

    JobRunner& m_jobs;
    QStringList m_order;
    QHash<QString, QString> m_titles;
    QTimer m_patience;
    QLabel* m_text;
    QProgressBar* m_bar;
    QToolButton* m_cancel;
};

} // namespace plimsoll::app
