#include "core/sharing/sharing.h"

#include "core/analysis/stream_order.h"
#include "core/base/bytes.h"
#include "core/ops/op_traits.h"
#include "core/plan/decision_rules.h"
#include "core/sharing/storage_table.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// One pair that may share: a node's output and the input it could lie on.
struct Pair
{
    NodeId node;
    AliasKind kind = AliasKind::MayBeInPlace;
    int inputPosition = 0; ///< -1, and so the output's: the node hands over between itself and a body.
    int outputPosition = 0;
    ValueId input;
    ValueId output;
    std::int64_t step = 0;

    [[nodiscard]] bool handsOver() const { return inputPosition < 0; }
};

/// What became of a pair: the rule that decided, and the value that stood in the way, if one did.
struct Verdict
{
    bool accepted = false;
    std::string_view rule;
    ValueId obstacle;
};

/// %o output, %i input, %n node, %x what stands in the way, %s and %t the sizes of input and output.
constexpr std::pair<std::string_view, std::string_view> Sentences[] = {
    {"same-bytes", "'%o' repeats the bytes of '%i', and nobody writes them while either is read."},
    {"last-reader", "'%n' is the last to read '%i', so it may write '%o' over it."},
    {"handed-over", "'%n' hands '%i' over as '%o', and nobody needs '%i' any more: it stays where it is."},
    {"slices", "'%o' is not '%i' as a whole."},
    {rules::PolicyOff, "The policy inplace does not allow it."},
    {"implementation", "The chosen implementation of '%n' cannot write over this input."},
    {"layout-differs", "'%n' reads '%i' in one layout and writes '%o' in another."},
    {"unplanned", "The size of '%i' or '%o' is known at run time only."},
    {rules::InputProtected, "The bytes of '%x' are not the plan's to share."},
    {rules::InputRefilled, "The caller may refill '%x', and '%o' would change with it."},
    {rules::CallerBuffer, "'%o' is written into the buffer that the caller brings for it."},
    {"other-body", "'%i' comes from outside a body of which nobody knows when it reads it."},
    {"space-differs", "'%i' and '%o' lie in different memory spaces."},
    {"already-shared", "'%o' already has its bytes from another sharing."},
    {"size-differs", "'%o' needs %t, '%i' has %s."},
    {"misaligned", "'%i' begins in the middle of its storage, off the alignment."},
    {"pinned", "The graph pins '%x' to an offset of its own."},
    {rules::OutputIndependence, "Two graph outputs would share: a write to one would show in the other."},
    {rules::SavedExposed, "The backward graph reads one of the two, and the caller may write the other before."},
    {"overwritten", "The shared bytes would be written again while '%i' or '%o' is still read."},
    {"output-kept", "'%x' in these bytes is a graph output and must last to the end."},
    {"loop-state", "'%i' is state of a loop and lasts until its Exit."},
    {"loop-writes", "'%o' is still read where the loop writes the next '%i'."},
    {"still-read", "'%x' in these bytes is still read after '%n'."},
    {"read-twice", "'%n' reads these bytes through '%x' too, while it writes."},
    {"not-read", "'%n' does not look at '%i', and MXNet's planner writes only over what a node is the last to read."},
    {"overlap", "Something else in the two storages is alive at the same time."},
    {"other-stream", "A node of another stream uses '%x' in these bytes, and '%n' is in no order with it."},
};

std::string_view sentenceFor(std::string_view rule)
{
    const auto* found = std::find_if(std::begin(Sentences), std::end(Sentences),
                                     [rule](const auto& sentence) { return sentence.first == rule; });
    return found == std::end(Sentences) ? std::string_view() : found->second;
}

std::string fillIn(std::string_view sentence, std::initializer_list<std::pair<char, std::string>> words)
{
    std::string text;
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        const bool placeholder = sentence[i] == '%' && i + 1 < sentence.size();
        if (!placeholder) {
            text += sentence[i];
            continue;
        }
        ++i;
        for (const auto& [key, word] : words) {
            if (key == sentence[i]) text += word;
        }
    }
    return text;
}

