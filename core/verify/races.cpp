#include "core/verify/races.h"

#include "core/verify/accesses.h"
#include "core/verify/byte_map.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace plimsoll::verifying {
namespace {

constexpr std::size_t EnoughRaces = 20'000;

/// One step that used some bytes, and for what.
struct Use
{
    Party party;
    std::int64_t step = -1; ///< -1: before the run.
};

/// What happened to some bytes since they were written last.
struct History
{
    Use write;
    int content = 0;        ///< Names what the write left; 0: what was there before the run.
    std::vector<Use> reads; ///< The latest of each stream: it is behind all others of its stream.
};

class RaceFinder
{
public:
    RaceFinder(const PlanFacts& facts, const StreamClocks& clocks, const Context& context)
        : m_facts(facts), m_clocks(clocks), m_context(context), m_graph(facts.graph()), m_arenas(facts.regions()),
          m_histories(1), m_contentOf(m_graph.values.size(), 0), m_madeAt(m_graph.values.size(), -1)
    {
    }

    std::vector<Race> run()
    {
        const auto& steps = m_facts.program.schedule.steps;
        for (std::size_t step = 0; step < steps.size(); ++step) {
            if (m_context.stopped() || m_races.size() >= EnoughRaces) break;
            m_step = static_cast<std::int64_t>(step);
            const Step& here = steps[step];
            execute(accessesOf(m_facts, here));
        }
        return std::move(m_races);
    }

private:
    [[nodiscard]] const PlaceFacts& factsOf(ValueId value) const { return m_facts[value]; }

    void execute(const Accesses& accesses)
    {
        const std::vector<bool> named = onlyNamed(accesses);
        for (std::size_t r = 0; r < accesses.reads.size(); ++r)
            if (!accesses.reads[r].ifWritten && !named[r]) noteRead(accesses.reads[r]);
        if (accesses.scratchOf.valid()) {
            for (const std::size_t index : m_facts.scratchOf[accesses.scratchOf.index()]) {
                const ScratchFacts& scratch = m_facts.scratch[index];
                if (scratch.walkable) noteWrite({ValueId(), scratch.node}, scratch.arena, {scratch.write});
            }
        }
        for (const Write& write : accesses.writes) {
            const Join* join = joinOf(m_facts, accesses, write);
            int& content = m_contentOf[write.value.index()];
            m_madeAt[write.value.index()] = m_step;
            if (relabels(join))
                content = m_contentOf[accesses.reads[join->read].value.index()];
            else if (factsOf(write.value).walkable)
                content = noteWrite({write.value, {}}, factsOf(write.value).arena, writtenPieces(m_facts, write.value));
        }
    }

    /// By read: what a step that does nothing but give bytes another name does not look at.
    [[nodiscard]] std::vector<bool> onlyNamed(const Accesses& accesses) const
    {
        std::vector<bool> named(accesses.reads.size(), false);
        for (const Write& write : accesses.writes) {
            const Join* join = joinOf(m_facts, accesses, write);
            if (!relabels(join) || !factsOf(write.value).walkable) return std::vector<bool>(named.size(), false);
            named[join->read] = true;
        }
        return named;
    }

    void noteRead(const Read& read)
    {
        const PlaceFacts& facts = factsOf(read.value);
        const Use use {{read.value, {}}, m_step};
        if (!facts.walkable) {
            const std::int64_t made = m_madeAt[read.value.index()];
            if (!facts.aliasesCaller && !m_clocks.waited(made, m_step))
                add({Rule::UninitialisedRead, use.party, use.party, true, made, m_step, ArenaId(), {}});
            return;
        }
        ByteMap& arena = m_arenas[facts.arena.index()];
        for (const ByteMap::Piece& piece : arena.pieces(readPieces(m_facts, read))) {
            History history = m_histories[static_cast<std::size_t>(piece.generation)];
            // Another content is there whatever the order: the walk tells of it.
            const bool own = history.content == m_contentOf[read.value.index()];
            if (own && !m_clocks.waited(history.write.step, m_step)) {
                add({Rule::UninitialisedRead, use.party, use.party, true, history.write.step, m_step, facts.arena,
                     piece.bytes});
            }
            std::erase_if(history.reads,
                          [&](const Use& other) { return m_clocks.streamOf(other.step) == m_clocks.streamOf(m_step); });
            history.reads.push_back(use);
            arena.write(piece.bytes, keep(std::move(history)));
        }
    }

