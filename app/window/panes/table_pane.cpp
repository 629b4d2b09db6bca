#include "app/window/panes/table_pane.h"

#include "app/models/large_report.h"
#include "app/models/window_text.h"
#include "app/session/selection.h"
#include "app/window/look/labels.h"
#include "app/window/panes/styled_table.h"
#include "core/base/narrow.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace plimsoll::app {
namespace {

/// As the filter names it.
QString columnWord(const ColumnInfo& column)
{
    return translated(column.title).toLower().remove(u' ');
}

/// What the style leaves beside the text, both sides together.
constexpr int CellPadding = 24;
/// In the title of the column that the table is sorted by.
constexpr int SortMark = 24;
/// A comparison with the column that the table is sorted by, or with its first number: "required>1024".
QString exampleOf(const FactTable& table)
{
    const auto isNumber = [](const ColumnInfo& column) { return column.kind == ColumnInfo::Kind::Number; };
    auto column = std::ranges::find_if(table.columns, isNumber);
    if (table.sortedBy >= 0 && isNumber(table.columns[static_cast<std::size_t>(table.sortedBy)]))
        column = table.columns.begin() + table.sortedBy;
    if (column == table.columns.end()) return QStringLiteral("%1=word").arg(columnWord(table.columns.front()));
    return QStringLiteral("%1>1024").arg(columnWord(*column));
}

/// Stands above a table, and scrolls where there is little height: two rows come first.
class Above : public QScrollArea
{
public:
    Above(QWidget* content, TablePane* pane) : QScrollArea(pane), m_pane(*pane)
    {
        setFrameShape(QFrame::NoFrame);
        setFocusPolicy(Qt::NoFocus);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        setWidgetResizable(true);
        setWidget(content);
        pane->installEventFilter(this);
    }

    [[nodiscard]] QSize sizeHint() const override
    {
        constexpr int TableLines = 8; // with the filter
        if (widget()->isHidden()) return {0, 0};
        const int line = fontMetrics().lineSpacing();
        const int room = std::max(3 * line, m_pane.height() - TableLines * line);
        return {widget()->sizeHint().width(), std::min(widget()->sizeHint().height(), room)};
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, 0}; }
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        const bool content =
            watched == widget() && (event->type() == QEvent::LayoutRequest || event->type() == QEvent::ShowToParent ||
                                    event->type() == QEvent::HideToParent);
        if (content || (watched == &m_pane && event->type() == QEvent::Resize)) updateGeometry();
        return QScrollArea::eventFilter(watched, event);
    }

private:
    const TablePane& m_pane;
};

} // namespace

TablePane::TablePane(const FactTable& table, Selection& selection, JobRunner* worker,
                     std::shared_ptr<const Swatches> swatches, QWidget* parent)
    : QWidget(parent), m_table(table, worker), m_selection(selection), m_top(new QHBoxLayout),
      m_filterField(new QLineEdit(this)), m_complaint(new ElidedLabel({}, this)), m_count(new QLabel(this)),
      m_empty(new QLabel(this)), m_view(makeStyledTable(table.sentences, std::move(swatches), this))
{
    m_view->setModel(&m_table);
    m_view->sortByColumn(table.sortedBy, table.sortedBy < 0 || table.rising ? Qt::AscendingOrder : Qt::DescendingOrder);
    m_view->setObjectName(QString::fromLatin1(table.id) + QStringLiteral("View"));
    m_view->setAccessibleName(translated(table.title));
    m_filterField->setPlaceholderText(tr("Filter: words, %1, not, or").arg(exampleOf(table)));
    m_filterField->setToolTip(tr("Words must occur in the row; column>number and column=word compare. 'not' turns the "
                                 "next around, 'or' stands between alternatives"));
    m_filterField->setAccessibleName(tr("Filter of %1").arg(translated(table.title)));
    m_filterField->setClearButtonEnabled(true);
    m_filterField->setMaximumWidth(420);
    m_filterField->setMinimumWidth(160);
    m_complaint->setObjectName(QStringLiteral("filterComplaint"));
    m_complaint->hide();
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    m_top->setContentsMargins(8, 6, 8, 6);
    m_top->setSpacing(10);
    m_top->addWidget(m_filterField, 1);
    m_top->addWidget(m_complaint);
    m_top->addWidget(m_count);
    m_top->addStretch(1);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addLayout(m_top);
    rows->addWidget(m_empty, 1);
    rows->addWidget(m_view, 1);
    m_view->viewport()->installEventFilter(this);
    m_view->installEventFilter(this);
    setColumns();
    if (table.sentences) setSentences();
    addCopying();
    m_rowsDue.setSingleShot(true);
    m_rowsDue.setInterval(0);
    connect(&m_rowsDue, &QTimer::timeout, this, &TablePane::fitRows);
    connect(m_filterField, &QLineEdit::textChanged, &m_table, &TableModel::setFilter);
    connect(&m_table, &QAbstractItemModel::modelReset, this, &TablePane::showRows);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TablePane::pickRow);
    connect(m_view, &QTableView::clicked, this, &TablePane::pickRow); // also of a row that only follows the step
    connect(&selection, &Selection::focusChanged, this, &TablePane::followFocus);
    describeCount();
}

