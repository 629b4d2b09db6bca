#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

class QMainWindow;
class QWidget;

namespace plimsoll::app {

class Ring;

/// Takes the keyboard from one part of the window to the next, and frames the one where it has come to.
class PaneWalk : public QObject
{
    Q_OBJECT

public:
    explicit PaneWalk(QMainWindow& window);

    void go(int by);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< What is framed moves, or goes.

private:
    void frame(QWidget* pane);
    void place();

    QMainWindow& m_window;
    Ring* m_ring;
    QPointer<QWidget> m_framed;
};

/// Those with something for the keyboard: bars, the page in the middle, the docks from left to right and down, status
/// bar.
[[nodiscard]] QList<QWidget*> panesOf(const QMainWindow& window);

} // namespace plimsoll::app
