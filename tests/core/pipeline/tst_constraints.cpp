#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"

#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QTest>

using namespace plimsoll;

namespace {

// Each of the four in the bytes of the one before, where nothing is asked.
constexpr const char* Chain =
    "input x float32[16]\na: u = Exp(x)\nb: v = Sin(u)\nc: w = Cos(v)\nd: y = Exp(w)\noutput y\n";

Result<Report> planned(const char* graph, std::vector<Constraint> asked, const test::Choices& policies = {})
{
    PlanRequest request;
    request.policies.backend = BackendPolicy::Reference;
    test::choose(request.policies, policies);
    for (const Constraint& one : asked)
        if (!ask(request.constraints, one)) qFatal("%s", one.of.c_str());
    return analyse(test::graphFromText(graph), request, {});
}

Report plan(const char* graph, std::vector<Constraint> asked, const test::Choices& policies = {})
{
    Result<Report> report = planned(graph, std::move(asked), policies);
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

QString refusal(std::vector<Constraint> asked, const test::Choices& policies = {})
{
    const Result<Report> report = planned(Chain, std::move(asked), policies);
    return report.ok() ? QString() : QString::fromStdString(describe(report.error()));
}

std::int64_t offsetOf(const Report& report, const char* name)
{
    return report.program.map.values[findValue(*report.program.graph, name).index()].offset;
}

QString findings(const Report& report)
{
    QStringList lines;
    for (const Finding& finding : report.verdict.findings)
        if (finding.severity == Severity::Error) lines << QString::fromStdString(english(finding.message));
    return lines.join(u'\n');
}

/// Our own plan of the chain, judged by what is asked.
QString judged(std::vector<Constraint> asked)
{
    PlanRequest request;
    request.policies.backend = BackendPolicy::Reference;
    request.givenPlan = sharedPlan(planOf(plan(Chain, {})));
    for (const Constraint& one : asked)
        (void)ask(request.constraints, one);
    const Result<Report> report = analyse(test::graphFromText(Chain), request, {});
    return report.ok() ? findings(report.value()) : QString::fromStdString(describe(report.error()));
}

} // namespace

class TestConstraints : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void apartHasNoByteInCommon()
    {
        const Report free = plan(Chain, {});
        QCOMPARE(offsetOf(free, "u"), offsetOf(free, "w"));
        const Report kept = plan(Chain, {{ConstraintKind::Apart, "u", "w"}});
        QVERIFY(std::abs(offsetOf(kept, "u") - offsetOf(kept, "w")) >= 64);
        QCOMPARE(findings(kept), QString());
        QVERIFY(kept.memory.lowerBoundBytes <= kept.memory.peakBytes);
        QCOMPARE(kept.memory.peakBytes, 2 * free.memory.peakBytes);
        // The decision names the reason.
        QVERIFY(std::ranges::any_of(kept.decisions, [](const Decision& one) { return one.rule == "asked-apart"; }));
    }

    /// Also of values that would never share a storage: their bytes are not used one after the other.
    void apartHoldsForBytesThatAreReused()
    {
        const Report kept = plan(Chain, {{ConstraintKind::Apart, "u", "w"}}, {{"inplace", "off"}});
        QVERIFY(std::abs(offsetOf(kept, "u") - offsetOf(kept, "w")) >= 64);
        QCOMPARE(findings(kept), QString());
    }

    void togetherBeginsAtOneAddress()
    {
        constexpr const char* Wide = "input x float32[16]\na: u = Exp(x)\nb: s = ReduceSum(u) keepdims=0\n"
                                     "c: v = Add(x, s)\nd: t = Exp(v)\ne: y = Add(t, s)\noutput y\n";
        const test::Choices off = {{"inplace", "off"}};
        const Report kept = plan(Wide, {{ConstraintKind::Together, "u", "t"}}, off);
        QCOMPARE(offsetOf(kept, "u"), offsetOf(kept, "t"));
        QCOMPARE(findings(kept), QString());
        const ValueId u = findValue(*kept.program.graph, "u");
        const ValueId t = findValue(*kept.program.graph, "t");
        QCOMPARE(kept.program.values[u.index()].storage, kept.program.values[t.index()].storage);
    }

    void aPlaceIsKept()
    {
        const Report kept = plan(Chain, {{ConstraintKind::Place, "v", "0x100"}}, {{"inplace", "off"}});
        QCOMPARE(offsetOf(kept, "v"), std::int64_t {256});
        QCOMPARE(findings(kept), QString());
        QCOMPARE(kept.memory.peakBytes, std::int64_t {320});
    }

    void whatCannotBeIsRefused()
    {
        using enum ConstraintKind;
        QCOMPARE(refusal({{Apart, "u", "nope"}}),
                 "'nope' is to be kept apart, put together or put at an offset, and the graph that is planned has no "
                 "value of that name.");
        QCOMPARE(refusal({{Together, "u", "v"}}, {{"inplace", "off"}}),
                 "'v' cannot begin where 'u' does: what lies in their bytes is alive at the same time.");
        QCOMPARE(refusal({{Together, "x", "v"}}),
                 "'x' cannot be put together with another value: its bytes are not the plan's to give.");
        QCOMPARE(refusal({{Place, "x", "64"}}), "'x' cannot be put at byte 64: its bytes lie in no arena of the plan.");
        QCOMPARE(refusal({{Place, "u", "0"}, {Place, "v", "64"}}),
                 "'v' cannot be put at byte 64: what shares its bytes is put elsewhere.");
    }

    void aGivenPlanIsHeldAgainstThem()
    {
        using enum ConstraintKind;
        QCOMPARE(judged({}), QString());
        QCOMPARE(judged({{Apart, "u", "w"}}), "The request keeps 'u' and 'w' apart, and both have bytes [0, 64).");
        QCOMPARE(judged({{Together, "u", "w"}}), QString());
        QCOMPARE(judged({{Place, "v", "64"}}),
                 "The plan puts 'v' at bytes [0, 64), and the request wants it at byte 64.");
    }

    void textGoesInAndComesBack()
    {
        using enum ConstraintKind;
        Constraints all;
        const std::vector<Constraint> asked = {{Pin, "n", "fast"},  {Gradient, "w", "null"}, {Recompute, "h"},
                                               {Apart, "a", "b"},   {Apart, "a", "c"},       {Together, "a", "d"},
                                               {Place, "a", "4096"}};
        for (const Constraint& one : asked)
            QVERIFY(ask(all, one));
        QCOMPARE(listed(all), asked);
        for (const Constraint& one : {Constraint {Gradient, "w", "often"},
                                      {Place, "a", "-1"},
                                      {Apart, "a", "a"},
                                      {Apart, "a"},
                                      {Recompute, "h", "x"},
                                      {Pin, "", "fast"}})
            QVERIFY(!ask(all, one));
        for (const Constraint& one : asked)
            takeBack(all, one);
        QVERIFY(all.empty());
    }
};

QTEST_APPLESS_MAIN(TestConstraints)
#include "tst_constraints.moc"
