#include "core/advice/fit.h"

#include "core/facts/english/english.h"
#include "tests/support/planned.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace plimsoll;
using plimsoll::test::planned;

namespace {

/// big is 4,000 bytes that follow from w alone, and alive beside y.
const std::string Foldable = "input x float32[10,100]\nconst w float32[10,1] = 1 2 3 4 5 6 7 8 9 10\n"
                             "const wide int64[2] = 10 100\n"
                             "n0: big = Expand(w, wide)\nn1: y = Relu(x)\nn2: z = Add(y, big)\noutput z\n";
/// Two changes that save alone, and more together: what is computed twice, and what follows from constants.
const std::string Twofold = "input x float32[10,100]\nconst w float32[10,1] = 1 2 3 4 5 6 7 8 9 10\n"
                            "const wide int64[2] = 10 100\n"
                            "n0: big = Expand(w, wide)\nn1: a = Sin(x)\nn2: b = Sin(x)\nn3: c = Cos(x)\n"
                            "n4: d = Add(a, c)\nn5: e = Mul(d, b)\nn6: f = Add(e, big)\noutput f\n";
const std::string Trained = "input x float32[4,8]\nparam w float32[8,8]\nparam v float32[8,8]\ngrad w v\n"
                            "a = MatMul(x, w)\nb = Relu(a)\nc = MatMul(b, v)\nd = Tanh(c)\ns = Neg(d)\n"
                            "l = ReduceSum(s) keepdims=0\noutput l\nloss l\n";

/// A search that is soon over, the same wherever plans are compared.
constexpr std::int64_t LittleWork = 10'000;

PlanRequest within(std::int64_t bytes)
{
    PlanRequest request;
    request.policies.capacity["cpu"] = bytes;
    request.search.workLimit = LittleWork;
    return request;
}

Fit fitted(const std::string& text, std::int64_t bytes, std::int64_t plans = 100'000)
{
    const Result<Fit> fit = findFit(test::graphFromText(text), within(bytes), plans, {});
    if (!fit.ok()) qFatal("%s", describe(fit.error()).c_str());
    return fit.value();
}

std::string textOf(const FitPlan& plan)
{
    std::string text;
    for (const PolicyValue& change : plan.changes)
        text += (text.empty() ? "" : " ") + change.policy + "=" + change.value;
    return text;
}

std::size_t errors(const Report& report)
{
    return static_cast<std::size_t>(std::ranges::count_if(report.verdict.findings, [](const Finding& finding) {
        return finding.severity == Severity::Error && finding.rule != Rule::BeyondCapacity;
    }));
}

/// Every plan that one change or two make, by hand: all values of all policies that say how, not what.
std::vector<FitPlan> allOfTwo(const std::string& text)
{
    const std::set<std::string_view> apart = {"gradients", "retain-graph", "replay", "backend"};
    const Graph graph = test::graphFromText(text);
    const Report now = planned(text);
    std::vector<FitPlan> plans;
    const auto add = [&](const Policies& policies, std::vector<PolicyValue> changes) {
        PlanRequest request;
        request.policies = policies;
        request.recordDecisions = false;
        request.search.workLimit = LittleWork;
        const auto report = analyse(graph, request, {});
        if (!report.ok() || errors(report.value()) > errors(now)) return;
        FitPlan plan {.changes = std::move(changes)};
        plan.cost.peakBytes = report.value().memory.peakBytes;
        for (std::size_t node = 0; node < report.value().program.graph->nodes.size(); ++node) {
            if (report.value().program.schedule.nodes[node].empty()) continue;
            const double ms = report.value().program.implementations[NodeId(node)].timeMs;
            plan.cost.untimedNodes += ms < 0 ? 1 : 0;
            plan.cost.kernelMs += std::max(0.0, ms);
        }
        plans.push_back(std::move(plan));
    };
    const auto table = policyTable();
    for (std::size_t i = 0; i < table.size(); ++i) {
        for (const std::string_view one : table[i].values) {
            Policies first;
            if (apart.contains(table[i].id) || policyValue(first, table[i].id) == one) continue;
            if (!setPolicy(first, table[i].id, one).ok()) continue;
            add(first, {{std::string(table[i].id), std::string(one)}});
            for (std::size_t j = i + 1; j < table.size(); ++j) {
                for (const std::string_view other : table[j].values) {
                    Policies both = first;
                    if (apart.contains(table[j].id) || policyValue(both, table[j].id) == other) continue;
                    if (!setPolicy(both, table[j].id, other).ok()) continue;
                    add(both,
                        {{std::string(table[i].id), std::string(one)}, {std::string(table[j].id), std::string(other)}});
                }
            }
        }
    }
    return plans;
}

} // namespace

/// The cheapest policies that keep a capacity, or why there are none.
class FitTest : public QObject
{
    Q_OBJECT

private slots:
    void aPlanThatFitsIsLeftAsItIs()
    {
        const std::int64_t peak = planned(Foldable).memory.peakBytes;
        const Fit fit = fitted(Foldable, peak);
        QVERIFY(fit.found);
        QVERIFY(fit.found->changes.empty());
        QCOMPARE(fit.plans, 1);
        QCOMPARE(english(fitSentence(fit)), std::string("It fits as it is: peak 8,064 B."));
    }

