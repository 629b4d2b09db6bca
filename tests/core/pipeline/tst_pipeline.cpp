#include "core/facts/english/english.h"
#include "core/facts/plan_digest.h"
#include "core/pipeline/pipeline.h"

#include "tests/support/graph_text.h"
#include "tests/support/planned.h"
#include "tests/support/policy_choices.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;
using plimsoll::test::planned;

namespace {

PlanRequest with(const test::Choices& policies)
{
    PlanRequest request;
    test::choose(request.policies, policies);
    return request;
}

PlanRequest judging(PlanFile plan, PlanRequest request = {})
{
    request.givenPlan = sharedPlan(std::move(plan));
    return request;
}

const Storage& storageOf(const Report& report, std::string_view value)
{
    return report.program
        .storages[report.program.values[findValue(*report.program.graph, value).index()].storage.index()];
}

PlanFile::Entry& entryOf(PlanFile& plan, std::string_view value)
{
    return *std::find_if(plan.entries.begin(), plan.entries.end(),
                         [value](const PlanFile::Entry& entry) { return entry.value == value; });
}

QString rulesOf(const Report& report, Severity severity)
{
    QStringList rules;
    for (const Finding& finding : report.verdict.findings) {
        if (finding.severity == severity) rules.append(QLatin1String(ruleId(finding.rule).data()));
    }
    rules.removeDuplicates();
    return rules.join(QLatin1Char(' '));
}

/// Two values that are alive together, so that neither can go in place.
constexpr std::string_view Pair = "input x float32[16]\n"
                                  "n0: a = Neg(x)\n"
                                  "n1: b = Relu(x)\n"
                                  "n2: c = Add(a, b)\n"
                                  "n3: d = Add(a, c)\n"
                                  "output d\n";

} // namespace

class tst_Pipeline : public QObject
{
    Q_OBJECT

private slots:
    void peaksLieBetweenTheirBounds_data();
    void peaksLieBetweenTheirBounds();
    void outputsAreIndependentUnlessSharingIsAskedFor();
    void externalValuesHaveStoragesWithoutAnArena();
    void everyMemorySpaceHasItsArena();
    void capacitiesAreFindings();
    void scratchpadsAreAliveAtTheirStep();
    void theReferenceIsChosenWhereThePolicySaysSo();
    void unknownSizesAreUnplannedWithTheirReason();
    void theCurveIsWhatIsAliveAtEachStep();
    void whatIsDoneWhileThePlanIsJudgedKnowsEveryPlace();
    void ourOwnPlanIsLegalWhenItComesBack_data();
    void ourOwnPlanIsLegalWhenItComesBack();
    void aValueMovedOntoALivingOneIsFound();
    void plansThatDoNotFitTheGraphAreErrors_data();
    void plansThatDoNotFitTheGraphAreErrors();
    void valuesLeftOutAreMissing();
    void nodesWithBodiesMustRun();
    void decisionsAreKeptOnlyOnRequest();
    void stagesAreReportedAndCanBeStopped();
};

void tst_Pipeline::peaksLieBetweenTheirBounds_data()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QByteArray>("policy");
    QTest::addColumn<QByteArray>("value");
    const std::pair<const char*, std::string_view> graphs[] = {{"two outputs", test::samples::TwoOutputsOneStorage},
                                                               {"residual", test::samples::Residual},
                                                               {"branches", test::samples::Branches},
                                                               {"loop", test::samples::CarriedLoop},
                                                               {"chain", test::samples::Chain},
                                                               {"pair", Pair}};
    for (const auto& [name, text] : graphs) {
        for (const PolicyInfo& policy : policyTable()) {
            for (const std::string_view value : policy.values) {
                QTest::addRow("%s %s=%s", name, policy.id.data(), value.data())
                    << QByteArray(text.data()) << QByteArray(policy.id.data()) << QByteArray(value.data());
            }
        }
        for (const char* alignment : {"1", "64", "4096"}) {
            QTest::addRow("%s alignment=%s", name, alignment)
                << QByteArray(text.data()) << QByteArray("alignment") << QByteArray(alignment);
        }
    }
}

void tst_Pipeline::peaksLieBetweenTheirBounds()
{
    QFETCH(QByteArray, graph);
    QFETCH(QByteArray, policy);
    QFETCH(QByteArray, value);

    const Report report = planned(graph.constData(), with({{policy.constData(), value.constData()}}));

    QVERIFY(report.memory.lowerBoundBytes > 0);
    QVERIFY(report.memory.lowerBoundBytes <= report.memory.peakBytes);
    QVERIFY(report.memory.peakBytes <= report.memory.noReuseBytes);
    const bool unsafe = value == "shared" && graph == test::samples::TwoOutputsOneStorage.data();
    if (!unsafe) QCOMPARE(rulesOf(report, Severity::Error), QString());
}

