#include "core/facts/english/english.h"
#include "core/facts/offers.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/picture/graph_picture.h"
#include "core/pipeline/pipeline.h"
#include "core/report/report_json.h"
#include "core/verify/verifier.h"

#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace plimsoll;

namespace {

/// z is made in the graph, and the addition is the last to read it: 512 bytes each.
constexpr std::string_view Residual = "input x float32[1,8,4,4]\n"
                                      "param w float32[8,8,3,3]\n"
                                      "top: z = Sigmoid(x)\n"
                                      "conv: a = Conv(x, w) pads=[1,1,1,1]\n"
                                      "add: b = Add(z, a)\n"
                                      "relu: c = Relu(b)\n"
                                      "out: y = Sigmoid(c)\n"
                                      "output y\n";
constexpr std::string_view InPlace = "conv fast jit ms=1 with=add,relu inplace=0:2\n";

Report planned(const std::string& text, std::string_view offers, const std::optional<PlanFile>& plan = {},
               const test::Choices& policies = {})
{
    PlanRequest request;
    test::choose(request.policies, policies);
    request.catalogue = std::make_shared<const Catalogue>(test::catalogueFromText(offers));
    if (plan) request.givenPlan = sharedPlan(*plan);
    return analyse(test::graphFromText(text), request, {}).value();
}

const PlannedValue& valueOf(const Report& report, std::string_view name)
{
    return report.program.values[findValue(*report.program.graph, name).index()];
}

std::vector<Finding> judged(const Report& report, const Graph& graph)
{
    Program program = report.program;
    program.graph = std::make_shared<const Graph>(graph);
    return verify({program, report.program.map}, {});
}

QString errorsIn(const std::vector<Finding>& findings)
{
    QStringList rules;
    for (const Finding& finding : findings) {
        if (finding.severity == Severity::Error)
            rules << QString::fromUtf8(ruleId(finding.rule).data(), qsizetype(ruleId(finding.rule).size()));
    }
    return rules.join(u' ');
}

} // namespace

/// A node that computes what is behind it, too, from its description to the report.
class tst_PipelineFusion : public QObject
{
    Q_OBJECT

private slots:
    void whatIsFusedAwayTakesNoBytes();
    void theSumIsWrittenOverItsOperand();
    void mapsSayWhatAFusionWritesOver_data();
    void mapsSayWhatAFusionWritesOver();
    void notWhereTheOperandIsStillReadOrSeen_data();
    void notWhereTheOperandIsStillReadOrSeen();
    void theReportListsWhatIsFusedAway();
    void aPlanKnowsWhatItDoesWithout();
    void theJudgeFindsWhatFusionBroke_data();
    void theJudgeFindsWhatFusionBroke();
    void whatTheBackwardGraphReadsIsStored();
    void thePictureDrawsEveryOperation();
    void everyOfferSaysWhy();
};

void tst_PipelineFusion::whatIsFusedAwayTakesNoBytes()
{
    const Report apart = planned(std::string(Residual), InPlace, {}, {{"fusion", "off"}});
    const Report fused = planned(std::string(Residual), InPlace);
    QCOMPARE(errorsIn(fused.verdict.findings), QString());
    QCOMPARE(fused.program.schedule.length(), std::int64_t(3));
    QCOMPARE(apart.program.schedule.length(), std::int64_t(5));
    for (const char* name : {"a", "b"}) {
        QVERIFY(!valueOf(fused, name).storage.valid());
        QCOMPARE(valueOf(fused, name).requiredBytes, std::int64_t(0));
        QCOMPARE(valueOf(fused, name).logicalBytes, std::int64_t(512));
        QVERIFY(valueOf(fused, name).live.intervals().empty());
    }
    QCOMPARE(fused.memory.noReuseBytes, std::int64_t(512)); // z, c and y are one
    QCOMPARE(apart.memory.peakBytes, std::int64_t(1024));
    QCOMPARE(fused.memory.peakBytes, std::int64_t(512));
    for (const Finding& finding : fused.verdict.findings)
        QVERIFY2(finding.rule != Rule::DeadOutput, english(finding.message).c_str());
}

