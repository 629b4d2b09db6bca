#pragma once

#include <QFrame>
#include <QList>
#include <QString>

class QLabel;
class QPushButton;

namespace plimsoll::app {

class MainWindow;
class Workbench;

/// One thing to be shown, and what it is for.
struct TourStop
{
    QString view;          ///< Brought to the front.
    QWidget* at = nullptr; ///< What is framed.
    QString title;
    QString text;
};

/// A few words beside one part of the window after the other. Whatever else is done meanwhile is done; Escape ends it.
class Tour : public QFrame
{
    Q_OBJECT

public:
    Tour(MainWindow& window, QList<TourStop> stops);

    void show(int stop);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< The window has another size.
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void place();

    MainWindow& m_window;
    QList<TourStop> m_stops;
    int m_stop = 0;
    QWidget* m_frame; ///< Around the part that is shown.
    QLabel* m_title;
    QLabel* m_text;
    QLabel* m_count;
    QPushButton* m_back;
    QPushButton* m_next;
};

/// From verdict to run, in five stops. Opens a sample first where no graph is open.
void startTour(MainWindow& window, Workbench& bench);

} // namespace plimsoll::app
