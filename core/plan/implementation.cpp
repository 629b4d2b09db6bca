#include "core/plan/implementation.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <cstdio>

namespace plimsoll {
namespace {

std::string_view at(const std::vector<std::string>& layouts, int position)
{
    const bool listed = position >= 0 && static_cast<std::size_t>(position) < layouts.size();
    return listed ? std::string_view(layouts[static_cast<std::size_t>(position)]) : PlainLayout;
}

StorageType at(const std::vector<StorageType>& storages, int position)
{
    const bool listed = position >= 0 && static_cast<std::size_t>(position) < storages.size();
    return listed ? storages[static_cast<std::size_t>(position)] : StorageType::Dense;
}

std::string joined(const std::vector<std::string>& layouts)
{
    const bool plain =
        std::all_of(layouts.begin(), layouts.end(), [](const auto& name) { return name == PlainLayout; });
    if (plain) return std::string(PlainLayout);
    std::string text;
    for (const std::string& layout : layouts)
        text += (text.empty() ? "" : " + ") + layout;
    return text;
}

} // namespace

bool operator==(const Implementations& a, const Implementations& b)
{
    for (std::size_t node = 0; node < std::max(a.m_chosen.size(), b.m_chosen.size()); ++node)
        if (a[NodeId(node)] != b[NodeId(node)]) return false;
    return true;
}

std::string_view inputLayout(const Implementation& implementation, int input)
{
    return at(implementation.inputLayouts, input);
}

std::string_view outputLayout(const Implementation& implementation, int output)
{
    return at(implementation.outputLayouts, output);
}

StorageType inputStorageType(const Implementation& implementation, int input)
{
    return at(implementation.inputStorageTypes, input);
}

StorageType outputStorageType(const Implementation& implementation, int output)
{
    return at(implementation.outputStorageTypes, output);
}

std::string_view layoutOf(const Graph& graph, const Implementations& chosen, ValueId value)
{
    const NodeId producer = graph[value].producer;
    if (!producer.valid() || graph.decided[value].fusedInto.valid()) return PlainLayout;
    return outputLayout(chosen[producer], graph[value].producerOutput);
}

std::string describe(const Implementation& implementation)
{
    std::string text = implementation.backend + (implementation.name.empty() ? "" : " " + implementation.name);
    for (const std::string& node : implementation.fuses)
        text += " + " + node;
    return text;
}

std::string pinOf(const Implementation& offer)
{
    return offer.name.empty() ? offer.backend : offer.backend + ":" + offer.name;
}

std::string layoutsText(const Implementation& offer)
{
    return joined(offer.inputLayouts) + " → " + joined(offer.outputLayouts);
}

std::string offerText(const Implementation& offer)
{
    std::string text = describe(offer) + ", " + layoutsText(offer);
    for (const Implementation::Prepared& weight : offer.prepared)
        text += ", weights as " + weight.layout + " in " + formatCount(weight.bytes) + " B";
    if (offer.scratchpadBytes > 0) text += ", scratchpad " + formatCount(offer.scratchpadBytes) + " B";
    if (offer.timeMs < 0) return text;
    char time[64];
    std::snprintf(time, sizeof time, ", %.3g ms ", offer.timeMs);
    return text + time + offer.provenance;
}

} // namespace plimsoll
