#include "core/picture/graph_ends.h"

#include "core/base/narrow.h"
#include "core/facts/english/english.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

constexpr std::size_t FewestNames = 3;
constexpr std::string_view Separators = "./_:";

std::size_t commonLength(const std::vector<std::string>& names)
{
    std::size_t length = names.front().size();
    for (const std::string& name : names) {
        const auto [end, other] = std::ranges::mismatch(names.front(), name);
        length = std::min(length, static_cast<std::size_t>(end - names.front().begin()));
    }
    return length;
}

/// Up to a separator, which goes, too.
std::size_t commonBeginning(const std::vector<std::string>& names)
{
    const std::size_t common = commonLength(names);
    const std::size_t at = common == 0 ? std::string::npos : names.front().find_last_of(Separators, common - 1);
    return at == std::string::npos ? 0 : at + 1;
}

void reverseAll(std::vector<std::string>& names)
{
    for (std::string& name : names)
        std::ranges::reverse(name);
}

} // namespace

std::vector<std::string> whatTellsApart(std::vector<std::string> names)
{
    if (names.size() < FewestNames) return names;
    const auto shorten = [&] {
        const std::size_t begin = commonBeginning(names);
        const bool all = std::ranges::all_of(names, [&](const std::string& name) { return name.size() > begin; });
        for (std::string& name : names)
            name.erase(0, all ? begin : 0);
        reverseAll(names);
    };
    shorten();
    shorten();
    return names;
}

GraphBox foldedBox(const Report& report, BoxKind kind, std::vector<ValueId> values)
{
    const bool input = kind == BoxKind::Input;
    return {.kind = kind,
            .value = values.front(),
            .title = english(say(input ? "graph.inputs" : "graph.outputs", values.size())),
            .subtitle = (*report.program.graph)[values.front()].name + ", …",
            .values = std::move(values)};
}

void addOutputs(const Report& report, const StorageColours& colours, bool all, GraphPicture& picture)
{
    const Graph& graph = *report.program.graph;
    std::map<std::int32_t, std::vector<ValueId>> ofGroup; // by the box of a closed group
    for (const ValueId output : graph.top().outputs) {
        const std::int32_t from = output.valid() ? picture.boxOfValue[output.index()] : -1;
        if (from >= 0 && picture.boxes[from].kind == BoxKind::Group) ofGroup[from].push_back(output);
    }
    std::erase_if(ofGroup, [all](const auto& group) { return all || group.second.size() <= MostEnds; });
    std::map<std::int32_t, std::int32_t> folded;
    std::vector<std::size_t> alone;
    for (const ValueId output : graph.top().outputs) {
        picture.boxOfOutput.push_back(-1);
        if (!output.valid()) continue;
        const Value& value = graph[output];
        const std::int32_t from = picture.boxOfValue[output.index()];
        if (value.role == ValueRole::Input && from < 0) continue;
        const auto next = narrow<std::int32_t>(picture.boxes.size());
        picture.boxOfOutput.back() = next;
        if (const auto group = ofGroup.find(from); group != ofGroup.end()) {
            const auto [box, isNew] = folded.emplace(from, next);
            picture.boxOfOutput.back() = box->second;
            if (isNew) picture.boxes.push_back(foldedBox(report, BoxKind::Output, group->second));
            continue;
        }
        alone.push_back(picture.boxes.size());
        const StorageId storage = report.program.values[output.index()].storage;
        picture.boxes.push_back(
            {.kind = BoxKind::Output,
             .value = output,
             .title = value.name,
             .subtitle = describe(value.type),
             .colour = storage.valid() && storage.index() < colours.size() ? colours[storage.index()] : NoColour});
    }
    std::vector<std::string> names;
    for (const std::size_t box : alone)
        names.push_back(picture.boxes[box].title);
    names = whatTellsApart(std::move(names));
    for (std::size_t i = 0; i < alone.size(); ++i)
        picture.boxes[alone[i]].title = names[i];
}

} // namespace plimsoll
