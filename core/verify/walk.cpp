#include "core/verify/walk.h"

#include "core/ops/dialects/arena_rules.h"
#include "core/ops/op_traits.h"
#include "core/ops/saving.h"
#include "core/verify/accesses.h"
#include "core/verify/checks.h"
#include "core/verify/choices.h"
#include "core/verify/generations.h"
#include "core/verify/joins.h"

#include <algorithm>
#include <iterator>

namespace plimsoll::verifying {
namespace {

/// Two iterations at every depth double the work each time; loops nested deeper, or met after so many steps, go round
/// once.
constexpr int DeepestDoubledLoop = 10;
constexpr std::int64_t MostDoubledSteps = 2'000'000;

/// The memory on paper at one moment.
struct Paper
{
    std::vector<ByteMap> arenas;
    std::vector<GenerationId> current; ///< By ValueId: the content that its readers expect; 0 before it is written.
};

/// One step that is being executed.
struct Moment
{
    std::int64_t step = 0;
    NodeId node;
    Accesses accesses;
    std::vector<const Join*> joined;  ///< By write: how it lies exactly on one of the reads, or null.
    std::vector<std::size_t> same {}; ///< By write: an earlier one that puts the same content there; else itself.
    bool nextPass = false;            ///< At the end, for another backward pass to read.
};

/// One iteration that is being walked.
struct Lap
{
    Interval steps;         ///< Of the bodies.
    GenerationId begin = 0; ///< What is older was written before.
};

/// Between what one step reads and writes; names are left to the caller.
Clash clashAt(const Moment& moment, Rule rule, ArenaId arena, Interval bytes)
{
    return {rule, {}, {}, moment.node, moment.node, moment.step, moment.step, false, arena, bytes, {}, 0};
}

class Walker
{
public:
    Walker(const PlanFacts& facts, const Context& context) : m_facts(facts), m_context(context), m_graph(facts.graph())
    {
        m_paper.arenas.resize(facts.regions());
        m_paper.current.resize(m_graph.values.size());
        m_written.resize(m_graph.values.size());
        m_seen.touched.resize(m_graph.values.size());
        m_seen.madeAs.resize(m_graph.values.size(), AliasKind::Fresh);
    }

    Walk run()
    {
        placeExternals();
        walkSteps({0, m_facts.program.schedule.length()});
        checkOutputs();
        return std::move(m_seen);
    }

private:
    [[nodiscard]] const Schedule& schedule() const { return m_facts.program.schedule; }
    [[nodiscard]] bool done() const { return m_context.stopped() || m_seen.clashes.enough(); }

    void placeExternals();
    void walkSteps(Interval steps);
    void walkOwner(std::int64_t enter);
    void walkBranches(NodeId owner, const std::vector<Interval>& bodies);
    void walkLoop(NodeId owner, const std::vector<Interval>& bodies);
    [[nodiscard]] ChoiceId choiceOf(NodeId owner) const;
    void meet(const Paper& other, const ChoiceId& choice, std::int64_t branch);

    void execute(std::int64_t index);
    [[nodiscard]] Clash spoiledRead(const Moment& moment, ValueId read, GenerationId expected,
                                    const ByteMap::Piece& by) const;
    void checkRead(const Moment& moment, const Read& read);
    void checkReads(const Moment& moment);
    void checkWriteAgainstReads(const Moment& moment, std::size_t write);
    void checkWriteAgainstWrites(const Moment& moment, std::size_t write);
    void checkParted(const Moment& moment, std::size_t write);
    void checkScratch(const Moment& moment);
    void protectExternals(const Moment& moment, const Party& writer, ArenaId arena, Interval bytes);
    void write(const Moment& moment);
    void checkOutputs();

    void touchAll(const Moment& moment);
    void touch(ValueId value, std::int64_t step);
    void report(const Moment& moment, Rule rule, const Party& spoiled, const Party& spoiler, Interval bytes);
    GenerationId stamp(ArenaId arena, const std::vector<Interval>& bytes, Generation generation);
    GenerationId stampAround(const Moment& moment, const Write& write);