void tst_PipelineFusion::theSumIsWrittenOverItsOperand()
{
    const Report report = planned(std::string(Residual), InPlace);
    QCOMPARE(valueOf(report, "c").storage, valueOf(report, "z").storage);
    QCOMPARE(valueOf(report, "c").sharedAs, AliasKind::MayBeInPlace);
    const auto proof = std::find_if(report.decisions.begin(), report.decisions.end(), [](const Decision& decision) {
        return decision.kind == DecisionKind::InPlace && decision.subject == "c" && decision.other == "z";
    });
    QVERIFY(proof != report.decisions.end());
    QVERIFY(proof->accepted);
    QCOMPARE(proof->rule, std::string("last-reader"));
    const Report without = planned(std::string(Residual), "conv fast jit ms=1 with=add,relu inplace=\n");
    QVERIFY(valueOf(without, "c").storage != valueOf(without, "z").storage);
}

void tst_PipelineFusion::mapsSayWhatAFusionWritesOver_data()
{
    QTest::addColumn<QByteArray>("last");
    QTest::addColumn<bool>("over");
    QTest::newRow("element by element") << QByteArray("Relu(b)") << true;
    QTest::newRow("transposed") << QByteArray("Transpose(b) perm=[1,0]") << false;
    QTest::newRow("summed up along an axis") << QByteArray("CumSum(b, k)") << false;
    QTest::newRow("nothing is known of it") << QByteArray("LpNormalization(b) axis=1") << false;
}

/// The offer says that its last operation may write over what its second one adds.
void tst_PipelineFusion::mapsSayWhatAFusionWritesOver()
{
    QFETCH(QByteArray, last);
    QFETCH(bool, over);
    const std::string text = "input x float32[4,4]\nparam w float32[4,4]\nconst k int64[] = 0\n"
                             "top: z = Sigmoid(x)\nmul: a = MatMul(x, w)\nadd: b = Add(z, a)\nlast: c = " +
                             last.toStdString() + "\nout: y = Exp(c)\noutput y\n";
    const Report report = planned(text, "mul fast jit ms=1 with=add,last inplace=0:2\n");
    QVERIFY(!valueOf(report, "b").storage.valid());
    QCOMPARE(errorsIn(report.verdict.findings), QString());
    QCOMPARE(valueOf(report, "c").offset == valueOf(report, "z").offset, over);
    PlanFile onTop = planOf(report);
    const auto placed = [&](std::string_view name) {
        return std::ranges::find(onTop.entries, name, &PlanFile::Entry::value);
    };
    placed("c")->offset = placed("z")->offset;
    const Report judgedOnTop = planned(text, "mul fast jit ms=1 with=add,last inplace=0:2\n", onTop);
    QCOMPARE(errorsIn(judgedOnTop.verdict.findings).contains(QStringLiteral("clobbered-read")) ||
                 errorsIn(judgedOnTop.verdict.findings).contains(QStringLiteral("overlap")),
             !over);
}

void tst_PipelineFusion::notWhereTheOperandIsStillReadOrSeen_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::newRow("read later") << QByteArray("late: v = Add(z, c)\noutput v\n");
    QTest::newRow("seen by the caller") << QByteArray("output z\n");
}

void tst_PipelineFusion::notWhereTheOperandIsStillReadOrSeen()
{
    QFETCH(QByteArray, more);
    const Report report = planned(std::string(Residual) + more.toStdString(), InPlace);
    QVERIFY(valueOf(report, "a").storage == StorageId());
    QVERIFY(valueOf(report, "c").storage != valueOf(report, "z").storage);
    QCOMPARE(errorsIn(report.verdict.findings), QString());
    Report broken = report;
    const std::size_t z = findValue(*report.program.graph, "z").index();
    broken.program.map.values[findValue(*report.program.graph, "c").index()] = broken.program.map.values[z];
    QVERIFY(errorsIn(judged(broken, *broken.program.graph)).contains(QStringLiteral("clobbered-read")));
}

