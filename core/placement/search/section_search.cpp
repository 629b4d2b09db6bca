#include "core/placement/search/section_search.h"

#include "core/placement/fit/fit_items.h"
#include "core/placement/fit/loose_blocks.h"
#include "core/placement/fit/sweep.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace plimsoll {
namespace {

/// More buffers than this are not given to the exact search as a whole.
constexpr std::size_t MostForExact = 1'200;
/// More than this are not repaired window by window: choosing one walks over all.
constexpr std::size_t MostForWindows = 300'000;
/// Share of bytes times ranks under the bound from which on a section counts as tight.
constexpr double TightShare = 0.97;
constexpr std::int64_t SliceWork = 2'000'000;
/// Below it an order is as cheap.
constexpr std::size_t LeastForZones = 20'000;
/// A buffer; an order takes some 100.
constexpr std::int64_t WorkOfZones = 40;
constexpr int SliceTries = 24;
/// A part that brings something may take four times as much as before; half of that after so much work in vain.
constexpr std::int64_t PatienceWork = 4 * SliceWork;
/// It has a turn after each order from this one on: what it learns needs more than one.
constexpr std::size_t SqueakyFromOrder = 4;
/// Of one call of the exact search.
constexpr std::int64_t MostNodes = 4'000'000;
/// The same for blocks that are joined loosely. Measured on MiniMalloc's J: fewer find less, more leave few tries.
constexpr std::int64_t LooseNodes = 12'000;

/// Above it first-fit in order of load is better spent time.
constexpr std::size_t MostForTightSweep = 200'000;

struct NamedOrder
{
    std::string_view member;
    std::array<OrderKey, 3> keys;
    std::size_t count;
};

/// None dominates: each is the best on some real or realistic family.
constexpr std::array NamedOrders = {
    NamedOrder {"first-fit: size", {OrderKey::Size}, 1},
    NamedOrder {"first-fit: load, size", {OrderKey::Load, OrderKey::Size}, 2},
    NamedOrder {"first-fit: load, life, size", {OrderKey::Load, OrderKey::LogLife, OrderKey::Size}, 3},
    NamedOrder {"first-fit: load, life, area", {OrderKey::Load, OrderKey::Life, OrderKey::Area}, 3},
    NamedOrder {"first-fit: size, life", {OrderKey::Size, OrderKey::Life}, 2},
    NamedOrder {"first-fit: life, size", {OrderKey::LogLife, OrderKey::Size}, 2},
    NamedOrder {"first-fit: critical, size", {OrderKey::Critical, OrderKey::Size}, 2},
};

/// Of a part's turn: shorter where tries are cheap, so that all parts have one within the default limit.
std::int64_t sliceOf(const Section& section)
{
    return std::clamp<std::int64_t>(400 * static_cast<std::int64_t>(section.count()), SliceWork / 10, SliceWork);
}

} // namespace

/// What is kept between moves.
struct SectionSearch::Tools
{
    Tools(const Section& section, std::uint64_t seed)
        : orders(section), fit(section), windows(section, seed), zones(section, seed), random(seed)
    {
    }
    Orders orders;
    OrderedFit fit;
    Windows windows;
    Zones zones;
    std::optional<RandomKeys> keys;
    std::optional<SqueakyFit> squeaky;
    std::uint64_t random;
};

/// A search of the section with blocks merged, which ends after some work.
struct SectionSearch::Inner
{
    Inner(Merged made, Packing start, const Members& members, std::uint64_t seed)
        : merged(std::move(made)), search(merged.section, std::move(start), members, seed)
    {
    }
    Merged merged;
    SectionSearch search;
    std::int64_t until = 0;
};

SectionSearch::SectionSearch(Section section, Packing start, const Members& members, std::uint64_t seed)
    : m_section(std::move(section)), m_best(std::move(start)), m_members(members), m_seed(seed),
      m_bound(m_section.bound)
{
}

SectionSearch::~SectionSearch() = default;

SectionSearch::Tools& SectionSearch::tools()
{
    if (!m_tools) m_tools = std::make_unique<Tools>(m_section, m_seed);
    return *m_tools;
}

void SectionSearch::offer(std::optional<Packing> packing, std::string_view member)
{
    if (!packing || packing->peak >= m_best.peak) return;
    m_best = *std::move(packing);
    m_member = member;
}

/// Whether blocks are worth merging: sections that are small, or have next to no slack.
bool SectionSearch::merges() const
{
    if (m_section.count() <= MostForExact) return true;
    double area = 0;
    for (std::size_t item = 0; item < m_section.count(); ++item)
        area += static_cast<double>(m_section.sizes[item]) *
                static_cast<double>(m_section.hulls[item].end - m_section.hulls[item].begin);
    return area >= TightShare * static_cast<double>(m_section.bound) * static_cast<double>(m_section.ranks);
}

