#include "core/placement/placement.h"
#include "core/placement/search/load.h"
#include "core/placement/search/search.h"
#include "tests/core/placement/packing_check.h"
#include "tests/support/first_seed.h"

#include <QElapsedTimer>
#include <QTest>

#include <chrono>
#include <ctime>
#include <numeric>
#include <random>
#include <thread>

using namespace plimsoll;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double SlowedDown = 10;
#else
constexpr double SlowedDown = 1;
#endif

class Random
{
public:
    explicit Random(unsigned seed) : m_engine(seed) {}
    /// In [low, high].
    std::int64_t between(std::int64_t low, std::int64_t high)
    {
        return low + static_cast<std::int64_t>(m_engine() % static_cast<std::uint64_t>(high - low + 1));
    }
    bool once(std::int64_t in) { return between(1, in) == 1; }

private:
    std::mt19937_64 m_engine;
};

std::vector<std::string_view> allAlgorithms()
{
    std::vector<std::string_view> algorithms(placementAlgorithms().begin(), placementAlgorithms().end());
    algorithms.push_back("best");
    return algorithms;
}

/// What a random problem is full of.
struct Flavour
{
    std::int64_t most = 24; ///< Buffers.
    std::int64_t steps = 20;
    std::int64_t largest = 1000;
    bool pins = false;
    bool gaps = false;
    bool alignments = false;
    bool equal = false; ///< Few sizes and lives, so that many are the same.
};

Flavour flavourOf(unsigned seed)
{
    Flavour flavour;
    flavour.pins = seed % 2 == 1;
    flavour.gaps = seed / 2 % 2 == 1;
    flavour.alignments = seed / 4 % 2 == 1;
    flavour.equal = seed / 8 % 2 == 1;
    if (seed % 32 == 31) flavour.largest = (std::int64_t {1} << 62) / flavour.most / 4;
    if (seed % 16 == 15) flavour.most = 60;
    return flavour;
}

Buffer randomBuffer(Random& random, const Flavour& flavour, std::int64_t arenas)
{
    Buffer buffer;
    buffer.bytes = random.once(10) ? 0 : random.between(1, flavour.equal ? 4 : flavour.largest);
    const std::int64_t pieces = flavour.gaps ? random.between(0, 3) : 1;
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
        const std::int64_t begin = flavour.equal ? 4 * random.between(0, 5) : random.between(0, flavour.steps);
        buffer.live.add(
            {begin, begin + (flavour.equal ? 4 : random.between(0, std::min<std::int64_t>(10, flavour.steps)))});
    }
    buffer.arena = ArenaId(static_cast<std::size_t>(random.between(0, arenas - 1)));
    if (flavour.alignments) buffer.alignment = random.once(20) ? std::int64_t {1} << 40 : random.between(1, 96);
    if (flavour.pins && random.once(5)) buffer.pinnedOffset = random.between(0, 2000);
    return buffer;
}

Problem randomProblem(Random& random, const Flavour& flavour)
{
    Problem problem;
    problem.arenas.resize(static_cast<std::size_t>(random.between(1, 3)));
    for (Arena& arena : problem.arenas)
        arena.alignment = flavour.alignments ? random.between(1, 70) : std::int64_t {1} << random.between(0, 6);
    const std::int64_t count = random.between(0, flavour.most);
    for (std::int64_t i = 0; i < count; ++i)
        problem.buffers.push_back(randomBuffer(random, flavour, static_cast<std::int64_t>(problem.arenas.size())));
    return problem;
}

std::int64_t sum(const std::vector<std::int64_t>& numbers)
{
    return std::accumulate(numbers.begin(), numbers.end(), std::int64_t {0});
}

SearchAnswer searched(const Problem& problem, std::string_view algorithm, std::int64_t work, std::uint64_t seed = 1)
{
    SearchOptions options;
    options.workLimit = work;
    options.seed = seed;
    return search(problem, algorithm, options, {}).value();
}

/// The lowest peak of one arena of alignment 1: tries every order of first-fit after the pins, which contains an
/// optimum.
class BruteForce
{
public:
    explicit BruteForce(const Problem& problem) : m_problem(problem), m_at(problem.buffers.size(), -1) {}

