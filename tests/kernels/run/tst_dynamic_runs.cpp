#include "core/facts/english/english.h"
#include "core/verify/verifier.h"
#include "tests/kernels/run/planned_with.h"
#include "tests/support/first_seed.h"

#include <QTest>

#include <random>

using namespace plimsoll;

namespace {

/// Rows of numbers of which parts are chosen by what they hold, and then changed, joined and chosen from again.
class RandomText
{
public:
    explicit RandomText(unsigned seed) : m_random(seed) {}

    std::string make()
    {
        m_text = "opset 18\ninput x float32[16]\ninput boxes float32[1,6,4]\ninput scores float32[1,2,6]\n"
                 "input c bool[]\nconst zero float32[] = 0\nconst axes int64[1] = 0\nconst flat int64[1] = -1\n"
                 "const each int64[1] = 3\nn0: t0 = Sin(x)\n";
        m_last = 0;
        for (int left = number(4, 12); left > 0; --left)
            addNode();
        m_text += "output t" + std::to_string(m_last);
        for (int i = 0; i < m_last; ++i)
            if (number(0, 7) == 0) m_text += " t" + std::to_string(i);
        return m_text + "\n";
    }

private:
    int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
    std::string any() { return "t" + std::to_string(number(std::max(0, m_last - 4), m_last)); }
    void line(const std::string& text) { m_text += text + "\n"; }

    /// Which of the numbers are above 0, and how many.
    std::string flags(const std::string& of, const std::string& id)
    {
        line("f" + id + " = Greater(" + of + ", zero)");
        return "f" + id;
    }
    std::string count(const std::string& of, const std::string& id)
    {
        line("i" + id + " = Cast(" + flags(of, id) + ") to=7");
        line("k" + id + " = ReduceSum(i" + id + ") keepdims=1");
        return "k" + id;
    }

    void addNode()
    {
        const std::string a = any();
        const std::string id = std::to_string(m_last + 1);
        const std::string t = "t" + id;
        switch (number(0, 10)) {
        case 0:
            line("p" + id + " = Relu(" + a + ")\nz" + id + " = NonZero(p" + id + ")");
            line("s" + id + " = Squeeze(z" + id + ", axes)\n" + t + " = Gather(" + a + ", s" + id + ") axis=0");
            break;
        case 1: {
            const std::string where = flags(a, id);
            line(t + " = Compress(" + a + ", " + where + ") axis=0");
            break;
        }
        case 2:
            line(t + " = Unique(" + a + ")");
            break;
        case 3: {
            const std::string most = count(a, id);
            line(t + ", _ = TopK(" + a + ", " + most + ")");
            break;
        }
        case 4: {
            const std::string end = count(a, id);
            line(t + " = Slice(" + a + ", axes, " + end + ")");
            break;
        }
        case 5:
            line("b" + id + " = NonMaxSuppression(boxes, scores, each)\nj" + id + " = Cast(b" + id + ") to=1");
            line(t + " = Reshape(j" + id + ", flat)");
            break;
        case 6:
            line(t + " = Concat(" + a + ", " + any() + ") axis=0");
            break;
        case 7:
            line("q" + id + " = If(c)\nbody then_branch\n  r" + id + " = Neg(" + a + ")\n  output r" + id + "\nend");
            line("body else_branch\n  r" + id + " = Unique(" + any() + ")\n  output r" + id + "\nend");
            line(t + " = Identity(q" + id + ")");
            break;
        case 8:
            line("a" + id + " = Cos(" + a + ")\n" + t + " = Add(" + a + ", a" + id + ")");
            break;
        default:
            line(t + " = " + (number(0, 1) == 0 ? "Relu" : "Exp") + "(" + a + ")");
            break;
        }
        ++m_last;
    }

    std::mt19937 m_random;
    std::string m_text;
    int m_last = 0; ///< Tensors so far are t0 to this.
};

constexpr const char* Found = "input x float32[8]\na: i = NonZero(x)\nb: f = Cast(i) to=1\nc: y = Exp(f)\n"
                              "d: z = Sin(x)\noutput y z\n";

std::vector<ValueId> boundedIn(const Report& report)
{
    std::vector<ValueId> bounded;
    for (std::size_t i = 0; i < report.program.values.size(); ++i)
        if (isBounded(report.program.values[i])) bounded.emplace_back(i);
    return bounded;
}

std::vector<Finding> errorsOf(const Report& report)
{
    std::vector<Finding> findings = verify({report.program, report.program.map}, {});
    std::erase_if(findings, [](const Finding& finding) { return finding.severity != Severity::Error; });
    return findings;
}

bool has(const std::vector<Finding>& findings, Rule rule)
{
    return std::ranges::find(findings, rule, &Finding::rule) != findings.end();
}

} // namespace

