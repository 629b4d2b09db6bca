#include "app/window/help/tour.h"

#include "app/session/workbench.h"
#include "app/window/look/labels.h"
#include "app/window/look/ring.h"
#include "app/window/main_window.h"
#include "app/window/pages/samples.h"
#include "app/window/panes/inspector_pane.h"
#include "app/window/panes/policies_pane.h"
#include "app/window/panes/summary_strip.h"
#include "app/window/panes/table_pane.h"
#include "app/window/views/canvas_tabs.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace plimsoll::app {
namespace {

constexpr int Width = 320;
constexpr int Gap = 12; ///< Between what is framed and the words.

QList<TourStop> stopsOf(const MainWindow& window)
{
    const Panes& panes = window.panes();
    return {
        {QString(), panes.summary, Tour::tr("The verdict"),
         Tour::tr("Whether the plan is legal, how high its peak is, and at which step. No plan of this order is below "
                  "the lower bound. A click on a figure goes to what makes it.")},
        {QStringLiteral("plan"), panes.pictures, Tour::tr("Time × address"),
         Tour::tr("Each bar is a tensor: as wide as the steps in which its bytes matter, as high as its bytes. What "
                  "stands above one another is alive at once. Bars of one storage have one colour. Click one.")},
        {QStringLiteral("policies"), panes.policies, Tour::tr("What may share"),
         Tour::tr("Every other value of every policy has been planned for real; what it would change stands beside it. "
                  "Choose one: the plan is made anew at once. %1 takes it back, B held down shows the plan before.")
             .arg(window.actions().howToReach("edit.undo"))},
        {QStringLiteral("inspector"), panes.inspector, Tour::tr("Why"),
         Tour::tr("Of what is picked: where it lies and when, with whom it shares its bytes, and the reason of each "
                  "decision. With nothing picked, what is alive at the step cursor.")},
        {QStringLiteral("findings"), panes.tables.value(QStringLiteral("findings")), Tour::tr("What is wrong"),
         Tour::tr("Every rule that a plan breaks, with bytes, steps and a way out; also of a plan that another tool "
                  "made (File › Judge a plan). The tab Run executes the graph in these bytes and compares.")},
    };
}

} // namespace

Tour::Tour(MainWindow& window, QList<TourStop> stops)
    : QFrame(&window), m_window(window), m_stops(std::move(stops)), m_frame(new Ring(&window)),
      m_title(titleLabel({}, this, 1.1)), m_text(new QLabel(this)), m_count(new QLabel(this)),
      m_back(new QPushButton(tr("Back"), this)), m_next(new QPushButton(this))
{
    setObjectName(QStringLiteral("tour"));
    setAccessibleName(tr("Tour"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setAttribute(Qt::WA_DeleteOnClose);
    m_text->setWordWrap(true);
    m_count->setForegroundRole(QPalette::PlaceholderText);
    auto* end = new QPushButton(tr("End"), this);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_count, 1);
    for (QPushButton* button : {end, m_back, m_next})
        buttons->addWidget(button);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(16, 14, 16, 12);
    rows->setSpacing(8);
    rows->addWidget(m_title);
    rows->addWidget(m_text);
    rows->addLayout(buttons);
    end->setObjectName(QStringLiteral("tour:end"));
    m_back->setObjectName(QStringLiteral("tour:back"));
    m_next->setObjectName(QStringLiteral("tour:next"));
    connect(end, &QPushButton::clicked, this, &QWidget::close);
    connect(m_back, &QPushButton::clicked, this, [this] { show(m_stop - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { show(m_stop + 1); });
    connect(this, &QObject::destroyed, m_frame, &QObject::deleteLater);
    window.installEventFilter(this);
}

void Tour::show(int stop)
{
    if (stop >= m_stops.size()) {
        close();
        return;
    }
    m_stop = std::max(stop, 0);
    const TourStop& shown = m_stops[m_stop];
    if (!shown.view.isEmpty()) m_window.showView(shown.view);
    m_title->setText(shown.title);
    m_text->setText(shown.text);
    m_count->setText(tr("%1 of %2").arg(m_stop + 1).arg(m_stops.size()));
    m_back->setEnabled(m_stop > 0);
    m_next->setText(m_stop + 1 == m_stops.size() ? tr("Done") : tr("Next"));
    m_next->setDefault(true);
    QFrame::show();
    place();
    raise();
    m_next->setFocus();
}

/// Below what is framed, above it, or beside it, where there is room; else inside of it.
void Tour::place()
{
    const QWidget* at = m_stops[m_stop].at;
    const QRect frame(at->mapTo(&m_window, QPoint()), at->size());
    m_frame->setGeometry(frame.adjusted(-2, -2, 2, 2));
    m_frame->show();
    m_frame->raise();
    layout()->activate();
    setFixedSize(Width, layout()->totalHeightForWidth(Width));
    layout()->activate();
    const QRect all = m_window.rect().adjusted(Gap, Gap, -Gap, -Gap);
    const QPoint choices[] = {{frame.left() + Gap, frame.bottom() + Gap},
                              {frame.left() + Gap, frame.top() - Gap - height()},
                              {frame.right() + Gap, frame.top() + Gap},
                              {frame.left() - Gap - width(), frame.top() + Gap}};
    const auto fits = std::ranges::find_if(choices, [&](QPoint corner) { return all.contains({corner, size()}); });
    move(fits != std::end(choices) ? *fits : frame.center() - rect().center());
}

bool Tour::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && isVisible()) place();
    return QFrame::eventFilter(watched, event);
}

/// Escape is a key of the window, too.
bool Tour::event(QEvent* event)
{
    const bool escape =
        event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (escape) event->accept();
    return escape || QFrame::event(event);
}

void Tour::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QFrame::keyPressEvent(event);
}

void startTour(MainWindow& window, Workbench& bench)
{
    delete window.findChild<Tour*>();
    const auto begin = [&window] { (new Tour(window, stopsOf(window)))->show(0); };
    if (bench.session.report()) {
        begin();
        return;
    }
    auto* const waiting = new QObject(&window);
    QObject::connect(&bench.session, &Session::reportChanged, waiting, [waiting, begin] {
        waiting->deleteLater();
        begin();
    });
    window.open(sampleFile(QStringLiteral("transformer-block.json")));
}

} // namespace plimsoll::app
