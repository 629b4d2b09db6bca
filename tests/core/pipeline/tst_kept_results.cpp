#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"

#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"
#include "tests/support/saved_names.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;
using test::keptInSlots;
using test::nameOf;

namespace {

Report planned(const std::string& text, std::string_view policy, std::string_view value)
{
    PlanRequest request;
    test::choose(request.policies, {{"inplace", "off"}, {"alignment", "1"}, {policy, value}});
    Result<Report> report = analyse(test::graphFromText(text), request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

bool isLegal(const Report& report)
{
    return std::ranges::none_of(report.verdict.findings,
                                [](const Finding& finding) { return finding.severity == Severity::Error; });
}

} // namespace

/// What a node of a training graph makes beside ONNX's results, and how gradients are named.
class KeptResults : public QObject
{
    Q_OBJECT

private slots:
    void indicesAndStatisticsAreKept_data();
    void indicesAndStatisticsAreKept();
    void nothingIsNamedWhereNothingIsKept();
    void onlyTrainingNamesThem();
    void gradientsThatAreHandedOutKeepTheirNames_data();
    void gradientsThatAreHandedOutKeepTheirNames();
};

/// h is of 1,000 bytes.
void KeptResults::indicesAndStatisticsAreKept_data()
{
    QTest::addColumn<QByteArray>("nodes");
    QTest::addColumn<QByteArray>("saved");
    QTest::addColumn<QString>("kept");
    QTest::addColumn<int>("boundary");
    const auto row = [](const char* name, const QByteArray& nodes, const char* saved, const char* kept, int boundary) {
        QTest::addRow("%s, %s", name, saved) << nodes << QByteArray(saved) << QString::fromUtf8(kept) << boundary;
    };
    const auto of = [](const char* shape, const char* call) {
        return QByteArray("k = Neg(x)\nconst c int64") + shape + "\nh = Reshape(k, c)\nparam w float32[10]\n" +
               "param b float32[10]\ny = " + call + "\n";
    };
    const QByteArray pool = of("[4] = 1 1 25 10", "MaxPool(h) kernel_shape=[5,2] strides=[5,2]");
    row("max-pool", pool, "guarded", "MaxPool_2:indices h", 1200);
    row("max-pool", pool, "save-all", "MaxPool_2:indices h", 1200);
    row("max-pool", pool, "exact", "h", 1000);
    const QByteArray rows = of("[2] = 25 10", "LayerNormalization(h, w, b)");
    row("rows", rows, "guarded", "LayerNormalization_2:mean LayerNormalization_2:rstd b h w", 1200);
    row("rows", rows, "exact", "h w", 1000);
    row("groups", of("[3] = 1 10 25", "GroupNormalization(h, w, b) num_groups=2"), "guarded",
        "GroupNormalization_2:mean GroupNormalization_2:rstd h w", 1016);
    row("instances", of("[3] = 1 10 25", "InstanceNormalization(h, w, b)"), "guarded",
        "InstanceNormalization_2:save_invstd InstanceNormalization_2:save_mean h w", 1080);
    const char* batch = "BatchNormalization(h, w, b, w, b) training_mode=1";
    row("a batch", of("[2] = 25 10", batch), "guarded",
        "BatchNormalization_2:save_invstd BatchNormalization_2:save_mean b h w w", 1080);
    row("a batch, statistics given", of("[2] = 25 10", "BatchNormalization(h, w, b, w, b)"), "guarded", "b h w w",
        1000);
}

void KeptResults::indicesAndStatisticsAreKept()
{
    QFETCH(QByteArray, nodes);
    QFETCH(QByteArray, saved);
    QFETCH(int, boundary);
    const QByteArray text =
        "input x float32[250]\n" + nodes + "z = ReduceSum(y) keepdims=0\noutput z\ngrad x\nloss z\n";

    const Report report = planned(text.toStdString(), "saved", saved.toStdString());

    QTEST(keptInSlots(report), "kept");
    QCOMPARE(report.training.boundaryBytes, std::int64_t(boundary));
    QVERIFY(isLegal(report));
    // What PyTorch reads is no needless save of its.
    for (const Finding& finding : report.verdict.findings)
        if (finding.rule == Rule::NeedlessSave) QVERIFY(!nameOf(report, finding.values.front()).contains(u':'));
}

/// No gradient passes: the node is as it was.
void KeptResults::nothingIsNamedWhereNothingIsKept()
{
    const Report report = planned("input x float32[1,1,4,4]\nparam w float32[1,1,2,2]\n"
                                  "p = MaxPool(x) kernel_shape=[2,2] strides=[2,2]\ny = Mul(p, w)\n"
                                  "u = MaxPool(y) kernel_shape=[2,2]\nz = ReduceSum(y) keepdims=0\n"
                                  "output z u\ngrad w\nloss z\n",
                                  "saved", "guarded");
    int pools = 0;
    for (const Node& node : report.program.graph->nodes) {
        if (node.op != "MaxPool" || !node.domain.empty()) continue;
        ++pools;
        QCOMPARE(node.outputs.size(), std::size_t(1));
    }
    QCOMPARE(pools, 2);
}

/// The standard has no such outputs.
void KeptResults::onlyTrainingNamesThem()
{
    const Graph graph = test::graphFromText("input x float32[1,2,4]\ninput w float32[2]\n"
                                            "y, m, r = InstanceNormalization(x, w, w)\noutput y m\n");

    const auto report = analyse(graph, {}, {});

    QVERIFY(!report.ok());
    QVERIFY(QString::fromStdString(describe(report.error())).contains(QStringLiteral("3 outputs")));
}

/// Both gradients are one tensor, which is copied, or added to buffers.
void KeptResults::gradientsThatAreHandedOutKeepTheirNames_data()
{
    QTest::addColumn<QByteArray>("policy");
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("as they are") << QByteArray("outputs") << QByteArray("independent");
    QTest::newRow("brought buffers") << QByteArray("outputs") << QByteArray("external");
    QTest::newRow("added to buffers") << QByteArray("gradients") << QByteArray("add");
}

void KeptResults::gradientsThatAreHandedOutKeepTheirNames()
{
    QFETCH(QByteArray, policy);
    QFETCH(QByteArray, value);

    const Report report = planned("input x1 float32[4]\ninput x2 float32[4]\na = Add(x1, x2)\ny = Exp(a)\n"
                                  "z = ReduceSum(y) keepdims=0\noutput z\ngrad x1 x2\nloss z\n",
                                  policy.toStdString(), value.toStdString());

    QStringList names;
    for (const ValueId output : report.program.graph->top().outputs)
        names += nameOf(report, output);
    QCOMPARE(names.join(u' '), QStringLiteral("z grad:x1 grad:x2"));
    QVERIFY(isLegal(report));
}

QTEST_APPLESS_MAIN(KeptResults)
#include "tst_kept_results.moc"
