#include "core/ops/graph_facts.h"

#include "core/ops/literal_elements.h"

namespace plimsoll {

bool GraphFacts::hasContent(ValueId value) const
{
    return m_graph[value].role == ValueRole::Constant && m_graph[value].data->present();
}

const PartialTensor& GraphFacts::content(ValueId value)
{
    const auto [known, isNew] = m_read.try_emplace(value);
    const Value& one = m_graph[value];
    const auto shape = one.type.shape();
    if (isNew && shape && hasContent(value) && isReadable(one.type.dtype, *shape, *one.data))
        known->second = readElements(one.type.dtype, *shape, *one.data);
    return known->second;
}

} // namespace plimsoll