class Sharer
{
public:
    Sharer(const SharingInput& input, const DecisionLog& log)
        : m_in(input), m_log(log), m_order(input.graph, input.schedule, input.streams),
          m_table(input.graph, input.facts)
    {
        if (m_order.several()) m_accesses = findUsers(input.graph, input.schedule);
    }

    Sharing run()
    {
        m_sharedAs = m_in.facts.aliases.kind;
        logAliases();
        allowHandovers();
        for (std::int64_t step = 0; step < m_in.schedule.length(); ++step) {
            const Step& here = m_in.schedule.steps[static_cast<std::size_t>(step)];
            if (here.kind == StepKind::Node) {
                considerNode(here.node, step);
            } else {
                for (const auto& [from, to] : handoversAt(here))
                    decide({here.node, AliasKind::Identity, -1, -1, from, to, step}, {});
            }
        }
        Sharing sharing = std::move(m_table).finish();
        sharing.sharedAs = std::move(m_sharedAs);
        return sharing;
    }

private:
    void considerNode(NodeId id, std::int64_t step)
    {
        const Node& node = m_in.graph[id];
        const std::vector<AliasTrait> traits = aliasTraits(m_in.graph, id);
        for (const AliasTrait& trait : traits) {
            if (trait.kind != AliasKind::Identity && trait.kind != AliasKind::MayBeInPlace) continue;
            const auto input = static_cast<std::size_t>(trait.input);
            const auto output = static_cast<std::size_t>(trait.output);
            if (input >= node.inputs.size() || output >= node.outputs.size()) continue;
            const Pair pair {id, trait.kind, trait.input, trait.output, node.inputs[input], node.outputs[output], step};
            if (pair.input.valid() && pair.output.valid()) decide(pair, traits);
        }
    }

    void decide(const Pair& pair, const std::vector<AliasTrait>& traits)
    {
        const Verdict verdict = verdictOn(pair, traits);
        if (verdict.accepted) join(pair);
        if (m_log.recording()) m_log.add(decisionOn(pair, verdict));
    }

    /// What the step copies between an owner and its body, from and to.
    [[nodiscard]] std::vector<std::pair<ValueId, ValueId>> handoversAt(const Step& step) const
    {
        using Kind = BodyLink::Kind;
        const Graph& graph = m_in.graph;
        const Node& owner = graph[step.node];
        std::vector<std::pair<ValueId, ValueId>> pairs;
        const auto add = [&](const std::vector<ValueId>& from, int fromAt, const std::vector<ValueId>& to, int toAt) {
            const ValueId source = at(from, fromAt);
            const ValueId target = at(to, toAt);
            if (source.valid() && target.valid() && source != target) pairs.emplace_back(source, target);
        };
        for (const BodyId body : owner.bodies) {
            if (step.kind == StepKind::Leave && body != step.body) continue;
            for (const BodyLink& link : bodyLinks(graph, step.node, body)) {
                const bool state = link.kind == Kind::Carried || link.kind == Kind::Condition;
                if (step.kind == StepKind::Enter && state)
                    add(owner.inputs, link.ownerInput, graph[body].inputs, link.bodyInput);
                if (step.kind == StepKind::Leave && state)
                    add(graph[body].outputs, link.bodyOutput, graph[body].inputs, link.bodyInput);
                if (step.kind == StepKind::Leave && link.kind == Kind::Branch)
                    add(graph[body].outputs, link.bodyOutput, owner.outputs, link.ownerOutput);
                if (step.kind == StepKind::Exit && link.kind == Kind::Carried)
                    add(graph[body].inputs, link.bodyInput, owner.outputs, link.ownerOutput);
            }
        }
        return pairs;
    }

    static ValueId at(const std::vector<ValueId>& values, int position)
    {
        return position >= 0 && static_cast<std::size_t>(position) < values.size()
                   ? values[static_cast<std::size_t>(position)]
                   : ValueId();
    }