    const PlanFacts& m_facts;
    const Context& m_context;
    const Graph& m_graph;
    Paper m_paper;
    Generations m_generations;
    Walk m_seen;
    bool m_externalsPlaced = false;
    Taken m_taken;                       ///< By the branches that are being walked.
    std::vector<std::int64_t> m_written; ///< By ValueId: how often.
    std::vector<Lap> m_laps;             ///< Outermost first.
    std::int64_t m_stepsWalked = 0;
};

void Walker::placeExternals()
{
    for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
        const PlaceFacts& facts = m_facts.values[i];
        if (!facts.external || !facts.walkable) continue;
        m_externalsPlaced = true;
        m_paper.current[i] = stamp(facts.arena, {facts.read}, {ValueId(i), NodeId(), -1});
    }
}

void Walker::walkSteps(Interval steps)
{
    for (std::int64_t i = steps.begin; i < steps.end && !done();) {
        const Step& step = schedule().steps[static_cast<std::size_t>(i)];
        if (step.kind == StepKind::Enter) {
            walkOwner(i);
            i = std::max(i + 1, schedule().nodes[step.node.index()].end);
        } else {
            execute(i++);
        }
    }
}

void Walker::walkOwner(std::int64_t enter)
{
    const NodeId owner = schedule().steps[static_cast<std::size_t>(enter)].node;
    const std::int64_t exit = schedule().exitStep(owner);
    std::vector<Interval> bodies;
    for (const BodyId body : m_graph[owner].bodies) {
        bodies.push_back(intersection(schedule().bodies[body.index()], {enter + 1, exit}));
    }
    execute(enter);
    switch (bodyRule(m_graph, owner)) {
    case BodyRule::Branch:
        walkBranches(owner, bodies);
        break;
    case BodyRule::Loop:
        walkLoop(owner, bodies);
        break;
    case BodyRule::Once:
        for (const Interval body : bodies)
            walkSteps(body);
        break;
    }
    execute(exit);
}

ChoiceId Walker::choiceOf(NodeId owner) const
{
    const ValueId condition = valueAt(m_graph[owner].inputs, 0);
    const auto branches = static_cast<std::int64_t>(m_graph[owner].bodies.size());
    if (!condition.valid()) return {ValueId(), 0, owner, branches};
    return {condition, m_written[condition.index()], NodeId(), branches};
}

/// Those that a constant, or a branch around them, leaves open.
void Walker::walkBranches(NodeId owner, const std::vector<Interval>& bodies)
{
    const ChoiceId choice = choiceOf(owner);
    const Branches open = intersection(possibleBranches(m_graph, owner), takenBy(m_taken, choice));
    const Taken taken = m_taken;
    const Paper before = std::move(m_paper);
    std::vector<std::pair<std::int64_t, Paper>> after;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto branch = static_cast<std::int64_t>(i);
        if (!open.contains(branch)) continue;
        m_paper = before;
        m_taken.insert_or_assign(choice, Branches {branch, branch + 1});
        walkSteps(bodies[i]);
        after.emplace_back(branch, std::move(m_paper));
    }
    m_taken = taken;
    const std::size_t none = bodies.size(); // of one body, or where none is left
    if (bodies.size() < 2 && open.contains(static_cast<std::int64_t>(none))) after.emplace_back(none, before);
    if (after.empty()) after.emplace_back(none, before);
    m_paper = std::move(after.front().second);
    for (std::size_t i = 1; i < after.size(); ++i)
        meet(after[i].second, choice, after[i].first);
}

void Walker::meet(const Paper& other, const ChoiceId& choice, std::int64_t branch)
{
    const int meeting = m_generations.newMeeting(choice, branch);
    const auto join = [&](GenerationId a, GenerationId b) { return m_generations.pair(a, b, meeting); };
    for (std::size_t i = 0; i < m_paper.current.size(); ++i)
        m_paper.current[i] = join(m_paper.current[i], other.current[i]);
    for (std::size_t i = 0; i < m_paper.arenas.size(); ++i) {
        m_paper.arenas[i] = ByteMap::merged(m_paper.arenas[i], other.arenas[i], join);
    }
}

void Walker::walkLoop(NodeId owner, const std::vector<Interval>& bodies)
{
    for (const ValueId output : m_graph[owner].outputs) {
        if (output.valid()) m_paper.current[output.index()] = 0;
    }
    m_laps.push_back({bodies.empty() ? Interval {} : Interval {bodies.front().begin, bodies.back().end}, 0});
    const bool twice = std::ssize(m_laps) <= DeepestDoubledLoop && m_stepsWalked < MostDoubledSteps;
    const std::int64_t trips = std::min<std::int64_t>(mostTrips(m_graph, owner), twice ? 2 : 1);
    for (std::int64_t trip = 0; trip < trips; ++trip) {
        m_laps.back().begin = m_generations.next();
        for (const Interval body : bodies)
            walkSteps(body);
    }
    m_laps.pop_back();
}

