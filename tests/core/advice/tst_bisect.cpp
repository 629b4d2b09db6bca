#include "core/advice/bisect.h"

#include "core/facts/report.h"
#include "tests/support/first_seed.h"
#include "tests/support/planned.h"

#include <QTest>

#include <cmath>
#include <random>
#include <set>

using namespace plimsoll;

namespace {

/// v0 → v1 → …, each of 16 bytes.
std::string chainOf(int values)
{
    std::string text = "input x float32[4]\n";
    for (int i = 0; i < values; ++i)
        text += QStringLiteral("n%1: v%1 = Neg(%2)\n")
                    .arg(i)
                    .arg(i == 0 ? QStringLiteral("x") : QStringLiteral("v%1").arg(i - 1))
                    .toStdString();
    return text + "output v" + std::to_string(values - 1) + "\n";
}

/// The chain with its values at these offsets.
PlannedProgram placed(const std::vector<std::int64_t>& offsets)
{
    Report report = test::planned(chainOf(static_cast<int>(offsets.size())), "inplace=off alignment=1");
    MemoryMap& map = report.program.map;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        map.values[i + 1].offset = offsets[i]; // behind the input
        map.arenas.front().bytes = std::max(map.arenas.front().bytes, offsets[i] + 16);
    }
    return std::move(report.program);
}

using Pair = std::pair<int, int>; ///< Of values; (i, i) is wrong wherever it lies in its old place.

/// As if the run were wrong wherever two of a pair meet, or a lone one lies at \p offsets.
Trial wrongFor(const std::set<Pair>& pairs, const std::vector<std::int64_t>& offsets)
{
    return [&pairs, &offsets](const PlannedProgram& program) -> Result<std::optional<RunResult::Mismatch>> {
        for (const auto& [a, b] : pairs) {
            const ValuePlacement& one = program.map.values[static_cast<std::size_t>(a) + 1];
            const ValuePlacement& other = program.map.values[static_cast<std::size_t>(b) + 1];
            const bool old = a == b && one.offset == offsets[static_cast<std::size_t>(a)];
            if (!old &&
                (a == b || !overlaps(Interval {one.offset, one.offset + 16}, {other.offset, other.offset + 16})))
                continue;
            RunResult::Mismatch mismatch;
            mismatch.value = "v" + std::to_string(a);
            mismatch.node = "n" + std::to_string(b);
            mismatch.step = b;
            return std::optional(mismatch);
        }
        return std::optional<RunResult::Mismatch>();
    };
}

QString nameOf(const PlannedProgram& program, const Culprit::Side& side)
{
    return QString::fromStdString((*program.graph)[side.values.front()].name);
}

/// "v0+v3 [4, 16) steps [3, 5) | v5", behind it "; 7 runs, 4 sharings"
QString foundIn(const std::vector<std::int64_t>& offsets, const std::set<Pair>& pairs)
{
    const PlannedProgram program = placed(offsets);
    const Bisection found = bisect(program, wrongFor(pairs, offsets), {}).value();
    QStringList all;
    for (const Culprit& culprit : found.culprits) {
        QString text = culprit.earlier ? nameOf(program, *culprit.earlier) + u'+' : QString();
        text += nameOf(program, culprit.later);
        text += QStringLiteral(" [%1, %2)").arg(culprit.bytes.begin).arg(culprit.bytes.end);
        text += QStringLiteral(" steps [%1, %2)").arg(culprit.steps.begin).arg(culprit.steps.end);
        all << text;
    }
    if (found.elsewhere) all << QStringLiteral("elsewhere");
    return all.join(QStringLiteral(" | ")) +
           QStringLiteral("; %1 runs, %2 sharings").arg(found.runs).arg(found.sharings);
}

} // namespace

/// Halving over the sharings of a plan.
class BisectTest : public QObject
{
    Q_OBJECT

private slots:
    void theGuiltyOnesAreNamed_data();
    void theGuiltyOnesAreNamed();
    void runsAreFew();
    void aTrialThatFailsEndsIt();
};

