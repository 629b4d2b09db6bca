#include "core/analysis/sharing_bound.h"
#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"
#include "core/verify/verifier.h"
#include "tests/support/first_seed.h"
#include "tests/support/graph_text.h"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <random>

using namespace plimsoll;

namespace {

/// Every plan of a small graph, judged one by one: shares no code with what plans and bounds.
class Exhaustive
{
public:
    Exhaustive(const Report& report, std::int64_t alignment) : m_report(report), m_alignment(alignment)
    {
        const Graph& graph = *report.program.graph;
        for (std::size_t i = 0; i < graph.values.size(); ++i) {
            const PlannedValue& value = report.program.values[i];
            const bool inArena = value.storage.valid() && report.program.storages[value.storage.index()].arena.valid();
            const bool guest =
                report.program.map.values[i].host.valid() && report.program.map.values[i].host != ValueId(i);
            if (value.requiredBytes <= 0) continue;
            if (inArena || guest)
                m_planned.emplace_back(i);
            else if (!graph.values[i].data->present())
                m_hosts.emplace_back(i);
        }
    }

    [[nodiscard]] std::size_t planned() const { return m_planned.size(); }
    [[nodiscard]] std::int64_t tried() const { return m_tried; }

    /// Whether some plan of at most that height is legal.
    [[nodiscard]] bool fits(std::int64_t height)
    {
        m_map = m_report.program.map;
        m_map.arenas = {{"cpu", height, m_alignment, {}}};
        m_map.scratch.clear();
        return place(0, height);
    }

private:
    bool place(std::size_t index, std::int64_t height)
    {
        if (index == m_planned.size()) return legal();
        const ValueId value = m_planned[index];
        const std::int64_t bytes = m_report.program.values[value.index()].requiredBytes;
        ValuePlacement& where = m_map.values[value.index()];
        for (std::int64_t offset = 0; offset + bytes <= height; offset += m_alignment) {
            where = {ArenaId(std::int32_t {0}), offset, bytes};
            if (place(index + 1, height)) return true;
        }
        for (const ValueId host : m_hosts) {
            const std::int64_t room = m_report.program.values[host.index()].requiredBytes;
            for (std::int64_t offset = 0; offset + bytes <= room; offset += m_alignment) {
                where = {{}, offset, bytes, host};
                if (place(index + 1, height)) return true;
            }
        }
        return false;
    }

    bool legal()
    {
        ++m_tried;
        return std::ranges::none_of(verify({m_report.program, m_map}, {}),
                                    [](const Finding& finding) { return finding.severity == Severity::Error; });
    }

    const Report& m_report;
    std::int64_t m_alignment;
    std::vector<ValueId> m_planned;
    std::vector<ValueId> m_hosts; ///< Bytes of the caller.
    MemoryMap m_map;
    std::int64_t m_tried = 0;
};

/// The lowest height of the storages of a plan, whose sharing is kept: all offsets that keep them apart.
std::int64_t lowestOfSharing(const Report& report, std::int64_t alignment)
{
    std::vector<Storage> storages;
    for (const Storage& storage : report.program.storages)
        if (storage.arena.valid() && storage.bytes > 0) storages.push_back(storage);
    std::int64_t best = 0;
    for (const Storage& storage : storages)
        best += (storage.bytes + alignment - 1) / alignment * alignment;
    const auto meet = [](const Storage& a, const Storage& b) {
        const auto both = [&](Interval x) {
            return std::ranges::any_of(b.live.intervals(), [&](Interval y) { return overlaps(x, y); });
        };
        return std::ranges::any_of(a.live.intervals(), both) && a.offset < b.offset + b.bytes &&
               b.offset < a.offset + a.bytes;
    };
    const std::function<void(std::size_t, std::int64_t)> place = [&](std::size_t index, std::int64_t height) {
        if (height >= best) return;
        if (index == storages.size()) {
            best = height;
            return;
        }
        Storage& one = storages[index];
        for (one.offset = 0; one.offset < best; one.offset += alignment) {
            const bool free = std::none_of(storages.begin(), storages.begin() + static_cast<std::ptrdiff_t>(index),
                                           [&](const Storage& other) { return meet(one, other); });
            const std::int64_t end = (one.offset + one.bytes + alignment - 1) / alignment * alignment;
            if (free) place(index + 1, std::max(height, end));
        }
    };
    place(0, 0);
    return best;
}

/// Up to five values of a few bytes, in place, as views, as identities and not at all.
class RandomText
{
public:
    explicit RandomText(unsigned seed) : m_random(seed) {}

