#pragma once

#include "app/models/report_table.h"
#include "app/models/table_filter.h"

#include <QList>
#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;

namespace plimsoll::app {

class Selection;

/// A filter field over a sorted table of a report; a row and the shared selection follow each other.
class TablePane : public QWidget
{
    Q_OBJECT

public:
    /// Takes the table over. \p emptyText says why there are no rows where there are none.
    TablePane(std::unique_ptr<ReportTable> table, const QString& emptyText, Selection& selection,
              QWidget* parent = nullptr);

    void setReport(std::shared_ptr<const Report> report);
    /// The least that each shows of a longer text; what room is left goes to those of \p growing alike. Columns with
    /// nothing in any row are not shown.
    void setColumns(std::initializer_list<int> characters, std::initializer_list<int> growing);
    /// Sorts by that column at first, what is planned before what is not, the biggest at the top unless \p order says
    /// otherwise.
    void setPlannedFirst(int column, Qt::SortOrder order = Qt::DescendingOrder);
    /// From the left to the right; the user may move them.
    void setColumnOrder(std::initializer_list<int> columns);
    void setAbove(QWidget* widget); ///< Between the top and the filter.
    void setSentences();            ///< Rows are as high as their sentences need.
    void find();                    ///< The keyboard goes to the filter.
    /// The row that is picked, or all that the filter leaves with the titles: columns that are shown, apart by tabs.
    [[nodiscard]] QString pickedAsText() const;
    [[nodiscard]] QString allAsText() const;
    [[nodiscard]] QTableView* view() const { return m_view; }
    [[nodiscard]] QLineEdit* filterField() const { return m_filterField; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addCopying();
    [[nodiscard]] QStringList shownTexts(int row) const;
    void hideEmptyColumns();
    void spreadColumns();
    void fitRows();
    void pickRow();
    void followFocus();
    void describeCount();

    std::unique_ptr<ReportTable> m_table;
    TableFilter m_filter;
    Selection& m_selection;
    QLineEdit* m_filterField;
    QLabel* m_complaint;
    QLabel* m_count;
    QLabel* m_empty;
    QString m_emptyText;
    QTableView* m_view;
    bool m_following = false;
    QList<int> m_widths;
    QList<int> m_growing;
    bool m_spreading = false;
    bool m_sentences = false;
    QTimer m_rowsDue;
};

} // namespace plimsoll::app