    int noteWrite(const Party& party, ArenaId region, const std::vector<Interval>& bytes)
    {
        ByteMap& arena = m_arenas[region.index()];
        for (const ByteMap::Piece& piece : arena.pieces(bytes)) {
            const History& history = m_histories[static_cast<std::size_t>(piece.generation)];
            if (!m_clocks.waited(history.write.step, m_step)) {
                add({Rule::Overlap, history.write.party, party, true, history.write.step, m_step, region, piece.bytes});
            }
            for (const Use& read : history.reads) {
                if (!m_clocks.waited(read.step, m_step))
                    add({Rule::Overlap, read.party, party, false, read.step, m_step, region, piece.bytes});
            }
        }
        const GenerationId id = keep({{party, m_step}, ++m_contents, {}});
        arena.write(bytes, id);
        return m_contents;
    }

    GenerationId keep(History history)
    {
        m_histories.push_back(std::move(history));
        return static_cast<GenerationId>(m_histories.size() - 1);
    }

    /// Of several uses by one stream before the same write the last one counts: to wait for it is to wait for all.
    void add(const Race& race)
    {
        const auto [known, isNew] =
            m_known.try_emplace({race.first, race.second, m_clocks.streamOf(race.firstStep)}, m_races.size());
        if (isNew) {
            m_races.push_back(race);
            return;
        }
        Race& other = m_races[known->second];
        if (other.secondStep != race.secondStep || other.arena != race.arena) return;
        const Interval both {std::min(other.bytes.begin, race.bytes.begin), std::max(other.bytes.end, race.bytes.end)};
        if (race.firstStep > other.firstStep) other = race;
        other.bytes = both;
    }

    const PlanFacts& m_facts;
    const StreamClocks& m_clocks;
    const Context& m_context;
    const Graph& m_graph;
    std::vector<ByteMap> m_arenas;      ///< Their generations are indexes into m_histories.
    std::vector<History> m_histories;   ///< The first: nothing has happened.
    std::vector<int> m_contentOf;       ///< By ValueId.
    std::vector<std::int64_t> m_madeAt; ///< By ValueId: the step that wrote it; -1 for what was there.
    int m_contents = 0;
    std::int64_t m_step = 0;
    std::vector<Race> m_races;
    std::map<std::tuple<Party, Party, std::int32_t>, std::size_t> m_known; ///< Index into m_races.
};

} // namespace

std::vector<Race> findRaces(const PlanFacts& facts, const StreamClocks& clocks, const Context& context)
{
    return RaceFinder(facts, clocks, context).run();
}

StreamClocks::StreamClocks(const Graph& graph, const Schedule& schedule, const StreamPlan& streams)
    : m_streams(streams), m_stream(at(schedule.length()), 0), m_top(at(schedule.length())), m_known(graph.nodes.size()),
      m_last(static_cast<std::size_t>(streams.count())), m_steps(schedule.nodes), m_waits(graph.nodes.size())
{
    for (const StreamEvent& event : streams.events)
        m_waits[event.waiter.index()].push_back(event.signal);
    for (std::int64_t step = 0; step < schedule.length();) {
        const NodeId node = schedule.steps[at(step)].node;
        enter(node, schedule.nodes[node.index()]);
        step = std::max(step + 1, schedule.nodes[node.index()].end);
    }
}

void StreamClocks::enter(NodeId node, Interval steps)
{
    const auto stream = static_cast<std::size_t>(m_streams.of(node));
    Clock& clock = m_known[node.index()];
    clock.resize(m_last.size(), 0);
    const auto hear = [&](NodeId from) {
        const Clock& other = m_known[from.index()];
        if (other.empty()) return; // it has not run: an event against the schedule orders nothing
        for (std::size_t s = 0; s < clock.size(); ++s)
            clock[s] = std::max(clock[s], other[s]);
        std::int64_t& own = clock[static_cast<std::size_t>(m_streams.of(from))];
        own = std::max(own, m_steps[from.index()].end);
    };
    if (m_last[stream].valid()) hear(m_last[stream]);
    for (const NodeId other : m_waits[node.index()])
        hear(other);
    m_last[stream] = node;
    for (std::int64_t step = steps.begin; step < steps.end; ++step) {
        m_stream[at(step)] = static_cast<std::int32_t>(stream);
        m_top[at(step)] = node;
    }
}

bool StreamClocks::waited(std::int64_t earlier, std::int64_t later) const
{
    if (earlier < 0 || topOf(earlier) == topOf(later)) return true;
    return m_known[topOf(later).index()][static_cast<std::size_t>(streamOf(earlier))] > earlier;
}

} // namespace plimsoll::verifying