void tst_Pipeline::outputsAreIndependentUnlessSharingIsAskedFor()
{
    const auto text = test::samples::TwoOutputsOneStorage;

    const Report independent = planned(text, with({{"alignment", "1"}}));
    QCOMPARE(independent.memory.peakBytes, 32);
    QVERIFY(storageOf(independent, "a").offset != storageOf(independent, "b").offset);

    const Report shared = planned(text, with({{"alignment", "1"}, {"outputs", "shared"}}));
    QCOMPARE(shared.memory.peakBytes, 16);
    QCOMPARE(storageOf(shared, "a").values.size(), std::size_t(3));
    const bool reported = std::any_of(shared.verdict.findings.begin(), shared.verdict.findings.end(),
                                      [](const Finding& f) { return f.rule == Rule::OutputAliasing; });
    QVERIFY(reported);
}

void tst_Pipeline::externalValuesHaveStoragesWithoutAnArena()
{
    const Report report = planned("input x float32[4]\n"
                                  "param w float32[4]\n"
                                  "const k float32[4] = 1 2 3 4\n"
                                  "a = Sum(x, w, k)\n"
                                  "output a x\n");

    for (const std::string_view name : {"x", "w", "k"})
        QVERIFY(!storageOf(report, name).arena.valid());
    QVERIFY(storageOf(report, "a").arena.valid());
    QCOMPARE(report.memory.externalBytes, 48);
    QCOMPARE(report.memory.parameterBytes, 16);
    QCOMPARE(report.memory.peakBytes, 64);
}

void tst_Pipeline::everyMemorySpaceHasItsArena()
{
    Graph graph = test::graphFromText(Pair);
    graph[findValue(graph, "b")].at.edit().space = "sram";
    graph[findNode(graph, "n2")].at.edit().device = "cuda:0";

    const Report report = analyse(graph, {}, {}).value();

    QStringList spaces;
    for (const PlannedArena& arena : report.program.map.arenas)
        spaces.append(QString::fromStdString(arena.space));
    QCOMPARE(spaces, QStringList({QStringLiteral("cpu"), QStringLiteral("sram"), QStringLiteral("cuda:0")}));
    QCOMPARE(report.program.map.arenas[storageOf(report, "b").arena.index()].space, std::string("sram"));
    QCOMPARE(rulesOf(report, Severity::Error), QString());
    QVERIFY(report.memory.lowerBoundBytes <= report.memory.peakBytes &&
            report.memory.peakBytes <= report.memory.noReuseBytes);
}

void tst_Pipeline::capacitiesAreFindings()
{
    QCOMPARE(rulesOf(planned(Pair, with({{"capacity", "cpu=64"}})), Severity::Error),
             QStringLiteral("beyond-capacity"));
    QCOMPARE(rulesOf(planned(Pair, with({{"capacity", "1MiB"}})), Severity::Error), QString());
}

void tst_Pipeline::scratchpadsAreAliveAtTheirStep()
{
    Catalogue catalogue;
    catalogue.offers["n1"] = {{.backend = "onednn", .name = "jit", .scratchpadBytes = 1000}};
    catalogue.environment["onednn"] = Message("2.6.3");
    PlanRequest request;
    request.catalogue = std::make_shared<const Catalogue>(catalogue);

    const Report report = planned(Pair, request);

    QCOMPARE(report.program.map.scratch.size(), std::size_t(1));
    const Storage& scratch = report.program.storages.back();
    QCOMPARE(scratch.scratchOf, findNode(*report.program.graph, "n1"));
    QCOMPARE(scratch.live, LiveRanges({1, 2}));
    QCOMPARE(report.memory.lowerBoundBytes, 1024 + 2 * 64);
    QCOMPARE(english(report.planning.environment.at("onednn")), std::string("2.6.3"));
    QCOMPARE(rulesOf(report, Severity::Error), QString());
}

void tst_Pipeline::theReferenceIsChosenWhereThePolicySaysSo()
{
    Catalogue catalogue;
    catalogue.offers["n1"] = {{.backend = "onednn", .name = "jit"}};
    PlanRequest request = with({{"backend", "reference"}});
    request.catalogue = std::make_shared<const Catalogue>(catalogue);

    QCOMPARE(planned(Pair, request).program.implementations[NodeId {1}].backend, std::string("reference"));
    request.policies.backend = BackendPolicy::Auto;
    QCOMPARE(planned(Pair, request).program.implementations[NodeId {1}].backend, std::string("onednn"));
    QCOMPARE(planned(Pair, request).program.implementations[NodeId {0}].backend, std::string("reference"));
}

