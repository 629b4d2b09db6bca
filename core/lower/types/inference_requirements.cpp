#include "core/lower/types/inference_pass.h"

#include <algorithm>

namespace plimsoll {

namespace {

enum class Joined { Nothing, News, Contradiction };

/// Completes \p known with what \p required says.
Joined join(TensorType& known, const TensorType& required)
{
    Joined result = Joined::Nothing;
    if (known.dtype == DType::Unknown && required.dtype != DType::Unknown) {
        known.dtype = required.dtype;
        result = Joined::News;
    } else if (required.dtype != DType::Unknown && required.dtype != known.dtype) {
        return Joined::Contradiction;
    }
    if (!required.dims) return result;
    if (!known.dims) {
        known.dims = required.dims;
        return Joined::News;
    }
    if (known.dims->size() != required.dims->size()) return Joined::Contradiction;
    for (std::size_t axis = 0; axis < known.dims->size(); ++axis) {
        Dim& dim = (*known.dims)[axis];
        const Dim& wanted = (*required.dims)[axis];
        if (!wanted.known() || (dim.known() && dim.size == wanted.size)) continue;
        result = std::max(result, dim.known() ? Joined::Contradiction : Joined::News);
        if (!dim.known()) dim = wanted;
    }
    return result;
}

} // namespace

Status InferencePass::takeRequirements(const NodeFacts& facts)
{
    for (const auto& [input, required] : facts.requirements()) {
        const ValueId value = facts.node().inputs[input];
        const ValueRole role = m_graph[value].role;
        const bool computed = role == ValueRole::Intermediate || role == ValueRole::BodyInput;
        TensorType joined = type(value);
        const Joined result = join(joined, required);
        if (result == Joined::Contradiction)
            return facts.error(say("types.input-but-follows", word::Number {input}, word::Name {m_graph[value].name},
                                   describe(type(value)), describe(required)));
        if (result != Joined::News) continue;
        if (join(m_declared[value.index()], joined) == Joined::Contradiction) continue; // settleType speaks of it
        if (joined.overflows())
            return facts.error(say("types.size-does-fit", word::Name {m_graph[value].name}, describe(joined)));
        if (!computed) m_known[value.index()].type = std::move(joined);
        m_news = m_news || computed || m_known[value.index()].read;
    }
    for (const ValueId input : facts.node().inputs) {
        if (input.valid()) m_known[input.index()].read = true;
    }
    return {};
}

Status InferencePass::walkBack()
{
    const auto& nodes = m_graph[TopBody].nodes;
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
        if (m_graph[*node].bodies.empty()) PLIMSOLL_TRY(visitNode(*node));
    }
    return {};
}

} // namespace plimsoll