void tst_PipelineFusion::theReportListsWhatIsFusedAway()
{
    const auto json = nlohmann::json::parse(writeReportJson(planned(std::string(Residual), InPlace)));
    const auto named = [&](const char* list, const std::string& name) {
        for (const auto& entry : json.at(list)) {
            if (entry.at("name") == name) return entry;
        }
        return nlohmann::json();
    };
    for (const char* name : {"a", "b"}) {
        const auto value = named("values", name);
        QVERIFY(value.at("storage").is_null());
        QCOMPARE(value.at("fusedInto").get<std::string>(), std::string("conv"));
        QCOMPARE(value.at("requiredBytes").get<int>(), 0);
        QCOMPARE(value.at("logicalBytes").get<int>(), 512);
    }
    QVERIFY(named("values", "c").at("fusedInto").is_null());
    QCOMPARE(named("nodes", "add").at("fusedInto").get<std::string>(), std::string("conv"));
    QVERIFY(named("nodes", "add").at("step") == named("nodes", "conv").at("step"));
    QVERIFY((named("nodes", "conv").at("fuses") == nlohmann::json {"add", "relu"}));
    QCOMPARE(json.at("policies").at("fusion").get<std::string>(), std::string("on"));
}

/// A plan that was made with bytes for a value is judged with them, whatever could be fused now.
void tst_PipelineFusion::aPlanKnowsWhatItDoesWithout()
{
    const Report fused = planned(std::string(Residual), InPlace);
    const PlanFile own = planOf(fused);
    QCOMPARE(own.fused, (std::vector<std::string> {"a", "b"}));
    for (const std::string& text : {planJsonText(own), writeReportJson(fused)}) {
        const Report again = planned(std::string(Residual), InPlace, readPlanJson(text, {}).value());
        QCOMPARE(errorsIn(again.verdict.findings), QString());
        QCOMPARE(again.memory.peakBytes, fused.memory.peakBytes);
        QVERIFY(!valueOf(again, "a").storage.valid());
    }
    const Report apart = planned(std::string(Residual), InPlace, {}, {{"fusion", "off"}});
    const Report judgedApart = planned(std::string(Residual), InPlace, planOf(apart));
    QCOMPARE(errorsIn(judgedApart.verdict.findings), QString());
    QVERIFY(valueOf(judgedApart, "a").storage.valid());
    const Report unfused = planned(std::string(Residual), InPlace, own, {{"fusion", "off"}});
    QCOMPARE(errorsIn(unfused.verdict.findings), QString()); // it names what it was made with, whatever the policy is
}

void tst_PipelineFusion::theJudgeFindsWhatFusionBroke_data()
{
    QTest::addColumn<QByteArray>("damage");
    QTest::addColumn<QString>("rule");
    QTest::newRow("none") << QByteArray() << QString();
    QTest::newRow("somebody else reads what is fused away")
        << QByteArray("reader") << QStringLiteral("missing-allocation");
    QTest::newRow("it is handed out") << QByteArray("output") << QStringLiteral("missing-allocation");
    QTest::newRow("an operand is forgotten") << QByteArray("operand") << QStringLiteral("clobbered-read");
    QTest::newRow("an operation that does not work in place")
        << QByteArray("window") << QStringLiteral("false-identity");
}