void tst_Pipeline::unknownSizesAreUnplannedWithTheirReason()
{
    const Report report = planned("input x float32[4]\n"
                                  "a = NonZero(x)\n"
                                  "b = my::Op(a)\n"
                                  "output b\n");

    QCOMPARE(report.memory.unplanned.size(), std::size_t(2));
    for (const UnplannedValue& value : report.memory.unplanned) {
        QVERIFY(!value.reason.empty());
        QVERIFY(!report.program.values[value.value.index()].storage.valid());
        QVERIFY(!report.program.map.values[value.value.index()].placed());
    }
    QCOMPARE(report.memory.peakBytes, 0);
    QCOMPARE(rulesOf(report, Severity::Error), QString());
}

void tst_Pipeline::theCurveIsWhatIsAliveAtEachStep()
{
    // a lives [0, 4), b and what takes its place [1, 4)
    const Report report = planned(Pair);

    QCOMPARE(report.memory.liveBytes, (std::vector<std::int64_t> {64, 128, 128, 128}));
    QCOMPARE(*std::max_element(report.memory.liveBytes.begin(), report.memory.liveBytes.end()),
             report.memory.lowerBoundBytes);
}

void tst_Pipeline::whatIsDoneWhileThePlanIsJudgedKnowsEveryPlace()
{
    std::vector<Report> seen;
    PlanRequest request;
    request.whileJudged = [&seen](const PlannedProgram& program) { seen.push_back({program}); };
    const Report report = planned(Pair, request);
    QCOMPARE(seen.size(), 1U);
    QCOMPARE(planDigest(seen[0]), planDigest(report));
}

void tst_Pipeline::ourOwnPlanIsLegalWhenItComesBack_data()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::newRow("two outputs") << QByteArray(test::samples::TwoOutputsOneStorage.data());
    QTest::newRow("residual") << QByteArray(test::samples::Residual.data());
    QTest::newRow("branches") << QByteArray(test::samples::Branches.data());
    QTest::newRow("loop") << QByteArray(test::samples::CarriedLoop.data());
    QTest::newRow("pair") << QByteArray(Pair.data());
}

void tst_Pipeline::ourOwnPlanIsLegalWhenItComesBack()
{
    QFETCH(QByteArray, graph);
    const Report own = planned(graph.constData());

    const Report judged = planned(graph.constData(), judging(planOf(own)));

    QVERIFY(own.program.ownPlan && !judged.program.ownPlan);
    QCOMPARE(rulesOf(judged, Severity::Error), QString());
    QCOMPARE(judged.memory.peakBytes, own.memory.peakBytes);
    QCOMPARE(judged.memory.lowerBoundBytes, own.memory.lowerBoundBytes);
    QCOMPARE(judged.memory.noReuseBytes, own.memory.noReuseBytes);
    QCOMPARE(judged.program.storages.size(), own.program.storages.size());
}

void tst_Pipeline::aValueMovedOntoALivingOneIsFound()
{
    PlanFile plan = planOf(planned(Pair));
    entryOf(plan, "b").offset = entryOf(plan, "a").offset;

    const Report report = planned(Pair, judging(plan));

    QVERIFY(countFindings(report, Severity::Error) > 0);
    const std::string message = english(report.verdict.findings.front().message);
    QVERIFY2(message.find("'a'") != std::string::npos && message.find("'b'") != std::string::npos, message.c_str());
    QVERIFY(report.memory.lowerBoundBytes <= report.memory.peakBytes &&
            report.memory.peakBytes <= report.memory.noReuseBytes);
    QVERIFY(&storageOf(report, "a") != &storageOf(report, "b"));
}

void tst_Pipeline::plansThatDoNotFitTheGraphAreErrors_data()
{
    QTest::addColumn<int>("damage");
    QTest::addColumn<QString>("where");
    QTest::newRow("a value that is not there") << 0 << "allocations[4]";
    QTest::newRow("a node that is not there") << 1 << "allocations[4]";
    QTest::newRow("an arena that is not there") << 2 << "allocations[0]";
    QTest::newRow("placed twice") << 3 << "allocations[4]";
    QTest::newRow("a size that no arena has") << 4 << "allocations[0]";
    QTest::newRow("an offset that no arena has") << 12 << "allocations[0]";
    QTest::newRow("an offset far below") << 13 << "allocations[0]";
    QTest::newRow("the last node alone") << 6 << "steps";
    QTest::newRow("no node at all") << 7 << "steps";
    QTest::newRow("fused away, with a place") << 8 << "fused[0]";
    QTest::newRow("fused away, and not there") << 9 << "fused[0]";
    QTest::newRow("fused away, though the caller has it") << 10 << "fused[0]";
    QTest::newRow("a step twice") << 11 << "steps[1]";
}

