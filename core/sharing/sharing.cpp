#include "core/sharing/sharing.h"

#include "core/analysis/stream_order.h"
#include "core/ops/inner_access.h"
#include "core/ops/op_traits.h"
#include "core/plan/decision.h"
#include "core/sharing/pairs.h"
#include "core/sharing/repeated_outputs.h"
#include "core/sharing/storage_table.h"

#include <algorithm>
#include <span>

namespace plimsoll {
namespace {

/// What became of a pair: the rule that decided, and the value that stood in the way, if one did.
struct Verdict
{
    bool accepted = false;
    std::string_view rule;
    ValueId obstacle;
};

/// The sentence for a rule, and what it names: o the output, i the input, n the node, x what stands in the way, s and t
/// the sizes of input and output.
struct Said
{
    std::string_view rule;
    std::string_view sentence;
    std::string_view names;
};

constexpr Said Reasons[] = {
    {"same-bytes", "share.same-bytes", "oi"},
    {"inside", "share.inside", "oi"},
    {"kept-apart", "share.kept-apart", ""},
    {"larger-inside", "share.larger-inside", "n"},
    {"last-reader", "share.last-reader", "nio"},
    {"handed-over", "share.handed-over", "nio"},
    {"slices", "share.slices", "oi"},
    {rules::PolicyOff, "share.policy-off", ""},
    {"implementation", "share.implementation", "n"},
    {"layout-differs", "share.layout-differs", "nio"},
    {"reads-elsewhere", "share.reads-elsewhere", "ni"},
    {"unplanned", "share.unplanned", "io"},
    {rules::InputProtected, "share.input-protected", "x"},
    {rules::InputRefilled, "share.input-refilled", "xo"},
    {rules::CallerBuffer, "share.caller-buffer", "o"},
    {"other-body", "share.other-body", "i"},
    {"not-exact", "share.not-exact", "x"},
    {"asked-apart", "share.asked-apart", "x"},
    {"space-differs", "share.space-differs", "io"},
    {"already-shared", "share.already-shared", "o"},
    {"size-differs", "share.size-differs", "otis"},
    {"misaligned", "share.misaligned", "i"},
    {"pinned", "share.pinned", "x"},
    {rules::OutputIndependence, "share.output-independence", ""},
    {rules::SavedExposed, "share.saved-exposed", ""},
    {"overwritten", "share.overwritten", "io"},
    {"output-kept", "share.output-kept", "x"},
    {"loop-state", "share.loop-state", "i"},
    {"loop-writes", "share.loop-writes", "oi"},
    {"still-read", "share.still-read", "xn"},
    {"read-twice", "share.read-twice", "nx"},
    {"not-read", "share.not-read", "ni"},
    {"overlap", "share.overlap", ""},
    {"other-stream", "share.other-stream", "xn"},
};

Message reasonFor(const SharingInput& in, const Pair& pair, const Verdict& verdict)
{
    const auto* said = std::ranges::find(Reasons, verdict.rule, &Said::rule);
    if (said == std::end(Reasons)) return {};
    Message reason = say(said->sentence);
    for (const char what : said->names) {
        if (what == 's' || what == 't') {
            reason.arguments.emplace_back(in.facts.requiredBytes[(what == 's' ? pair.input : pair.output).index()]);
        } else if (what == 'n') {
            reason.arguments.emplace_back(word::Name {in.graph[pair.node].name});
        } else if (what == 'x' && !verdict.obstacle.valid()) {
            reason.arguments.emplace_back(say("another-value"));
        } else {
            const ValueId value = what == 'o' ? pair.output : what == 'i' ? pair.input : verdict.obstacle;
            reason.arguments.emplace_back(word::Name {in.graph[value].name});
        }
    }
    return reason;
}

/// What shares so far, which every further pair has to go along with.
struct Joined
{
    explicit Joined(const SharingInput& input)
        : in(input), order(input.graph, input.program.schedule, input.program.streams), table(input.graph, input.facts),
          sharedAs(input.facts.aliases.kind)
    {
        if (order.several()) users = findUsers(input.graph, input.program.schedule);
        for (const auto& [one, other] : input.program.constraints.apart)
            apart.emplace_back(findValue(input.graph, one), findValue(input.graph, other));
    }

