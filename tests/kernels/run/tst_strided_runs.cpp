#include "core/facts/english/english.h"
#include "tests/kernels/run/planned_with.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// A matrix of which one column is written; another node reads from \p read then.
QByteArray columns(const char* offset, const char* read)
{
    return QByteArray("input x float32[4,4]\na: m = Sin(x)\n"
                      "b: left = my::Column(m) alias=0:view:0\nvalue left float32[4] strides=[4]\n"
                      "c: right = my::Column(m) alias=0:view:0:") +
           offset +
           "\nvalue right float32[4] strides=[4]\n"
           "d: set = my::Set(left) alias=0:mutates:0\nvalue set float32[4] strides=[4]\n"
           "e: y = my::Op(" +
           read + ")\nvalue y float32[4]\nf: z = my::Op(set)\nvalue z float32[4]\noutput y z\n";
}

} // namespace

/// Elements that lie apart: a run compares and changes them, and not what lies between.
class StridedRuns : public QObject
{
    Q_OBJECT

private slots:
    void aColumnIsWrittenBesideAnother_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<QString>("differ");
        QTest::newRow("the one beside it") << columns("4", "right") << QString();
        QTest::newRow("two beside it") << columns("8", "right") << QString();
        QTest::newRow("the same column") << columns("0", "right") << QStringLiteral("right y");
        QTest::newRow("the column as it was") << columns("4", "left") << QStringLiteral("left y");
        QTest::newRow("the matrix as it was") << columns("4", "m") << QStringLiteral("m y");
    }

    void aColumnIsWrittenBesideAnother()
    {
        QFETCH(QByteArray, graph);
        const Report report = test::plannedWith(graph, "");
        kernels::RunRequest request;
        request.mode = kernels::RunMode::Fingerprint;

        const auto outcome = test::executed(report, {}, request);

        QVERIFY2(outcome.ok(), outcome.ok() ? "" : describe(outcome.error()).c_str());
        QStringList found;
        for (const RunResult::Mismatch& mismatch : outcome.value().result.mismatches)
            found += QString::fromStdString(mismatch.value);
        found.sort();
        QTEST(found.join(QLatin1Char(' ')), "differ");
        QCOMPARE(countFindings(report, Severity::Error) == 0, found.empty()); // the judge says the same
    }
};

QTEST_APPLESS_MAIN(StridedRuns)
#include "tst_strided_runs.moc"
