#include "app/window/panes/table_pane.h"

#include "app/models/text.h"
#include "app/session/selection.h"
#include "app/window/look/theme.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

namespace plimsoll::app {
namespace {

/// Severities in their colour, beside the word.
class SeverityDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideMiddle;
        const QVariant severity = index.data(SeverityRole);
        if (severity.isValid()) option->textElideMode = Qt::ElideRight; // sentences, not names
        if (!severity.isValid() || index.column() != 0) return;
        const bool error = severity.toInt() == static_cast<int>(Severity::Error);
        const bool warning = severity.toInt() == static_cast<int>(Severity::Warning);
        const QColor colour = error ? colours::error() : warning ? colours::warning() : colours::muted();
        option->text = (error     ? QStringLiteral("■ ")
                        : warning ? QStringLiteral("▲ ")
                                  : QStringLiteral("● ")) +
                       option->text;
        option->palette.setColor(QPalette::Text, colour);
    }
};

QTableView* makeView(QWidget* parent)
{
    auto* view = new QTableView(parent);
    view->setFrameShape(QFrame::NoFrame);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setSelectionMode(QAbstractItemView::SingleSelection);
    view->setAlternatingRowColors(true);
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->setSortingEnabled(true);
    view->setTabKeyNavigation(false);
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(24);
    view->verticalHeader()->setMinimumSectionSize(24);
    view->horizontalHeader()->setStretchLastSection(true);
    view->horizontalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setSortIndicatorClearable(true);
    view->setItemDelegate(new SeverityDelegate(view));
    return view;
}

} // namespace

TablePane::TablePane(std::unique_ptr<ReportTable> table, const QString& emptyText, Selection& selection,
                     QWidget* parent)
    : QWidget(parent), m_table(std::move(table)), m_selection(selection), m_filterField(new QLineEdit(this)),
      m_complaint(new QLabel(this)), m_count(new QLabel(this)), m_empty(new QLabel(this)), m_emptyText(emptyText),
      m_view(makeView(this))
{
    m_filter.setSourceModel(m_table.get());
    m_view->setModel(&m_filter);
    m_view->sortByColumn(-1, Qt::AscendingOrder);
    m_filterField->setPlaceholderText(tr("Filter: words, or bytes>1MiB, steps<40"));
    m_filterField->setToolTip(tr("Words must occur in the row; name>number compares a column, name=word as well"));
    m_filterField->setAccessibleName(tr("Filter"));
    m_filterField->setClearButtonEnabled(true);
    m_filterField->setMaximumWidth(420);
    m_complaint->setObjectName(QStringLiteral("filterComplaint"));
    m_complaint->hide();
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 6, 8, 6);
    top->setSpacing(10);
    top->addWidget(m_filterField, 1);
    top->addWidget(m_complaint);
    top->addWidget(m_count);
    top->addStretch(1);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addLayout(top);
    rows->addWidget(m_empty, 1);
    rows->addWidget(m_view, 1);
    connect(m_filterField, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filter.setText(text);
        describeCount();
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TablePane::pickRow);
    connect(&selection, &Selection::focusChanged, this, &TablePane::followFocus);
    describeCount();
}

void TablePane::setReport(std::shared_ptr<const Report> report)
{
    if (!report) m_filterField->clear(); // another file has other names
    m_following = true;
    m_table->setReport(std::move(report));
    m_following = false;
    describeCount();
    followFocus();
}

void TablePane::setColumnWidths(std::initializer_list<int> characters)
{
    int column = 0;
    for (const int count : characters)
        m_view->setColumnWidth(column++, count * m_view->fontMetrics().averageCharWidth() + 24);
}

void TablePane::setPlannedFirst(int column)
{
    m_filter.setPlannedFirst(column);
    m_view->sortByColumn(column, Qt::DescendingOrder);
}

void TablePane::setSentences(std::initializer_list<int> columns)
{
    m_view->horizontalHeader()->setStretchLastSection(false);
    for (const int column : columns)
        m_view->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
    m_view->setWordWrap(true);
    m_view->verticalHeader()->setDefaultSectionSize(2 * m_view->fontMetrics().lineSpacing() + 8);
}

void TablePane::describeCount()
{
    m_complaint->setText(m_filter.complaint());
    m_complaint->setVisible(!m_filter.complaint().isEmpty());
    const int all = m_table->rowCount();
    const int shown = m_filter.rowCount();
    m_count->setText(all == 1       ? tr("1 row")
                     : all == shown ? tr("%1 rows").arg(countText(all))
                                    : tr("%1 of %2 rows").arg(countText(shown), countText(all)));
    m_empty->setText(all == 0 ? m_emptyText : tr("No row matches the filter."));
    m_empty->setVisible(shown == 0);
    m_view->setVisible(shown > 0);
}

void TablePane::pickRow(const QModelIndex& current)
{
    if (m_following || !current.isValid()) return;
    const Focus focus = m_table->focusOf(m_filter.mapToSource(current).row());
    m_following = true;
    m_selection.pick(focus);
    m_following = false;
}

void TablePane::followFocus()
{
    if (m_following) return;
    const int row = m_table->rowOf(m_selection.focus());
    m_following = true;
    if (row < 0) {
        m_view->selectionModel()->clear();
    } else {
        const QModelIndex index = m_filter.mapFromSource(m_table->index(row, 0));
        m_view->selectionModel()->setCurrentIndex(index,
                                                  QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        if (index.isValid()) m_view->scrollTo(index, QAbstractItemView::EnsureVisible);
    }
    m_following = false;
}

} // namespace plimsoll::app
