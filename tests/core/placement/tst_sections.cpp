#include "core/placement/fit/random_keys.h"
#include "core/placement/placement.h"
#include "core/placement/search/held_part.h"
#include "core/placement/search/load.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace plimsoll;

namespace {

const Context Unwatched;

/// Up to 60 buffers in two arenas, some with gaps, pins, coarse alignments, without bytes or never alive. Pins stand
/// far apart, so that they never clash.
Problem randomProblem(std::uint64_t seed, bool plain)
{
    Randomness random(seed);
    Problem problem;
    problem.arenas = {{"cpu", 1, {}}, {"sram", 16, {}}};
    const std::size_t count = 1 + random.below(60);
    for (std::size_t i = 0; i < count; ++i) {
        const auto begin = static_cast<std::int64_t>(10 * random.below(12));
        const auto end = begin + static_cast<std::int64_t>(10 * random.below(5)) + 3;
        Buffer buffer;
        buffer.arena = ArenaId(random.below(2));
        buffer.bytes = static_cast<std::int64_t>(4 * random.below(50));
        buffer.alignment = plain || random.below(4) > 0 ? 1 : 32;
        if (random.below(10) > 0) buffer.live.add({begin, end});
        if (!plain && random.below(4) == 0) buffer.live.add({end + 20, end + 25});
        if (!plain && random.below(10) == 0) buffer.pinnedOffset = static_cast<std::int64_t>(4096 * (i + 1));
        problem.buffers.push_back(std::move(buffer));
    }
    return problem;
}

bool meet(const Section& section, std::size_t a, std::size_t b)
{
    for (const RankSpan one : section.piecesOf(a)) {
        for (const RankSpan other : section.piecesOf(b))
            if (one.begin < other.end && other.begin < one.end) return true;
    }
    return false;
}

const Buffer& bufferOf(const Problem& problem, const Section& section, std::size_t item)
{
    return problem.buffers[static_cast<std::size_t>(section.ids[item])];
}

/// The most bytes alive at any step, counted step by step; at least the end of every pin.
std::int64_t mostAlive(const Problem& problem, ArenaId arena)
{
    std::int64_t most = 0;
    for (std::int64_t step = 0; step < 250; ++step) {
        std::int64_t now = 0;
        for (const Buffer& buffer : problem.buffers) {
            if (buffer.arena != arena || !buffer.live.contains(step)) continue;
            const std::int64_t bytes = roundedBytes(problem, buffer);
            now += bytes;
            if (buffer.pinnedOffset && bytes > 0) most = std::max(most, *buffer.pinnedOffset + bytes);
        }
        most = std::max(most, now);
    }
    return most;
}

} // namespace

/// Problems as the search sees them: arrays of ranks and units instead of steps and bytes.
class SectionsTest : public QObject
{
    Q_OBJECT

private slots:
    void ranksKeepWhatMeets_data() { addSeeds(); }
    void ranksKeepWhatMeets()
    {
        const Problem problem = makeProblem(false);

        const std::vector<ArenaTask> tasks = prepare(problem, Unwatched);

        QCOMPARE(tasks.size(), problem.arenas.size());
        std::size_t seen = 0;
        for (std::size_t arena = 0; arena < tasks.size(); ++arena) {
            const Section& all = tasks[arena].all;
            seen += all.count() + tasks[arena].asideIds.size();
            for (std::size_t a = 0; a < all.count(); ++a) {
                const Buffer& one = bufferOf(problem, all, a);
                QCOMPARE(one.arena, ArenaId(arena));
                QCOMPARE(all.sizes[a] * all.unit, roundedBytes(problem, one));
                QCOMPARE(all.pinned(a), one.pinnedOffset.has_value());
                if (all.pinned(a)) QCOMPARE(all.pins[a] * all.unit, *one.pinnedOffset);
                if (!all.pinned(a)) QCOMPARE(all.alignmentOf(a) * all.unit % one.alignment, 0);
                if (a > 0) QVERIFY(all.hulls[a - 1].begin <= all.hulls[a].begin);
                for (std::size_t b = 0; b < a; ++b)
                    QCOMPARE(meet(all, a, b), overlaps(one.live, bufferOf(problem, all, b).live));
            }
            for (const std::int32_t id : tasks[arena].asideIds) {
                const Buffer& aside = problem.buffers[static_cast<std::size_t>(id)];
                QVERIFY(aside.live.empty() || roundedBytes(problem, aside) == 0);
            }
        }
        QCOMPARE(seen, problem.buffers.size());
    }

