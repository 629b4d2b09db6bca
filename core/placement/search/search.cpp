#include "core/placement/search/search.h"

#include "core/base/bytes.h"
#include "core/base/give_back.h"
#include "core/base/sum.h"
#include "core/placement/algorithms.h"
#include "core/placement/placement.h"
#include "core/placement/registry.h"
#include "core/placement/search/load.h"
#include "core/placement/search/section_search.h"

#include <algorithm>
#include <memory>

namespace plimsoll {
namespace {

/// In place of an offset: the buffer belongs to a section that is searched.
constexpr std::int64_t Elsewhere = -1;

/// One arena while it is searched.
struct ArenaState
{
    ArenaTask task;
    Packing whole; ///< Of task.all, from the first plan; sections that are searched have better ones.
    std::vector<std::unique_ptr<SectionSearch>> open;
    std::vector<std::size_t> openFirst; ///< First item of each open section.
    std::int64_t closedPeak = 0;        ///< Of the sections that need no search: at most the bound.
    std::int64_t bound = 0;             ///< In units, like all others here.
    bool done = false;

    [[nodiscard]] std::int64_t peak() const
    {
        std::int64_t peak = closedPeak;
        for (const auto& section : open)
            peak = std::max(peak, section->best().peak);
        return peak;
    }
};

void openSection(ArenaState& state, std::size_t first, std::size_t last, const Members& members, std::uint64_t seed)
{
    const Section& all = state.task.all;
    const auto begin = state.whole.offsets.begin();
    Packing part {{begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last)}, 0};
    for (std::size_t item = first; item < last; ++item)
        part.peak = std::max(part.peak, state.whole.offsets[item] + all.sizes[item]);
    if (part.peak <= state.bound) {
        state.closedPeak = std::max(state.closedPeak, part.peak);
        return;
    }
    const bool isAll = first == 0 && last == all.count();
    Section section = isAll ? std::move(state.task.all) : cutOut(all, first, last);
    state.bound = std::max(state.bound, section.bound); // pins that clash elsewhere do not weaken it here
    state.open.push_back(std::make_unique<SectionSearch>(std::move(section), std::move(part), members,
                                                         seed + first * 0x9E3779B97F4A7C15ULL));
    state.openFirst.push_back(first);
    if (isAll) {
        giveBack(state.whole.offsets);
    } else {
        std::fill(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last), Elsewhere);
    }
}

class Searcher
{
public:
    Searcher(const Problem& problem, const Members& members, const SearchOptions& options, const Context& context)
        : m_problem(problem), m_members(members), m_options(options),
          m_budget(options.workLimit, options.secondsLimit, context), m_context(context)
    {
    }

    Result<SearchAnswer> run()
    {
        PLIMSOLL_TRY(makeFirstPlan());
        m_answer.firstPlanSeconds = m_budget.seconds();
        note("sweep");
        for (ArenaState& state : m_arenas) {
            if (state.whole.peak <= state.bound) {
                state.closedPeak = state.whole.peak;
                state.done = true;
                continue;
            }
            const std::vector<std::uint32_t>& starts = state.task.sections;
            for (std::size_t s = 0; s + 1 < starts.size(); ++s)
                openSection(state, starts[s], starts[s + 1], m_members, m_options.seed);
        }
        while (!m_budget.over() && step()) {}
        finish();
        return std::move(m_answer);
    }

private:
    Status makeFirstPlan()
    {
        std::vector<ArenaTask> tasks = prepare(m_problem, m_context);
        if (tasks.size() < m_problem.arenas.size()) return Error {ErrorCode::Stopped, say("stopped.placement"), {}, {}};
        m_arenas.resize(tasks.size());
        for (std::size_t arena = 0; arena < tasks.size(); ++arena) {
            ArenaState& state = m_arenas[arena];
            state.task = std::move(tasks[arena]);
            state.bound = state.task.all.bound;
            Budget unlimited({}, {}, m_context);
            auto packing = firstPacking(state.task.all, unlimited);
            m_budget.spend(unlimited.work());
            if (!packing) return Error {ErrorCode::Stopped, say("stopped.placement"), {}, {}};
            state.whole = *std::move(packing);
            m_answer.loadBytes.push_back(bytesOf(arena, state.bound));
        }
        return {};
    }