    /// Folding makes fewer nodes than any other way to fit.
    void theChangeThatSavesTimeAsWellIsTaken()
    {
        const std::int64_t peak = planned(Foldable).memory.peakBytes;
        const Fit fit = fitted(Foldable, peak - 1);
        QVERIFY(fit.found);
        QCOMPARE(textOf(*fit.found), std::string("fold=all"));
        QCOMPARE(fit.found->cost.peakBytes, peak - 4032);
        QCOMPARE(fit.pairs.tried, fit.pairs.all);
    }

    void noPairThatFitsAndIsCheaperIsMissed_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("constants") << QString::fromStdString(Foldable);
        QTest::newRow("constants and repeats") << QString::fromStdString(Twofold);
        QTest::newRow("training") << QString::fromStdString(Trained);
        QTest::newRow("branches") << QString::fromUtf8(test::samples::Branches.data());
    }

    void noPairThatFitsAndIsCheaperIsMissed()
    {
        QFETCH(QString, text);
        const std::string graph = text.toStdString();
        const std::vector<FitPlan> all = allOfTwo(graph);
        std::set<std::int64_t> peaks;
        const std::int64_t now = planned(graph).memory.peakBytes;
        for (const FitPlan& plan : all)
            if (plan.cost.peakBytes < now) peaks.insert(plan.cost.peakBytes);
        const std::int64_t lowest = peaks.empty() ? now : *peaks.begin();
        for (const std::int64_t capacity : std::set {lowest - 1, lowest, (lowest + now) / 2}) {
            if (capacity <= 0) continue;
            const Fit fit = fitted(graph, capacity);
            for (const FitPlan& plan : all) {
                if (plan.cost.peakBytes > capacity) continue;
                QVERIFY2(!fit.proof, (textOf(plan) + " fits").c_str());
                QVERIFY2(fit.found, textOf(plan).c_str());
                QVERIFY2(!cheaper(plan, *fit.found), (textOf(plan) + " before " + textOf(*fit.found)).c_str());
            }
            if (fit.found) QVERIFY(fit.found->cost.peakBytes <= capacity);
        }
    }

    /// d and e must be there at once, are no outputs, follow from no constant, and are computed once.
    void whatNoCombinationCanFitIsProved()
    {
        const std::string text = "input x float32[256]\na: d = Sin(x)\nb: e = Cos(x)\nc: f = Mul(d, e)\n"
                                 "g: h = ReduceSum(f) keepdims=0\noutput h\n";
        const Fit fit = fitted(text, 2047);
        QVERIFY(!fit.found);
        QCOMPARE(QString::fromStdString(english(fitSentence(fit))),
                 QStringLiteral("No combination fits: while node 'b' runs, memory cpu must hold 2,048 B, whatever "
                                "shares; that is 1 B more than its 2,047 B."));
        QVERIFY(!fitted(text, 2048).proof);
    }

