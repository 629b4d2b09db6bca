#include "core/advice/lay_apart.h"

#include "core/advice/bisect_json.h"
#include "tests/core/advice/damaged_diamond.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;

namespace {

/// "c", "scratch:n1", "" where nothing can be moved.
QString movedBy(const Report& report, std::size_t finding)
{
    const auto side = movableSide(report, report.verdict.findings[finding]);
    return side ? QString::fromStdString(namesOf(*report.program.graph, *side).front()) : QString();
}

std::size_t errorsOf(const Report& report)
{
    return countFindings(report, Severity::Error);
}

std::int64_t offsetOf(const Report& report, const char* value)
{
    return report.program.values[findValue(*report.program.graph, value).index()].offset;
}

/// With the first finding mended.
PlanRequest mending(std::string_view graph, PlanRequest request)
{
    const Report report = test::planned(graph, request);
    const auto side = movableSide(report, report.verdict.findings.front());
    if (!side) qFatal("nothing to be moved");
    request.givenPlan = sharedPlan(laidApart(*request.givenPlan, report.program, *side).value());
    return request;
}

Report mended(std::string_view graph, const PlanRequest& request)
{
    return test::planned(graph, mending(graph, request));
}

} // namespace

/// One side of a finding in bytes of its own.
class LayApartTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theOneThatSpoilsIsMoved();
    void aPlanIsMendedByIt();
    void whatIsJoinedIsMovedOneAfterTheOther();
    void whatHasTooFewBytesGetsMore();
    void adviceMovesNothing();
    void aPlanOfOurOwnIsDamagedByNoMove();
};

void LayApartTest::theOneThatSpoilsIsMoved()
{
    const Report report = test::planned(test::Diamond, test::diamondPlan(32));
    QVERIFY(errorsOf(report) > 0);
    QCOMPARE(movedBy(report, 0), QStringLiteral("c"));
}

void LayApartTest::aPlanIsMendedByIt()
{
    const Report report = mended(test::Diamond, test::diamondPlan(0));
    QCOMPARE(errorsOf(report), std::size_t(0));
    QCOMPARE(offsetOf(report, "c"), 256);
    QCOMPARE(report.memory.peakBytes, 320);
}

void LayApartTest::whatIsJoinedIsMovedOneAfterTheOther()
{
    constexpr std::string_view Views = "input x float32[16]\nn0: a = Neg(x)\nn1: b = Tanh(x)\n"
                                       "n2: v = Flatten(b) axis=0\nn3: w = Exp(v)\nn4: u = Flatten(w) axis=1\n"
                                       "n5: d = Add(a, u)\noutput d\n";
    PlanFile plan;
    plan.arenas = {{.bytes = 256}};
    using Places = std::initializer_list<std::pair<const char*, std::int64_t>>;
    for (const auto& [name, offset] : Places {{"a", 0}, {"b", 64}, {"v", 64}, {"w", 0}, {"u", 0}, {"d", 192}})
        plan.entries.push_back({name, ArenaId(0), offset, 64});
    PlanRequest request;
    request.givenPlan = sharedPlan(plan);
    request = mending(Views, request);
    QCOMPARE(movedBy(test::planned(Views, request), 0), QStringLiteral("u"));
    const Report report = mended(Views, request);
    QCOMPARE(errorsOf(report), std::size_t(0));
    QCOMPARE(offsetOf(report, "w"), 256);
    QCOMPARE(offsetOf(report, "u"), 320);
}

void LayApartTest::whatHasTooFewBytesGetsMore()
{
    PlanRequest request = test::diamondPlan(128);
    PlanFile tight = *request.givenPlan;
    tight.entries[2].bytes = 32;
    request.givenPlan = sharedPlan(std::move(tight));
    const Report report = mended(test::Diamond, request);
    QCOMPARE(errorsOf(report), std::size_t(0));
    QCOMPARE(report.memory.peakBytes, 320);
}

void LayApartTest::adviceMovesNothing()
{
    Report report = test::planned(test::Diamond, test::diamondPlan(32));
    Finding& finding = report.verdict.findings.front();
    finding.severity = Severity::Advice;
    QVERIFY(movedBy(report, 0).isEmpty());
    finding.severity = Severity::Error;
    finding.values.resize(1);
    QVERIFY2(movedBy(report, 0).isEmpty(), "the other one is not known");
}

void LayApartTest::aPlanOfOurOwnIsDamagedByNoMove()
{
    const Report own = test::planned(test::Diamond);
    const ValueId b = findValue(*own.program.graph, "b");
    PlanRequest request;
    request.givenPlan = sharedPlan(laidApart(planOf(own), own.program, {{b}, {}}).value());
    QCOMPARE(errorsOf(test::planned(test::Diamond, request)), std::size_t(0));
    QVERIFY(!laidApart(planOf(own), own.program, {{findValue(*own.program.graph, "x")}, {}}).ok());
}

QTEST_APPLESS_MAIN(LayApartTest)
#include "tst_lay_apart.moc"
