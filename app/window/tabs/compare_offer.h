#pragma once

#include <QPointer>
#include <QWidget>

class QToolButton;

namespace plimsoll::app {

class ElidedLabel;
class MainWindow;

/// Above the summary of a page: that another one was opened together with it, and may be what it is compared with. Both
/// pages have one. They go together: when one is taken up or dismissed, and when there is nothing to compare any more.
class CompareOffer : public QWidget
{
    Q_OBJECT

public:
    CompareOffer(MainWindow& page, MainWindow& other);

private:
    void follow(MainWindow& one);
    void refresh();
    void compare();

    MainWindow& m_page;
    QPointer<MainWindow> m_other; ///< Null once it is closed.
    ElidedLabel* m_said;
    QToolButton* m_compare;
};

/// In place of what was offered there before. A page alone has nothing to be compared with.
void offerComparison(MainWindow& first, MainWindow& second);

} // namespace plimsoll::app
