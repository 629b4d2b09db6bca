#include "core/facts/compare/peak_differences.h"

#include "core/facts/english/english.h"
#include "core/graph/graph_builder.h"
#include "tests/support/planned.h"
#include "tests/support/random_graph.h"

#include <QTest>

#include <random>

using namespace plimsoll;
using test::planned;

namespace {

/// "c went 256 → 0 | holes 0 → 64"
std::string drawn(const Report& before, const Report& after)
{
    std::string text;
    for (const PeakDifference& row : comparePeaks(before, after, matchPlans(before, after)).rows)
        text += (text.empty() ? "" : " | ") + (row.name.empty() ? "" : row.name + " ") +
                std::string(peakDifferenceId(row.kind)) + (row.other.empty() ? "" : " " + row.other) + " " +
                std::to_string(row.before) + " → " + std::to_string(row.after);
    return text;
}

/// Ends the test where the rows do not add up.
void addUp(const Report& before, const Report& after)
{
    const ComparedPeaks compared = comparePeaks(before, after, matchPlans(before, after));
    std::int64_t sum = 0;
    for (const PeakDifference& row : compared.rows) {
        QVERIFY(row.bytes() != 0);
        sum += row.bytes();
    }
    QCOMPARE(sum, compared.sum);
    QCOMPARE(sum, after.memory.peakBytes - before.memory.peakBytes);
}

const std::string Ladder = "input x float32[64]\nn0: a = Relu(x)\nn1: b = Sigmoid(a)\nn2: c = Add(a, b)\noutput c\n";

/// Nodes that were added have the highest ids; here the copy does, that the others read.
Graph withCopyLast(const std::string& prefix)
{
    GraphBuilder builder("g");
    const ValueId x = builder.addInput("x", TensorType::dense(DType::Float32, {4}));
    const NodeId relu = builder.addNode({.op = "Relu"}, {x}, {prefix + "r"});
    const NodeId sine = builder.addNode({.op = "Sin"}, {builder.output(relu, 0)}, {prefix + "s"});
    const NodeId copy = builder.addNode({.op = "Copy"}, {x}, {prefix + "k"});
    Graph& graph = builder.graph();
    graph[relu].inputs = {builder.output(copy, 0)};
    graph[TopBody].nodes = {copy, relu, sine};
    return graph;
}

} // namespace

/// What two peaks differ by, in rows that add up.
class PeakDifferences : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowsNameWhatDiffers_data();
    void rowsNameWhatDiffers();
    void sizesThatReadTheSameAreToldInBytes();
    void renamedValuesAreMatchedByStructure();
    void valuesAreMatchedWhereverTheirNodesStand();
    void whatIsFusedIsMatched();
    void valuesOfNestedGraphsAreMatched();
    void rowsOfGivenPlansAddUp_data();
    void rowsOfGivenPlansAddUp();
    void bytesThatAreTakenTwiceAreARow();
    void scratchpadsAreMatchedByTheirNodes();
    void anArenaEndsWhereItsAlignmentSays();
    void rowsOfRandomGraphsAddUp();
};