    /// Works on the highest section of an arena: only that one can lower it. False when nothing is left to do.
    bool step()
    {
        for (std::size_t tried = 0; tried < m_arenas.size(); ++tried) {
            m_turn = (m_turn + 1) % m_arenas.size();
            ArenaState& state = m_arenas[m_turn];
            if (state.done) continue;
            const auto highest =
                std::max_element(state.open.begin(), state.open.end(),
                                 [](const auto& a, const auto& b) { return a->best().peak < b->best().peak; });
            const std::int64_t before = state.peak();
            m_budget.spend(static_cast<std::int64_t>(state.open.size() / 4));
            if ((*highest)->proved() || (*highest)->exhausted() || before <= state.bound) {
                state.done = true;
                continue;
            }
            (*highest)->step(m_budget);
            const std::int64_t bound = std::max(state.bound, (*highest)->bound());
            if (state.peak() < before || bound > state.bound) {
                state.bound = bound;
                note((*highest)->member());
            }
            return true;
        }
        return false;
    }

    [[nodiscard]] std::int64_t bytesOf(std::size_t arena, std::int64_t units) const
    {
        const ArenaTask& task = m_arenas[arena].task;
        const std::int64_t bytes = std::max(units * unitOf(arena), task.asideBytes);
        return alignUp(bytes, m_problem.arenas[arena].alignment);
    }

    [[nodiscard]] std::int64_t unitOf(std::size_t arena) const { return m_arenas[arena].task.all.unit; }

    void note(std::string_view member)
    {
        Incumbent now {m_budget.seconds(), m_budget.work(), 0, 0, member};
        for (std::size_t arena = 0; arena < m_arenas.size(); ++arena) {
            const ArenaState& state = m_arenas[arena];
            const std::int64_t peak = state.open.empty() ? state.whole.peak : state.peak();
            now.peakBytes += bytesOf(arena, peak);
            now.boundBytes += bytesOf(arena, state.bound);
        }
        m_answer.member = member;
        m_answer.history.push_back(now);
        if (m_options.improved) m_options.improved(now, [this] { return makePlan(); });
    }

    [[nodiscard]] Plan makePlan() const
    {
        Plan plan = startPlan(m_problem, "best");
        for (std::size_t arena = 0; arena < m_arenas.size(); ++arena) {
            const ArenaState& state = m_arenas[arena];
            const std::int64_t unit = unitOf(arena);
            plan.arenaBytes[arena] = bytesOf(arena, state.open.empty() ? state.whole.peak : state.peak());
            const auto put = [&](const std::vector<std::int32_t>& ids, const std::vector<std::int64_t>& offsets) {
                for (std::size_t item = 0; item < offsets.size(); ++item) {
                    if (offsets[item] == Elsewhere) continue;
                    plan.allocations[static_cast<std::size_t>(ids[item])].offset = offsets[item] * unit;
                }
            };
            put(state.task.all.ids, state.whole.offsets);
            for (const auto& section : state.open)
                put(section->section().ids, section->best().offsets);
        }
        return plan;
    }

    void finish()
    {
        m_answer.plan = makePlan();
        for (std::size_t arena = 0; arena < m_arenas.size(); ++arena)
            m_answer.boundBytes.push_back(bytesOf(arena, m_arenas[arena].bound));
        m_answer.work = m_budget.work();
        m_answer.seconds = m_budget.seconds();
        if (m_budget.stopped()) m_answer.end = SearchEnd::Stopped;
    }

    const Problem& m_problem;
    const Members m_members;
    const SearchOptions& m_options;
    Budget m_budget;
    const Context& m_context;
    std::vector<ArenaState> m_arenas;
    std::size_t m_turn = 0;
    SearchAnswer m_answer;
};

/// The first step at which the most bytes are alive, and those bytes.
struct FullestStep
{
    std::int64_t step = 0;
    std::int64_t bytes = 0;
};

