#include "core/lower/choose/way_steps.h"

#include "core/base/bytes.h"
#include "core/base/narrow.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <map>
#include <set>

namespace plimsoll::dispatching {
namespace {

const Lying* findIn(const State& state, ValueId value)
{
    const auto found = std::ranges::lower_bound(state, value, {}, &Lying::value);
    return found == state.end() || found->value != value ? nullptr : &*found;
}

bool isAlive(const Stay& stay, Moment moment)
{
    return stay.begin <= moment && moment <= stay.end;
}

} // namespace

bool StepMaker::whole() const
{
    return std::ranges::all_of(m_forms, &Forms::whole);
}

std::size_t StepMaker::branching(std::size_t position) const
{
    const NodeId node = m_timeline.order[position];
    std::size_t steps = m_candidates.ofNode[node.index()].size();
    for (const ValueId output : m_graph[node].outputs) {
        if (output.valid()) steps *= std::max<std::size_t>(1, m_forms[output.index()].list.size());
    }
    return steps;
}

std::vector<Step> StepMaker::stepsFrom(const State& state, std::size_t position) const
{
    std::vector<Step> steps;
    const NodeId node = m_timeline.order[position];
    for (const Candidate& candidate : m_candidates.ofNode[node.index()]) {
        if (!std::ranges::all_of(state, [&](const Lying& one) { return fits(one, position, candidate); })) continue;
        for (State& all : scenesOf(state, position, candidate)) {
            Scene scene {position, candidate, std::move(all)};
            Step step {&candidate, {}, candidate.ms, 0};
            for (Lying& lying : scene.all) {
                const bool isNew = !findIn(state, lying.value);
                if (isNew) step.ms += formOf(lying).ms;
                const auto& outputs = m_graph[node].outputs;
                const auto output = std::ranges::find(outputs, lying.value);
                if (isNew && output != outputs.end())
                    lying.root = rootOf(scene, lying.value, narrow<int>(output - outputs.begin()));
            }
            step.bytes = mostAlive(scene);
            const Moment done = m_timeline.ofResult(position, narrow<int>(m_graph[node].outputs.size()));
            for (const Lying& lying : scene.all) {
                const bool stays =
                    std::ranges::any_of(formOf(lying).stays, [done](const Stay& stay) { return stay.end > done; });
                if (stays) step.after.push_back(lying);
            }
            steps.push_back(std::move(step));
        }
    }
    return steps;
}

/// Whether the candidate reads and leaves the value as the form says.
bool StepMaker::fits(const Lying& lying, std::size_t position, const Candidate& candidate) const
{
    const Forms& forms = m_forms[lying.value.index()];
    const Form& form = formOf(lying);
    const auto& outputs = m_graph[m_timeline.order[position]].outputs;
    const auto output = std::ranges::find(outputs, lying.value);
    if (output != outputs.end() && form.own != candidate.outputs[static_cast<std::size_t>(output - outputs.begin())])
        return false;
    for (auto reader = std::ranges::lower_bound(forms.readers, std::pair(position, 0));
         reader != forms.readers.end() && reader->first == position; ++reader) {
        if (form.wanted[static_cast<std::size_t>(reader - forms.readers.begin())] !=
            candidate.inputs[static_cast<std::size_t>(reader->second)])
            return false;
    }
    return true;
}

/// The state with every form of what appears at the node.
std::vector<State> StepMaker::scenesOf(const State& state, std::size_t position, const Candidate& candidate) const
{
    const Node& node = m_graph[m_timeline.order[position]];
    std::set<ValueId> fresh;
    for (const auto* values : {&node.inputs, &node.outputs}) {
        for (const ValueId value : *values) {
            if (value.valid() && !m_forms[value.index()].list.empty() && !findIn(state, value)) fresh.insert(value);
        }
    }
    std::vector<State> scenes {state};
    for (const ValueId value : fresh) {
        std::vector<State> longer;
        for (const State& scene : scenes) {
            for (std::size_t form = 0; form < m_forms[value.index()].list.size(); ++form) {
                const Lying lying {value, form, value};
                if (!fits(lying, position, candidate)) continue;
                longer.push_back(scene);
                longer.back().insert(std::ranges::lower_bound(longer.back(), lying), lying);
            }
        }
        scenes = std::move(longer);
    }
    return scenes;
}

/// Identities and parts of what is in the arena lie in its bytes, as long as both are read as they are written.
ValueId StepMaker::rootOf(const Scene& scene, ValueId output, int position) const
{
    const NodeId node = m_timeline.order[scene.position];
    for (const AliasTrait& trait : m_traits[node]) {
        const bool must = trait.kind == AliasKind::View || trait.kind == AliasKind::Mutates;
        const bool may = trait.kind == AliasKind::Identity && m_policies.inplace != InplacePolicy::Off;
        if (trait.output != position || !(must || may)) continue;
        const ValueId input = m_graph[node].inputs[static_cast<std::size_t>(trait.input)];
        const Lying* source = input.valid() ? findIn(scene.all, input) : nullptr;
        if (!source || m_forms[input.index()].theirs) continue;
        const auto layout = scene.candidate.inputs[static_cast<std::size_t>(trait.input)];
        if (layout != formOf(*source).own || layout != scene.candidate.outputs[static_cast<std::size_t>(position)])
            continue;
        const bool bothOut = m_forms[input.index()].kept && m_forms[output.index()].kept;
        if (!must && (bothOut || m_forms[output.index()].theirs)) continue;
        return source->root;
    }
    return output;
}

/// What lies in the same bytes counts once.
std::int64_t StepMaker::aliveAt(const State& all, Moment moment) const
{
    std::int64_t bytes = 0;
    std::map<ValueId, std::int64_t> shared;
    for (const Lying& lying : all) {
        const std::vector<Stay>& stays = formOf(lying).stays;
        for (std::size_t i = 1; i < stays.size(); ++i)
            bytes += isAlive(stays[i], moment) ? stays[i].bytes : 0;
        if (!isAlive(stays[0], moment)) continue;
        std::int64_t& whole = shared[lying.root];
        whole = std::max(whole, stays[0].bytes);
    }
    for (const auto& [root, whole] : shared)
        bytes += whole;
    return bytes;
}

/// Whether what is written may lie where an input does that nothing else needs any more.
bool StepMaker::mayLieOn(const Scene& scene, const Stay& made, int input) const
{
    const Node& node = m_graph[m_timeline.order[scene.position]];
    const ValueId over = node.inputs[static_cast<std::size_t>(input)];
    const Lying* source = over.valid() ? findIn(scene.all, over) : nullptr;
    if (!source) return false;
    const std::vector<Stay>& stays = formOf(*source).stays;
    const LayoutId layout = scene.candidate.inputs[static_cast<std::size_t>(input)];
    const auto stay = std::ranges::find(stays, layout, &Stay::layout);
    const Moment now = m_timeline.at(scene.position);
    if (stay == stays.end() || stay->end != now || stay->bytes != made.bytes || made.bytes == 0) return false;
    if (layout != made.layout) return false;
    if (stay != stays.begin()) return true; // a copy of its own
    return std::ranges::none_of(scene.all, [&](const Lying& other) {
        return other.root == source->root && other.value != over && formOf(other).stays[0].end > now;
    });
}

/// Bytes of outputs that need none of their own.
std::int64_t StepMaker::savedInPlace(const Scene& scene) const
{
    if (m_policies.inplace != InplacePolicy::On) return 0;
    const NodeId node = m_timeline.order[scene.position];
    const Implementation& offer = scene.candidate.implementation;
    std::vector<InPlaceOperands> pairs;
    for (const AliasTrait& trait : m_traits[node]) {
        if (trait.kind == AliasKind::MayBeInPlace && !offer.inPlaceKnown) pairs.push_back({trait.output, trait.input});
    }
    if (offer.inPlaceKnown) {
        for (const Implementation::InPlacePair& pair : offer.inPlace)
            pairs.push_back({pair.output, pair.input});
    }
    std::int64_t saved = 0;
    std::set<ValueId> over;
    std::set<int> done;
    for (const auto& [output, input] : pairs) {
        const Lying* made = findIn(scene.all, valueAt(m_graph[node].outputs, output));
        const ValueId source = valueAt(m_graph[node].inputs, input);
        if (!made || made->root != made->value || done.contains(output) || over.contains(source)) continue;
        const Stay& stay = formOf(*made).stays[0];
        const auto readBeside = [&](std::size_t i) {
            const bool other = m_graph[node].inputs[i] == source && static_cast<int>(i) != input;
            return other && std::ranges::find(pairs, InPlaceOperands {output, static_cast<int>(i)}) == pairs.end();
        };
        bool twice = false;
        for (std::size_t i = 0; i < m_graph[node].inputs.size(); ++i)
            twice = twice || readBeside(i);
        if (twice || !mayLieOn(scene, stay, input)) continue;
        saved += stay.bytes;
        done.insert(output);
        over.insert(source);
    }
    return saved;
}

std::int64_t StepMaker::mostAlive(const Scene& scene) const
{
    const Node& node = m_graph[m_timeline.order[scene.position]];
    const std::int64_t scratch = scene.candidate.implementation.scratchpadBytes;
    const Moment now = m_timeline.at(scene.position);
    std::int64_t most =
        aliveAt(scene.all, now) - savedInPlace(scene) + checkedAlignUp(scratch, m_policies.alignment).value_or(scratch);
    const auto look = [&](Moment moment) {
        const bool begins = std::ranges::any_of(scene.all, [&](const Lying& lying) {
            return std::ranges::any_of(formOf(lying).stays, [moment](const Stay& s) { return s.begin == moment; });
        });
        if (begins) most = std::max(most, aliveAt(scene.all, moment));
    };
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        look(m_timeline.ofInput(scene.position, static_cast<int>(i)));
    for (std::size_t o = 0; o < node.outputs.size(); ++o)
        look(m_timeline.ofResult(scene.position, static_cast<int>(o)));
    return most;
}

} // namespace plimsoll::dispatching