void PeakDifferences::rowsNameWhatDiffers_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    QTest::addColumn<QByteArray>("rows");
    const auto row = [](const char* name, std::string before, std::string after, const char* first, const char* second,
                        const char* rows) {
        QTest::newRow(name) << QByteArray::fromStdString(before) << QByteArray::fromStdString(after)
                            << QByteArray(first) << QByteArray(second) << QByteArray(rows);
    };
    const auto inPlace = [](const char* size, const char* early, const char* late) {
        return std::string("input x float32[") + size + "]\nn0: a = Relu(x)\nn1: b = " + early +
               "\nn2: c = Relu(a)\nn3: d = " + late + "\nn4: y = Relu(c)\noutput y\n";
    };
    const std::string early = inPlace("64", "Concat(x, x) axis=0", "Relu(x)");
    const std::string late = inPlace("64", "Relu(x)", "Concat(x, x) axis=0");
    const std::string later = inPlace("128", "Relu(x)", "Concat(x, x) axis=0");
    row("the same", Ladder, Ladder, "alignment=1", "alignment=1", "");
    row("an identity in front shifts every step", Ladder,
        "input x float32[64]\nm: i = Identity(x)\nn0: a = Relu(i)\nn1: b = Sigmoid(a)\nn2: c = Add(a, b)\noutput c\n",
        "alignment=1", "alignment=1", "");
    row("a value is another one's", Ladder, Ladder, "inplace=off alignment=1", "alignment=1", "c joined a 256 → 0");
    row("and the other way round", Ladder, Ladder, "alignment=1", "inplace=off alignment=1", "c parted a 0 → 256");
    row("larger tensors", "input x float32[10]\na: y = Relu(x)\noutput y\n",
        "input x float32[20]\na: y = Relu(x)\noutput y\n", "alignment=64", "alignment=64",
        "y size 40 → 80 | y rounding 24 → 48");
    row("another alignment", "input x float32[10]\na: y = Relu(x)\noutput y\n",
        "input x float32[10]\na: y = Relu(x)\noutput y\n", "alignment=1", "alignment=64", "y rounding 0 → 24");
    row("as many bytes when they are rounded", "input x float32[10]\na: y = Relu(x)\noutput y\n",
        "input x float32[12]\na: y = Relu(x)\noutput y\n", "alignment=64", "alignment=64", "");
    row("what is reserved", Ladder, Ladder, "alignment=1", "alignment=1 reserved=0+64", "reserved 0 → 64");
    row("of equally full steps the one of the same node",
        "input x float32[64]\nn0: a = Relu(x)\nn1: b = Sin(a)\n"
        "n2: c = Cos(b)\noutput c\n",
        "input x float32[64]\nn0: a = Relu(x)\nn1: b = Sin(a)\n"
        "n2: c = Concat(b, b) axis=0\noutput c\n",
        "inplace=off alignment=1", "inplace=off alignment=1", "c size 256 → 512");
    row("a storage with other values at another step", early, late, "alignment=1", "alignment=1",
        "b went 512 → 0 | d came 0 → 512");
    row("a value that is alive then gives the name", late, later, "alignment=1", "alignment=1",
        "d size 512 → 1024 | c size 256 → 512");
    row("another value holds the bytes", Ladder,
        "input x float32[128]\nm: w = Relu(x)\nn0: a = Sin(w)\nn1: b = Sigmoid(a)\n"
        "n2: c = Add(a, b)\noutput c\n",
        "alignment=1", "alignment=1", "a size 256 → 512 | b size 256 → 512");
}

void PeakDifferences::rowsNameWhatDiffers()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    const Report one = planned(before.toStdString(), std::string_view(first.toStdString()));
    const Report other = planned(after.toStdString(), std::string_view(second.toStdString()));
    QTEST(QByteArray::fromStdString(drawn(one, other)), "rows");
    addUp(one, other);
}

void PeakDifferences::sizesThatReadTheSameAreToldInBytes()
{
    PeakDifference row {PeakDifference::Kind::Size, "cpu", 57'088, 57'152, "a"};
    QCOMPARE(english(peakDifferenceReason(row)), std::string("57,088 bytes before, 57,152 bytes now"));
    row.after = 65'536;
    QCOMPARE(english(peakDifferenceReason(row)), std::string("55.8 KiB before, 64.0 KiB now"));
}

void PeakDifferences::renamedValuesAreMatchedByStructure()
{
    const Report before = planned(Ladder, "inplace=off alignment=1");
    const Report after = planned("input in float32[64]\nm0: p = Relu(in)\nm1: q = Sigmoid(p)\nm2: c = Add(p, q)\n"
                                 "m3: r = Relu(c)\noutput r\n",
                                 "inplace=off alignment=1");
    const ValueMatches matches = matchValues(*before.program.graph, *after.program.graph);
    QCOMPARE(matches.byName, std::size_t {1});
    QCOMPARE(matches.byStructure, std::size_t {3});
    QCOMPARE(matches.onlyFirst(), std::size_t {0});
    QCOMPARE(matches.onlySecond(), std::size_t {1});
    QCOMPARE(drawn(before, after), std::string());
}