    std::string make()
    {
        m_text = "input x uint8[2]\n";
        m_names = {"x"};
        m_sizes = {2};
        const int nodes = 3 + below(3);
        for (int node = 0; node < nodes; ++node)
            add("v" + std::to_string(node));
        m_text += "output " + m_names.back();
        if (below(2)) m_text += " " + m_names[m_names.size() - 2];
        return m_text + "\n";
    }

    int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(m_random); }

private:
    void add(const std::string& name)
    {
        const std::size_t from = pick();
        const std::size_t other = pick();
        int size = 1 + below(3);
        std::string node;
        switch (below(6)) {
        case 0:
            node = "my::InPlace(" + m_names[from] + ") alias=0:in-place:0";
            size = m_sizes[from];
            break;
        case 1:
            node = "Identity(" + m_names[from] + ")";
            size = m_sizes[from];
            break;
        case 2:
            if (m_sizes[from] > 1) {
                node = "my::View(" + m_names[from] + ") alias=0:view:0:1";
                size = m_sizes[from] - 1;
                break;
            }
            [[fallthrough]];
        case 3:
            node = "Concat(" + m_names[from] + ", " + m_names[other] + ") axis=0";
            size = m_sizes[from] + m_sizes[other];
            break;
        default:
            node = "my::Op(" + m_names[from] + ", " + m_names[other] + ")";
        }
        if (size > 4) {
            node = "my::Op(" + m_names[from] + ")";
            size = 2;
        }
        m_text += name + " = " + node + "\n";
        if (node.starts_with("my::")) m_text += "value " + name + " uint8[" + std::to_string(size) + "]\n";
        m_names.push_back(name);
        m_sizes.push_back(size);
    }

    /// Late ones more often, so that chains come about.
    std::size_t pick()
    {
        const auto count = static_cast<int>(m_names.size());
        return static_cast<std::size_t>(std::max(below(count), below(count)));
    }

    std::mt19937 m_random;
    std::string m_text;
    std::vector<std::string> m_names;
    std::vector<int> m_sizes;
};

constexpr std::string_view Nested[] = {
    "input c bool[]\ninput x uint8[2]\na = my::Op(x)\nvalue a uint8[2]\ni: y = If(c)\nbody then_branch\n"
    "  t = my::Op(a)\n  value t uint8[3]\n  u = my::Op(t)\n  value u uint8[2]\n  output u\nend\nbody else_branch\n"
    "  e = my::In(a) alias=0:in-place:0\n  value e uint8[2]\n  output e\nend\nz = my::Op(y)\nvalue z uint8[1]\noutput "
    "z\n",
    "input c bool[]\ninput x uint8[2]\na = my::Op(x)\nvalue a uint8[2]\nb = my::Op(x)\nvalue b uint8[2]\n"
    "i: y = If(c)\nbody then_branch\n  output a\nend\nbody else_branch\n  output b\nend\noutput y\n",
    "input m int64[]\ninput s uint8[8]\na = my::Op(s)\nvalue a uint8[8]\nl: r = Loop(m, _, a)\nbody body\n"
    "  input i int64[]\n  input go bool[]\n  input v uint8[8]\n  on = Identity(go)\n"
    "  w = my::In(v) alias=0:in-place:0\n  value w uint8[8]\n  output on w\nend\noutput r\n",
};

Report planned(const std::string& text, const PlanRequest& request)
{
    Result<Report> report = analyse(test::graphFromText(text), request, {});
    if (!report.ok()) qFatal("%s\n%s", describe(report.error()).c_str(), text.c_str());
    return std::move(report).value();
}

} // namespace

/// What is said of a plan being lowest, of bounds and of capacities, beside all plans there are.
class Optimality : public QObject
{
    Q_OBJECT

private slots:
    void noLegalPlanIsBelowTheBoundForAnySharing()
    {
        const unsigned first = test::firstSeed(1);
        std::int64_t tried = 0;
        int tight = 0;
        int graphs = 0;
        for (unsigned seed = first; seed < first + 100; ++seed) {
            RandomText random(seed);
            const std::string text = random.make();
            PlanRequest request;
            request.policies.alignment = std::int64_t {1} << random.below(2);
            request.policies.outputs = std::array {OutputsPolicy::Independent, OutputsPolicy::External,
                                                   OutputsPolicy::Shared}[static_cast<std::size_t>(random.below(3))];
            checkBound(text, request, tried, tight);
            ++graphs;
            if (QTest::currentTestFailed()) qFatal("seed %u\n%s", seed, text.c_str());
        }
        qInfo("%d graphs, %lld plans, the bound is reached %d times", graphs, static_cast<long long>(tried), tight);
        QVERIFY(tight > graphs / 3);
    }