void TablePane::setReport(std::shared_ptr<const Report> report, std::shared_ptr<const Report> previous,
                          std::shared_ptr<const PlanMatches> matches)
{
    if (!report) m_filterField->clear(); // another file has other names
    m_due = {std::move(report), std::move(previous), std::move(matches), true};
    if (!m_due.report || !isLarge(*m_due.report) || !visibleRegion().isEmpty()) fill();
}

/// The rows of a large report wait until they are seen.
void TablePane::fill()
{
    if (!std::exchange(m_due.waits, false)) return;
    m_table.setReport(std::move(m_due.report), std::move(m_due.previous), std::move(m_due.matches));
}

void TablePane::paintEvent(QPaintEvent* event)
{
    QWidget::paintEvent(event);
    if (m_due.waits) QTimer::singleShot(0, this, &TablePane::fill);
}

void TablePane::showRows()
{
    hideEmptyColumns();
    describeCount();
    followFocus();
    m_rowsDue.start();
}

/// As wide as the table says; long words, or all columns but the first, share what room is left.
void TablePane::setColumns()
{
    QHeaderView* header = m_view->horizontalHeader();
    header->setSectionsMovable(true);
    for (const ColumnInfo& column : m_table.table().columns) {
        const int index = narrow<int>(m_columns.widths.size());
        const QString title = m_table.headerData(index, Qt::Horizontal, Qt::DisplayRole).toString();
        const int text = column.width * m_view->fontMetrics().averageCharWidth();
        m_columns.widths << std::max(header->fontMetrics().horizontalAdvance(title) + SortMark, text) + CellPadding;
        if (column.kind == ColumnInfo::Kind::Long) m_columns.growing << index;
    }
    if (m_columns.growing.isEmpty()) {
        m_columns.growing.resize(m_columns.widths.size() - 1);
        std::iota(m_columns.growing.begin(), m_columns.growing.end(), 1);
    }
    spreadColumns();
    connect(header, &QHeaderView::sectionResized, this, [this](int column, int, int width) {
        if (!m_columns.spreading && !m_view->isColumnHidden(column)) { // by hand: it is kept
            m_columns.widths[column] = width;
            m_columns.growing.removeOne(column);
            m_columns.byHand << column;
        }
        m_rowsDue.start();
    });
}

void TablePane::hideEmptyColumns()
{
    m_columns.spreading = true; // showing one again is no resizing by hand
    for (int column = 0; m_table.allRows() > 0 && column < m_table.columnCount(); ++column)
        m_view->setColumnHidden(column, !m_table.uses(column));
    spreadColumns();
}