void tst_PipelineFusion::theJudgeFindsWhatFusionBroke()
{
    QFETCH(QByteArray, damage);
    QFETCH(QString, rule);
    const Report report = planned(std::string(Residual), InPlace);
    Graph graph = *report.program.graph;
    const NodeId conv = findNode(graph, "conv");
    const NodeId out = findNode(graph, "out");
    if (damage == "reader") graph[out].inputs.push_back(findValue(graph, "a"));
    if (damage == "output") graph[TopBody].outputs.push_back(findValue(graph, "b"));
    if (damage == "operand") graph[conv].inputs[2] = findValue(graph, "x");
    if (damage == "window") graph[findNode(graph, "relu")].op = "LRN";
    const QString errors = errorsIn(judged(report, graph));
    QVERIFY2(rule.isEmpty() ? errors.isEmpty() : errors.contains(rule), qPrintable(errors));
}

void tst_PipelineFusion::whatTheBackwardGraphReadsIsStored()
{
    const std::string text = "input x float32[2,4]\nparam w float32[4,4]\nmul: a = MatMul(x, w)\n"
                             "sig: b = Sigmoid(a)\nsq: c = Mul(b, b)\nsum: l = ReduceSum(c) keepdims=0\n"
                             "output l\ngrad w\nloss l\n";
    const Report sigmoid = planned(text, "mul fast jit ms=1 with=sig\n");
    QVERIFY(!valueOf(sigmoid, "a").storage.valid()); // the gradient is computed from b
    QCOMPARE(errorsIn(sigmoid.verdict.findings), QString());
    std::string gelu = text;
    gelu.replace(gelu.find("Sigmoid"), 7, "Gelu");
    const Report kept = planned(gelu, "mul fast jit ms=1 with=sig\n");
    QVERIFY(valueOf(kept, "a").storage.valid()); // here from a
    const auto refused = std::find_if(kept.decisions.begin(), kept.decisions.end(), [](const Decision& decision) {
        return decision.kind == DecisionKind::Fusion && decision.rule == "saved";
    });
    QVERIFY(refused != kept.decisions.end());
}

void tst_PipelineFusion::thePictureDrawsEveryOperation()
{
    const Report report = planned(std::string(Residual), InPlace);
    const GroupTree tree = groupNodes(*report.program.graph);
    const GraphPicture picture = makeGraphPicture(report, colourStorages(report.program), tree, defaultExpansion(tree));
    const auto boxOf = [&](const char* node) {
        return picture.boxOfNode[findNode(*report.program.graph, node).index()];
    };
    const auto joined = [&](const char* from, const char* to) {
        return std::any_of(picture.arrows.begin(), picture.arrows.end(),
                           [&](const GraphArrow& arrow) { return arrow.from == boxOf(from) && arrow.to == boxOf(to); });
    };
    QVERIFY(picture.boxes[static_cast<std::size_t>(boxOf("add"))].fused);
    QCOMPARE(picture.boxes[static_cast<std::size_t>(boxOf("add"))].count, std::string("in conv"));
    QVERIFY(!picture.boxes[static_cast<std::size_t>(boxOf("conv"))].fused);
    for (const auto& [from, to] : {std::pair("conv", "add"), {"top", "add"}, {"add", "relu"}, {"relu", "out"}})
        QVERIFY2(joined(from, to), from);
    QVERIFY(!joined("top", "conv"));
    QVERIFY(!joined("conv", "out"));
}

void tst_PipelineFusion::everyOfferSaysWhy()
{
    const std::string offers = std::string(InPlace) + "conv fast jit ms=1\nadd fast jit ms=1\n";
    const Report report = planned(std::string(Residual), offers);
    int taken = 0;
    for (const OfferReport& row : listOffers(report)) {
        taken += row.taken ? 1 : 0;
        if (row.taken) QCOMPARE(row.offer.fuses.size(), std::size_t(2));
        QVERIFY2(!row.why.empty(), describe(row.offer).c_str());
    }
    QCOMPARE(taken, 1);
}

QTEST_GUILESS_MAIN(tst_PipelineFusion)
#include "tst_pipeline_fusion.moc"