void PeakDifferences::valuesAreMatchedWhereverTheirNodesStand()
{
    const ValueMatches matches = matchValues(withCopyLast("a"), withCopyLast("b"));
    QCOMPARE(matches.byName, std::size_t {1});
    QCOMPARE(matches.byStructure, std::size_t {3});
}

void PeakDifferences::whatIsFusedIsMatched()
{
    const auto fused = [](const std::string& prefix) {
        Graph graph = withCopyLast(prefix);
        const ValueId inner = graph[NodeId(std::size_t {0})].outputs.front();
        graph.decided.at(inner).fusedInto = NodeId(std::size_t {1});
        graph[NodeId(std::size_t {1})].inputs = graph[NodeId(std::size_t {0})].inputs;
        graph[NodeId(std::size_t {0})].inputs = {inner};
        return graph;
    };
    const ValueMatches matches = matchValues(fused("a"), fused("b"));
    QCOMPARE(matches.byStructure, std::size_t {3});
    QCOMPARE(matches.onlyFirst(), std::size_t {0});
}

void PeakDifferences::valuesOfNestedGraphsAreMatched()
{
    const auto nested = [](const std::string& prefix) {
        GraphBuilder builder("g");
        const ValueId x = builder.addInput("x", TensorType::dense(DType::Float32, {4}));
        const NodeId owner = builder.addNode({.name = "choose", .op = "If"}, {x}, {prefix + "y"});
        builder.openBody(owner, "then_branch");
        const NodeId inner = builder.addNode({.name = "n", .op = "Relu"}, {x}, {prefix + "v"});
        builder.addOutput(builder.output(inner, 0));
        builder.closeBody();
        return builder.graph();
    };
    const ValueMatches matches = matchValues(nested("a"), nested("b"));
    QCOMPARE(matches.byStructure, std::size_t {2});
}

void PeakDifferences::rowsOfGivenPlansAddUp_data()
{
    QTest::addColumn<QByteArray>("arena");
    QTest::addColumn<QList<int>>("offsets");
    QTest::addColumn<QByteArray>("rows");
    const QByteArray stated("cpu");
    QTest::newRow("as ours") << stated << QList<int> {0, 256, 512} << QByteArray();
    QTest::newRow("a hole") << stated << QList<int> {0, 256, 1024} << QByteArray("holes 0 → 512");
    QTest::newRow("partly the same bytes")
        << stated << QList<int> {0, 128, 384} << QByteArray("b joined a 256 → 0 | a size 256 → 384");
    QTest::newRow("a higher arena") << QByteArray("4096") << QList<int> {0, 256, 512} << QByteArray("above 0 → 3328");
}

void PeakDifferences::rowsOfGivenPlansAddUp()
{
    QFETCH(QByteArray, arena);
    QFETCH(QList<int>, offsets);
    const Report ours = planned(Ladder, "inplace=off alignment=1");
    PlanRequest request;
    test::chooseFromText(request.policies, "inplace=off alignment=1");
    PlanFile plan;
    plan.arenas = {{"cpu", arena.toLongLong(), 1, {}, {}}};
    for (int i = 0; i < 3; ++i)
        plan.entries.push_back({std::string(1, static_cast<char>('a' + i)), ArenaId(std::size_t {0}), offsets[i], 256});
    request.givenPlan = sharedPlan(plan);
    const Report given = planned(Ladder, request);
    QTEST(QByteArray::fromStdString(drawn(ours, given)), "rows");
    addUp(ours, given);
}