/// A number is not cut off: those at the top and some of the others need so much.
int TablePane::numberWidth(int column) const
{
    constexpr int Looked = 40;
    const bool isNumber = m_table.table().columns[static_cast<std::size_t>(column)].kind == ColumnInfo::Kind::Number;
    if (!isNumber || m_columns.byHand.contains(column)) return 0;
    int width = 0;
    const QAbstractItemModel& rows = *m_view->model();
    const int count = rows.rowCount();
    for (int row = 0; row < count; row += row < Looked ? 1 : std::max(1, count / Looked))
        width = std::max(width, m_view->fontMetrics().horizontalAdvance(rows.index(row, column).data().toString()));
    return width + CellPadding;
}

void TablePane::spreadColumns()
{
    int room = m_view->viewport()->width();
    int growing = 0;
    QList<int> widths = m_columns.widths;
    for (int column = 0; column < widths.size(); ++column) {
        if (m_view->isColumnHidden(column)) continue;
        widths[column] = std::max(widths[column], numberWidth(column));
        room -= widths[column];
        growing += m_columns.growing.contains(column) ? 1 : 0;
    }
    m_columns.spreading = true;
    for (int column = 0; column < widths.size(); ++column) {
        if (m_view->isColumnHidden(column)) continue;
        int width = widths[column];
        if (m_columns.growing.contains(column) && room > 0) width += room / growing;
        if (m_columns.growing.contains(column) && room < 0 &&
            m_table.table().sentences) // which wrap: higher rather than cut off, if not too high
            width = std::max(width * 2 / 3, width - (growing - 1 - room) / growing);
        m_view->setColumnWidth(column, width);
    }
    m_columns.spreading = false;
    m_rowsDue.start();
}

bool TablePane::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_view->viewport() && event->type() == QEvent::Resize) spreadColumns();
    if (watched == m_view && event->type() == QEvent::FocusIn) takeUpRow();
    if (watched == m_view->viewport() && event->type() == QEvent::Show) // what was picked meanwhile comes into sight
        QTimer::singleShot(0, m_view, [this] { m_view->scrollTo(pickedIndex()); });
    return QWidget::eventFilter(watched, event);
}

/// Only of the rows that are seen: there may be many thousands.
void TablePane::fitRows()
{
    if (!m_table.table().sentences || m_table.rowCount() == 0) return;
    const int bottom = m_view->viewport()->height();
    for (int row = std::max(0, m_view->rowAt(0)); row < m_table.rowCount(); ++row) {
        if (m_view->rowViewportPosition(row) > bottom) break;
        m_view->resizeRowToContents(row);
    }
}

void TablePane::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::LanguageChange) return;
    m_table.reword();
    describeCount();
}

void TablePane::pickPlace(int placeInTable)
{
    const int row = m_table.rowAt(placeInTable);
    if (row >= 0)
        m_view->selectRow(row);
    else
        m_view->clearSelection();
}

void TablePane::find()
{
    m_filterField->setFocus(Qt::ShortcutFocusReason);
    m_filterField->selectAll();
}

void TablePane::addCopying()
{
    const auto add = [this](const QString& text, auto textOf) {
        auto* action = new QAction(text, m_view);
        connect(action, &QAction::triggered, this, [this, textOf] {
            const QString copied = (this->*textOf)();
            if (!copied.isEmpty()) QGuiApplication::clipboard()->setText(copied);
        });
        m_view->addAction(action);
        return action;
    };
    QAction* row = add(tr("Copy row"), &TablePane::pickedAsText);
    row->setShortcut(QKeySequence::Copy);
    row->setShortcutContext(Qt::WidgetShortcut);
    add(tr("Copy all rows"), &TablePane::allAsText);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_view, &QWidget::customContextMenuRequested, this,
            [this](QPoint at) { Q_EMIT menuRequested(m_view->viewport()->mapToGlobal(at), m_view->actions()); });
}

/// Of a row of the filter; of -1 the titles.
QStringList TablePane::shownTexts(int row, int role) const
{
    const QHeaderView* header = m_view->horizontalHeader();
    QStringList texts;
    for (int place = 0; place < header->count(); ++place) {
        const int column = header->logicalIndex(place);
        if (header->isSectionHidden(column)) continue;
        texts << (row < 0 ? m_table.headerData(column, Qt::Horizontal, Qt::DisplayRole)
                          : m_table.index(row, column).data(role))
                     .toString();
    }
    return texts;
}