    const SharingInput& in;
    StreamOrder order;
    std::vector<std::vector<NodeId>> users;         ///< By ValueId; empty where all runs on one stream.
    std::vector<std::pair<ValueId, ValueId>> apart; ///< As it is asked for.
    StorageTable table;
    std::vector<AliasKind> sharedAs; ///< By ValueId.
};

bool implementationAllows(const SharingInput& in, NodeId node, Implementation::InPlacePair wanted)
{
    const Implementation& chosen = in.program.implementations[node];
    if (!chosen.inPlaceKnown) return true;
    return std::find(chosen.inPlace.begin(), chosen.inPlace.end(), wanted) != chosen.inPlace.end();
}

/// Both have one layout, the part takes no more bytes than it has there, and they are of one nested graph.
Verdict checkPart(const Joined& joined, const Pair& pair)
{
    const SharingInput& in = joined.in;
    const bool allowed =
        in.program.policies.subbuffers == SubbuffersPolicy::On && in.program.policies.inplace != InplacePolicy::Off;
    if (!allowed) return {false, "kept-apart", {}};
    const auto layout = [&](ValueId value) { return layoutOf(in.graph, in.program.implementations, value); };
    if (layout(pair.input) != layout(pair.output)) return {false, "layout-differs", {}};
    const ValueId part = pair.part.inputIsPart ? pair.input : pair.output;
    if (in.facts.requiredBytes[part.index()] != pair.part.bytes) return {false, "not-exact", part};
    if (in.graph[pair.input].body != in.graph[pair.output].body) return {false, "other-body", {}};
    return in.apart.contains(pair.node) ? Verdict {false, "larger-inside", {}} : Verdict {};
}

Verdict checkPolicies(const Joined& joined, const Pair& pair)
{
    if (pair.kind == AliasKind::Part) return checkPart(joined, pair);
    const InplacePolicy policy = joined.in.program.policies.inplace;
    if (policy == InplacePolicy::Off) return {false, rules::PolicyOff, {}};
    if (pair.handsOver()) return {};
    if (policy == InplacePolicy::IdentityOnly && pair.kind != AliasKind::Identity) return {false, rules::PolicyOff, {}};
    if (!implementationAllows(joined.in, pair.node, {pair.outputPosition, pair.inputPosition}))
        return {false, "implementation", {}};
    if (pair.kind == AliasKind::MayBeInPlace && readsElsewhere(joined.in.graph, pair.node, pair.inputPosition))
        return {false, "reads-elsewhere", {}};
    const bool layoutsAgree = layoutOf(joined.in.graph, joined.in.program.implementations, pair.input) ==
                              layoutOf(joined.in.graph, joined.in.program.implementations, pair.output);
    return layoutsAgree ? Verdict {} : Verdict {false, "layout-differs", {}};
}

/// Whether the value comes from outside a body that a vendor operator runs: what that still reads is unknown.
bool crossesOpaqueBody(const Graph& graph, const Pair& pair)
{
    const BodyId outer = graph[pair.input].body;
    for (BodyId body = graph[pair.output].body; body != outer;) {
        const NodeId owner = graph[body].owner;
        if (!owner.valid() || bodyRule(graph, owner) == BodyRule::Once) return true;
        body = graph[owner].body;
    }
    return false;
}

/// Whether the pair may lie in the bytes of the caller that the input has, if it has any.
Verdict checkHost(const Joined& joined, const Pair& pair)
{
    const ValueId host = joined.table.hostOf(pair.input);
    const bool given = host.valid() && joined.in.facts.donated[host.index()];
    if (!host.valid() || (given && joined.in.program.policies.inputs == InputsPolicy::Donate)) return {};
    if (pair.kind != AliasKind::Identity || pair.handsOver()) return {false, rules::InputProtected, host};
    const ValueRole role = joined.in.graph[host].role;
    if (role == ValueRole::Intermediate && joined.in.facts.isOutput[host.index()]) return {};
    const bool caller = role == ValueRole::Input || role == ValueRole::Parameter;
    if (!caller || joined.in.program.policies.inputs == InputsPolicy::Protect)
        return {false, rules::InputProtected, host};
    // Read-only and copy-on-write guard writes through an output, not those that refill the input.
    const bool seen =
        joined.table.holdsOutput(pair.output) && joined.in.program.policies.outputs != OutputsPolicy::Shared;
    return seen ? Verdict {false, rules::InputRefilled, host} : Verdict {};
}

Verdict checkPlaces(const Joined& joined, const Pair& pair)
{
    const ValueFacts& facts = joined.in.facts;
    const auto input = pair.input.index();
    const auto output = pair.output.index();
    if (facts.residence[input] == Residence::Unplanned || facts.residence[output] == Residence::Unplanned) {
        return {false, "unplanned", {}};
    }
    if (const ValueId host = joined.table.hostOf(pair.output); host.valid()) {
        return {false, joined.in.facts.isOutput[host.index()] ? rules::CallerBuffer : rules::InputProtected, host};
    }
    if (const Verdict verdict = checkHost(joined, pair); !verdict.rule.empty()) return verdict;
    if (!pair.handsOver() && crossesOpaqueBody(joined.in.graph, pair)) return {false, "other-body", {}};
    if (facts.space[input] != facts.space[output]) return {false, "space-differs", {}};
    const AliasKind shared = joined.sharedAs[output];
    const bool more = shared == AliasKind::Part && pair.kind == AliasKind::Part; // of the parts of one
    const bool taken = shared != AliasKind::Fresh && !more && !pair.handsOver();
    if (taken || joined.table.sameStorage(pair.input, pair.output)) {
        return {false, "already-shared", {}};
    }
    return {};
}

Verdict checkSizes(const Joined& joined, const Pair& pair)
{
    const ValueFacts& facts = joined.in.facts;
    const bool sameSize = facts.requiredBytes[pair.input.index()] == facts.requiredBytes[pair.output.index()];
    const TensorType& from = joined.in.graph[pair.input].type;
    const TensorType& to = joined.in.graph[pair.output].type;
    if (pair.handsOver() && (from.dtype != to.dtype || from.shape() != to.shape())) return {false, "slices", {}};
    const bool inside = pair.kind == AliasKind::Part;
    const bool open = !from.shape(); // then the same bound says that neither reaches further
    if ((pair.kind != AliasKind::Identity || open) && !inside && !sameSize) return {false, "size-differs", {}};
    const bool hosted = joined.table.hostOf(pair.input).valid();
    if (hosted && inside) return {false, rules::InputProtected, joined.table.hostOf(pair.input)};
    if (hosted && joined.table.bytesWhenJoined(pair.input, pair.output) > joined.table.bytesOf(pair.input))
        return {false, "size-differs", {}};
    for (const ValueId value : {pair.input, pair.output})
        if (joined.in.graph[value].at->pinnedOffset) return {false, "pinned", value};
    // A part that begins on the grid of what it lies in does so wherever that lies.
    const std::int64_t offset = inside ? pair.part.offsetBytes : joined.table.offsetOf(pair.input);
    const std::int64_t own = joined.in.graph[pair.part.inputIsPart ? pair.input : pair.output].at->alignment;
    if (offset % joined.in.program.policies.alignment != 0 || offset % own != 0) return {false, "misaligned", {}};
    return {};
}

Verdict verdictOnIdentity(const Joined& joined, const Pair& pair)
{
    const bool independent = joined.in.program.policies.outputs == OutputsPolicy::Independent;
    if (independent && joined.table.holdsOutput(pair.input) && joined.table.holdsOutput(pair.output)) {
        return {false, rules::OutputIndependence, {}};
    }
    // Between forward and backward the caller may write an output; what the backward graph reads must not change.
    // (Under copy-on-write only what shares with another output moves away.)
    const OutputsPolicy outputs = joined.in.program.policies.outputs;
    const auto meet = [&](ValueId seen, ValueId read) {
        return joined.table.contentHas(seen, joined.in.facts.isOutput) &&
               joined.table.contentHas(read, joined.in.facts.saved);
    };
    const bool writable = outputs != OutputsPolicy::Shared && outputs != OutputsPolicy::ReadOnly;
    if (writable && (meet(pair.input, pair.output) || meet(pair.output, pair.input)))
        return {false, rules::SavedExposed, {}};
    // A loop writes its state anew at every Leave, and reads there what the body hands over.
    const Value& origin = joined.in.graph[joined.table.originOf(pair.input)];
    const bool state = origin.role == ValueRole::BodyInput &&
                       bodyRule(joined.in.graph, joined.in.graph[origin.body].owner) == BodyRule::Loop;
    if (state && joined.table.liveOf(pair.output).contains(joined.in.program.schedule.leaveStep(origin.body)))
        return {false, "loop-writes", {}};
    const bool inside = pair.kind == AliasKind::Part;
    const bool fits = inside ? joined.table.partFits(pair.input, pair.output, pair.part)
                             : joined.table.identityFits(pair.input, pair.output);
    return fits ? Verdict {true, inside ? "inside" : "same-bytes", {}} : Verdict {false, "overwritten", {}};
}

/// Why the content of the input outlives the node.
std::string_view ruleOf(const Joined& joined, const Pair& pair, ValueId survivor)
{
    if (joined.in.facts.isOutput[survivor.index()]) return "output-kept";
    return joined.in.graph[pair.input].role == ValueRole::BodyInput ? "loop-state" : "still-read";
}

/// What is handed over may stay where it is if what was there is not needed any more: the next iteration, or the
/// other branch, puts something else there.
Verdict verdictOnHandover(const Joined& joined, const Pair& pair)
{
    if (const ValueId survivor = joined.table.survivor(pair.input, pair.step); survivor.valid())
        return {false, ruleOf(joined, pair, survivor), survivor};
    if (!joined.table.inPlaceFits(pair.input, pair.output, pair.step)) return {false, "overlap", {}};
    return {true, "handed-over", {}};
}

/// Another input of the node in the same bytes that must not be overwritten while the node reads it.
ValueId readBeside(const Joined& joined, const Pair& pair)
{
    const ValueIds& inputs = joined.in.graph[pair.node].inputs;
    for (std::size_t position = 0; position < inputs.size(); ++position) {
        const ValueId other = inputs[position];
        if (static_cast<int>(position) == pair.inputPosition || !other.valid()) continue;
        if (!joined.table.sameStorage(other, pair.input)) continue;
        if (!readsContent(joined.in.graph, pair.node, static_cast<int>(position))) continue;
        // MXNet's planner counts reads: a node that reads the bytes twice never writes over them.
        const bool excused = !plansLikeMxnet(joined.in.program.policies) &&
                             std::any_of(pair.traits.begin(), pair.traits.end(), [&](const AliasTrait& trait) {
                                 return trait.kind == AliasKind::MayBeInPlace && trait.output == pair.outputPosition &&
                                        trait.input == static_cast<int>(position) &&
                                        implementationAllows(joined.in, pair.node, {trait.output, trait.input});
                             });
        if (!excused || joined.table.offsetOf(other) != joined.table.offsetOf(pair.input)) return other;
    }
    return {};
}

Verdict verdictOnInPlace(const Joined& joined, const Pair& pair)
{
    if (const ValueId survivor = joined.table.survivor(pair.input, pair.step); survivor.valid()) {
        return {false, ruleOf(joined, pair, survivor), survivor};
    }
    if (plansLikeMxnet(joined.in.program.policies) && !readsContent(joined.in.graph, pair.node, pair.inputPosition))
        return {false, "not-read", {}};
    if (const ValueId twin = readBeside(joined, pair); twin.valid()) return {false, "read-twice", twin};
    if (!joined.table.inPlaceFits(pair.input, pair.output, pair.step)) return {false, "overlap", {}};
    return {true, "last-reader", {}};
}

ValueId usedBeside(const Joined& joined, NodeId writer, std::span<const ValueId> values)
{
    const auto beside = [&](ValueId value) {
        const std::vector<NodeId>& users = joined.users[value.index()];
        return std::any_of(users.begin(), users.end(),
                           [&](NodeId user) { return joined.order.unordered(user, writer); });
    };
    const auto found = std::find_if(values.begin(), values.end(), beside);
    return found == values.end() ? ValueId() : *found;
}

/// A value in the bytes that the two would share, used by a node that is in no order with one that writes there.
ValueId usedBeside(const Joined& joined, const Pair& pair)
{
    const std::vector<ValueId> left = joined.table.valuesWith(pair.input);
    const std::vector<ValueId> right = joined.table.valuesWith(pair.output);
    if (pair.kind != AliasKind::Identity || pair.handsOver()) {
        const ValueId found = usedBeside(joined, pair.node, left);
        return found.valid() ? found : usedBeside(joined, pair.node, right);
    }
    for (const auto& [writers, users] : {std::pair(left, right), std::pair(right, left)}) {
        for (const ValueId writer : writers) {
            const AliasKind kind = joined.sharedAs[writer.index()];
            const NodeId node = joined.in.graph[writer].producer;
            const bool over = kind == AliasKind::Mutates || kind == AliasKind::MayBeInPlace;
            const ValueId found = over && node.valid() ? usedBeside(joined, node, users) : ValueId();
            if (found.valid()) return found;
        }
    }
    return {};
}

/// Whether it is asked that something of one of them lies apart from something of the other.
Verdict checkAsked(const Joined& joined, const Pair& pair)
{
    for (const auto& [one, other] : joined.apart) {
        for (const auto& [left, right] : {std::pair(one, other), std::pair(other, one)}) {
            if (joined.table.sameStorage(left, pair.input) && joined.table.sameStorage(right, pair.output))
                return {false, "asked-apart", left};
        }
    }
    return {};
}

Verdict verdictOn(const Joined& joined, const Pair& pair)
{
    for (const auto check : {&checkAsked, &checkPolicies, &checkPlaces, &checkSizes}) {
        if (const Verdict verdict = check(joined, pair); !verdict.rule.empty()) return verdict;
    }
    const auto inOrder = pair.repeats                           ? &verdictOnIdentity
                         : pair.handsOver()                     ? &verdictOnHandover
                         : pair.kind == AliasKind::MayBeInPlace ? &verdictOnInPlace
                                                                : &verdictOnIdentity;
    const Verdict verdict = inOrder(joined, pair); // As if all ran one after the other.
    if (!verdict.accepted || !joined.order.several()) return verdict;
    const ValueId beside = usedBeside(joined, pair);
    return beside.valid() ? Verdict {false, "other-stream", beside} : verdict;
}

void noteAliases(const SharingInput& input, const DecisionLog& log)
{
    const AliasSets& aliases = input.facts.aliases;
    for (std::size_t value = 0; log.recording() && value < input.graph.values.size(); ++value) {
        if (!aliases.source[value].valid()) continue;
        const bool view = aliases.kind[value] == AliasKind::View;
        const std::string& source = input.graph[aliases.source[value]].name;
        log.add({DecisionKind::Alias, input.graph.values[value].name, source, true, view ? "view" : "mutates",
                 say(view ? "alias.view" : "alias.version", word::Name {source}),
                 std::max<std::int64_t>(0, input.facts.requiredBytes[value])});
    }
}

void decide(Joined& joined, const Pair& pair, const DecisionLog& log)
{
    const SharingInput& in = joined.in;
    const Verdict verdict = verdictOn(joined, pair);
    const bool inside = pair.kind == AliasKind::Part;
    const bool identity = inside || (pair.kind == AliasKind::Identity && (pair.repeats || !pair.handsOver()));
    if (verdict.accepted) joined.sharedAs[pair.output.index()] = pair.kind;
    if (verdict.accepted && inside)
        joined.table.joinPart(pair.input, pair.output, pair.part);
    else if (verdict.accepted && identity)
        joined.table.joinIdentity(pair.input, pair.output);
    else if (verdict.accepted)
        joined.table.joinInPlace(pair.input, pair.output, pair.step);
    if (!log.recording()) return;
    const DecisionKind kind = identity           ? DecisionKind::Identity
                              : pair.handsOver() ? DecisionKind::HandOver
                                                 : DecisionKind::InPlace;
    log.add({kind, in.graph[pair.output].name, in.graph[pair.input].name, verdict.accepted, std::string(verdict.rule),
             reasonFor(in, pair, verdict), std::max<std::int64_t>(0, in.facts.requiredBytes[pair.output.index()])});
}

/// Why the two cannot lie apart; empty: they can.
Message whyNotApart(const Joined& joined, ValueId one, ValueId other)
{
    const Graph& graph = joined.in.graph;
    const std::vector<ValueId>& root = joined.in.facts.aliases.root;
    if (root[one.index()] != root[other.index()]) return {};
    return say("asked.same-bytes", word::Name {graph[one].name}, word::Name {graph[other].name});
}

/// Lets the two take turns in one storage; else why they cannot.
Message putTogether(Joined& joined, const NamePair& two)
{
    const ValueFacts& facts = joined.in.facts;
    const ValueId first = findValue(joined.in.graph, two.first);
    const ValueId second = findValue(joined.in.graph, two.second);
    for (const ValueId value : {first, second}) {
        if (facts.residence[value.index()] != Residence::Planned || joined.table.hostOf(value).valid())
            return say("asked.not-planned", word::Name {joined.in.graph[value].name});
    }
    if (facts.space[first.index()] != facts.space[second.index()])
        return say("asked.other-space", word::Name {two.first}, word::Name {two.second});
    if (joined.table.sameStorage(first, second)) {
        const bool same = joined.table.offsetOf(first) == joined.table.offsetOf(second);
        return same ? Message() : say("asked.inside", word::Name {two.first}, word::Name {two.second});
    }
    if (!joined.table.takeTurns(first, second))
        return say("asked.alive-together", word::Name {two.first}, word::Name {two.second});
    joined.table.joinTurns(first, second);
    return {};
}

/// On several streams a part is written while others of the whole are still used; MXNet's planner knows no parts.
bool mayLieInside(const Joined& joined)
{
    return !joined.order.several() && !plansLikeMxnet(joined.in.program.policies);
}

Sharing shareOnce(const SharingInput& input, const std::vector<RepeatedOutput>& repeats, const DecisionLog& log)
{
    const Graph& graph = input.graph;
    Joined joined(input);
    const std::vector<Step>& steps = input.program.schedule.steps;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        if (steps[step].kind == StepKind::Node) continue;
        for (const auto& [from, to] : handoversAt(graph, steps[step]))
            joined.table.allowHandover(from, to, static_cast<std::int64_t>(step));
    }
    for (std::size_t index = 0; index < steps.size(); ++index) {
        const Step& here = steps[index];
        const auto step = static_cast<std::int64_t>(index);
        for (const RepeatedOutput& two : repeats) {
            if (here.kind == StepKind::Enter && two.owner == here.node)
                decide(joined, {here.node, AliasKind::Identity, -1, -1, two.first, two.second, step, {}, true}, log);
        }
        for (const Pair& pair : pairsAt(graph, here, step, input.facts.traits)) {
            if (pair.kind != AliasKind::Part || mayLieInside(joined)) decide(joined, pair, log);
        }
    }
    Message refused;
    for (const auto& [one, other] : joined.apart)
        if (refused.empty()) refused = whyNotApart(joined, one, other);
    for (const NamePair& two : input.program.constraints.together) {
        if (refused.empty()) refused = putTogether(joined, two);
        log.add({DecisionKind::Placement, two.second, two.first, true, "asked-together",
                 say("share.asked-together", word::Name {two.first}), 0});
    }
    Sharing sharing = std::move(joined.table).finish();
    sharing.refused = std::move(refused);
    sharing.sharedAs = std::move(joined.sharedAs);
    return sharing;
}

} // namespace

/// Whether the branches hand what repeats over from one place shows when all of them are decided; where they do not,
/// all is decided anew without that repeat.
Sharing share(const SharingInput& input, const DecisionLog& log)
{
    noteAliases(input, log);
    std::vector<RepeatedOutput> repeats = repeatedOutputs(input.graph, input.facts.traits);
    for (;;) {
        std::vector<Decision> decisions;
        const DecisionLog own = log.recording() ? DecisionLog(decisions) : DecisionLog();
        Sharing sharing = shareOnce(input, repeats, own);
        const auto parted = [&](const RepeatedOutput& two) {
            const StorageId storage = sharing.storageOf[two.first.index()];
            return storage.valid() && storage == sharing.storageOf[two.second.index()] &&
                   !handedFromOnePlace(sharing, two);
        };
        if (std::erase_if(repeats, parted) > 0) continue;
        for (Decision& decision : decisions)
            log.add(std::move(decision));
        return sharing;
    }
}

} // namespace plimsoll