void SectionSearch::runOrder(std::size_t index, Budget& budget)
{
    const NamedOrder& row = NamedOrders[index];
    const Order order = tools().orders.by(std::span(row.keys).first(row.count), budget.context());
    budget.spend(static_cast<std::int64_t>(order.size()));
    offer(tools().fit.run(order, m_best.peak - 1, FitRule::First, budget), row.member);
}

/// Begins a search of the section with blocks merged, in place of the one before.
void SectionSearch::startMerging(Budget& budget)
{
    const std::uint64_t round = m_done.mergings++;
    const double share = 0.02 * static_cast<double>(round % 10 + 1);
    auto merged = mergeBlocks(m_section, round, share, budget);
    if (budget.over()) return;
    if (!merged || merged->section.count() == m_section.count()) {
        m_members.merging = false;
        return;
    }
    const OrderKey size = OrderKey::Size;
    auto start = OrderedFit(merged->section)
                     .run(Orders(merged->section).by({&size, 1}, budget.context()),
                          OrderedFit::mostUnits(merged->section), FitRule::First, budget);
    if (!start) return;
    if (start->peak < m_best.peak) offer(merged->takeApart(*start), "block merging");
    if (start->peak <= m_bound) return;
    Members members;
    members.merging = false;
    const auto turns = static_cast<std::int64_t>(round == 0 ? 6 : 2 + std::min<std::uint64_t>(round / 4, 20));
    const std::int64_t until = budget.work() + SliceWork * turns + static_cast<std::int64_t>(m_section.count()) * 100;
    m_inner = std::make_unique<Inner>(*std::move(merged), *std::move(start), members, m_seed + round);
    m_inner->until = until;
}

/// The next move of the search of merged blocks.
void SectionSearch::goOnMerging(Budget& budget)
{
    SectionSearch& inner = m_inner->search;
    const std::int64_t work = budget.work();
    inner.step(budget);
    const bool better = inner.best().peak < m_best.peak;
    if (better) offer(m_inner->merged.takeApart(inner.best()), "block merging");
    account(Part::Merging, budget.work() - work, better);
    if (inner.proved() || inner.exhausted() || budget.work() >= m_inner->until) m_inner.reset();
}

void SectionSearch::runExact(Budget& budget)
{
    const std::vector<FitItem> items = exactItems(m_section);
    MinimiseOptions options;
    options.nodes = std::min(m_done.exactNodes, std::max<std::int64_t>(1, budget.workLeft() / workOfNode(m_section)));
    options.seed = ++m_seed;
    options.known = m_best.offsets;
    const double before = budget.seconds();
    const Minimum found = minimise(items, options, budget.context());
    budget.spend(found.nodes * workOfNode(m_section) + static_cast<std::int64_t>(items.size()) * 200);
    m_bound = std::max(m_bound, found.bound);
    if (!found.offsets.empty()) offer(Packing {found.offsets, found.peak}, "exact");
    const double rate =
        static_cast<double>(std::max<std::int64_t>(found.nodes, 1)) / (budget.seconds() - before + 1e-6);
    m_done.exactNodes = std::min(m_done.exactNodes * 2, MostNodes);
    if (budget.secondsLeft() < 1e9)
        m_done.exactNodes =
            std::min(m_done.exactNodes, static_cast<std::int64_t>(rate * std::max(0.0, budget.secondsLeft())) + 1);
}

/// Measured on MiniMalloc's J: blocks that waste 1 to 4 % each, under a limit near the bound, are solved the soonest.
/// False where too many blocks are left.
bool SectionSearch::runLooseBlocks(Budget& budget)
{
    Randomness random(m_seed + ++m_done.loosened * 0x9E3779B97F4A7C15ULL);
    const double share = 0.02 * static_cast<double>(1 + random.below(10));
    auto merged = mergeBlocks(m_section, random.below(3) == 0 ? 0 : random.next(), share, budget);
    if (!merged || merged->section.count() > MostLooseBlocks) return budget.over();
    const auto gap = static_cast<double>(m_best.peak - 1 - m_bound);
    const auto limit = m_bound + static_cast<std::int64_t>(gap * random.unit() * random.unit());
    joinLoosely(*merged, {limit, 0.01 + 0.03 * random.unit(), random.next()}, budget);
    const Section& section = merged->section;
    MinimiseOptions options;
    options.nodes = std::min(LooseNodes, std::max<std::int64_t>(1, budget.workLeft() / workOfNode(section)));
    options.seed = random.next();
    const Minimum found = minimise(exactItems(section), options, budget.context());
    budget.spend(found.nodes * workOfNode(section) + static_cast<std::int64_t>(section.count()) * 200);
    if (found.peak < m_best.peak) offer(merged->takeApart({found.offsets, found.peak}), "loose blocks");
    return true;
}

void SectionSearch::runRandomKeys(Budget& budget)
{
    Tools& kept = tools();
    if (!kept.keys) kept.keys.emplace(m_section, kept.orders, kept.fit, m_seed);
    const std::int64_t until = budget.work() + sliceOf(m_section);
    for (int i = 0; i < SliceTries && budget.work() < until && !budget.over() && !proved(); ++i)
        offer(kept.keys->attempt(m_best.peak - 1, budget), "random keys");
}