/// a and b have bytes in common while both are alive: they are counted once.
void PeakDifferences::bytesThatAreTakenTwiceAreARow()
{
    const std::string fork = "input x float32[64]\nn0: a = Relu(x)\nn1: b = Sigmoid(x)\nn2: c = Concat(a, b) axis=0\n"
                             "output c\n";
    const auto planOf = [&](std::int64_t offsetOfB) {
        PlanRequest request;
        test::chooseFromText(request.policies, "alignment=1");
        PlanFile plan;
        const ArenaId arena(std::size_t {0});
        plan.arenas = {{"cpu", 1024, 1, {}, {}}};
        plan.entries = {{"a", arena, 0, 256}, {"b", arena, offsetOfB, 256}, {"c", arena, 512, 512}};
        request.givenPlan = sharedPlan(plan);
        return planned(fork, request);
    };
    const Report apart = planOf(256);
    const Report twice = planOf(192);
    QCOMPARE(drawn(apart, twice), std::string("holes 0 → 64 | overlap 0 → -64"));
    QCOMPARE(drawn(twice, apart), std::string("holes 64 → 0 | overlap -64 → 0"));
    addUp(apart, twice);
}

void PeakDifferences::scratchpadsAreMatchedByTheirNodes()
{
    const auto planOf = [&](std::int64_t bytes) {
        PlanRequest request;
        test::chooseFromText(request.policies, "inplace=off alignment=1");
        PlanFile plan;
        const ArenaId arena(std::size_t {0});
        plan.arenas = {{"cpu", 1024, 1, {}, {}}};
        plan.entries = {{"a", arena, 0, 256}, {"b", arena, 256, 256}, {"c", arena, 512, 256}};
        plan.entries.push_back({"scratch:n2", arena, 768, bytes});
        request.givenPlan = sharedPlan(plan);
        return planned(Ladder, request);
    };
    const Report small = planOf(64);
    const Report large = planOf(256);
    QCOMPARE(drawn(small, large), std::string("scratch:n2 size 64 → 256 | above 192 → 0"));
    addUp(small, large);
}

void PeakDifferences::anArenaEndsWhereItsAlignmentSays()
{
    const std::string relu = "input x float32[10]\na: y = Relu(x)\noutput y\n";
    PlanRequest request;
    PlanFile plan;
    plan.arenas = {{"cpu", 40, 64, {}, {}}};
    plan.entries = {{"y", ArenaId(std::size_t {0}), 0, 40}};
    request.givenPlan = sharedPlan(plan);
    const Report given = planned(relu, request);
    const Report ours = planned(relu, "alignment=1");
    QCOMPARE(drawn(ours, given), std::string("y rounding 0 → 24"));
    addUp(ours, given);
}

/// Of any two graphs under any two policies.
void PeakDifferences::rowsOfRandomGraphsAddUp()
{
    std::mt19937 random(7);
    const auto value = [&](const PolicyInfo& policy) {
        return policy.values[std::uniform_int_distribution<std::size_t>(0, policy.values.size() - 1)(random)];
    };
    std::optional<Report> before;
    for (unsigned seed = 0; seed < 300; ++seed) {
        PlanRequest request;
        request.search.workLimit = 1000;
        for (const PolicyInfo& policy : policyTable()) {
            if (!policy.values.empty() && random() % 3 == 0)
                QVERIFY(setPolicy(request.policies, policy.id, std::string(value(policy))).ok());
        }
        Result<Report> after = analyse(test::randomGraph(seed / 4), request, {});
        if (!after.ok()) continue; // some policies want a device
        if (before) addUp(*before, after.value());
        if (before) addUp(after.value(), *before);
        before = std::move(after).value();
        addUp(*before, *before);
        QVERIFY(comparePeaks(*before, *before, matchPlans(*before, *before)).rows.empty());
    }
    QVERIFY(before.has_value());
}

QTEST_APPLESS_MAIN(PeakDifferences)
#include "tst_peak_differences.moc"
