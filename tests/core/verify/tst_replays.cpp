#include "tests/core/verify/case.h"

#include <QTest>

using namespace plimsoll;

/// Under replay=graph an output in an arena does not outlast the next replay.
class tst_Replays : public QObject
{
    Q_OBJECT

private slots:
    void outputsInAnArenaDie_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<QByteArray>("plan");
        QTest::addColumn<QByteArray>("findings");
        const char* const chain = "input x uint8[64]\nna: a = Relu(x)\nnb: b = Exp(a)\noutput b\noutput b\n";
        const auto row = [](const char* name, const char* graph, const char* plan, const char* findings) {
            QTest::newRow(name) << QByteArray(graph) << QByteArray(plan) << QByteArray(findings);
        };
        row("once: they are the caller's", chain, "arena 128\na 0\nb 64\n", "");
        row("replayed: told once for each value", chain, "arena 128\na 0\nb 64\npolicy replay graph\n",
            "output-dies-at-replay warning b / nb / [1, 2) / [64, 128)");
        row("an input that is handed back is no arena's", "input x uint8[64]\noutput x\n",
            "arena 0\npolicy replay graph\n", "");
    }
    void outputsInAnArenaDie()
    {
        QFETCH(QByteArray, graph);
        QFETCH(QByteArray, plan);
        QFETCH(QByteArray, findings);
        QCOMPARE(QByteArray::fromStdString(test::verdict(graph.constData(), plan.constData())), findings);
    }
};

QTEST_APPLESS_MAIN(tst_Replays)
#include "tst_replays.moc"