void SectionSearch::runSqueaky(Budget& budget)
{
    Tools& kept = tools();
    if (!kept.squeaky) {
        kept.squeaky.emplace(m_section, kept.orders, kept.fit, m_seed);
        kept.squeaky->learnFromCore(m_bound, budget);
    }
    const std::int64_t until = budget.work() + sliceOf(m_section);
    for (int i = 0; i < SliceTries && budget.work() < until && !budget.over() && !proved(); ++i)
        offer(kept.squeaky->attempt(m_bound, budget), "squeaky fit");
}

void SectionSearch::runWindows(Budget& budget)
{
    const std::int64_t until = budget.work() + sliceOf(m_section);
    const std::int64_t before = m_best.peak;
    while (budget.work() < until && !budget.over() && !proved()) {
        Packing changed = m_best;
        if (tools().windows.repair(changed, budget) && changed.peak <= m_best.peak) m_best = std::move(changed);
    }
    if (m_best.peak < before) m_member = "window repair";
}

/// Aims at the bound first; then, as long as a zone does not give way, lower and lower. Costs at most some share of an
/// order, as the zones may be all there is.
void SectionSearch::runZones(Budget& budget)
{
    const std::int64_t most = SliceWork + WorkOfZones * static_cast<std::int64_t>(m_section.count());
    Budget share(std::min(most, budget.workLeft()), budget.secondsLeft(), budget.context());
    const std::int64_t before = m_best.peak;
    for (std::int64_t modesty = 0; modesty < 4 && !proved() && !share.over();) {
        const std::int64_t gap = m_best.peak - 1 - m_bound;
        modesty = tools().zones.repair(m_best, m_bound + gap / 4 * modesty, share) ? 0 : modesty + 1;
    }
    if (m_best.peak < before) m_member = "zone repair";
    budget.spend(share.work());
}

/// The next turn of a part. False where the section is not for it.
bool SectionSearch::runPart(Part part, Budget& budget)
{
    switch (part) {
    case Part::Exact:
        if (m_members.exact && m_section.count() <= MostForExact) return runExact(budget), true;
        return false;
    case Part::Merging:
        if (m_members.merging && merges()) return startMerging(budget), true;
        return false;
    case Part::LooseBlocks:
        return m_members.merging && m_members.exact && m_section.count() <= MostForExact && runLooseBlocks(budget);
    case Part::RandomKeys:
        if (m_members.randomKeys) return runRandomKeys(budget), true;
        return false;
    case Part::Squeaky:
        if (m_members.randomKeys) return runSqueaky(budget), true;
        return false;
    case Part::Windows:
        if (m_members.windows && m_section.count() <= MostForWindows) return runWindows(budget), true;
        return false;
    }
    return false;
}

/// Keeps count of what a part took and brought.
void SectionSearch::account(Part part, std::int64_t work, bool better)
{
    Effort& effort = m_efforts[static_cast<std::size_t>(part)];
    effort.spent += work / effort.share;
    effort.idle = better ? 0 : effort.idle + work;
    if (better) effort.share = std::min(2 * effort.share, 4 * effort.leastShare);
    for (; effort.idle >= PatienceWork; effort.idle -= PatienceWork)
        effort.share = std::max(effort.share / 2, effort.leastShare);
}

/// The part that had the least for its share goes on, so that none waits long for what another cannot do.
void SectionSearch::takeTurn(Budget& budget)
{
    const auto least = std::min_element(m_efforts.begin(), m_efforts.end(),
                                        [](const Effort& a, const Effort& b) { return a.spent < b.spent; });
    m_exhausted = least->spent == Never;
    if (m_exhausted) return;
    const auto part = static_cast<Part>(least - m_efforts.begin());
    const std::int64_t before = m_best.peak;
    const std::int64_t work = budget.work();
    if (!runPart(part, budget)) {
        least->spent = Never;
        return;
    }
    account(part, budget.work() - work + 1, m_best.peak < before);
}

void SectionSearch::step(Budget& budget)
{
    if (m_inner) return goOnMerging(budget);
    if (m_done.stages > NamedOrders.size()) return takeTurn(budget);
    const std::size_t stage = m_done.stages++;
    if (stage == 0) {
        if (m_members.merging && merges()) startMerging(budget);
        if (!proved() && m_members.orders && m_section.count() <= MostForTightSweep) {
            offer(tightSweep(m_section, budget), "sweep");
            budget.spend(static_cast<std::int64_t>(m_section.count()) * 15);
        }
        if (!proved() && m_members.windows && m_section.count() > MostForWindows) runZones(budget);
        return;
    }
    if (m_members.orders) runOrder(stage - 1, budget);
    if (stage == 1 && m_section.count() > LeastForZones && m_section.count() <= MostForWindows) runZones(budget);
    if (stage >= SqueakyFromOrder && m_members.randomKeys && m_section.count() <= MostForTightSweep) runSqueaky(budget);
}

} // namespace plimsoll
