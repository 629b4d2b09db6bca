#include "core/placement/exact/exact_model.h"
#include "core/placement/fit/random_keys.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace plimsoll;

namespace {

constexpr std::int64_t Steps = 40;
const Context Unwatched;

/// Up to 24 items; some stand twice, have gaps, coarse alignments or pins, or neither bytes nor a step.
std::vector<FitItem> randomItems(std::uint64_t seed)
{
    Randomness random(seed);
    std::vector<FitItem> items;
    for (std::size_t left = 1 + random.below(24); left > 0; --left) {
        FitItem item;
        const auto begin = static_cast<std::int64_t>(random.below(30));
        const auto end = begin + 1 + static_cast<std::int64_t>(random.below(8));
        if (random.below(12) > 0) item.live.add({begin, end});
        if (random.below(4) == 0) item.live.add({std::min(end + 1, Steps - 1), Steps});
        item.bytes = static_cast<std::int64_t>(6 * random.below(9));
        if (random.below(3) == 0) item.alignment = 4;
        if (random.below(4) == 0) item.pin = static_cast<std::int64_t>(3 * random.below(20));
        if (random.below(4) == 0) items.push_back(item);
        items.push_back(std::move(item));
    }
    return items;
}

bool counts(const FitItem& item)
{
    return item.bytes > 0 && !item.live.empty();
}

bool isFree(const std::vector<FitItem>& items, std::size_t index, std::int64_t offset)
{
    const FitItem& own = items[index];
    return offset % own.alignment == 0 && std::ranges::none_of(items, [&](const FitItem& other) {
               const bool pinned = other.pin && counts(other) && overlaps(own.live, other.live);
               return pinned && *other.pin < offset + own.bytes && offset < *other.pin + other.bytes;
           });
}

} // namespace

/// The lists that the exact search works on, beside what its items say one by one.
class FitModelTest : public QObject
{
    Q_OBJECT

private slots:
    void everyItemThatCanMoveIsThere_data() { addSeeds(); }
    void everyItemThatCanMoveIsThere()
    {
        const std::vector<FitItem> items = makeItems();
        const FitModel model = makeFitModel(items, Unwatched).value();

        std::set<std::size_t> movable;
        for (std::size_t i = 0; i < items.size(); ++i)
            if (counts(items[i]) && !items[i].pin) movable.insert(i);

        QCOMPARE(std::set(model.source.begin(), model.source.end()), movable);
        QCOMPARE(model.source.size(), movable.size());
        for (std::int32_t item = 0; item < itemCount(model); ++item) {
            const FitItem& own = itemOf(items, model, item);
            const auto at = static_cast<std::size_t>(item);
            QCOMPARE(model.bytes[at], own.bytes);
            std::int64_t alive = 0;
            for (std::int64_t step = 0; step < Steps; ++step)
                alive += own.live.contains(step) ? 1 : 0;
            QCOMPARE(model.lifetime[at], alive);
            if (model.twin[at] < 0) continue;
            const FitItem& twin = itemOf(items, model, model.twin[at]);
            QVERIFY(model.twin[at] < item);
            QVERIFY(twin.bytes == own.bytes && twin.alignment == own.alignment && twin.live == own.live);
        }
    }

    void neighboursAreThoseThatMeet_data() { addSeeds(); }
    void neighboursAreThoseThatMeet()
    {
        const std::vector<FitItem> items = makeItems();
        const FitModel model = makeFitModel(items, Unwatched).value();
        for (std::int32_t item = 0; item < itemCount(model); ++item) {
            const auto listed = model.neighbours[item];
            const std::set<std::int32_t> neighbours(listed.begin(), listed.end());
            QCOMPARE(neighbours.size(), listed.size());
            for (std::int32_t other = 0; other < itemCount(model); ++other) {
                const bool meets = overlaps(itemOf(items, model, item).live, itemOf(items, model, other).live);
                QCOMPARE(neighbours.contains(other), item != other && meets);
            }
        }
    }

