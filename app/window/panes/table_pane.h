#pragma once

#include "app/models/report_table.h"
#include "app/models/table_filter.h"

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
    void setColumnWidths(std::initializer_list<int> characters); ///< The last column takes the rest.
    /// Sorts by that column at first, what is planned before what is not, the biggest at the top.
    void setPlannedFirst(int column);
    /// Columns of sentences: they share the room that the others leave, on two lines.
    void setSentences(std::initializer_list<int> columns);
    [[nodiscard]] QTableView* view() const { return m_view; }
    [[nodiscard]] QLineEdit* filterField() const { return m_filterField; }

private:
    void pickRow(const QModelIndex& current);
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
};

} // namespace plimsoll::app