    /// Two values between an offer's nodes may never be stored: they prove nothing.
    void whatAnOfferMayFuseAwayProvesNothing()
    {
        const std::string text = "input x float32[256]\nparam w float32[256]\na: d = Sin(x)\nb: e = Mul(d, w)\n"
                                 "c: f = Add(e, d)\ng: h = ReduceSum(f) keepdims=0\noutput h\n";
        PlanRequest request = within(1024);
        Result<Fit> fit = findFit(test::graphFromText(text), request, 1, {});
        QVERIFY(fit.ok() && fit.value().proof);
        Implementation both;
        both.backend = "onednn";
        both.fuses = {"c"};
        Catalogue catalogue;
        catalogue.offers["b"] = {both};
        request.catalogue = std::make_shared<const Catalogue>(catalogue);
        fit = findFit(test::graphFromText(text), request, 1, {});
        QVERIFY(fit.ok() && !fit.value().proof);
    }

    void whereNothingIsShownThatIsSaid()
    {
        const std::string text = "input x float32[256]\na: d = Sin(x)\nb: e = Neg(d)\nc: f = Add(d, e)\noutput f\n";
        const Fit all = fitted(text, 1024);
        const Fit fit = fitted(text, 1024, 1);
        if (all.found) QVERIFY(!all.proof);
        QVERIFY(fit.plans <= 2);
    }

    void plansAreCounted()
    {
        const Fit none = fitted(Twofold, 1);
        const Fit fit = fitted(Twofold, none.proof->boundBytes, 10);
        QVERIFY(fit.plans <= 10);
        QVERIFY(fit.singles.tried <= 9);
        QVERIFY(fit.singles.all > 10);
    }

    void aStopKeepsWhatThereIs()
    {
        std::stop_source stop;
        int begun = 0;
        const Context context {stop.get_token(), [&](std::string_view what, double) {
                                   if (what != "bound" && ++begun == 3) stop.request_stop();
                               }};
        const Result<Fit> fit = findFit(test::graphFromText(Trained), within(200), 1000, context);
        QVERIFY(fit.ok());
        QVERIFY(fit.value().stopped);
        QVERIFY(fit.value().plans <= 5);
    }

    void withoutACapacityThereIsNothingToFit()
    {
        const Result<Fit> fit = findFit(test::graphFromText(Foldable), {}, 10, {});
        QVERIFY(!fit.ok());
        QVERIFY(fit.error().code == ErrorCode::BadUsage);
        QCOMPARE(english(fit.error().message),
                 std::string("No capacity is given to fit into: -p capacity=64KiB says it."));
    }

    /// A size that nobody knows counts nothing.
    void nothingIncompleteIsSaidToFit()
    {
        const Fit fit = fitted("input x float32[4]\na: y = my::Op(x)\nb: z = Relu(x)\noutput z y\n", 1 << 20);
        QVERIFY(!fit.found);
        const std::string said = english(fitSentence(fit));
        QVERIFY2(said.starts_with("Incomplete: ") && said.ends_with("no plan can be said to fit."), said.c_str());
    }

    /// The policies that may not be traded exist, so that none is traded under a new name.
    void whatTheCallerGetsStays()
    {
        for (const std::int64_t capacity : {300, 600}) {
            const Fit fit = fitted(Trained, capacity, 200);
            for (const FitPlan* plan : {&fit.nearest, fit.found ? &*fit.found : &fit.nearest})
                for (const PolicyValue& change : plan->changes)
                    QVERIFY2(change.policy != "gradients" && change.policy != "backwards", change.policy.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(FitTest)
#include "tst_fit.moc"
