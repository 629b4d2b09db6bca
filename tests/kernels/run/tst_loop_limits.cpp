#include "core/facts/english/english.h"
#include "tests/kernels/run/run_support.h"

#include "core/facts/words/run_sentences.h"
#include "core/report/run_json.h"
#include "kernels/run/executor.h"
#include "tests/support/graph_text.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

RunResult ran(const std::string& text, std::int64_t limit = 100'000)
{
    RunRequest request;
    request.maxLoopNodes = limit;
    request.cover = RunRequest::Cover::Never;
    const auto outcome = test::executed(test::plannedForReference(text), {}, request);
    if (!outcome.ok()) qFatal("%s", describe(outcome.error()).c_str());
    return outcome.value().result;
}

QStringList scopeOf(const RunResult& run)
{
    QStringList sentences;
    for (const std::string& sentence : english(scopeSentences(run)))
        sentences << QString::fromStdString(sentence);
    return sentences;
}

/// \p next: a line that makes c2, which decides whether the loop goes on.
std::string counting(const std::string& next)
{
    return "const x float32[4] = 0 0 0 0\nconst trips int64[] = 9223372036854775807\nconst go bool[] = 1\n"
           "const three int64[] = 3\nconst one float32[1] = 1\nl: y = Loop(trips, go, x)\nbody body\n"
           "  input i int64[]\n  input c bool[]\n  input s float32[4]\n  r: s2 = Add(s, one)\n" +
           next + "  output c2 s2\nend\noutput y\n";
}

} // namespace

/// Loops run as often as they say, and no run is without end.
class tst_LoopLimits : public QObject
{
    Q_OBJECT

private slots:
    /// Exporters write that count for loops which end by their condition.
    void theLargestCountIsNoZero()
    {
        const RunResult run = ran(counting("  q: c2 = Less(i, three)\n"));
        QCOMPARE(run.mismatches.size(), std::size_t {0});
        QCOMPARE(run.outputs.at(0).elements.at(0), std::string("4")); // 3 is no longer less
        QCOMPARE(scopeOf(run), QStringList());
        QVERIFY(runJson(run)["cut"].is_null());
    }

    void aLoopWithoutEndIsCut()
    {
        const RunResult run = ran(counting("  q: c2 = Identity(c)\n"), 1000);
        QCOMPARE(RunRequest {}.maxLoopNodes, 100'000);
        QCOMPARE(run.mismatches.size(), std::size_t {0});
        QCOMPARE(scopeOf(run),
                 QStringList {QStringLiteral("The run was cut: loops may execute 1,000 nodes together (--max-trips); "
                                             "'l' after 500 iterations did not end within that.")});
        QCOMPARE(runJson(run)["cut"].dump(), std::string(R"({"limit":1000,"loops":[{"node":"l","iterations":500}]})"));
        QCOMPARE(ran(counting("  q: c2 = Identity(c)\n"), 7).cut.loops.at(0).iterations, 3);
    }

    void loopsInsideCountTogether()
    {
        const RunResult run = ran(R"(
input x float32[4]
const four int64[] = 4
l: y = Loop(four, _, x)
body body
  input i int64[]
  input k bool[]
  input s float32[4]
  m: t = Loop(four, _, s)
  body body
    input j int64[]
    input q bool[]
    input a float32[4]
    n: b = Neg(a)
    output q b
  end
  o: u = Neg(t)
  output k u
end
output y
)",
                                  9);
        QCOMPARE(run.mismatches.size(), std::size_t {0});
        QCOMPARE(run.cut.loops.size(), std::size_t {2});
        QCOMPARE(run.cut.loops[0].iterations, 2); // 2 + 4, 2 + 1
        QCOMPARE(run.cut.loops[1].node, std::string("l/body/m"));
        QCOMPARE(run.cut.loops[1].iterations, 1);
    }

    /// Slices that are not made are zeros, in both worlds.
    void whatIsStackedIsWhole()
    {
        const RunResult run = ran("input x float32[6,2]\ninput z float32[2]\n"
                                  "s: f, all = Scan(z, x) num_scan_inputs=1\nbody body\n  input a float32[2]\n"
                                  "  input b float32[2]\n  n: c = Add(a, b)\n  d: e = Neg(c)\n  output c e\nend\n"
                                  "output f all\n",
                                  6);
        QCOMPARE(run.mismatches.size(), std::size_t {0});
        QCOMPARE(run.cut.loops.at(0).iterations, 3);
        QCOMPARE(run.outputs.at(1).elements.at(6), std::string("0"));
        QVERIFY(run.outputs.at(1).elements.at(5) != "0");
    }

    void whatWasNotRunIsCounted()
    {
        const RunResult run = ran("input x float32[4]\nconst none int64[] = 0\nl: y = Loop(none, _, x)\nbody body\n"
                                  "  input i int64[]\n  input k bool[]\n  input s float32[4]\n  a: u = Neg(s)\n"
                                  "  b: v = Abs(u)\n  output k v\nend\noutput y\n");
        QCOMPARE(run.nodes, 3);
        QCOMPARE(run.ranNodes, 1);
        QCOMPARE(scopeOf(run),
                 QStringList {QStringLiteral("Ran 1 of 3 nodes: the others are in loops and branches that "
                                             "were not entered.")});
    }

    /// A loop of XLA has no count at all.
    void loopsOfXlaHaveTheSameLimit()
    {
        const RunResult run =
            ran("input x float32[4]\nconst go bool[] = 1\nl: y = xla::while(go, x)\nbody body\n"
                "  input s float32[4]\n  a: u = xla::negate(s)\n  value u float32[4]\n  output go u\nend\n"
                "value y float32[4]\noutput y\n",
                50);
        QCOMPARE(run.mismatches.size(), std::size_t {0});
        QCOMPARE(run.cut.loops.at(0).iterations, 50);
    }
};

QTEST_APPLESS_MAIN(tst_LoopLimits)
#include "tst_loop_limits.moc"
