#include "core/analysis/value_facts.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

class tst_ValueFacts : public QObject
{
    Q_OBJECT

private slots:
    void everyValueHasAResidence_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<Residence>("expected");
        QTest::newRow("input") << QByteArray("x") << Residence::External;
        QTest::newRow("parameter") << QByteArray("w") << Residence::External;
        QTest::newRow("intermediate of known size") << QByteArray("a") << Residence::Planned;
        QTest::newRow("no size before the run") << QByteArray("u") << Residence::Unplanned;
        QTest::newRow("a part of the caller's bytes") << QByteArray("v") << Residence::External;
        QTest::newRow("a part of what has no size") << QByteArray("p") << Residence::Unplanned;
    }

    void everyValueHasAResidence()
    {
        QFETCH(QByteArray, name);
        const Graph graph = test::graphFromText("input x float32[4]\n"
                                                "param w float32[4]\n"
                                                "a = Relu(x)\n"
                                                "u = my::Op(x)\n"
                                                "v = my::View(w) alias=0:view:0\n"
                                                "p = my::View(u) alias=0:view:0\n"
                                                "value a float32[4]\n"
                                                "value v float32[2]\n"
                                                "value p float32[2]\n"
                                                "output a\n");

        const ValueFacts facts = findValueFacts(graph, scheduleInCapturedOrder(graph), {});

        QTEST(facts.residence[findValue(graph, name.constData()).index()], "expected");
    }

    /// x [0, 1) makes room for b; what the caller looks at, and a weight, stay to the end.
    void whatAnInterpreterHasInItsArenaIsPlanned()
    {
        Graph graph = test::graphFromText("input x float32[4]\n"
                                          "input seen float32[4]\n"
                                          "param state float32[4]\n"
                                          "a = Relu(x)\n"
                                          "b = Add(a, seen)\n"
                                          "c = Add(b, state)\n"
                                          "value a float32[4]\n"
                                          "value b float32[4]\n"
                                          "value c float32[4]\n"
                                          "output c\n");
        graph.opsets.emplace("tflite", 3);
        graph[findValue(graph, "x")].visible = false;

        const ValueFacts facts = findValueFacts(graph, scheduleInCapturedOrder(graph), {});

        const auto live = [&](const char* name) { return facts.live[findValue(graph, name).index()].hull(); };
        for (const char* name : {"x", "seen", "state"})
            QCOMPARE(facts.residence[findValue(graph, name).index()], Residence::Planned);
        QCOMPARE(live("x"), (Interval {0, 1}));
        QCOMPARE(live("seen"), (Interval {0, 3}));
        QCOMPARE(live("state"), (Interval {0, 3}));
    }

    void anImplementationMayAskForMoreBytesButNotForFewer()
    {
        const Graph graph = test::graphFromText("input x float32[4]\n"
                                                "a = Relu(x)\n"
                                                "b = Relu(x)\n"
                                                "value a float32[4]\n"
                                                "value b float32[4]\n"
                                                "output a b\n");
        std::vector<Implementation> chosen(2);
        chosen[0].requiredOutputBytes = {64};
        chosen[1].requiredOutputBytes = {8};

        const ValueFacts facts = findValueFacts(graph, scheduleInCapturedOrder(graph), chosen);

        QCOMPARE(facts.requiredBytes[findValue(graph, "a").index()], 64);
        QCOMPARE(facts.requiredBytes[findValue(graph, "b").index()], 16);
    }
};

QTEST_APPLESS_MAIN(tst_ValueFacts)
#include "tst_value_facts.moc"