void BisectTest::theGuiltyOnesAreNamed_data()
{
    using Offsets = std::vector<std::int64_t>;
    QTest::addColumn<Offsets>("offsets");
    QTest::addColumn<QList<Pair>>("wrong");
    QTest::addColumn<QString>("found");
    QTest::newRow("a run that is right is run once")
        << Offsets {0, 0, 0, 0} << QList<Pair> {} << "; 1 runs, 6 sharings";
    QTest::newRow("the only sharing") << Offsets {0, 16, 8} << QList<Pair> {{0, 2}}
                                      << "v0+v2 [8, 16) steps [2, 3); 4 runs, 2 sharings";
    QTest::newRow("one sharing, which is the fault: two runs")
        << Offsets {0, 16, 4} << QList<Pair> {{0, 2}} << "v0+v2 [4, 16) steps [2, 3); 4 runs, 2 sharings";
    QTest::newRow("bytes that touch do not meet") << Offsets {0, 16, 32} << QList<Pair> {} << "; 1 runs, 0 sharings";
    QTest::newRow("two culprits, one after the other")
        << Offsets {0, 16, 0, 16, 0, 16} << QList<Pair> {{0, 4}, {1, 3}}
        << "v1+v3 [16, 32) steps [3, 4) | v0+v4 [0, 16) steps [4, 5); 8 runs, 6 sharings";
    QTest::newRow("what spoils several is laid apart at its second")
        << Offsets {0, 0, 16, 0, 0, 0} << QList<Pair> {{1, 3}, {1, 4}, {1, 5}}
        << "v1+v3 [0, 16) steps [3, 4) | v1+v4 [0, 16) steps [4, 5); 9 runs, 10 sharings";
    QTest::newRow("one that is wrong by itself")
        << Offsets {0, 16, 32, 32} << QList<Pair> {{1, 1}} << "v1 [16, 32) steps [1, 2); 5 runs, 1 sharings";
}

void BisectTest::theGuiltyOnesAreNamed()
{
    QFETCH(const std::vector<std::int64_t>, offsets);
    QFETCH(const QList<Pair>, wrong);
    QTEST(foundIn(offsets, std::set<Pair>(wrong.begin(), wrong.end())), "found");
}

/// At most 2 + 2·log2(sharings) for each culprit, of which there may be several.
void BisectTest::runsAreFew()
{
    const unsigned seed = test::firstSeed(1);
    std::mt19937 random(seed);
    for (int round = 0; round < 60; ++round) {
        const int count = std::uniform_int_distribution(3, 60)(random);
        std::vector<std::int64_t> offsets;
        for (int i = 0; i < count; ++i)
            offsets.push_back(8 * std::uniform_int_distribution(0, count / 2)(random));
        std::set<Pair> meeting;
        for (int a = 0; a < count; ++a)
            for (int b = a + 1; b < count; ++b)
                if (std::abs(offsets[static_cast<std::size_t>(a)] - offsets[static_cast<std::size_t>(b)]) < 16)
                    meeting.insert({a, b});
        std::set<Pair> wrong;
        std::ranges::sample(meeting, std::inserter(wrong, wrong.end()), round % 3, random);
        const PlannedProgram program = placed(offsets);
        const Bisection found = bisect(program, wrongFor(wrong, offsets), {}).value();
        QVERIFY(!found.elsewhere);
        QCOMPARE(found.sharings, std::ssize(meeting));
        QCOMPARE(found.culprits.empty(), wrong.empty());
        for (const Culprit& culprit : found.culprits) {
            QVERIFY(culprit.earlier);
            const auto number = [](const Culprit::Side& side) { return side.values.front().number() - 1; };
            QVERIFY(wrong.contains({number(*culprit.earlier), number(culprit.later)}));
        }
        const double most = std::max(1.0, static_cast<double>(found.culprits.size())) *
                            (2 + 2 * std::log2(std::max<double>(1, static_cast<double>(found.sharings))));
        QVERIFY2(static_cast<double>(found.runs) <= most,
                 qPrintable(QStringLiteral("round %1: %2 runs, %3 allowed").arg(round).arg(found.runs).arg(most)));
    }
}

void BisectTest::aTrialThatFailsEndsIt()
{
    const PlannedProgram program = placed({0, 0});
    const Trial fails = [](const PlannedProgram&) -> Result<std::optional<RunResult::Mismatch>> {
        return Error {ErrorCode::Unsupported, say("run.table"), {}, {}};
    };
    QCOMPARE(bisect(program, fails, {}).error().code, ErrorCode::Unsupported);
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(bisect(program, fails, {stop.get_token(), {}}).error().code, ErrorCode::Stopped);
}

QTEST_APPLESS_MAIN(BisectTest)
#include "tst_bisect.moc"
