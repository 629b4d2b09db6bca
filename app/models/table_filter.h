#pragma once

#include <QSortFilterProxyModel>

#include <vector>

namespace plimsoll::app {

/// Sorts a TableModel and keeps the rows that match what was typed: words that must all occur somewhere in the row,
/// and comparisons such as `bytes>1MiB`, `step<=40` or `role=output` on a column's title.
class TableFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit TableFilter(QObject* parent = nullptr);

    void setText(const QString& text);
    /// What of the text cannot be meant as it stands, in a few words; empty when all is well.
    [[nodiscard]] const QString& complaint() const { return m_complaint; }
    /// Sorted by that column, what lies in a planned arena comes before the rest, whichever way it is sorted.
    void setPlannedFirst(int column) { m_plannedFirst = column; }
    [[nodiscard]] const QString& text() const { return m_text; }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    struct Comparison
    {
        int column = 0;
        QString operation; ///< = != < <= > >=
        QString text;
        qint64 number = 0;
        bool numeric = false;
    };
    [[nodiscard]] bool parse(const QString& word);
    [[nodiscard]] bool isNumber(int column) const;
    [[nodiscard]] int columnNamed(const QString& name) const;
    [[nodiscard]] bool holds(const Comparison& comparison, int row) const;

    QString m_text;
    QString m_complaint;
    int m_plannedFirst = -1;
    QStringList m_words;
    std::vector<Comparison> m_comparisons;
};

} // namespace plimsoll::app