    void allowHandovers()
    {
        for (std::int64_t step = 0; step < m_in.schedule.length(); ++step) {
            const Step& here = m_in.schedule.steps[static_cast<std::size_t>(step)];
            if (here.kind == StepKind::Node) continue;
            for (const auto& [from, to] : handoversAt(here))
                m_table.allowHandover(from, to, step);
        }
    }

    [[nodiscard]] Verdict verdictOn(const Pair& pair, const std::vector<AliasTrait>& traits) const
    {
        for (const auto check : {&Sharer::checkPolicies, &Sharer::checkPlaces, &Sharer::checkSizes}) {
            if (const Verdict verdict = (this->*check)(pair); !verdict.rule.empty()) return verdict;
        }
        const Verdict verdict = verdictInOrder(pair, traits);
        if (!verdict.accepted || !m_order.several()) return verdict;
        const ValueId beside = usedBeside(pair);
        return beside.valid() ? Verdict {false, "other-stream", beside} : verdict;
    }

    /// As if all ran one after the other.
    [[nodiscard]] Verdict verdictInOrder(const Pair& pair, const std::vector<AliasTrait>& traits) const
    {
        if (pair.handsOver()) return verdictOnHandover(pair);
        return pair.kind == AliasKind::Identity ? verdictOnIdentity(pair) : verdictOnInPlace(pair, traits);
    }

    [[nodiscard]] Verdict checkPolicies(const Pair& pair) const
    {
        const InplacePolicy policy = m_in.policies.inplace;
        if (policy == InplacePolicy::Off) return {false, rules::PolicyOff, {}};
        if (pair.handsOver()) return {};
        if (policy == InplacePolicy::IdentityOnly && pair.kind != AliasKind::Identity)
            return {false, rules::PolicyOff, {}};
        if (!implementationAllows(pair.node, {pair.outputPosition, pair.inputPosition}))
            return {false, "implementation", {}};
        return layoutsAgree(pair) ? Verdict {} : Verdict {false, "layout-differs", {}};
    }

    [[nodiscard]] bool layoutsAgree(const Pair& pair) const
    {
        return layoutOf(m_in.graph, m_in.implementations, pair.input) ==
               layoutOf(m_in.graph, m_in.implementations, pair.output);
    }

    [[nodiscard]] bool implementationAllows(NodeId node, Implementation::InPlacePair wanted) const
    {
        if (node.index() >= m_in.implementations.size()) return true;
        const Implementation& chosen = m_in.implementations[node.index()];
        if (!chosen.inPlaceKnown) return true;
        return std::find(chosen.inPlace.begin(), chosen.inPlace.end(), wanted) != chosen.inPlace.end();
    }

    [[nodiscard]] Verdict checkPlaces(const Pair& pair) const
    {
        const ValueFacts& facts = m_in.facts;
        const auto input = pair.input.index();
        const auto output = pair.output.index();
        if (facts.residence[input] == Residence::Unplanned || facts.residence[output] == Residence::Unplanned) {
            return {false, "unplanned", {}};
        }
        if (const ValueId host = m_table.hostOf(pair.output); host.valid()) {
            return {false, m_in.facts.isOutput[host.index()] ? rules::CallerBuffer : rules::InputProtected, host};
        }
        if (const Verdict verdict = checkHost(pair); !verdict.rule.empty()) return verdict;
        if (!pair.handsOver() && crossesOpaqueBody(pair)) return {false, "other-body", {}};
        if (facts.space[input] != facts.space[output]) return {false, "space-differs", {}};
        const bool taken = m_sharedAs[output] != AliasKind::Fresh && !pair.handsOver();
        if (taken || m_table.sameStorage(pair.input, pair.output)) {
            return {false, "already-shared", {}};
        }
        return {};
    }

