#include "core/report/completeness_json.h"

#include "core/facts/completeness.h"
#include "core/facts/english/english.h"

#include <nlohmann/json.hpp>

namespace plimsoll {

nlohmann::ordered_json incompleteJson(const Report& report)
{
    using Json = nlohmann::ordered_json;
    const Graph& graph = *report.program.graph;
    const Completeness& completeness = report.verdict.completeness;
    if (completeness.complete()) return nullptr;
    Json missing = Json::array();
    for (const Gap& gap : completeness.gaps) {
        missing.push_back({{"kind", GapKinds[static_cast<std::size_t>(gap.kind)]},
                           {"value", gap.value.valid() ? Json(graph[gap.value].name) : Json(nullptr)},
                           {"values", gap.values},
                           {"reason", english(gap.reason)},
                           {"remedy", english(remedyFor(graph, gap))}});
    }
    return {{"message", english(incompleteText(report))},
            {"values", completeness.unsized},
            {"missing", std::move(missing)}};
}

} // namespace plimsoll
