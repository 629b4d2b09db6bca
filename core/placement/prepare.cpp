#include "core/base/give_back.h"
#include "core/base/narrow.h"
#include "core/placement/placement.h"
#include "core/placement/search/load.h"
#include "core/placement/search/section.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace plimsoll {
namespace {

struct Entry
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t bytes = 0;
    std::int64_t alignment = 1;
    std::int32_t id = 0;
};

bool before(const Entry& a, const Entry& b)
{
    if (a.begin != b.begin) return a.begin < b.begin;
    if (a.bytes != b.bytes) return a.bytes > b.bytes;
    return a.id < b.id;
}

/// Sorts part by part, so that a stop is obeyed soon: then the order is anything.
void sortInParts(std::vector<Entry>& entries, const Context& context)
{
    constexpr std::size_t Part = 1 << 16;
    const auto at = [&entries](std::size_t index) {
        return entries.begin() + static_cast<std::ptrdiff_t>(std::min(index, entries.size()));
    };
    for (std::size_t first = 0; first < entries.size() && !context.stopped(); first += Part)
        std::sort(at(first), at(first + Part), before);
    for (std::size_t width = Part; width < entries.size(); width *= 2) {
        for (std::size_t first = 0; first + width < entries.size() && !context.stopped(); first += 2 * width)
            std::inplace_merge(at(first), at(first + width), at(first + 2 * width), before);
    }
}

/// By begin, then larger first. Files are mostly sorted by begin: then only the ties are.
void sortEntries(std::vector<Entry>& entries, const Context& context)
{
    const auto byBegin = [](const Entry& a, const Entry& b) { return a.begin < b.begin; };
    if (!std::is_sorted(entries.begin(), entries.end(), byBegin)) {
        sortInParts(entries, context);
        return;
    }
    for (auto first = entries.begin(); first != entries.end();) {
        const auto last =
            std::find_if(first, entries.end(), [first](const Entry& entry) { return entry.begin != first->begin; });
        if (last - first > 1) std::sort(first, last, before);
        first = last;
    }
}

/// Turns steps into birth ranks: by a table of stretches of steps, then by bisection among the births of a stretch.
class Ranks
{
public:
    explicit Ranks(std::vector<std::int64_t> births) : m_births(std::move(births))
    {
        if (!std::is_sorted(m_births.begin(), m_births.end())) std::sort(m_births.begin(), m_births.end());
        m_births.erase(std::unique(m_births.begin(), m_births.end()), m_births.end());
        if (m_births.empty()) return;
        const auto width = static_cast<std::uint64_t>(m_births.back()) - static_cast<std::uint64_t>(m_births.front());
        while (width >> m_shift > 4 * m_births.size())
            ++m_shift;
        m_table.assign(static_cast<std::size_t>(width >> m_shift) + 2, 0);
        for (const std::int64_t birth : m_births)
            ++m_table[stretchOf(birth) + 1];
        std::partial_sum(m_table.begin(), m_table.end(), m_table.begin());
    }

    /// Births before \p step.
    [[nodiscard]] std::int32_t of(std::int64_t step) const
    {
        if (m_births.empty() || step <= m_births.front()) return 0;
        if (step > m_births.back()) return count();
        const std::size_t stretch = stretchOf(step);
        const auto first = m_births.begin() + m_table[stretch];
        const auto last = m_births.begin() + m_table[stretch + 1];
        return narrow<std::int32_t>(std::lower_bound(first, last, step) - m_births.begin());
    }
    [[nodiscard]] std::int32_t count() const { return narrow<std::int32_t>(m_births.size()); }

private:
    /// Of a step that is not before the first birth.
    [[nodiscard]] std::size_t stretchOf(std::int64_t step) const
    {
        const auto away = static_cast<std::uint64_t>(step) - static_cast<std::uint64_t>(m_births.front());
        return static_cast<std::size_t>(away >> m_shift);
    }

    std::vector<std::int64_t> m_births;
    std::vector<std::int32_t> m_table; ///< Births before each stretch of 2^m_shift steps.
    std::uint32_t m_shift = 0;
};

class ArenaPreparation
{
public:
    ArenaPreparation(const Problem& problem, std::vector<Entry> entries, bool gaps, bool pins)
        : m_problem(problem), m_entries(std::move(entries)), m_gaps(gaps), m_pins(pins)
    {
    }

    /// Leaves off between two of its parts when stopped.
    void run(ArenaTask& task, const Context& context)
    {
        sortEntries(m_entries, context);
        if (!context.stopped()) fillSpans(task.all);
        if (context.stopped()) return;
        fillSizes(task.all);
        giveBack(m_entries);
        std::int32_t end = 0; // cuts where nothing lives on across a birth
        for (std::size_t item = 0; item < task.all.count(); ++item) {
            if (task.all.hulls[item].begin >= end) task.sections.push_back(static_cast<std::uint32_t>(item));
            end = std::max(end, task.all.hulls[item].end);
        }
        task.sections.push_back(static_cast<std::uint32_t>(task.all.count()));
        if (!context.stopped()) computeBound(task.all);
    }

private:
    [[nodiscard]] const Buffer& buffer(const Entry& entry) const
    {
        return m_problem.buffers[static_cast<std::size_t>(entry.id)];
    }