    std::int64_t run()
    {
        std::size_t pins = 0;
        std::int64_t top = 0;
        for (std::size_t i = 0; i < m_at.size(); ++i) {
            const Buffer& buffer = m_problem.buffers[i];
            if (!buffer.pinnedOffset) continue;
            m_at[i] = *buffer.pinnedOffset;
            top = std::max(top, m_at[i] + buffer.bytes);
            ++pins;
        }
        put(pins, top);
        return m_best;
    }

private:
    void put(std::size_t done, std::int64_t peak)
    {
        if (peak >= m_best) return;
        if (done == m_at.size()) {
            m_best = peak;
            return;
        }
        for (std::size_t i = 0; i < m_at.size(); ++i) {
            if (m_at[i] >= 0) continue;
            m_at[i] = lowestFor(i);
            put(done + 1, std::max(peak, m_at[i] + m_problem.buffers[i].bytes));
            m_at[i] = -1;
        }
    }

    [[nodiscard]] std::int64_t lowestFor(std::size_t i) const
    {
        const Buffer& buffer = m_problem.buffers[i];
        std::int64_t at = 0;
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t j = 0; j < m_at.size(); ++j) {
                const std::int64_t end = m_at[j] + m_problem.buffers[j].bytes;
                if (m_at[j] < 0 || end <= at || m_at[j] >= at + buffer.bytes) continue;
                if (!overlaps(m_problem.buffers[j].live, buffer.live)) continue;
                at = (end + buffer.alignment - 1) / buffer.alignment * buffer.alignment;
                moved = true;
            }
        }
        return at;
    }

    const Problem& m_problem;
    std::vector<std::int64_t> m_at;
    std::int64_t m_best = std::numeric_limits<std::int64_t>::max();
};

/// Few enough buffers for brute force, small and crowded.
Problem smallProblem(unsigned seed, bool gaps, bool pins, bool alignments)
{
    Random random(seed);
    Flavour flavour;
    flavour.most = 8;
    flavour.steps = 4;
    flavour.largest = 5;
    flavour.gaps = gaps;
    Problem problem = randomProblem(random, flavour);
    for (Buffer& buffer : problem.buffers) {
        buffer.arena = ArenaId(std::int32_t {0});
        if (alignments) buffer.alignment = random.between(1, 6);
        if (pins && random.once(4)) buffer.pinnedOffset = random.between(0, 12);
    }
    problem.arenas.resize(1);
    problem.arenas[0].alignment = 1;
    std::erase_if(problem.buffers, [](const Buffer& buffer) { return buffer.live.empty() || buffer.bytes == 0; });
    return problem;
}

/// A buffer of one live range.
struct FitRow
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t bytes = 0;
};

/// A training-like load: short lives, a few long ones.
Problem largeProblem(std::int64_t count, unsigned seed)
{
    Random random(seed);
    Problem problem;
    problem.arenas = {{"cpu", 64, {}}};
    for (std::int64_t i = 0; i < count; ++i) {
        Buffer buffer;
        buffer.bytes = random.between(1, 1 << 20);
        const std::int64_t life = random.once(20) ? random.between(10, 2000) : random.between(1, 8);
        buffer.live = LiveRanges({i, i + life});
        buffer.alignment = 64;
        problem.buffers.push_back(std::move(buffer));
    }
    return problem;
}

} // namespace

class tst_PlacementRandom : public QObject
{
    Q_OBJECT

private slots:
    void plansAreLegalAndBetweenTheirBounds();
    void provedOptimaAreOptima_data();
    void provedOptimaAreOptima();
    void optimaAboveTheLoadAreProved_data();
    void optimaAboveTheLoadAreProved();
    void bothJudgesAgree();
    void theSameSeedAndWorkGiveTheSamePlan();
    void manyBuffersAreLegalToo();
    void aStopEndsItWithin100Milliseconds_data();
    void aStopEndsItWithin100Milliseconds();
};