    /// Whether the value comes from outside a body that a vendor operator runs: nobody knows what that still reads.
    [[nodiscard]] bool crossesOpaqueBody(const Pair& pair) const
    {
        const BodyId outer = m_in.graph[pair.input].body;
        for (BodyId body = m_in.graph[pair.output].body; body != outer;) {
            const NodeId owner = m_in.graph[body].owner;
            if (!owner.valid() || bodyRule(m_in.graph, owner) == BodyRule::Once) return true;
            body = m_in.graph[owner].body;
        }
        return false;
    }

    /// Whether the caller's bytes under the input, if they are his, may be lived in.
    [[nodiscard]] Verdict checkHost(const Pair& pair) const
    {
        const ValueId host = m_table.hostOf(pair.input);
        const bool given = host.valid() && m_in.facts.donated[host.index()];
        if (!host.valid() || (given && m_in.policies.inputs == InputsPolicy::Donate)) return {};
        if (pair.kind != AliasKind::Identity || pair.handsOver()) return {false, rules::InputProtected, host};
        const ValueRole role = m_in.graph[host].role;
        if (role == ValueRole::Intermediate && m_in.facts.isOutput[host.index()]) return {};
        const bool caller = role == ValueRole::Input || role == ValueRole::Parameter;
        if (!caller || m_in.policies.inputs == InputsPolicy::Protect) return {false, rules::InputProtected, host};
        // Read-only and copy-on-write guard writes through an output, not those that refill the input.
        const bool seen = m_table.holdsOutput(pair.output) && m_in.policies.outputs != OutputsPolicy::Shared;
        return seen ? Verdict {false, rules::InputRefilled, host} : Verdict {};
    }

    [[nodiscard]] Verdict checkSizes(const Pair& pair) const
    {
        const ValueFacts& facts = m_in.facts;
        const bool sameSize = facts.requiredBytes[pair.input.index()] == facts.requiredBytes[pair.output.index()];
        const TensorType& from = m_in.graph[pair.input].type;
        const TensorType& to = m_in.graph[pair.output].type;
        if (pair.handsOver() && (from.dtype != to.dtype || from.shape() != to.shape())) return {false, "slices", {}};
        if (pair.kind != AliasKind::Identity && !sameSize) return {false, "size-differs", {}};
        const bool hosted = m_table.hostOf(pair.input).valid();
        if (hosted && m_table.bytesWhenJoined(pair.input, pair.output) > m_table.bytesOf(pair.input))
            return {false, "size-differs", {}};
        for (const ValueId value : {pair.input, pair.output})
            if (m_in.graph[value].pinnedOffset) return {false, "pinned", value};
        const std::int64_t offset = m_table.offsetOf(pair.input);
        const std::int64_t own = m_in.graph[pair.output].alignment;
        if (offset % m_in.policies.alignment != 0 || offset % own != 0) return {false, "misaligned", {}};
        return {};
    }

    [[nodiscard]] Verdict verdictOnIdentity(const Pair& pair) const
    {
        const bool independent = m_in.policies.outputs == OutputsPolicy::Independent;
        if (independent && m_table.holdsOutput(pair.input) && m_table.holdsOutput(pair.output)) {
            return {false, rules::OutputIndependence, {}};
        }
        if (exposesSaved(pair)) return {false, rules::SavedExposed, {}};
        if (loopRewrites(pair)) return {false, "loop-writes", {}};
        if (!m_table.identityFits(pair.input, pair.output)) return {false, "overwritten", {}};
        return {true, "same-bytes", {}};
    }

    /// Between forward and backward the caller may write an output; what the backward graph reads must not change.
    /// (Under copy-on-write only what shares with another output moves away.)
    [[nodiscard]] bool exposesSaved(const Pair& pair) const
    {
        const OutputsPolicy outputs = m_in.policies.outputs;
        if (outputs == OutputsPolicy::Shared || outputs == OutputsPolicy::ReadOnly) return false;
        const auto meet = [&](ValueId seen, ValueId read) {
            return m_table.contentHas(seen, m_in.facts.isOutput) && m_table.contentHas(read, m_in.facts.saved);
        };
        return meet(pair.input, pair.output) || meet(pair.output, pair.input);
    }

