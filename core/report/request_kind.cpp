#include "core/report/request_kind.h"

#include "core/ops/op_traits.h"

#include <algorithm>

namespace plimsoll {

std::string_view requestName(RequestKind kind)
{
    constexpr std::string_view Names[] = {"write", "write-in-place", "null"};
    return Names[static_cast<std::size_t>(kind)];
}

std::vector<RequestKind> requestKinds(const Report& report)
{
    const Graph& graph = *report.graph;
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
        const bool own = report.values[value].sharedAs == AliasKind::Fresh;
        kinds.push_back(!written || !looked ? RequestKind::Null : own ? RequestKind::Write : RequestKind::WriteInPlace);
    }
    return kinds;
}

} // namespace plimsoll
