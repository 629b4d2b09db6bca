#include "app/window/panes/plots/plot_pane.h"

#include "app/views/canvas.h"
#include "app/window/panes/table_pane.h"

#include <QEvent>
#include <QShortcut>
#include <QSplitter>
#include <QTableView>

namespace plimsoll::app {

void PlotPane::setTheme(Theme theme) const
{
    plot()->setTheme(theme);
}

void PlotPane::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) refresh();
}

QWidget* PlotPane::beside(QWidget* left, int leftShare, QWidget* right, int rightShare)
{
    constexpr int Plenty = 10'000; // pixels
    auto* halves = new QSplitter(Qt::Horizontal, this);
    halves->addWidget(left);
    halves->addWidget(right);
    halves->setChildrenCollapsible(false);
    halves->setSizes({leftShare * Plenty, rightShare * Plenty});
    return halves;
}

void PlotPane::followRows(TablePane& table, std::function<void(int)> picked, const std::function<void()>& taken)
{
    QTableView* view = table.view();
    connect(view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [&table, view, picked = std::move(picked)] {
                const QModelIndexList rows = view->selectionModel()->selectedRows();
                picked(rows.isEmpty() ? -1 : table.model().placeInTable(rows.first().row()));
            });
    connect(view, &QTableView::doubleClicked, this, taken); // some desktops activate at the first click
    for (const int key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto* shortcut = new QShortcut(QKeySequence(key), view, nullptr, nullptr, Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, this, taken);
    }
}

} // namespace plimsoll::app