    void theBoundIsWhatIsAliveAtOnce_data() { addSeeds(); }
    void theBoundIsWhatIsAliveAtOnce()
    {
        const Problem problem = makeProblem(false);

        const std::vector<ArenaTask> tasks = prepare(problem, Unwatched);

        for (std::size_t arena = 0; arena < tasks.size(); ++arena) {
            const Section& all = tasks[arena].all;
            const std::int64_t most = mostAlive(problem, ArenaId(arena));
            QCOMPARE(all.bound * all.unit, most);
            if (all.pins.empty() && all.count() > 0)
                QCOMPARE(std::ranges::max(loadOf(all)) * all.unit,
                         std::ranges::max(liveBytes(problem, ArenaId(arena), 250)));
        }
    }

    /// No buffer of one section meets one of another, and each section, cut out, is the same problem.
    void sectionsAreProblemsOfTheirOwn_data() { addSeeds(); }
    void sectionsAreProblemsOfTheirOwn()
    {
        const Problem problem = makeProblem(false);
        for (const ArenaTask& task : prepare(problem, Unwatched)) {
            const Section& all = task.all;
            QCOMPARE(task.sections.empty() ? 0 : task.sections.back(), all.count());
            std::int64_t highest = 0;
            for (std::size_t s = 0; s + 1 < task.sections.size(); ++s) {
                const std::size_t first = task.sections[s];
                const Section part = cutOut(all, first, task.sections[s + 1]);
                highest = std::max(highest, part.bound);
                for (std::size_t a = 0; a < part.count(); ++a) {
                    QCOMPARE(part.ids[a], all.ids[first + a]);
                    QVERIFY(part.hulls[a].end <= part.ranks);
                    for (std::size_t b = 0; b < a; ++b)
                        QCOMPARE(meet(part, a, b), meet(all, first + a, first + b));
                    for (std::size_t before = 0; before < first; ++before)
                        QVERIFY(!meet(all, first + a, before));
                }
            }
            QCOMPARE(highest, all.bound);
        }
    }

    void whatMeetsTheFreeOnesIsHeld_data() { addSeeds(); }
    void whatMeetsTheFreeOnesIsHeld()
    {
        QFETCH(std::uint64_t, seed);
        Randomness random(seed);
        const Problem problem = makeProblem(true);
        for (const ArenaTask& task : prepare(problem, Unwatched)) {
            const Section& all = task.all;
            if (all.count() == 0) continue;
            Packing packing {std::vector<std::int64_t>(all.count(), 0), 0}; // one on top of the other
            for (std::size_t item = 0; item < all.count(); ++item)
                packing.offsets[item] = std::exchange(packing.peak, packing.peak + all.sizes[item]);
            std::vector<std::uint32_t> free;
            for (std::uint32_t item = 0; item < all.count(); ++item)
                if (random.below(4) == 0) free.push_back(item);
            const std::int64_t limit = std::max<std::int64_t>(1, packing.peak / 2);

            const HeldPart part = holdAround(all, ItemsByTime(all), packing, free, limit);

            for (std::uint32_t item = 0; item < all.count(); ++item) {
                const auto at = std::ranges::find(part.items, item);
                const bool isFree = std::ranges::find(free, item) != free.end();
                const bool beside = std::ranges::any_of(free, [&](std::uint32_t one) { return meet(all, one, item); });
                QCOMPARE(at != part.items.end(), isFree || (beside && packing.offsets[item] < limit));
                if (at == part.items.end()) continue;
                const auto own = static_cast<std::size_t>(at - part.items.begin());
                QCOMPARE(part.section.pinned(own), !isFree);
                if (!isFree) QCOMPARE(part.section.pins[own], packing.offsets[item]);
                if (!isFree) QVERIFY(part.section.pins[own] + part.section.sizes[own] <= limit);
            }
            const std::vector<std::int64_t> before = packing.offsets;
            part.putBack(std::vector<std::int64_t>(part.items.size(), 7), packing);
            for (std::uint32_t item = 0; item < all.count(); ++item) {
                const bool moved = std::ranges::find(free, item) != free.end();
                QCOMPARE(packing.offsets[item], moved ? 7 : before[item]);
            }
        }
    }

    void aStopLeavesNoTasks()
    {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(prepare(randomProblem(1, true), {stop.get_token(), {}}).empty());
    }

private:
    static void addSeeds()
    {
        QTest::addColumn<std::uint64_t>("seed");
        for (std::uint64_t seed = 1; seed <= 60; ++seed)
            QTest::addRow("seed %d", static_cast<int>(seed)) << seed;
    }
    static Problem makeProblem(bool plain)
    {
        QFETCH(std::uint64_t, seed);
        return randomProblem(seed, plain);
    }
};

QTEST_APPLESS_MAIN(SectionsTest)
#include "tst_sections.moc"
