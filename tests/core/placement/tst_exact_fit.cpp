#include "core/placement/exact/exact_fit.h"

#include <QtTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <random>
#include <thread>

using namespace plimsoll;

namespace {

FitItem item(std::int64_t begin, std::int64_t end, std::int64_t bytes)
{
    FitItem made;
    made.live = LiveRanges({begin, end});
    made.bytes = bytes;
    return made;
}

FitItem pinned(std::int64_t begin, std::int64_t end, std::int64_t bytes, std::int64_t offset)
{
    FitItem made = item(begin, end, bytes);
    made.pin = offset;
    return made;
}

/// Empty when legal; written apart from what it judges: every pair, every step range.
std::string faultOf(const std::vector<FitItem>& items, const std::vector<std::int64_t>& offsets)
{
    if (offsets.size() != items.size()) return "an offset is missing";
    for (std::size_t a = 0; a < items.size(); ++a) {
        const std::string name = "item " + std::to_string(a);
        if (items[a].pin && offsets[a] != *items[a].pin) return name + " left its pin";
        if (offsets[a] < 0) return name + " is below zero";
        if (!items[a].pin && offsets[a] % items[a].alignment != 0) return name + " is not aligned";
        for (std::size_t b = 0; b < a; ++b) {
            if (items[a].pin && items[b].pin) continue;
            if (!overlaps(items[a].live, items[b].live)) continue;
            if (items[a].bytes == 0 || items[b].bytes == 0) continue;
            if (offsets[a] < offsets[b] + items[b].bytes && offsets[b] < offsets[a] + items[a].bytes)
                return name + " collides with " + std::to_string(b);
        }
    }
    return {};
}

std::int64_t peakOf(const std::vector<FitItem>& items, const std::vector<std::int64_t>& offsets)
{
    std::int64_t peak = 0;
    for (std::size_t index = 0; index < items.size(); ++index) {
        if (items[index].bytes > 0 && !items[index].live.empty())
            peak = std::max(peak, offsets[index] + items[index].bytes);
    }
    return peak;
}

/// The lowest offset that suits what is placed already, found by trying every candidate.
std::int64_t lowestOffset(const std::vector<FitItem>& items, const std::vector<std::size_t>& placed,
                          const std::vector<std::int64_t>& offsets, std::size_t self)
{
    std::vector<std::int64_t> candidates {0};
    for (const std::size_t other : placed) {
        const std::int64_t end = offsets[other] + items[other].bytes;
        candidates.push_back((end + items[self].alignment - 1) / items[self].alignment * items[self].alignment);
    }
    std::sort(candidates.begin(), candidates.end());
    for (const std::int64_t candidate : candidates) {
        const bool free = std::none_of(placed.begin(), placed.end(), [&](std::size_t other) {
            return overlaps(items[self].live, items[other].live) && offsets[other] < candidate + items[self].bytes &&
                   candidate < offsets[other] + items[other].bytes;
        });
        if (free) return candidate;
    }
    return candidates.back();
}

/// First-fit in every order; some order gives every plan that is pushed down to the bottom, so also a lowest one.
std::int64_t bruteForce(const std::vector<FitItem>& items)
{
    std::vector<std::size_t> order;
    std::vector<std::size_t> pins;
    std::vector<std::int64_t> offsets(items.size(), 0);
    for (std::size_t index = 0; index < items.size(); ++index) {
        if (items[index].bytes == 0 || items[index].live.empty()) continue;
        offsets[index] = items[index].pin.value_or(0);
        (items[index].pin ? pins : order).push_back(index);
    }
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    do {
        std::vector<std::size_t> placed = pins;
        for (const std::size_t index : order) {
            offsets[index] = lowestOffset(items, placed, offsets, index);
            placed.push_back(index);
        }
        std::int64_t peak = 0;
        for (const std::size_t index : placed)
            peak = std::max(peak, offsets[index] + items[index].bytes);
        best = std::min(best, peak);
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

struct Family
{
    int most = 6; ///< Items.
    std::int64_t mostBytes = 6;
    bool gaps = false;
    bool pins = false;
    bool alignments = false;
    bool huge = false; ///< Some alignments are far above the load.
};

class Source
{
public:
    explicit Source(unsigned seed) : m_random(seed) {}

    /// Also of [first, last].
    std::int64_t pick(std::int64_t first, std::int64_t last)
    {
        return first + static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(last - first + 1));
    }

    std::vector<FitItem> problem(const Family& family)
    {
        std::vector<FitItem> items(static_cast<std::size_t>(pick(1, family.most)));
        const std::int64_t steps = pick(1, 8);
        for (FitItem& made : items) {
            made.bytes = pick(0, 9) == 0 ? 0 : pick(1, family.mostBytes);
            made.live = range(steps);
            if (family.gaps && pick(0, 2) == 0) made.live.add(range(steps));
            if (family.pins && pick(0, 3) == 0) made.pin = pick(0, 2 * family.mostBytes);
            if (family.alignments) made.alignment = std::int64_t {1} << pick(0, 3);
            if (family.alignments && pick(0, 4) == 0) made.alignment = 3;
            if (family.huge && pick(0, 2) == 0) made.alignment = (std::int64_t {1} << pick(20, 40)) + pick(0, 1);
        }
        return items;
    }

private:
    LiveRanges range(std::int64_t steps)
    {
        const std::int64_t begin = pick(0, steps - 1);
        return LiveRanges({begin, pick(0, 15) == 0 ? begin : pick(begin + 1, steps)});
    }

    std::mt19937_64 m_random;
};

std::string describe(const std::vector<FitItem>& items)
{
    std::string text;
    for (const FitItem& made : items) {
        for (const Interval steps : made.live.intervals())
            text += "[" + std::to_string(steps.begin) + "," + std::to_string(steps.end) + ")";
        text += " " + std::to_string(made.bytes) + " a" + std::to_string(made.alignment);
        if (made.pin) text += " pin " + std::to_string(*made.pin);
        text += "\n";
    }
    return text;
}

} // namespace

class TestExactFit : public QObject
{
    Q_OBJECT

private slots:
    void aKnownOptimumIsFoundAndProved_data();
    void aKnownOptimumIsFoundAndProved();
    void bruteForceConfirmsEveryOptimum_data();
    void bruteForceConfirmsEveryOptimum();
    void tooFullAStepIsTheReason();
    void aPinAboveTheCapacityIsTheReason();
    void pinsAreKeptWhateverTheyDoToEachOther();
    void aCapacityThatOnlyASearchRefutesHasNoPlainReason();
    void theLargestSizesDoNotOverflow();
    void equalItemsCostNoSearch();
    void independentPartsDoNotMultiplyTheSearch();
    void theSameSeedGivesTheSameAnswer();
    void aKnownPlanIsNeverMadeWorse();
    void runningOutOfNodesIsNotCalledImpossible();
    void aStopIsObeyedAtOnce();
    void aStopIsObeyedWhileItIsSetUp();
    void nothingToPlaceIsOptimal();
};

void TestExactFit::aKnownOptimumIsFoundAndProved_data()
{
    QTest::addColumn<std::vector<FitItem>>("items");
    QTest::addColumn<std::int64_t>("optimum");
    QTest::newRow("one") << std::vector {item(0, 1, 7)} << std::int64_t {7};
    QTest::newRow("touching in time") << std::vector {item(0, 1, 7), item(1, 2, 5)} << std::int64_t {7};
    QTest::newRow("overlapping") << std::vector {item(0, 2, 7), item(1, 3, 5)} << std::int64_t {12};
    // The load never passes 4, yet the two long ones cannot both have room beside what comes and goes.
    QTest::newRow("five of the public suite")
        << std::vector {item(0, 3, 4), item(3, 9, 4), item(0, 9, 4), item(9, 21, 4), item(0, 21, 4)}
        << std::int64_t {12};
    FitItem split = item(0, 1, 3);
    split.live.add({2, 3});
    QTest::newRow("a gap is reused") << std::vector {split, item(1, 2, 3)} << std::int64_t {3};
    FitItem coarse = item(0, 2, 1);
    coarse.alignment = 8;
    FitItem coarser = coarse;
    QTest::newRow("alignment costs") << std::vector {coarse, coarser} << std::int64_t {9};
    QTest::newRow("below a pin") << std::vector {pinned(0, 2, 4, 4), item(0, 2, 4)} << std::int64_t {8};
    QTest::newRow("too large below a pin") << std::vector {pinned(0, 2, 4, 4), item(0, 2, 5)} << std::int64_t {13};
}

void TestExactFit::aKnownOptimumIsFoundAndProved()
{
    QFETCH(const std::vector<FitItem>, items);
    QFETCH(const std::int64_t, optimum);
    const Minimum found = minimise(items, {}, {});
    QCOMPARE(faultOf(items, found.offsets), std::string());
    QCOMPARE(found.peak, optimum);
    QCOMPARE(peakOf(items, found.offsets), optimum);
    QVERIFY(found.optimal);
    QCOMPARE(fitInto(items, optimum, {}, {}).verdict, FitVerdict::Fits);
    QCOMPARE(fitInto(items, optimum - 1, {}, {}).verdict, FitVerdict::Impossible);
}

void TestExactFit::bruteForceConfirmsEveryOptimum_data()
{
    QTest::addColumn<Family>("family");
    QTest::addColumn<int>("problems");
    QTest::newRow("plain") << Family {7, 6} << 500;
    QTest::newRow("few sizes, many twins") << Family {7, 2} << 500;
    QTest::newRow("large sizes") << Family {6, 1'000'003} << 1500;
    QTest::newRow("gaps") << Family {6, 6, true} << 4000;
    QTest::newRow("gaps, few sizes") << Family {7, 3, true} << 1000;
    QTest::newRow("pins") << Family {6, 6, false, true} << 2000;
    QTest::newRow("alignments") << Family {6, 9, false, false, true} << 2000;
    QTest::newRow("all at once") << Family {6, 9, true, true, true} << 3000;
    QTest::newRow("huge alignments") << Family {6, 9, false, false, true, true} << 1500;
    QTest::newRow("huge alignments, all at once") << Family {6, 9, true, true, true, true} << 1500;
}

void TestExactFit::bruteForceConfirmsEveryOptimum()
{
    QFETCH(const Family, family);
    QFETCH(const int, problems);
    constexpr unsigned Seed = 20'240'611;
    qInfo("seed %u", Seed);
    Source source(Seed);
    int aboveTheLoad = 0;
    for (int problem = 0; problem < problems; ++problem) {
        const std::vector<FitItem> items = source.problem(family);
        const std::string text = describe(items);
        const std::int64_t optimum = bruteForce(items);
        const Minimum found = minimise(items, {}, {});
        QVERIFY2(faultOf(items, found.offsets).empty(), (faultOf(items, found.offsets) + "\n" + text).c_str());
        QCOMPARE(peakOf(items, found.offsets), found.peak);
        QVERIFY2(found.optimal && found.peak == optimum,
                 (std::to_string(found.peak) + " for " + std::to_string(optimum) + "\n" + text).c_str());
        QVERIFY(exactBound(items) <= optimum);
        if (exactBound(items) < optimum) ++aboveTheLoad;
        const FitAnswer fits = fitInto(items, optimum, {}, {});
        QVERIFY2(fits.verdict == FitVerdict::Fits, text.c_str());
        QVERIFY2(faultOf(items, fits.offsets).empty(), (faultOf(items, fits.offsets) + "\n" + text).c_str());
        QVERIFY(peakOf(items, fits.offsets) <= optimum);
        QVERIFY2(fitInto(items, optimum - 1, {}, {}).verdict == FitVerdict::Impossible, text.c_str());
    }
    qInfo("%d of %d optima are above the bound that takes no search", aboveTheLoad, problems);
    QVERIFY(aboveTheLoad > 0 || !(family.gaps || family.pins || family.alignments));
}

void TestExactFit::tooFullAStepIsTheReason()
{
    const std::vector<FitItem> items {item(0, 4, 3), item(2, 6, 5), item(3, 5, 4), item(5, 9, 4)};
    const FitAnswer answer = fitInto(items, 11, {}, {});
    QCOMPARE(answer.verdict, FitVerdict::Impossible);
    QVERIFY(answer.conflict.has_value());
    QCOMPARE(answer.conflict->step, 3);
    QCOMPARE(answer.conflict->bytes, 12);
    QCOMPARE(answer.conflict->items, (std::vector<std::size_t> {0, 1, 2}));
    QCOMPARE(answer.nodes, 0);
}

void TestExactFit::aPinAboveTheCapacityIsTheReason()
{
    const FitAnswer answer = fitInto(std::vector {item(0, 4, 3), pinned(2, 6, 5, 10)}, 14, {}, {});
    QCOMPARE(answer.verdict, FitVerdict::Impossible);
    QVERIFY(answer.conflict.has_value());
    QCOMPARE(answer.conflict->items, (std::vector<std::size_t> {1}));
    QCOMPARE(answer.conflict->bytes, 15);
}

void TestExactFit::pinsAreKeptWhateverTheyDoToEachOther()
{
    const std::vector<FitItem> items {pinned(0, 4, 6, 2), pinned(1, 3, 6, 4), item(0, 9, 2), item(2, 3, 3)};
    const Minimum found = minimise(items, {}, {});
    QCOMPARE(faultOf(items, found.offsets), std::string());
    QCOMPARE(found.peak, 13);
    QVERIFY(found.optimal);
}

void TestExactFit::aCapacityThatOnlyASearchRefutesHasNoPlainReason()
{
    Source source(1);
    std::vector<FitItem> items;
    for (int attempt = 0; attempt < 5000 && bruteForce(items) == exactBound(items); ++attempt)
        items = source.problem({6, 6, true});
    QVERIFY(bruteForce(items) > exactBound(items));
    const FitAnswer answer = fitInto(items, bruteForce(items) - 1, {}, {});
    QCOMPARE(answer.verdict, FitVerdict::Impossible);
    QVERIFY(!answer.conflict.has_value());
}

void TestExactFit::theLargestSizesDoNotOverflow()
{
    constexpr std::int64_t Huge = std::int64_t {1} << 60;
    std::vector<FitItem> items {item(0, 2, Huge), item(1, 3, Huge - 1), item(2, 5, Huge), item(0, 9, 7)};
    items[3].alignment = 4096;
    const Minimum found = minimise(items, {}, {});
    QCOMPARE(faultOf(items, found.offsets), std::string());
    QVERIFY(found.optimal);
    QCOMPARE(found.peak, 2 * Huge + 6);
    QCOMPARE(fitInto(items, std::numeric_limits<std::int64_t>::max(), {}, {}).verdict, FitVerdict::Fits);
    QCOMPARE(fitInto(items, -1, {}, {}).verdict, FitVerdict::Impossible);
}

void TestExactFit::equalItemsCostNoSearch()
{
    std::vector<FitItem> items(40, item(0, 2, 2));
    for (FitItem& odd : items)
        odd.alignment = 3; // each takes 3, apart from the last: 119 for a load of 80
    FitOptions options;
    options.nodes = 2'000;
    QCOMPARE(fitInto(items, 118, options, {}).verdict, FitVerdict::Impossible);
    QCOMPARE(fitInto(items, 119, options, {}).verdict, FitVerdict::Fits);
}

void TestExactFit::independentPartsDoNotMultiplyTheSearch()
{
    // Twelve times the same knot, one after another, under a roof that only the first step of each touches.
    std::vector<FitItem> items;
    Source source(7);
    for (int part = 0; part < 12; ++part) {
        const std::int64_t at = part * 20;
        for (int repeat = 0; repeat < 9; ++repeat) {
            const std::int64_t begin = source.pick(0, 7);
            items.push_back(item(at + begin, at + source.pick(begin + 1, 9), source.pick(1, 9)));
        }
    }
    MinimiseOptions options;
    options.nodes = 20'000;
    const Minimum found = minimise(items, options, {});
    QCOMPARE(faultOf(items, found.offsets), std::string());
    QVERIFY(found.optimal);
}

void TestExactFit::theSameSeedGivesTheSameAnswer()
{
    Source source(11);
    std::vector<FitItem> items;
    for (int index = 0; index < 60; ++index) {
        const std::int64_t begin = source.pick(0, 30);
        items.push_back(item(begin, source.pick(begin + 1, 40), source.pick(1, 50)));
    }
    MinimiseOptions options;
    options.nodes = 3'000;
    options.seed = 5;
    const Minimum once = minimise(items, options, {});
    const Minimum twice = minimise(items, options, {});
    QCOMPARE(once.offsets, twice.offsets);
    QCOMPARE(once.nodes, twice.nodes);
    QCOMPARE(once.bound, twice.bound);
}

void TestExactFit::aKnownPlanIsNeverMadeWorse()
{
    const std::vector<FitItem> items {item(0, 4, 3), item(2, 6, 5), item(5, 9, 4)};
    const std::vector<std::int64_t> known {0, 3, 8};
    MinimiseOptions options;
    options.nodes = 0;
    options.known = known;
    std::vector<std::int64_t> peaks;
    options.improved = [&peaks](const Minimum& now) { peaks.push_back(now.peak); };
    const Minimum found = minimise(items, options, {});
    QVERIFY(found.peak <= 12);
    QCOMPARE(peaks.front(), 12);
    QVERIFY(std::is_sorted(peaks.rbegin(), peaks.rend()));
}

void TestExactFit::runningOutOfNodesIsNotCalledImpossible()
{
    Source source(3);
    std::vector<FitItem> items;
    for (int index = 0; index < 120; ++index) {
        const std::int64_t begin = source.pick(0, 60);
        items.push_back(item(begin, source.pick(begin + 1, 70), source.pick(1, 1000)));
    }
    FitOptions options;
    options.nodes = 5;
    const FitAnswer answer = fitInto(items, exactBound(items), options, {});
    QCOMPARE(answer.verdict, FitVerdict::GaveUp);
    QVERIFY(answer.offsets.empty());
    QVERIFY(answer.nodes <= 6);
}

void TestExactFit::aStopIsObeyedAtOnce()
{
    Source source(4);
    std::vector<FitItem> items;
    for (int index = 0; index < 1500; ++index) {
        const std::int64_t begin = source.pick(0, 400);
        items.push_back(item(begin, source.pick(begin + 1, begin + 100), source.pick(1, 1'000'000)));
    }
    std::stop_source stop;
    Context context;
    context.stop = stop.get_token();
    std::atomic<std::chrono::steady_clock::time_point> stopped {};
    std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        stopped = std::chrono::steady_clock::now();
        stop.request_stop();
    });
    MinimiseOptions options;
    options.nodes = std::numeric_limits<std::int64_t>::max();
    const Minimum found = minimise(items, options, context);
    const auto end = std::chrono::steady_clock::now();
    later.join();
    QCOMPARE(faultOf(items, found.offsets), std::string());
    if (found.optimal) QSKIP("solved before it could be stopped");
    QVERIFY(end - stopped.load() < std::chrono::milliseconds(500));
}