    /// A loop writes its state anew at every Leave, and reads there what the body hands over.
    [[nodiscard]] bool loopRewrites(const Pair& pair) const
    {
        const Value& origin = m_in.graph[m_table.originOf(pair.input)];
        if (origin.role != ValueRole::BodyInput) return false;
        if (bodyRule(m_in.graph, m_in.graph[origin.body].owner) != BodyRule::Loop) return false;
        return m_table.liveOf(pair.output).contains(m_in.schedule.leaveStep(origin.body));
    }

    /// What is handed over may stay where it is if what was there is not needed any more: the next iteration, or the
    /// other branch, puts something else there.
    [[nodiscard]] Verdict verdictOnHandover(const Pair& pair) const
    {
        if (const ValueId survivor = m_table.survivor(pair.input, pair.step); survivor.valid())
            return {false, ruleOf(pair, survivor), survivor};
        if (!m_table.inPlaceFits(pair.input, pair.output, pair.step)) return {false, "overlap", {}};
        return {true, "handed-over", {}};
    }

    [[nodiscard]] Verdict verdictOnInPlace(const Pair& pair, const std::vector<AliasTrait>& traits) const
    {
        if (const ValueId survivor = m_table.survivor(pair.input, pair.step); survivor.valid()) {
            return {false, ruleOf(pair, survivor), survivor};
        }
        if (plansLikeMxnet(m_in.policies) && !readsContent(m_in.graph, pair.node, pair.inputPosition))
            return {false, "not-read", {}};
        if (const ValueId twin = readBeside(pair, traits); twin.valid()) return {false, "read-twice", twin};
        if (!m_table.inPlaceFits(pair.input, pair.output, pair.step)) return {false, "overlap", {}};
        return {true, "last-reader", {}};
    }

    /// A value in the bytes that the two would share, used by a node that is in no order with one that writes there.
    [[nodiscard]] ValueId usedBeside(const Pair& pair) const
    {
        const std::vector<ValueId>& left = m_table.valuesWith(pair.input);
        const std::vector<ValueId>& right = m_table.valuesWith(pair.output);
        if (pair.kind != AliasKind::Identity || pair.handsOver()) {
            const ValueId found = usedBeside(pair.node, left);
            return found.valid() ? found : usedBeside(pair.node, right);
        }
        for (const auto& [writers, users] : {std::pair(left, right), std::pair(right, left)}) {
            for (const ValueId writer : writers) {
                const ValueId found = rewrites(writer) ? usedBeside(m_in.graph[writer].producer, users) : ValueId();
                if (found.valid()) return found;
            }
        }
        return {};
    }

    [[nodiscard]] ValueId usedBeside(NodeId writer, const std::vector<ValueId>& values) const
    {
        const auto beside = [&](ValueId value) {
            const std::vector<NodeId>& users = m_accesses[value.index()];
            return std::any_of(users.begin(), users.end(),
                               [&](NodeId user) { return m_order.unordered(user, writer); });
        };
        const auto found = std::find_if(values.begin(), values.end(), beside);
        return found == values.end() ? ValueId() : *found;
    }

    /// Whether it is written over other content of its storage, by a node.
    [[nodiscard]] bool rewrites(ValueId value) const
    {
        const AliasKind kind = m_sharedAs[value.index()];
        const bool over = kind == AliasKind::Mutates || kind == AliasKind::MayBeInPlace;
        return over && m_in.graph[value].producer.valid();
    }

    /// Why the content of the input outlives the node.
    [[nodiscard]] std::string_view ruleOf(const Pair& pair, ValueId survivor) const
    {
        if (m_in.facts.isOutput[survivor.index()]) return "output-kept";
        return m_in.graph[pair.input].role == ValueRole::BodyInput ? "loop-state" : "still-read";
    }

