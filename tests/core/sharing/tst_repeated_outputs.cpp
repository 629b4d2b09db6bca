#include "core/sharing/repeated_outputs.h"

#include "core/lower/types/infer_types.h"
#include "tests/support/graph_text.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;

namespace {

/// "a b | c": what lies together, and the rule for \p output on \p input: "+last-reader" where it was accepted.
QString shared(const QByteArray& text, const char* output, const char* input)
{
    const auto graph =
        std::make_shared<const Graph>(inferTypes(test::graphFromText(text.constData()), {}, {}).value().graph);
    const Program program {graph, scheduleInCapturedOrder(*graph), {}, {}, {}};
    const ValueFacts facts = findValueFacts(*graph, program.schedule, {}, program.policies);
    std::vector<Decision> decisions;
    const Sharing sharing = share({program, facts}, DecisionLog(decisions));
    QStringList all;
    for (const SharedStorage& storage : sharing.storages) {
        if (storage.residence != Residence::Planned) continue;
        QStringList names;
        for (const ValueId value : storage.values)
            names.append(QString::fromStdString((*graph)[value].name).section(u'/', -1));
        all.append(names.join(u' '));
    }
    QString rule = QStringLiteral("not considered");
    for (const Decision& decision : decisions) {
        if (decision.subject == output && decision.other == input)
            rule = QLatin1String(decision.accepted ? "+" : "-") + QString::fromStdString(decision.rule);
    }
    return all.join(QStringLiteral(" | ")) + QStringLiteral(": ") + rule;
}

} // namespace

/// Outputs of an If that hold the same whatever branch runs.
class RepeatedOutputs : public QObject
{
    Q_OBJECT

private slots:
    void whatBranchesHandOutTwiceIsOneStorage_data();
    void whatBranchesHandOutTwiceIsOneStorage();
};

void RepeatedOutputs::whatBranchesHandOutTwiceIsOneStorage_data()
{
    QTest::addColumn<QByteArray>("nodes");
    QTest::addColumn<QByteArray>("branches");
    QTest::addColumn<QString>("shared");
    const char* identities = "body then_branch\n t0 = Identity(h)\n t1 = Identity(h)\n output t0 t1\nend\n"
                             "body else_branch\n a = Neg(h)\n e0 = Identity(a)\n e1 = Identity(a)\n output e0 e1\n"
                             "end\n";
    QTest::newRow("identities in both branches") << QByteArray("z = Add(y0, y1)\noutput z\n") << QByteArray(identities)
                                                 << "h t0 t1 y0 y1 a e0 e1 z: +same-bytes";
    QTest::newRow("the source is still read") << QByteArray("z = Add(y0, y1)\nw = Add(z, h)\noutput w\n")
                                              << QByteArray(identities) << "h t0 t1 | y0 y1 a e0 e1 z w: +same-bytes";
    QTest::newRow("both are outputs") << QByteArray("output y0 y1\n") << QByteArray(identities)
                                      << "h t0 t1 y0 a e0 e1 | y1: -output-independence";
    QTest::newRow("one branch hands out two contents")
        << QByteArray("z = Add(y0, y1)\noutput z\n")
        << QByteArray("body then_branch\n t0 = Identity(h)\n t1 = Identity(h)\n output t0 t1\nend\n"
                      "body else_branch\n e0 = Neg(h)\n e1 = Exp(h)\n output e0 e1\nend\n")
        << "h t0 t1 y1 e1 | y0 e0 z: not considered";
}

void RepeatedOutputs::whatBranchesHandOutTwiceIsOneStorage()
{
    QFETCH(QByteArray, nodes);
    QFETCH(QByteArray, branches);
    const QByteArray text = "input x float32[4]\ninput k bool[]\nh = Exp(x)\nn: y0, y1 = If(k)\n" + branches + nodes;

    QTEST(shared(text, "y1", "y0"), "shared");
}

QTEST_APPLESS_MAIN(RepeatedOutputs)
#include "tst_repeated_outputs.moc"