void TestExactFit::aStopIsObeyedWhileItIsSetUp()
{
    Source source(8);
    std::vector<FitItem> items;
    for (int index = 0; index < 3000; ++index) {
        const std::int64_t begin = source.pick(0, 1500);
        items.push_back(item(begin, source.pick(begin + 1, 3000), source.pick(1, 1'000'000)));
    }
    for (const int after : {0, 1, 10, 30, 100, 200}) {
        std::stop_source stop;
        Context context;
        context.stop = stop.get_token();
        std::chrono::steady_clock::time_point stopped;
        std::jthread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(after));
            stopped = std::chrono::steady_clock::now();
            stop.request_stop();
        });
        const Minimum found = minimise(items, {}, context);
        const auto end = std::chrono::steady_clock::now();
        later.join();
        QCOMPARE(found.offsets.size(), items.size());
        QVERIFY2(found.optimal || end - stopped < std::chrono::milliseconds(500), QByteArray::number(after));
    }
}

void TestExactFit::nothingToPlaceIsOptimal()
{
    const Minimum none = minimise({}, {}, {});
    QCOMPARE(none.peak, 0);
    QVERIFY(none.optimal);
    const std::vector<FitItem> idle {item(3, 3, 9), item(0, 4, 0)};
    const Minimum found = minimise(idle, {}, {});
    QCOMPARE(found.peak, 0);
    QCOMPARE(found.offsets.size(), std::size_t {2});
    QVERIFY(found.optimal);
    QCOMPARE(fitInto(idle, 0, {}, {}).verdict, FitVerdict::Fits);
}

QTEST_APPLESS_MAIN(TestExactFit)
#include "tst_exact_fit.moc"