/// Tensors whose size only the run knows, planned at the most bytes that they can have.
class tst_DynamicRuns : public QObject
{
    Q_OBJECT

private slots:
    void randomGraphsRunEqual()
    {
        std::size_t planned = 0;
        std::int64_t peak = 0;
        std::int64_t measured = 0;
        const unsigned from = test::firstSeed(11'000);
        for (unsigned seed = from; seed < from + 300; ++seed) {
            const std::string text = RandomText(seed).make();
            const std::string where = "seed " + std::to_string(seed) + "\n" + text;
            const Report report = test::plannedWith(text.c_str(), "dynamic=bounded");
            for (const Finding& finding : errorsOf(report))
                QFAIL((where + english(finding.message)).c_str());
            QVERIFY2(report.memory.unplanned.empty(), where.c_str());
            const auto outcome = test::executed(report);
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : (where + describe(outcome.error())).c_str());
            const RunResult& run = outcome.value().result;
            QVERIFY2(run.mismatches.empty(), where.c_str());
            QCOMPARE(run.unplannedPeakBytes, 0);
            QVERIFY2(run.measuredPeakBytes <= report.memory.peakBytes, where.c_str());
            planned += boundedIn(report).size();
            peak += report.memory.peakBytes;
            measured += run.measuredPeakBytes;
            const Report apart = test::plannedWith(text.c_str(), "dynamic=fallback");
            QCOMPARE(apart.memory.unplanned.size(), boundedIn(report).size());
            for (const UnplannedValue& value : apart.memory.unplanned)
                QCOMPARE(value.upperBoundBytes, report.program.values[value.value.index()].requiredBytes);
        }
        qInfo("%zu values planned at their bounds; %lld B touched of %lld B", planned, static_cast<long long>(measured),
              static_cast<long long>(peak));
        QVERIFY(planned > 1'000 && measured < peak);
    }

    /// A bounded value is moved onto another one: where the judge is silent the run is equal, whatever it holds.
    void movedValuesAreFound()
    {
        int found = 0;
        int shown = 0;
        std::mt19937 random(5);
        const unsigned from = test::firstSeed(12'000);
        for (unsigned seed = from; seed < from + 150; ++seed) {
            const std::string text = RandomText(seed).make();
            Report report = test::plannedWith(text.c_str(), "dynamic=bounded");
            const std::vector<ValueId> bounded = boundedIn(report);
            if (bounded.empty()) continue;
            const ValueId one = bounded[random() % bounded.size()];
            ValuePlacement& place = report.program.map.values[one.index()];
            const std::int64_t room = report.program.map.arenas[place.arena.index()].bytes - place.bytes;
            place.offset = room > 0 ? static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(room + 1)) : 0;
            const bool legal = errorsOf(report).empty();
            const auto outcome = test::executed(report);
            const bool equal = outcome.ok() && outcome.value().result.mismatches.empty();
            QVERIFY2(equal || !legal, ("seed " + std::to_string(seed) + "\n" + text).c_str());
            found += legal ? 0 : 1;
            shown += equal ? 0 : 1;
        }
        qInfo("%d moves are found by the judge, and %d show in the run", found, shown);
        QVERIFY(found > 40 && shown > 20);
    }

    void aPlaceBelowTheBoundIsFound()
    {
        Report report = test::plannedWith(Found, "dynamic=bounded");
        QCOMPARE(boundedIn(report).size(), std::size_t {3});
        for (const ValueId value : boundedIn(report)) {
            Report damaged = report;
            damaged.program.map.values[value.index()].bytes /= 2;
            QVERIFY(has(errorsOf(damaged), Rule::Undersized));
        }
    }

    /// What does not fit is refused before it is written.
    void aResultBeyondItsPlaceIsNotWritten()
    {
        Report report = test::plannedWith(Found, "dynamic=bounded");
        ValuePlacement& place = report.program.map.values[findValue(*report.program.graph, "i").index()];
        QCOMPARE(place.bytes, 64);
        place.bytes = 24;
        const test::Numbers three {{"x", {1, 0, 2, 0, 0, 0, 0, 3}}};
        const auto fitting = test::executed(report, three);
        QVERIFY2(fitting.ok(), fitting.ok() ? "" : describe(fitting.error()).c_str());
        QVERIFY(fitting.value().result.mismatches.empty());
        const auto beyond = test::executed(report, {{"x", {1, 0, 2, 0, 0, 4, 0, 3}}});
        QVERIFY(!beyond.ok());
        const std::string text = describe(beyond.error());
        QVERIFY2(text.find("becomes int64[1,4], 32 B, where the plan has room for 24 B") != std::string::npos,
                 text.c_str());
    }

    void whatIsTouchedIsMeasured()
    {
        const Report report = test::plannedWith(Found, "dynamic=bounded inplace=off");
        const auto few = test::executed(report, {{"x", {1, 0, 0, 0, 0, 0, 0, 0}}});
        const auto all = test::executed(report, {{"x", {1, 2, 3, 4, 5, 6, 7, 8}}});
        QVERIFY(few.ok() && all.ok());
        QVERIFY(few.value().result.measuredPeakBytes < all.value().result.measuredPeakBytes);
        QCOMPARE(all.value().result.measuredPeakBytes, report.memory.peakBytes);
        QCOMPARE(few.value().outputs.front().tensor.elements(), 1);
    }

    void underEachPolicyOfOutputs_data()
    {
        QTest::addColumn<QByteArray>("choices");
        for (const char* choices :
             {"outputs=external", "outputs=shared", "outputs=copy-on-write", "streams=3", "placement=storage-reuse"})
            QTest::newRow(choices) << QByteArray(choices);
    }
    void underEachPolicyOfOutputs()
    {
        QFETCH(QByteArray, choices);
        const Report report = test::plannedWith(Found, "dynamic=bounded " + choices);
        QVERIFY(errorsOf(report).empty());
        QVERIFY(report.memory.unplanned.empty());
        const auto outcome = test::executed(report, {{"x", {1, 0, 2, 0, 0, 4, 0, 3}}});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : describe(outcome.error()).c_str());
        QVERIFY(outcome.value().result.mismatches.empty());
    }
};

QTEST_APPLESS_MAIN(tst_DynamicRuns)
#include "tst_dynamic_runs.moc"
