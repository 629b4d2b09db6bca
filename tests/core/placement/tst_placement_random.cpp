#include "core/placement/placement.h"

#include <QElapsedTimer>
#include <QTest>

#include <numeric>
#include <random>

using namespace plimsoll;

namespace {

class Random
{
public:
    explicit Random(unsigned seed) : m_engine(seed) {}
    /// In [low, high].
    std::int64_t between(std::int64_t low, std::int64_t high)
    {
        return std::uniform_int_distribution(low, high)(m_engine);
    }

private:
    std::mt19937 m_engine;
};

Problem randomProblem(Random& random)
{
    Problem problem;
    problem.arenas.resize(static_cast<std::size_t>(random.between(1, 3)));
    for (Arena& arena : problem.arenas)
        arena.alignment = std::int64_t {1} << random.between(0, 7);
    const std::int64_t count = random.between(0, 60);
    for (std::int64_t i = 0; i < count; ++i) {
        Buffer buffer;
        buffer.bytes = random.between(0, 9) == 0 ? 0 : random.between(1, 1000);
        const std::int64_t intervals = random.between(1, 3);
        for (std::int64_t k = 0; k < intervals; ++k) {
            const std::int64_t begin = random.between(0, 40);
            buffer.live.add({begin, begin + random.between(1, 10)});
        }
        buffer.arena =
            ArenaId(static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(problem.arenas.size()) - 1)));
        buffer.alignment = problem.arenas[buffer.arena.index()].alignment;
        problem.buffers.push_back(std::move(buffer));
    }
    return problem;
}

bool meetInTime(const Buffer& a, const Buffer& b)
{
    for (const Interval x : a.live.intervals()) {
        for (const Interval y : b.live.intervals()) {
            if (x.begin < y.end && y.begin < x.end) return true;
        }
    }
    return false;
}

/// What is wrong with a plan, by looking at all pairs; empty when nothing is.
QString trouble(const Problem& problem, const Plan& plan)
{
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        const Buffer& a = problem.buffers[i];
        const Allocation& at = plan.allocations[i];
        if (at.offset < 0 || at.offset % a.alignment != 0) return QStringLiteral("%1 is misaligned").arg(i);
        if (at.arena != a.arena) return QStringLiteral("%1 is in the wrong arena").arg(i);
        if (at.offset + a.bytes > plan.arenaBytes[a.arena.index()])
            return QStringLiteral("%1 is beyond its arena").arg(i);
        for (std::size_t j = 0; j < i; ++j) {
            const Buffer& b = problem.buffers[j];
            const std::int64_t other = plan.allocations[j].offset;
            const bool bytes = a.arena == b.arena && at.offset < other + b.bytes && other < at.offset + a.bytes;
            if (bytes && meetInTime(a, b)) return QStringLiteral("%1 and %2 overlap").arg(j).arg(i);
        }
    }
    return {};
}

std::int64_t sum(const std::vector<std::int64_t>& numbers)
{
    return std::accumulate(numbers.begin(), numbers.end(), std::int64_t {0});
}

/// Most live bytes at any step, step by step.
std::int64_t slowLowerBound(const Problem& problem)
{
    std::int64_t bound = 0;
    for (std::size_t arena = 0; arena < problem.arenas.size(); ++arena) {
        std::int64_t most = 0;
        for (std::int64_t step = 0; step < 60; ++step) {
            std::int64_t live = 0;
            for (const Buffer& buffer : problem.buffers) {
                const std::int64_t unit = problem.arenas[arena].alignment;
                if (buffer.arena.index() == arena && buffer.live.contains(step))
                    live += (buffer.bytes + unit - 1) / unit * unit;
            }
            most = std::max(most, live);
        }
        bound += most;
    }
    return bound;
}

/// A training-like load: short lives, a few long ones.
Problem largeProblem(std::int64_t count, unsigned seed)
{
    Random random(seed);
    Problem problem;
    problem.arenas = {{"cpu", 64, {}}};
    for (std::int64_t i = 0; i < count; ++i) {
        Buffer buffer;
        buffer.bytes = random.between(1, 1 << 20);
        const std::int64_t life = random.between(0, 19) == 0 ? random.between(10, 2000) : random.between(1, 8);
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
    void plansAreLegalAndBetweenTheirBounds()
    {
        const unsigned first =
            qEnvironmentVariableIsSet("PLIMSOLL_SEED") ? qEnvironmentVariableIntValue("PLIMSOLL_SEED") : 20'260'101;
        for (unsigned seed = first; seed < first + 300; ++seed) {
            Random random(seed);
            const Problem problem = randomProblem(random);
            QCOMPARE(sum(lowerBounds(problem)), slowLowerBound(problem));
            std::vector<std::string_view> algorithms = {"best"};
            for (const std::string_view algorithm : placementAlgorithms())
                algorithms.push_back(algorithm);
            for (const std::string_view algorithm : algorithms) {
                const Plan plan = place(problem, algorithm, {}).value();
                const QString wrong = trouble(problem, plan);
                const std::int64_t peak = sum(plan.arenaBytes);
                const bool bounded = sum(lowerBounds(problem)) <= peak && peak <= sum(noReuseBytes(problem));
                QVERIFY2(wrong.isEmpty() && bounded, qPrintable(QStringLiteral("seed %1, %2: %3, peak %4")
                                                                    .arg(seed)
                                                                    .arg(QLatin1String(algorithm.data()))
                                                                    .arg(wrong)
                                                                    .arg(peak)));
            }
        }
    }

    void theSameProblemGivesTheSamePlan()
    {
        const Problem problem = largeProblem(2000, 7);

        const Plan first = place(problem, "best", {}).value();
        const Plan second = place(problem, "best", {}).value();

        QCOMPARE(first.algorithm, second.algorithm);
        for (std::size_t i = 0; i < first.allocations.size(); ++i)
            QCOMPARE(first.allocations[i].offset, second.allocations[i].offset);
    }

    void manyBuffersAreLegalToo()
    {
        QElapsedTimer timer;
        const Problem small = largeProblem(3000, 1);
        timer.start();
        QVERIFY(place(small, "best", {}).ok());
        qInfo("3,000 buffers, best: %lld ms", timer.restart());
        const Problem large = largeProblem(100'000, 1);
        timer.restart();
        const Plan plan = place(large, "first-fit-by-step", {}).value();
        qInfo("100,000 buffers, first-fit-by-step: %lld ms", timer.restart());
        const Plan best = place(large, "best", {}).value();
        qInfo("100,000 buffers, best: %lld ms", timer.restart());
        QVERIFY(sum(best.arenaBytes) <= sum(plan.arenaBytes));
        QVERIFY(sum(lowerBounds(large)) <= sum(best.arenaBytes));
    }
};

QTEST_APPLESS_MAIN(tst_PlacementRandom)
#include "tst_placement_random.moc"