    /// The births, ascending where there are no gaps.
    [[nodiscard]] std::vector<std::int64_t> births() const
    {
        std::vector<std::int64_t> births(m_entries.size());
        for (std::size_t item = 0; item < m_entries.size(); ++item)
            births[item] = m_entries[item].begin;
        for (std::size_t item = 0; m_gaps && item < m_entries.size(); ++item) {
            for (const Interval piece : buffer(m_entries[item]).live.intervals())
                births.push_back(piece.begin);
        }
        return births;
    }

    void fillSpans(Section& all) const
    {
        const Ranks ranks(births());
        all.ranks = ranks.count();
        all.hulls.resize(m_entries.size());
        std::int32_t rank = 0;
        for (std::size_t item = 0; item < m_entries.size(); ++item) {
            const Entry& entry = m_entries[item];
            if (item == 0 || entry.begin != m_entries[item - 1].begin) rank = ranks.of(entry.begin);
            all.hulls[item] = {rank, ranks.of(entry.end)};
        }
        if (!m_gaps) return;
        for (const Entry& entry : m_entries) {
            all.pieceAt.push_back(narrow<std::uint32_t>(all.pieces.size()));
            for (const Interval piece : buffer(entry).live.intervals())
                all.pieces.push_back({ranks.of(piece.begin), ranks.of(piece.end)});
        }
        all.pieceAt.push_back(narrow<std::uint32_t>(all.pieces.size()));
    }

    void fillSizes(Section& all) const
    {
        std::int64_t unit = 0;
        for (const Entry& entry : m_entries) {
            if (unit == 0 || entry.bytes % unit != 0) unit = std::gcd(unit, entry.bytes);
            if (m_pins) unit = std::gcd(unit, buffer(entry).pinnedOffset.value_or(0));
        }
        // Where every alignment divides all sizes and pins, packings keep it by themselves.
        const bool coarse = std::any_of(m_entries.begin(), m_entries.end(), [&](const Entry& entry) {
            return entry.alignment != 1 && unit % entry.alignment != 0;
        });
        for (const Entry& entry : m_entries) {
            if (coarse && entry.alignment != 1) unit = std::gcd(unit, entry.alignment);
        }
        all.unit = std::max<std::int64_t>(unit, 1);
        all.sizes.resize(m_entries.size());
        all.ids.resize(m_entries.size());
        for (std::size_t item = 0; item < m_entries.size(); ++item) {
            const Entry& entry = m_entries[item];
            all.ids[item] = entry.id;
            all.sizes[item] = entry.bytes / all.unit;
            if (coarse) all.alignment.push_back(std::max<std::int64_t>(1, entry.alignment / all.unit));
            if (!m_pins) continue;
            const std::optional<std::int64_t>& pin = buffer(entry).pinnedOffset;
            all.pins.push_back(pin ? *pin / all.unit : -1);
        }
    }

    const Problem& m_problem;
    std::vector<Entry> m_entries;
    bool m_gaps;
    bool m_pins;
};

} // namespace

std::vector<ArenaTask> prepare(const Problem& problem, const Context& context)
{
    constexpr std::size_t LookEvery = 1 << 16;
    struct Gathered
    {
        std::vector<Entry> entries;
        bool gaps = false;
        bool pins = false;
    };
    std::vector<ArenaTask> tasks(problem.arenas.size());
    std::vector<Gathered> gathered(problem.arenas.size());
    if (gathered.size() == 1) gathered.front().entries.reserve(problem.buffers.size());
    for (std::size_t index = 0; index < problem.buffers.size(); ++index) {
        const Buffer& buffer = problem.buffers[index];
        if (index % LookEvery == 0 && context.stopped()) return {};
        const std::int64_t bytes = roundedBytes(problem, buffer);
        const auto id = static_cast<std::int32_t>(index);
        if (bytes == 0 || buffer.live.empty()) {
            ArenaTask& task = tasks[buffer.arena.index()];
            task.asideIds.push_back(id);
            if (!buffer.live.empty()) task.asideBytes = std::max(task.asideBytes, buffer.pinnedOffset.value_or(0));
            continue;
        }
        Gathered& here = gathered[buffer.arena.index()];
        const Interval hull = buffer.live.hull();
        here.entries.push_back({hull.begin, hull.end, bytes, buffer.alignment, id});
        here.gaps = here.gaps || buffer.live.intervals().size() > 1;
        here.pins = here.pins || buffer.pinnedOffset.has_value();
    }
    for (std::size_t arena = 0; arena < tasks.size(); ++arena) {
        ArenaPreparation(problem, std::move(gathered[arena].entries), gathered[arena].gaps, gathered[arena].pins)
            .run(tasks[arena], context);
    }
    if (context.stopped()) tasks.clear();
    return tasks;
}

} // namespace plimsoll
