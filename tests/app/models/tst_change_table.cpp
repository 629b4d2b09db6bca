#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/table_columns.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// a of 2,400 bytes is kept for the gradient of m alone, which nobody wants; the fullest step is where e becomes q.
constexpr std::string_view Chain = "input x float32[200,3]\nparam m float32[3]\nconst two float32[] = 2\n"
                                   "const wide int64[2] = 1 3000\n"
                                   "n0: a = Add(x, two)\nn1: p = Mul(a, m)\nn2: s = ReduceSum(p) keepdims=1\n"
                                   "n3: e = Expand(s, wide)\nn4: q = Add(e, two)\nn5: z = ReduceSum(q) keepdims=0\n"
                                   "output z\ngrad x\nloss z\n";

std::shared_ptr<const Report> planned(std::string_view saved)
{
    return test::planned(test::graphFromText(Chain),
                         test::policiesWith({{"inplace", "off"}, {"alignment", "1"}, {"saved", saved}}));
}

QString shown(const TableModel& table, int column, int role = Qt::DisplayRole)
{
    return table.index(0, column).data(role).toString();
}

} // namespace

/// Two plans of one graph beside each other: what the other choice keeps longer.
class ChangeTableTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aValueThatIsKeptLongerHasARow()
    {
        TableModel table(changesTable());
        const QAbstractItemModelTester tester(&table);
        table.setReport(planned("save-all"), planned("exact"));
        QCOMPARE(table.rowCount(), 1);
        QCOMPARE(shown(table, test::columnOf(changesTable(), "Value")), QStringLiteral("a"));
        QCOMPARE(shown(table, test::columnOf(changesTable(), "Bytes")), QStringLiteral("2.34 KiB"));
        QCOMPARE(table.index(0, test::columnOf(changesTable(), "Bytes")).data(SortRole).toLongLong(), 2400);
        QVERIFY(
            shown(table, test::columnOf(changesTable(), "Bytes"), Qt::ToolTipRole).contains(QStringLiteral("2,400")));
        QVERIFY(shown(table, test::columnOf(changesTable(), "Before")) !=
                shown(table, test::columnOf(changesTable(), "Now")));
        QCOMPARE(shown(table, test::columnOf(changesTable(), "Reason")), QStringLiteral("save-all"));
    }

    void bytesAtThePeakHaveASign()
    {
        TableModel table(changesTable());
        table.setReport(planned("save-all"), planned("exact"));
        QCOMPARE(shown(table, test::columnOf(changesTable(), "At the peak")), QStringLiteral("+2.34 KiB"));
        table.setReport(planned("exact"), planned("save-all"));
        QCOMPARE(shown(table, test::columnOf(changesTable(), "At the peak")), QStringLiteral("−2.34 KiB"));
        QCOMPARE(table.index(0, test::columnOf(changesTable(), "At the peak")).data(SortRole).toLongLong(), -2400);
        QCOMPARE(shown(table, test::columnOf(changesTable(), "Reason")),
                 QStringLiteral("not alive at the fullest step now; save-all"));
    }

    void withoutAnotherPlanThereIsNothing()
    {
        TableModel table(changesTable());
        table.setReport(planned("exact"));
        QCOMPARE(table.rowCount(), 0);
        table.setReport(planned("exact"), planned("exact"));
        QCOMPARE(table.rowCount(), 0);
        table.setReport(planned("exact"), planned("save-all"));
        QCOMPARE(table.rowCount(), 1);
        table.setReport(nullptr);
        QCOMPARE(table.rowCount(), 0);
    }

    void valuesKeepTheirNamesInEveryLanguage()
    {
        constexpr std::string_view Named = "input x float32[64]\nn0: constant = Neg(x)\nn1: y = Relu(constant)\n"
                                           "n2: z = Add(y, x)\noutput z\n";
        const auto with = [&](std::string_view inplace) {
            return test::planned(test::graphFromText(Named), test::policiesWith({{"inplace", inplace}}));
        };
        TableModel table(changesTable());
        table.setReport(with("on"), with("off"));
        speak({}, {{"constant", "CONSTANT"}, {"none", "NONE"}});
        const QString shares = shown(table, test::columnOf(changesTable(), "Shares with"));
        speak({});
        QCOMPARE(shares, QStringLiteral("NONE → constant"));
    }

    void aRowLeadsToItsValueAndBack()
    {
        TableModel table(changesTable());
        const auto report = planned("save-all");
        table.setReport(report, planned("exact"));
        QCOMPARE(table.focusOf(0).value, findValue(*report->program.graph, "a"));
        QCOMPARE(table.rowOf(table.focusOf(0)), 0);
        QCOMPARE(table.rowOf(Focus::on(findValue(*report->program.graph, "x"))), -1);
    }
};

QTEST_GUILESS_MAIN(ChangeTableTest)
#include "tst_change_table.moc"