void Walker::execute(std::int64_t index)
{
    ++m_stepsWalked;
    const Step& step = schedule().steps[static_cast<std::size_t>(index)];
    Moment moment {index, step.node, accessesOf(m_facts, step), {}};
    moment.joined = joinsOf(m_facts, moment.accesses);
    moment.same = sameWrites(m_facts, moment.accesses, m_paper.current);
    touchAll(moment);
    narrowToViews(m_facts, moment.accesses, moment.joined);
    checkReads(moment);
    for (std::size_t w = 0; w < moment.accesses.writes.size(); ++w) {
        checkParted(moment, w);
        checkWriteAgainstReads(moment, w);
        checkWriteAgainstWrites(moment, w);
    }
    checkScratch(moment);
    write(moment);
}

/// What is written first decides how a value came to be: later trips of a loop find it there.
void Walker::touchAll(const Moment& moment)
{
    for (const Read& read : moment.accesses.reads)
        touch(read.value, moment.step);
    for (std::size_t w = 0; w < moment.accesses.writes.size(); ++w) {
        const ValueId value = moment.accesses.writes[w].value;
        const bool isFirst = m_seen.touched[value.index()].empty();
        if (isFirst && moment.joined[w]) m_seen.madeAs[value.index()] = moment.joined[w]->kind;
        touch(value, moment.step);
    }
}

void Walker::touch(ValueId value, std::int64_t step)
{
    Interval& touched = m_seen.touched[value.index()];
    touched = touched.empty() ? Interval {step, step + 1}
                              : Interval {std::min(touched.begin, step), std::max(touched.end, step + 1)};
}

Clash Walker::spoiledRead(const Moment& moment, ValueId read, GenerationId expected, const ByteMap::Piece& by) const
{
    const Generation& spoiler = m_generations[by.generation];
    Clash clash = clashAt(moment, Rule::ClobberedRead, m_facts[read].arena, by.bytes);
    clash.spoiled.value = read;
    clash.spoiler = {spoiler.value, spoiler.value.valid() ? NodeId() : spoiler.node};
    clash.writer = spoiler.node;
    clash.writeStep = spoiler.step;
    clash.iterationBefore = std::ranges::any_of(
        m_laps, [&](const Lap& lap) { return lap.steps.contains(spoiler.step) && by.generation < lap.begin; });
    const ValueId original = m_generations[expected].value;
    if (original != read) {
        clash.spoiled.value = original;
        clash.readAs = read;
    }
    const BodyId outer = m_graph[original].body;
    const BodyId inner = spoiler.value.valid() ? m_graph[spoiler.value].body : m_graph[spoiler.node].body;
    if (inner != outer && isInside(m_graph, inner, outer)) {
        clash.rule = Rule::SubgraphEscape;
    } else if (moment.nextPass || readsKept(m_graph, original, moment.node)) {
        clash.rule = Rule::SavedOverwritten;
    }
    return clash;
}

void Walker::checkRead(const Moment& moment, const Read& read)
{
    const PlaceFacts& facts = m_facts[read.value];
    const GenerationId expected = m_paper.current[read.value.index()];
    if (!facts.walkable || (read.ifWritten && expected == 0)) return;
    if (expected == 0 && isMadeLater(m_facts, read.value, moment.step)) return;
    for (const ByteMap::Piece& piece : m_paper.arenas[facts.arena.index()].pieces(readPieces(m_facts, read))) {
        const auto verdict = m_generations.compare(expected, piece, m_taken);
        if (verdict.intact && expected != 0) continue;
        if (verdict.expected == 0 || verdict.found == 0) {
            Clash clash = clashAt(moment, Rule::UninitialisedRead, facts.arena, piece.bytes);
            clash.spoiled.value = read.value;
            clash.writer = NodeId();
            m_seen.clashes.add(clash);
            continue;
        }
        for (const ByteMap::Piece& spoiler : m_generations.trail(verdict.expected, verdict.found, piece.bytes)) {
            m_seen.clashes.add(spoiledRead(moment, read.value, verdict.expected, spoiler));
        }
    }
}