    void nestedGraphsKeepTheBoundToo()
    {
        std::int64_t tried = 0;
        int tight = 0;
        for (const std::string_view text : Nested) {
            PlanRequest request;
            request.policies.alignment = text.find("Loop") == std::string_view::npos ? 1 : 8;
            checkBound(std::string(text), request, tried, tight);
            if (QTest::currentTestFailed()) qFatal("%s", std::string(text).c_str());
        }
        QVERIFY(tried > 0);
    }

    void whatIsProvedLowestOfItsSharingIs()
    {
        const unsigned first = test::firstSeed(1);
        int proved = 0;
        for (unsigned seed = first; seed < first + 300; ++seed) {
            RandomText random(seed);
            const std::string text = random.make();
            PlanRequest request;
            request.policies.alignment = std::int64_t {1} << random.below(3);
            const Report report = planned(text, request);
            const std::int64_t lowest = lowestOfSharing(report, request.policies.alignment);
            QVERIFY2(report.memory.lowerBoundBytes <= lowest && lowest <= report.memory.peakBytes, text.c_str());
            QVERIFY2(report.planning.search->boundBytes <= lowest, text.c_str());
            if (!report.planning.search->optimal()) continue;
            ++proved;
            QVERIFY2(report.memory.peakBytes == lowest, text.c_str());
        }
        QVERIFY(proved > 200);
    }

    /// A capacity just below the bound, and one that some plan keeps.
    void aCapacityIsCalledHopelessOnlyWhereItIs()
    {
        const unsigned first = test::firstSeed(1);
        int hopeless = 0;
        for (unsigned seed = first; seed < first + 60; ++seed) {
            const std::string text = RandomText(seed).make();
            PlanRequest request;
            request.policies.alignment = 1;
            const std::int64_t peak = planned(text, request).memory.peakBytes;
            for (std::int64_t capacity = 0; capacity < peak; ++capacity) {
                request.policies.capacity = {{"cpu", capacity}};
                const Report report = planned(text, request);
                const bool said = std::ranges::any_of(report.verdict.findings, [](const Finding& finding) {
                    return english(finding.fix).starts_with("No plan of this order fits");
                });
                if (!said) continue;
                ++hopeless;
                QVERIFY2(!Exhaustive(report, 1).fits(capacity), text.c_str());
            }
        }
        QVERIFY(hopeless > 60);
    }

    /// What a broken plan lays over each other does not lower the bound, nor does it come from its own sharing.
    void aBrokenPlanIsMeasuredByWhatAnyPlanNeeds()
    {
        const std::string text =
            "input x uint8[64]\na = my::Op(x)\nvalue a uint8[64]\nb = my::Op(x)\nvalue b uint8[64]\n"
            "c = my::Op(a, b)\nvalue c uint8[64]\noutput c\n";
        PlanRequest request;
        PlanFile plan = planOf(planned(text, request));
        const std::int64_t own = planned(text, request).memory.peakBytes;
        for (PlanFile::Entry& entry : plan.entries)
            entry.offset = 0;
        plan.arenas.front().bytes = 64;
        request.givenPlan = sharedPlan(plan);

        const Report report = planned(text, request);

        QVERIFY(countFindings(report, Severity::Error) > 0);
        QCOMPARE(report.verdict.given->peakBytes, std::int64_t {64});
        QCOMPARE(report.verdict.given->ownPeakBytes.value(), own);
        QCOMPARE(report.verdict.given->anySharingBoundBytes, std::int64_t {192});
        QCOMPARE(report.memory.lowerBoundBytes, std::int64_t {64});
    }

private:
    static void checkBound(const std::string& text, const PlanRequest& request, std::int64_t& tried, int& tight)
    {
        const Report report = planned(text, request);
        const std::int64_t alignment = request.policies.alignment;
        const ValueFacts facts = findValueFacts(*report.program.graph, report.program.schedule,
                                                report.program.implementations, report.program.policies);
        const std::int64_t bound =
            boundForAnySharing(*report.program.graph, report.program.schedule, facts, report.program.implementations,
                               report.program.policies, alignment)
                .bytes;
        QVERIFY2(bound <= report.memory.peakBytes, text.c_str());
        tight += bound == report.memory.peakBytes ? 1 : 0;
        Exhaustive all(report, alignment);
        if (bound < alignment || all.planned() > 6) return;
        QVERIFY2(!all.fits(bound - alignment), text.c_str());
        tried += all.tried();
    }
};

QTEST_APPLESS_MAIN(Optimality)
#include "tst_optimality.moc"
