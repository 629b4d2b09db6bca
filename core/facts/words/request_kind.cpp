#include "core/facts/words/request_kind.h"

#include "core/ops/op_traits.h"
#include "core/ops/saving.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// A new version of a gradient is what was there and what is added to it.
RequestKind kindOf(const Report& report, ValueId id)
{
    const AliasKind shared = report.program.values[id.index()].sharedAs;
    if (shared == AliasKind::Fresh) return RequestKind::Write;
    const NodeId producer = (*report.program.graph)[id].producer;
    const bool gradient = producer.valid() && isBackward(*report.program.graph, producer);
    return gradient && shared == AliasKind::Mutates ? RequestKind::AddTo : RequestKind::WriteInPlace;
}

} // namespace

std::string_view requestName(RequestKind kind)
{
    constexpr std::string_view Names[] = {"write", "write-in-place", "add-to", "null"};
    return Names[static_cast<std::size_t>(kind)];
}

std::vector<RequestKind> requestKinds(const Report& report)
{
    const Graph& graph = *report.program.graph;
    const Uses uses = findUses(graph);
    std::vector<RequestKind> kinds;
    for (std::size_t value = 0; value < graph.values.size(); ++value) {
        const ValueRole role = graph.values[value].role;
        const bool written = role == ValueRole::Intermediate || role == ValueRole::BodyInput;
        const auto& reads = uses.reads[value];
        const bool looked =
            !uses.results[value].empty() || std::any_of(reads.begin(), reads.end(), [&](const Uses::Read& read) {
                return readsContent(graph, read.node, read.input);
            });
        kinds.push_back(written && looked ? kindOf(report, ValueId(value)) : RequestKind::Null);
    }
    return kinds;
}

} // namespace plimsoll
