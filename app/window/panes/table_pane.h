#pragma once

#include "app/models/table_model.h"
#include "app/views/swatches.h"

#include <QList>
#include <QTimer>
#include <QWidget>

class QAction;
class QHBoxLayout;
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
    /// Columns with nothing in any row are not shown. The user may move columns.
    TablePane(const FactTable& table, Selection& selection, JobRunner* worker, std::shared_ptr<const Swatches> swatches,
              QWidget* parent = nullptr);

    /// The rows of a large report are found once the table is seen.
    void setReport(std::shared_ptr<const Report> report, std::shared_ptr<const Report> previous,
                   std::shared_ptr<const PlanMatches> matches = nullptr);
    void setAbove(QWidget* widget); ///< Between the top and the filter.
    void addBesideFilter(QWidget* widget);
    void pickPlace(int placeInTable); ///< Its row; where none shows it, no row is picked.
    void find();                      ///< The keyboard goes to the filter.
    /// The row that is picked, or all that the filter leaves with the titles: columns that are shown, apart by tabs.
    [[nodiscard]] QString pickedAsText() const;
    [[nodiscard]] QString allAsText() const;
    [[nodiscard]] QStringList pickedNames() const; ///< The first column of every row that is picked.
    [[nodiscard]] QString pickedExactly() const;   ///< The row that is picked, numbers without separators.
    [[nodiscard]] const TableModel& model() const { return m_table; }
    [[nodiscard]] QTableView* view() const { return m_view; }
    [[nodiscard]] QLineEdit* filterField() const { return m_filterField; }

Q_SIGNALS:
    void menuRequested(QPoint screen, const QList<QAction*>& own); ///< About the row that is picked.

protected:
    void changeEvent(QEvent* event) override; ///< Numbers may read in another way.
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fill();
    void showRows();
    void setColumns();
    void setSentences();
    void addCopying();
    [[nodiscard]] QStringList shownTexts(int row, int role = Qt::DisplayRole) const;
    void hideEmptyColumns();
    void spreadColumns();
    void fitRows();
    void pickRow();
    void followFocus();
    void takeUpRow();
    [[nodiscard]] QModelIndex pickedIndex() const;
    void describeCount();
    [[nodiscard]] int numberWidth(int column) const;

    TableModel m_table;
    struct
    {
        std::shared_ptr<const Report> report;
        std::shared_ptr<const Report> previous;
        std::shared_ptr<const PlanMatches> matches;
        bool waits = false;
    } m_due;
    Selection& m_selection;
    QHBoxLayout* m_top; ///< Filter, complaint, count.
    QLineEdit* m_filterField;
    QLabel* m_complaint;
    QLabel* m_count;
    QLabel* m_empty;
    QTableView* m_view;
    bool m_following = false;
    struct
    {
        QList<int> widths;
        QList<int> growing; ///< Share what room is left.
        QList<int> byHand;
        bool spreading = false;
    } m_columns;
    QTimer m_rowsDue;
};

} // namespace plimsoll::app