void tst_PlacementRandom::plansAreLegalAndBetweenTheirBounds()
{
    const unsigned Count =
        qEnvironmentVariableIsSet("PLIMSOLL_COUNT") ? qEnvironmentVariableIntValue("PLIMSOLL_COUNT") : 12'000;
    const unsigned first = test::firstSeed(20'260'101);
    const std::vector<std::string_view> algorithms = allAlgorithms();
    for (unsigned seed = first; seed < first + Count; ++seed) {
        Random random(seed);
        const Flavour flavour = flavourOf(seed);
        const Problem problem = randomProblem(random, flavour);
        for (std::size_t a = 0; a < algorithms.size(); ++a) {
            const SearchAnswer answer = searched(problem, algorithms[a], 20'000);
            const std::string wrong = packing_check::slowTrouble(problem, answer.plan);
            const std::int64_t peak = sum(answer.plan.arenaBytes);
            const bool bounded = sum(answer.boundBytes) <= peak && sum(answer.loadBytes) <= sum(answer.boundBytes) &&
                                 (flavour.alignments || flavour.pins || peak <= sum(noReuseBytes(problem)));
            QVERIFY2(wrong.empty() && bounded,
                     qPrintable(QStringLiteral("seed %1, %2: %3, peak %4")
                                    .arg(seed)
                                    .arg(QLatin1String(algorithms[a].data()), QLatin1String(wrong.c_str()))
                                    .arg(peak)));
        }
    }
}

void tst_PlacementRandom::provedOptimaAreOptima_data()
{
    QTest::addColumn<bool>("gaps");
    QTest::addColumn<bool>("pins");
    QTest::addColumn<bool>("alignments");
    QTest::newRow("plain") << false << false << false;
    QTest::newRow("gaps") << true << false << false;
    QTest::newRow("pins") << false << true << false;
    QTest::newRow("alignments") << false << false << true;
    QTest::newRow("all") << true << true << true;
}

void tst_PlacementRandom::provedOptimaAreOptima()
{
    QFETCH(bool, gaps);
    QFETCH(bool, pins);
    QFETCH(bool, alignments);
    const unsigned first = test::firstSeed(20'260'101);
    int aboveLoad = 0;
    for (unsigned seed = first; seed < first + 1500; ++seed) {
        const Problem problem = smallProblem(seed, gaps, pins, alignments);
        const std::int64_t lowest = problem.buffers.empty() ? 0 : BruteForce(problem).run();
        const SearchAnswer answer = searched(problem, "best", 20'000'000);
        const QByteArray where = "seed " + QByteArray::number(seed);
        QVERIFY2(answer.optimal(), where);
        QVERIFY2(answer.plan.arenaBytes[0] == lowest, where);
        aboveLoad += lowest > answer.loadBytes[0] ? 1 : 0;
    }
    qInfo("%d optima are above the load", aboveLoad);
    QVERIFY(aboveLoad > 30 || !(gaps || pins || alignments));
}

/// One live range each, no pins, no alignments: the rarest of those whose load no plan reaches.
void tst_PlacementRandom::optimaAboveTheLoadAreProved_data()
{
    QTest::addColumn<std::vector<FitRow>>("rows");
    QTest::newRow("20 for a load of 19") << std::vector<FitRow> {{0, 3, 5}, {0, 8, 5}, {0, 9, 3}, {4, 6, 1},
                                                                 {7, 8, 4}, {8, 9, 4}, {5, 7, 2}, {1, 5, 5},
                                                                 {0, 6, 1}, {3, 9, 3}, {5, 9, 4}};
    QTest::newRow("16 for a load of 15") << std::vector<FitRow> {{1, 5, 3}, {0, 4, 4}, {7, 9, 5}, {5, 8, 2},
                                                                 {1, 7, 2}, {6, 7, 4}, {4, 8, 2}, {3, 7, 5},
                                                                 {4, 6, 3}, {8, 9, 5}, {7, 9, 5}};
}

void tst_PlacementRandom::optimaAboveTheLoadAreProved()
{
    QFETCH(const std::vector<FitRow>, rows);
    Problem problem;
    problem.arenas = {{"cpu", 1, {}}};
    for (const FitRow& row : rows) {
        problem.buffers.emplace_back();
        problem.buffers.back().bytes = row.bytes;
        problem.buffers.back().live = LiveRanges({row.begin, row.end});
    }

    const SearchAnswer answer = searched(problem, "best", 20'000'000);

    QVERIFY(answer.optimal());
    QCOMPARE(answer.plan.arenaBytes[0], BruteForce(problem).run());
    QCOMPARE(answer.plan.arenaBytes[0], answer.loadBytes[0] + 1);
    QCOMPARE(answer.boundBytes[0], answer.plan.arenaBytes[0]);
}

void tst_PlacementRandom::bothJudgesAgree()
{
    int illegal = 0;
    for (unsigned seed = 1; seed < 400; ++seed) {
        Random random(seed);
        Flavour flavour;
        flavour.gaps = seed % 2 == 1;
        const Problem problem = randomProblem(random, flavour);
        Plan plan = searched(problem, "sweep", 0).plan;
        for (Allocation& allocation : plan.allocations) {
            if (random.once(30)) allocation.offset = 0;
        }
        const bool legal = packing_check::slowTrouble(problem, plan).empty();
        QCOMPARE(packing_check::sweepTrouble(problem, plan).empty(), legal);
        illegal += legal ? 0 : 1;
    }
    QVERIFY(illegal > 20);
}

void tst_PlacementRandom::theSameSeedAndWorkGiveTheSamePlan()
{
    const Problem problem = largeProblem(2000, 7);

    for (const std::uint64_t seed : {1U, 2U}) {
        const SearchAnswer first = searched(problem, "best", 30'000'000, seed);
        const SearchAnswer second = searched(problem, "best", 30'000'000, seed);
        QCOMPARE(first.work, second.work);
        QCOMPARE(first.history.size(), second.history.size());
        for (std::size_t i = 0; i < problem.buffers.size(); ++i)
            QCOMPARE(first.plan.allocations[i].offset, second.plan.allocations[i].offset);
    }
}

void tst_PlacementRandom::manyBuffersAreLegalToo()
{
    const Problem problem = largeProblem(100'000, 1);
    QElapsedTimer timer;
    std::int64_t lowestOfAPart = std::numeric_limits<std::int64_t>::max();
    for (const std::string_view algorithm : allAlgorithms()) {
        if (algorithm == "no-reuse") continue;
        timer.start();
        const SearchAnswer answer = searched(problem, algorithm, 20'000'000);
        qInfo("100,000 buffers, %s: %lld ms, ratio %.4f", algorithm.data(), timer.elapsed(),
              static_cast<double>(answer.plan.arenaBytes[0]) / static_cast<double>(answer.loadBytes[0]));
        const std::string wrong = packing_check::sweepTrouble(problem, answer.plan);
        QVERIFY2(wrong.empty(), wrong.c_str());
        if (algorithm == "best") QVERIFY(answer.plan.arenaBytes[0] <= lowestOfAPart);
        lowestOfAPart = std::min(lowestOfAPart, answer.plan.arenaBytes[0]);
    }
}

void tst_PlacementRandom::aStopEndsItWithin100Milliseconds_data()
{
    QTest::addColumn<int>("buffers");
    QTest::addColumn<int>("after");
    for (const int buffers : {500, 5'000, 300'000, 1'000'000}) {
        for (const int after : {0, 5, 60, 300})
            QTest::addRow("%d after %d ms", buffers, after) << buffers << after;
    }
}

void tst_PlacementRandom::aStopEndsItWithin100Milliseconds()
{
    QFETCH(int, buffers);
    QFETCH(int, after);
    const Problem problem = largeProblem(buffers, 3);
    std::stop_source source;
    std::clock_t stopped = 0; // of the processor: a busy machine is no fault of the search
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(after));
        stopped = std::clock();
        source.request_stop();
    });

    const Context context {source.get_token(), {}};
    const auto answer = search(problem, "best", {}, context);
    const std::clock_t ended = std::clock();
    stopper.join();

    if (answer.ok() && answer.value().optimal()) QSKIP("It was proved optimal before it was stopped.");
    const double seconds = static_cast<double>(ended - stopped) / CLOCKS_PER_SEC;
    QVERIFY2(seconds < 0.1 * SlowedDown, qPrintable(QStringLiteral("%1 s").arg(seconds)));
    if (answer.ok()) QCOMPARE(answer.value().end, SearchEnd::Stopped);
    if (!answer.ok()) QCOMPARE(answer.error().code, ErrorCode::Stopped);
}

QTEST_APPLESS_MAIN(tst_PlacementRandom)
#include "tst_placement_random.moc"