FullestStep fullestStep(const Problem& problem, ArenaId arena)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> changes; // step, bytes; what ends comes first
    for (const Buffer& buffer : problem.buffers) {
        if (buffer.arena != arena) continue;
        const std::int64_t bytes = roundedBytes(problem, buffer);
        for (const Interval live : buffer.live.intervals()) {
            changes.emplace_back(live.begin, bytes);
            changes.emplace_back(live.end, -bytes);
        }
    }
    std::sort(changes.begin(), changes.end());
    FullestStep fullest;
    std::int64_t sum = 0;
    for (const auto& [step, bytes] : changes) {
        sum += bytes;
        if (sum > fullest.bytes) fullest = {step, sum};
    }
    return fullest;
}

/// Why no plan of \p arena is below \p needed bytes, as far as load and pins tell.
CapacityShortfall explainShortfall(const Problem& problem, ArenaId arena, std::int64_t needed)
{
    const std::int64_t capacity = problem.arenas[arena.index()].capacityBytes.value_or(0);
    CapacityShortfall why {arena, capacity, needed, {}, {}};
    for (std::size_t index = 0; index < problem.buffers.size(); ++index) {
        const Buffer& buffer = problem.buffers[index];
        if (buffer.arena != arena || !buffer.pinnedOffset) continue;
        if (*buffer.pinnedOffset + roundedBytes(problem, buffer) <= capacity) continue;
        why.buffers.emplace_back(index);
        if (!buffer.live.empty()) why.step = buffer.live.hull().begin;
        return why;
    }
    const FullestStep fullest = fullestStep(problem, arena);
    if (fullest.bytes <= capacity) return why;
    why.step = fullest.step;
    for (std::size_t index = 0; index < problem.buffers.size(); ++index) {
        const Buffer& buffer = problem.buffers[index];
        if (buffer.arena == arena && buffer.bytes > 0 && buffer.live.contains(fullest.step))
            why.buffers.emplace_back(index);
    }
    return why;
}

Result<SearchAnswer> runOnce(const Problem& problem, const PlacementAlgorithm& algorithm, const Context& context)
{
    SearchAnswer answer;
    Budget budget({}, {}, context);
    PLIMSOLL_ASSIGN(plan, algorithm.pack != nullptr ? packEach(problem, algorithm, context)
                                                    : algorithm.run(problem, context));
    answer.plan = std::move(plan);
    answer.boundBytes = answer.loadBytes = lowerBounds(problem);
    answer.member = algorithm.id;
    answer.end = SearchEnd::OnePlan;
    answer.seconds = answer.firstPlanSeconds = budget.seconds();
    answer.history.push_back(
        {answer.seconds, 0, sumOf(answer.plan.arenaBytes), sumOf(answer.boundBytes), algorithm.id});
    return answer;
}

} // namespace

std::int64_t defaultWorkLimit(std::size_t buffers)
{
    constexpr std::size_t Many = 200'000;
    return 4'000'000 + 100 * static_cast<std::int64_t>(std::min(buffers, Many));
}

Result<SearchAnswer> search(const Problem& problem, std::string_view algorithm, const SearchOptions& options,
                            const Context& context)
{
    PLIMSOLL_TRY(checkProblem(problem));
    const PlacementAlgorithm* found = findAlgorithm(algorithm);
    if (found == nullptr) {
        word::List names {.items = {"best"}};
        for (const std::string_view known : placementAlgorithms())
            names.items.emplace_back(known);
        return Error {
            ErrorCode::BadUsage, say("placement.unknown", word::Name {std::string(algorithm)}, names), {}, {}};
    }
    const bool searches = found->run == nullptr && found->pack == nullptr;
    PLIMSOLL_ASSIGN(answer, searches ? Searcher(problem, found->members, options, context).run()
                                     : runOnce(problem, *found, context));
    answer.plan.algorithm = algorithm;
    answer.plan.optimal = answer.plan.arenaBytes == answer.boundBytes;
    if (answer.plan.optimal) answer.end = SearchEnd::Optimal;
    for (std::size_t arena = 0; arena < problem.arenas.size(); ++arena) {
        const std::int64_t needed = answer.boundBytes[arena];
        const auto& capacity = problem.arenas[arena].capacityBytes;
        if (capacity && needed > *capacity)
            answer.shortfalls.push_back(explainShortfall(problem, ArenaId(arena), needed));
    }
    return answer;
}

} // namespace plimsoll
