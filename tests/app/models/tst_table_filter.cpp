#include "app/models/table_filter.h"

#include "tests/app/support/app_samples.h"
#include "tests/app/support/table_columns.h"

#include <QRegularExpression>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// The names of the rows that are left, "a b".
QString names(const TableFilter& filter)
{
    QStringList found;
    for (int row = 0; row < filter.rowCount(); ++row)
        found << filter.index(row, test::columnOf(valuesTable(), "Value")).data().toString();
    return found.join(u' ');
}

} // namespace

/// What is typed above a table: words and comparisons, all of which hold.
class TableFilterTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void rowsAreLeftThatMatch_data();
    void rowsAreLeftThatMatch();
    void aClearedFilterLeavesAll();
    void whatIsPlannedComesFirst();
    void numbersSortAsNumbers();
};

void TableFilterTest::rowsAreLeftThatMatch_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("left");
    QTest::addColumn<QString>("complaint");
    const auto row = [](const char* name, const char* text, const char* left, const char* complaint = "") {
        QTest::newRow(name) << QString(text) << QString(left) << QString(complaint);
    };
    row("nothing", "", "x w a b c d e f g");
    row("blanks", "   ", "x w a b c d e f g");
    row("a word in any case", "PARAM", "w");
    row("a part of a word", "256,25", "w");
    row("all words", "float32 param", "w");
    row("words that do not meet", "param input", "");
    row("bytes above", "logical>4KiB", "w");
    row("bytes from", "logical>=4KiB", "x w a b c d e f g");
    row("bytes below", "logical<262144", "x a b c d e f g");
    row("bytes up to", "logical<=4096", "x a b c d e f g");
    row("exactly so many", "logical=256KiB", "w");
    row("others than so many", "logical!=4096", "w");
    row("a text", "value=e", "e");
    row("any text but one", "value!=e role=input", "x");
    row("a text from there on", "value>=f", "x w f g");
    row("the title begun", "log>4KiB", "w");
    row("a comparison and a word", "logical<=4KiB input", "x");
    row("two comparisons", "logical<=4KiB value=w", "");
    row("no such column is a word", "nonsense>1", "");
    row("no number where one is needed", "logical>big", "x w a b c d e f g", "not a number: big");
    row("and what stands beside it counts", "logical>big value=w", "w", "not a number: big");
}

void TableFilterTest::rowsAreLeftThatMatch()
{
    QFETCH(QString, text);
    QFETCH(QString, left);
    QFETCH(QString, complaint);
    TableModel values(valuesTable());
    values.setReport(test::planned(test::smallGraph()));
    TableFilter filter;
    filter.setSourceModel(&values);
    filter.setText(text);
    QCOMPARE(names(filter), left);
    QCOMPARE(filter.complaint(), complaint);
    QCOMPARE(filter.text(), text);
}

void TableFilterTest::aClearedFilterLeavesAll()
{
    TableModel values(valuesTable());
    values.setReport(test::planned(test::smallGraph()));
    TableFilter filter;
    filter.setSourceModel(&values);
    filter.setText(QStringLiteral("logical>big value=w"));
    QCOMPARE(filter.rowCount(), 1);
    filter.setText(QString());
    QCOMPARE(filter.rowCount(), values.rowCount());
    QVERIFY(filter.complaint().isEmpty());
}

void TableFilterTest::whatIsPlannedComesFirst()
{
    const auto report = test::planned(test::smallGraph());
    TableModel storages(storagesTable());
    storages.setReport(report);
    TableFilter filter;
    filter.setSourceModel(&storages);
    filter.setPlannedFirst(test::columnOf(storagesTable(), "Bytes"));
    for (const Qt::SortOrder order : {Qt::DescendingOrder, Qt::AscendingOrder}) {
        filter.sort(test::columnOf(storagesTable(), "Bytes"), order);
        for (int row = 1; row < filter.rowCount(); ++row) {
            const QModelIndex before = filter.index(row - 1, test::columnOf(storagesTable(), "Bytes"));
            const QModelIndex now = filter.index(row, test::columnOf(storagesTable(), "Bytes"));
            QVERIFY(before.data(LeadsRole).toBool() || !now.data(LeadsRole).toBool());
            if (before.data(LeadsRole) != now.data(LeadsRole)) continue;
            const qint64 change = now.data(SortRole).toLongLong() - before.data(SortRole).toLongLong();
            QVERIFY(order == Qt::AscendingOrder ? change >= 0 : change <= 0);
        }
    }
    QVERIFY(filter.index(0, 0).data(LeadsRole).toBool());
    QVERIFY(!filter.index(filter.rowCount() - 1, 0).data(LeadsRole).toBool());
}

void TableFilterTest::numbersSortAsNumbers()
{
    TableModel values(valuesTable());
    values.setReport(test::planned(test::smallGraph()));
    TableFilter filter;
    filter.setSourceModel(&values);
    filter.sort(test::columnOf(valuesTable(), "Logical"), Qt::DescendingOrder);
    QCOMPARE(filter.index(0, test::columnOf(valuesTable(), "Value")).data().toString(),
             QStringLiteral("w")); // 256 KiB before 4.00 KiB
    filter.sort(test::columnOf(valuesTable(), "Value"), Qt::DescendingOrder);
    QVERIFY(names(filter).startsWith(QStringLiteral("x w g")));
}

QTEST_GUILESS_MAIN(TableFilterTest)
#include "tst_table_filter.moc"