    /// Another input of the node in the same bytes that must not be overwritten while the node reads it.
    [[nodiscard]] ValueId readBeside(const Pair& pair, const std::vector<AliasTrait>& traits) const
    {
        const std::vector<ValueId>& inputs = m_in.graph[pair.node].inputs;
        for (std::size_t position = 0; position < inputs.size(); ++position) {
            const ValueId other = inputs[position];
            if (static_cast<int>(position) == pair.inputPosition || !other.valid()) continue;
            if (!m_table.sameStorage(other, pair.input)) continue;
            if (!readsContent(m_in.graph, pair.node, static_cast<int>(position))) continue;
            // MXNet's planner counts reads: a node that reads the bytes twice never writes over them.
            const bool excused = !plansLikeMxnet(m_in.policies) &&
                                 std::any_of(traits.begin(), traits.end(), [&](const AliasTrait& trait) {
                                     return trait.kind == AliasKind::MayBeInPlace &&
                                            trait.output == pair.outputPosition &&
                                            trait.input == static_cast<int>(position) &&
                                            implementationAllows(pair.node, {trait.output, trait.input});
                                 });
            if (!excused || m_table.offsetOf(other) != m_table.offsetOf(pair.input)) return other;
        }
        return {};
    }

    void join(const Pair& pair)
    {
        m_sharedAs[pair.output.index()] = pair.kind;
        if (pair.kind == AliasKind::Identity && !pair.handsOver()) {
            m_table.joinIdentity(pair.input, pair.output);
        } else {
            m_table.joinInPlace(pair.input, pair.output, pair.step);
        }
    }

    void logAliases() const
    {
        if (!m_log.recording()) return;
        const AliasSets& aliases = m_in.facts.aliases;
        for (std::size_t value = 0; value < m_in.graph.values.size(); ++value) {
            if (!aliases.source[value].valid()) continue;
            const bool view = aliases.kind[value] == AliasKind::View;
            const std::string& source = m_in.graph[aliases.source[value]].name;
            m_log.add({DecisionKind::Alias, m_in.graph.values[value].name, source, true, view ? "view" : "mutates",
                       view ? "It is a part of '" + source + "' and has no bytes of its own."
                            : "It is '" + source + "' after being written, in the same bytes.",
                       std::max<std::int64_t>(0, m_in.facts.requiredBytes[value])});
        }
    }

    [[nodiscard]] Decision decisionOn(const Pair& pair, const Verdict& verdict) const
    {
        const bool identity = pair.kind == AliasKind::Identity;
        const DecisionKind kind = pair.handsOver() ? DecisionKind::HandOver
                                  : identity       ? DecisionKind::Identity
                                                   : DecisionKind::InPlace;
        return {kind,
                m_in.graph[pair.output].name,
                m_in.graph[pair.input].name,
                verdict.accepted,
                std::string(verdict.rule),
                reasonFor(pair, verdict),
                std::max<std::int64_t>(0, m_in.facts.requiredBytes[pair.output.index()])};
    }

    [[nodiscard]] std::string reasonFor(const Pair& pair, const Verdict& verdict) const
    {
        const std::string obstacle = verdict.obstacle.valid() ? m_in.graph[verdict.obstacle].name : "another value";
        const auto bytes = [this](ValueId id) { return formatCount(m_in.facts.requiredBytes[id.index()]) + " B"; };
        return fillIn(sentenceFor(verdict.rule), {{'o', m_in.graph[pair.output].name},
                                                  {'i', m_in.graph[pair.input].name},
                                                  {'n', m_in.graph[pair.node].name},
                                                  {'x', obstacle},
                                                  {'s', bytes(pair.input)},
                                                  {'t', bytes(pair.output)}});
    }

    const SharingInput& m_in;
    const DecisionLog& m_log;
    StreamOrder m_order;
    std::vector<std::vector<NodeId>> m_accesses; ///< By ValueId; empty where all runs on one stream.
    StorageTable m_table;
    std::vector<AliasKind> m_sharedAs; ///< By ValueId.
};

} // namespace

Sharing share(const SharingInput& input, const DecisionLog& log)
{
    return Sharer(input, log).run();
}

} // namespace plimsoll