void tst_Pipeline::plansThatDoNotFitTheGraphAreErrors()
{
    QFETCH(int, damage);
    QFETCH(QString, where);
    PlanFile plan = planOf(planned(Pair));
    const PlanFile::Entry first = plan.entries.front();
    if (damage == 0) plan.entries.push_back({"nobody", first.arena, 0, 4});
    if (damage == 1) plan.entries.push_back({"scratch:nobody", first.arena, 0, 4});
    if (damage == 2) plan.entries.front().arena = ArenaId(std::int32_t {7});
    if (damage == 3) plan.entries.push_back(first);
    if (damage == 4) plan.entries.front().bytes = std::numeric_limits<std::int64_t>::max();
    if (damage == 4) plan.entries.front().offset = 64;
    if (damage == 12) plan.entries.front().offset = std::numeric_limits<std::int64_t>::max() / 2;
    if (damage == 13) plan.entries.front().offset = std::numeric_limits<std::int64_t>::min();
    if (damage == 6) plan.steps = {plan.steps->back()};
    if (damage == 7) plan.steps->clear();
    if (damage >= 8 && damage <= 10) plan.fused = {damage == 8 ? "a" : damage == 9 ? "nobody" : "x"};
    if (damage == 11) plan.steps->insert(plan.steps->begin() + 1, plan.steps->front());
    plan.file = "given.json";

    const Result<Report> report = analyse(test::graphFromText(Pair), judging(plan), {});

    QVERIFY(!report.ok());
    QCOMPARE(report.error().code, ErrorCode::BadInput);
    QCOMPARE(QString::fromStdString(report.error().where), where);
    QCOMPARE(QString::fromStdString(report.error().file), QStringLiteral("given.json"));
    QCOMPARE(damage == 11, english(report.error().message).find("twice, at first in steps[0]") != std::string::npos);
}

void tst_Pipeline::valuesLeftOutAreMissing()
{
    PlanFile plan = planOf(planned(Pair));
    std::erase_if(plan.entries, [](const PlanFile::Entry& entry) { return entry.value == "c"; });

    QCOMPARE(rulesOf(planned(Pair, judging(plan)), Severity::Error), QStringLiteral("missing-allocation"));

    // A plan that neither runs a node nor has a place for it is of other policies: the same finding.
    std::erase(*plan.steps, "n2");
    QCOMPARE(rulesOf(planned(Pair, judging(plan)), Severity::Error), QStringLiteral("missing-allocation"));
    std::erase(*plan.steps, "n3"); // reads it
    QCOMPARE(rulesOf(planned(Pair, judging(plan)), Severity::Error), QStringLiteral("missing-allocation"));
}

void tst_Pipeline::nodesWithBodiesMustRun()
{
    PlanFile plan = planOf(planned(test::samples::Branches));
    std::erase(*plan.steps, "choose");
    const Result<Report> report = analyse(test::graphFromText(test::samples::Branches), judging(plan), {});
    QVERIFY(!report.ok());
    QCOMPARE(QString::fromStdString(report.error().where), QStringLiteral("steps"));
    QVERIFY(english(report.error().message).find("does not run node 'choose'") != std::string::npos);
}

void tst_Pipeline::decisionsAreKeptOnlyOnRequest()
{
    PlanRequest request;
    QVERIFY(!planned(Pair, request).decisions.empty());
    request.recordDecisions = false;
    QVERIFY(planned(Pair, request).decisions.empty());
}

void tst_Pipeline::stagesAreReportedAndCanBeStopped()
{
    std::vector<std::string> stages;
    std::stop_source source;
    Context context {source.get_token(), [&](std::string_view stage, double fraction) {
                         if (stages.empty() || stages.back() != stage) stages.emplace_back(stage);
                         if (fraction >= 0.5) source.request_stop();
                     }};

    const Result<Report> report = analyse(test::graphFromText(Pair), {}, context);

    QCOMPARE(report.error().code, ErrorCode::Stopped);
    QCOMPARE(stages.back(), std::string("placement"));
}

QTEST_APPLESS_MAIN(tst_Pipeline)
#include "tst_pipeline.moc"