void Walker::checkReads(const Moment& moment)
{
    for (const Read& read : moment.accesses.reads)
        checkRead(moment, read);
}

void Walker::report(const Moment& moment, Rule rule, const Party& spoiled, const Party& spoiler, Interval bytes)
{
    const ArenaId arena =
        spoiled.value.valid() && m_facts[spoiled.value].walkable ? m_facts[spoiled.value].arena : ArenaId();
    Clash clash = clashAt(moment, rule, arena, bytes);
    clash.spoiled = spoiled;
    clash.spoiler = spoiler;
    m_seen.clashes.add(clash);
}

void Walker::checkWriteAgainstReads(const Moment& moment, std::size_t index)
{
    const Write& write = moment.accesses.writes[index];
    const PlaceFacts& target = m_facts[write.value];
    if (!target.walkable || relabels(moment.joined[index]) || arrangesItsMemory(m_graph[moment.node])) return;
    const std::vector<Kept> kept = keptParts(m_facts, moment.accesses, write);
    for (std::size_t r = 0; r < moment.accesses.reads.size(); ++r) {
        const Read& read = moment.accesses.reads[r];
        const PlaceFacts& source = m_facts[read.value];
        // A body that hands on its own input shifts loop state; the copy of that is staged whatever the plan.
        if (!source.walkable || source.arena != target.arena || read.value == write.value) continue;
        const Interval common = contested(m_facts, read, write.value);
        if (common.empty()) continue;
        const auto stays = [&](const Kept& part) { return intersection(part.bytes, common) == common; };
        if (std::ranges::any_of(kept, stays)) continue;
        const auto allowed = [&](const Join& join) {
            return join.read == r && target.read.begin == source.read.begin + join.offsetBytes;
        };
        if (std::any_of(write.joins.begin(), write.joins.end(), allowed)) continue;
        report(moment, Rule::Overlap, {read.value, {}}, {write.value, {}}, common);
    }
}

void Walker::checkWriteAgainstWrites(const Moment& moment, std::size_t index)
{
    const auto& writes = moment.accesses.writes;
    const PlaceFacts& target = m_facts[writes[index].value];
    if (!target.walkable) return;
    for (std::size_t other = 0; other < index; ++other) {
        const PlaceFacts& earlier = m_facts[writes[other].value];
        if (!earlier.walkable || earlier.arena != target.arena || writes[other].value == writes[index].value) continue;
        if (relabels(moment.joined[other]) && relabels(moment.joined[index])) continue;
        if (moment.same[index] == moment.same[other]) continue;
        const Interval common = intersection(earlier.write, target.write);
        if (!common.empty())
            report(moment, Rule::Overlap, {writes[other].value, {}}, {writes[index].value, {}}, common);
    }
}

/// Views and new versions are the bytes of their input; a plan that parts them breaks the declaration.
void Walker::checkParted(const Moment& moment, std::size_t index)
{
    const Write& write = moment.accesses.writes[index];
    const PlaceFacts& target = m_facts[write.value];
    if (!target.walkable) return;
    for (const Join& join : write.joins) {
        if (join.kind != AliasKind::View && join.kind != AliasKind::Mutates) continue;
        const ValueId base = moment.accesses.reads[join.read].value;
        const PlaceFacts& source = m_facts[base];
        const bool possible = join.offsetBytes >= 0 && join.offsetBytes <= source.read.length() - target.read.length();
        const bool together = source.arena == target.arena && target.read.begin == source.read.begin + join.offsetBytes;
        if (!source.walkable || !possible || together) continue;
        Clash clash = clashAt(moment, Rule::FalseIdentity, target.arena, target.read);
        clash.spoiled.value = base;
        clash.spoiler.value = write.value;
        clash.declaredOffset = join.offsetBytes;
        m_seen.clashes.add(clash);
    }
}

void Walker::checkScratch(const Moment& moment)
{
    if (!moment.accesses.scratchOf.valid()) return;
    for (const std::size_t index : m_facts.scratchOf[moment.accesses.scratchOf.index()]) {
        const ScratchFacts& scratch = m_facts.scratch[index];
        if (!scratch.walkable) continue;
        const auto check = [&](ValueId value, Interval bytes) {
            const Interval common = intersection(bytes, scratch.write);
            if (!m_facts[value].walkable || m_facts[value].arena != scratch.arena || common.empty()) return;
            report(moment, Rule::Overlap, {value, {}}, {ValueId(), scratch.node}, common);
        };
        for (const Read& read : moment.accesses.reads)
            check(read.value, readRange(m_facts, read));
        for (const Write& write : moment.accesses.writes)
            check(write.value, m_facts[write.value].write);
    }
}