QString TablePane::pickedAsText() const
{
    const QModelIndex picked = pickedIndex();
    return picked.isValid() ? shownTexts(picked.row()).join(u'\t') : QString();
}

QStringList TablePane::pickedNames() const
{
    QStringList names;
    for (const QModelIndex& row : m_view->selectionModel()->selectedRows())
        names << row.data(ExactRole).toString();
    return names;
}

QString TablePane::pickedExactly() const
{
    const QModelIndex picked = pickedIndex();
    return picked.isValid() ? shownTexts(picked.row(), ExactRole).join(u'\t') : QString();
}

QString TablePane::allAsText() const
{
    QStringList lines = {shownTexts(-1).join(u'\t')};
    for (int row = 0; row < m_table.rowCount(); ++row)
        lines << shownTexts(row).join(u'\t');
    return lines.join(u'\n') + u'\n';
}

void TablePane::setAbove(QWidget* widget)
{
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, new Above(widget, this));
}

void TablePane::addBesideFilter(QWidget* widget)
{
    m_top->insertWidget(1, widget);
    setTabOrder(m_filterField, widget);
}

void TablePane::setSentences()
{
    m_view->setWordWrap(true);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel); // a row may be higher than what is seen
    m_view->verticalHeader()->setDefaultSectionSize(2 * m_view->fontMetrics().lineSpacing() + 8);
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, &m_rowsDue, qOverload<>(&QTimer::start));
}

void TablePane::describeCount()
{
    m_complaint->setText(m_table.complaint());
    m_complaint->setToolTip(labelText(m_table.complaint(), TipLetters));
    m_complaint->setVisible(!m_table.complaint().isEmpty());
    const std::int64_t all = m_table.allRows();
    const int shown = m_table.rowCount();
    m_count->setText(all != shown ? tr("%1 of %2 rows").arg(countText(shown), countText(all))
                     : all == 1   ? tr("1 row")
                                  : tr("%1 rows").arg(countText(all)));
    if (m_table.leftOut() > 0)
        m_count->setText(tr("%1 of %2 rows").arg(countText(shown), countText(all + m_table.leftOut())));
    if (const OpenTable* open = m_table.openTable(); open && !m_table.table().sum.empty() && all > 0) {
        const Cell sum = sumOf(m_table.table(), *open);
        const QString told = sum.number == 0 ? tr("no difference") : cellText(sum);
        m_count->setText(tr("%1, all together %2").arg(m_count->text(), told));
    }
    m_empty->setText(all == 0 ? m_table.whyEmpty() : tr("No row matches the filter."));
    m_empty->setVisible(shown == 0);
    m_view->setVisible(shown > 0);
    setFocusProxy(shown > 0 ? static_cast<QWidget*>(m_view) : m_filterField);
}

/// Not of the current row: a table that gets the keyboard makes its first one that, and it was not picked.
void TablePane::pickRow()
{
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    if (m_following || rows.isEmpty()) return;
    const Focus focus = m_table.focusOf(rows.first().row());
    m_following = true;
    m_selection.pick(focus);
    m_following = false;
}

/// The picked row becomes the current one. Only where the keyboard is: a screen reader takes it for the focus.
void TablePane::takeUpRow()
{
    const QModelIndex picked = pickedIndex();
    if (picked.isValid() && picked.row() != m_view->currentIndex().row())
        m_view->selectionModel()->setCurrentIndex(picked, QItemSelectionModel::NoUpdate);
}

QModelIndex TablePane::pickedIndex() const
{
    return m_view->selectionModel()->selectedRows().value(0);
}

void TablePane::followFocus()
{
    if (m_following) return;
    const int row = m_table.rowOf(m_selection.focus());
    m_following = true;
    if (row < 0) {
        m_view->selectionModel()->clear();
    } else {
        const QModelIndex index = m_table.index(row, 0);
        m_view->selectionModel()->select(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        if (m_view->hasFocus()) takeUpRow();
        m_view->scrollTo(index, QAbstractItemView::EnsureVisible);
    }
    m_following = false;
}

} // namespace plimsoll::app