    /// Each section is a step; none is fuller than all of them.
    void sectionsAreTheStepsThatMatter_data() { addSeeds(); }
    void sectionsAreTheStepsThatMatter()
    {
        const std::vector<FitItem> items = makeItems();
        const FitModel model = makeFitModel(items, Unwatched).value();
        std::set<std::set<std::size_t>> together; // of every step: what is alive and can move
        for (std::int64_t step = 0; step < Steps; ++step) {
            std::set<std::size_t> alive;
            for (const std::size_t index : model.source)
                if (items[index].live.contains(step)) alive.insert(index);
            together.insert(alive);
        }
        std::set<std::set<std::size_t>> kept;
        for (std::int32_t section = 0; section < sectionCount(model); ++section) {
            std::set<std::size_t> alive;
            std::int64_t load = 0;
            for (const std::int32_t item : model.live[section]) {
                alive.insert(model.source[static_cast<std::size_t>(item)]);
                load += model.bytes[static_cast<std::size_t>(item)];
            }
            QCOMPARE(model.load[static_cast<std::size_t>(section)], load);
            QVERIFY(sectionBound(model, section) >= load);
            for (const std::size_t index : model.source)
                QCOMPARE(alive.contains(index),
                         items[index].live.contains(model.step[static_cast<std::size_t>(section)]));
            kept.insert(alive);
        }
        for (const auto& alive : together) {
            const bool within = alive.empty() || std::ranges::any_of(kept, [&](const auto& more) {
                                    return std::ranges::includes(more, alive);
                                });
            QVERIFY2(within, "what is alive at some step is in no section together");
        }
    }

    void theFirstFreeOffsetIsTheLowest_data() { addSeeds(); }
    void theFirstFreeOffsetIsTheLowest()
    {
        const std::vector<FitItem> items = makeItems();
        const FitModel model = makeFitModel(items, Unwatched).value();
        for (std::int32_t item = 0; item < itemCount(model); ++item) {
            const std::size_t index = model.source[static_cast<std::size_t>(item)];
            for (std::int64_t from = 0; from < 130; from += 7) {
                std::int64_t lowest = from;
                while (!isFree(items, index, lowest))
                    ++lowest;
                QCOMPARE(firstFree(model, item, from), lowest);
            }
        }
    }

    /// A plan that is pushed down has offsets and ends that the unit divides.
    void theUnitDividesWhatIsPushedDown_data() { addSeeds(); }
    void theUnitDividesWhatIsPushedDown()
    {
        const std::vector<FitItem> items = makeItems();
        const FitModel model = makeFitModel(items, Unwatched).value();
        for (std::int32_t item = 0; item < itemCount(model); ++item) {
            const std::int64_t offset = firstFree(model, item, 0);
            QCOMPARE(offset % model.unit, 0);
            QCOMPARE((offset + model.bytes[static_cast<std::size_t>(item)]) % model.unit, 0);
        }
        const auto pinned = [](const FitItem& item) { return item.pin && counts(item); };
        QCOMPARE(model.hasPins, std::ranges::any_of(items, pinned));
        for (const FitItem& item : items)
            if (pinned(item)) QVERIFY(*item.pin + item.bytes <= model.pinnedEnd);
    }

    void aStopMakesNoModel()
    {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!makeFitModel(std::vector<FitItem> {{LiveRanges({0, 4}), 8, 1, {}}}, {stop.get_token(), {}}));
    }

private:
    static void addSeeds()
    {
        QTest::addColumn<std::uint64_t>("seed");
        for (std::uint64_t seed = 1; seed <= 60; ++seed)
            QTest::addRow("seed %d", static_cast<int>(seed)) << seed;
    }
    static std::vector<FitItem> makeItems()
    {
        QFETCH(std::uint64_t, seed);
        return randomItems(seed);
    }
    static const FitItem& itemOf(const std::vector<FitItem>& items, const FitModel& model, std::int32_t item)
    {
        return items[model.source[static_cast<std::size_t>(item)]];
    }
};

QTEST_APPLESS_MAIN(FitModelTest)
#include "tst_fit_model.moc"