void Walker::protectExternals(const Moment& moment, const Party& writer, ArenaId arena, Interval bytes)
{
    for (const ByteMap::Piece& piece : m_paper.arenas[arena.index()].pieces(bytes)) {
        const ValueId spoiled = m_generations[piece.generation].value;
        if (!spoiled.valid() || !m_facts[spoiled].external || spoiled == writer.value) continue;
        if (isGivenAway(m_facts, spoiled)) continue;
        report(moment, Rule::InputOverwritten, {spoiled, {}}, writer, piece.bytes);
    }
}

GenerationId Walker::stamp(ArenaId arena, const std::vector<Interval>& bytes, Generation generation)
{
    return m_generations.add(generation, m_paper.arenas[arena.index()].write(bytes, m_generations.next()));
}

/// What is put together leaves the parts that lie in their places as they are.
GenerationId Walker::stampAround(const Moment& moment, const Write& write)
{
    const PlaceFacts& target = m_facts[write.value];
    const Generation generation {write.value, moment.node, moment.step};
    const std::vector<Kept> kept = keptParts(m_facts, moment.accesses, write);
    ByteMap& map = m_paper.arenas[target.arena.index()];
    std::vector<ByteMap::Piece> before;
    for (const Kept& part : kept)
        std::ranges::move(map.pieces(part.bytes), std::back_inserter(before));
    const GenerationId whole = stamp(target.arena, writtenPieces(m_facts, write.value), generation);
    for (const ByteMap::Piece& piece : before)
        map.write(piece.bytes, piece.generation);
    for (const Kept& part : kept)
        m_generations.keeps(whole, part.bytes, m_paper.current[moment.accesses.reads[part.read].value.index()]);
    return whole;
}

void Walker::write(const Moment& moment)
{
    const auto& writes = moment.accesses.writes;
    std::vector<GenerationId> kept(writes.size());
    for (std::size_t w = 0; w < writes.size(); ++w) {
        if (!relabels(moment.joined[w])) continue;
        kept[w] = m_paper.current[moment.accesses.reads[moment.joined[w]->read].value.index()];
    }
    if (moment.accesses.scratchOf.valid()) {
        for (const std::size_t index : m_facts.scratchOf[moment.accesses.scratchOf.index()]) {
            const ScratchFacts& scratch = m_facts.scratch[index];
            if (!scratch.walkable) continue;
            if (m_externalsPlaced) protectExternals(moment, {ValueId(), scratch.node}, scratch.arena, scratch.write);
            stamp(scratch.arena, {scratch.write}, {ValueId(), scratch.node, moment.step});
        }
    }
    for (std::size_t w = 0; w < writes.size(); ++w) {
        const PlaceFacts& target = m_facts[writes[w].value];
        GenerationId& current = m_paper.current[writes[w].value.index()];
        ++m_written[writes[w].value.index()];
        if (!target.walkable) continue;
        if (kept[w] != 0) {
            current = kept[w];
            continue;
        }
        if (moment.same[w] != w) {
            current = m_paper.current[writes[moment.same[w]].value.index()];
            continue;
        }
        if (m_externalsPlaced && !isNewVersion(m_facts, moment.node, writes[w].value, moment.joined[w]))
            protectExternals(moment, {writes[w].value, {}}, target.arena, target.write);
        current = stampAround(moment, writes[w]);
    }
}

void Walker::checkOutputs()
{
    if (done()) return;
    Moment end;
    end.step = schedule().length();
    for (const ValueId output : m_graph.top().outputs) {
        checkRead(end, {output, {0, -1}, false});
        touch(output, std::max<std::int64_t>(0, end.step - 1));
    }
    if (!m_facts.program.policies.retainGraph) return;
    end.nextPass = true;
    for (const ValueId kept : keptForBackward(m_facts))
        checkRead(end, {kept, {0, -1}, false});
}

} // namespace

Walk walk(const PlanFacts& facts, const Context& context)
{
    return Walker(facts, context).run();
}

} // namespace plimsoll::verifying
