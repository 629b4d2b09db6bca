#include "kernels/onednn/reorder_times.h"

#include "kernels/onednn/layouts.h"
#include "kernels/onednn/measure.h"

#include <set>

namespace plimsoll::kernels::onednn {
namespace {

/// Tensors of one type: how somebody may leave them, and how somebody may want them.
struct Traffic
{
    TensorType type;
    std::set<std::string> left = {std::string(PlainLayout)};
    std::set<std::string> wanted = {std::string(PlainLayout)};
};

/// By their type as text, as the catalogue has them.
using AllTraffic = std::map<std::string, Traffic>;

/// What is fused keeps the shape of what it is fused into.
AllTraffic trafficOf(const Graph& graph, const Catalogue& catalogue)
{
    AllTraffic all;
    const auto of = [&](ValueId value) -> Traffic& {
        const TensorType& type = graph[value].type;
        return all.try_emplace(describe(type), Traffic {type}).first->second;
    };
    for (const Node& node : graph.nodes) {
        const auto offers = catalogue.offers.find(node.name);
        if (offers == catalogue.offers.end()) continue;
        for (const Implementation& offer : offers->second) {
            for (std::size_t i = 0; i < node.inputs.size(); ++i) {
                if (node.inputs[i].valid()) of(node.inputs[i]).wanted.emplace(inputLayout(offer, static_cast<int>(i)));
            }
            for (std::size_t i = 0; i < node.outputs.size(); ++i) {
                if (node.outputs[i].valid()) of(node.outputs[i]).left.emplace(outputLayout(offer, static_cast<int>(i)));
            }
        }
    }
    return all;
}

std::optional<Implementation> reorderOf(const TensorType& type, const std::string& from, const std::string& to,
                                        const dnnl::engine& engine)
{
    const auto shape = type.shape();
    if (!shape || from == to) return std::nullopt;
    const auto source = descriptionOf(from, *shape, typeOf(type.dtype));
    const auto target = descriptionOf(to, *shape, typeOf(type.dtype));
    const double ms = source && target ? measureReorderMs(*source, *target, engine) : -1;
    if (ms < 0) return std::nullopt;
    Implementation offer;
    offer.backend = "onednn";
    offer.name = "reorder";
    offer.inputLayouts = {from};
    offer.outputLayouts = {to};
    offer.inPlaceKnown = true;
    offer.timeMs = ms;
    offer.provenance = "measured";
    return offer;
}

} // namespace

void measureReorders(const Graph& graph, const dnnl::engine& engine, Catalogue& catalogue, const Context& context)
{
    const AllTraffic all = trafficOf(graph, catalogue);
    std::size_t done = 0;
    for (const auto& [type, traffic] : all) {
        context.report("reorders", static_cast<double>(done++) / static_cast<double>(all.size()));
        for (const std::string& from : traffic.left) {
            for (const std::string& to : traffic.wanted) {
                if (context.stopped()) return;
                if (auto offer = reorderOf(traffic.type, from, to, engine))
                    catalogue.reorders[type].push_back(std::move(*offer));
            }
        }
    }
}

} // namespace plimsoll::kernels::onednn
