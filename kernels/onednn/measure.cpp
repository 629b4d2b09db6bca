#include "kernels/onednn/measure.h"

#include "core/base/stopwatch.h"
#include "kernels/typical_time.h"

#include <cstring>
#include <set>
#include <unordered_map>
#include <vector>

namespace plimsoll::kernels::onednn {
namespace {

/// Bytes that the library allocates, all zero: no product takes longer for its numbers, but denormals would.
dnnl::memory zeroed(const dnnl::memory::desc& layout, const dnnl::engine& engine)
{
    dnnl::memory memory(layout, engine);
    if (layout.get_size() > 0) std::memset(memory.get_data_handle(), 0, layout.get_size());
    return memory;
}

struct Execution
{
    dnnl::primitive primitive;
    std::unordered_map<int, dnnl::memory> memories;
};

Execution reordering(const dnnl::memory::desc& from, const dnnl::memory::desc& to, const dnnl::engine& engine)
{
    const dnnl::memory source = zeroed(from, engine);
    const dnnl::memory target = zeroed(to, engine);
    return {dnnl::reorder(source, target), {{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, target}}};
}

double onceMs(const std::vector<Execution>& executions, dnnl::stream& stream)
{
    const Stopwatch watch;
    for (const Execution& execution : executions)
        execution.primitive.execute(stream, execution.memories);
    stream.wait();
    return watch.ms();
}

double typicalMs(const std::vector<Execution>& executions, const dnnl::engine& engine)
{
    dnnl::stream stream(engine);
    return typicalTime([&] { return onceMs(executions, stream); });
}

/// Tensors of one type: the layouts in which nodes may leave them, and those in which others may want them.
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
    if (!source || !target) return std::nullopt;
    double ms = -1;
    try {
        ms = typicalMs({reordering(*source, *target, engine)}, engine);
    } catch (const std::exception&) { // it cannot be executed
    }
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

double measureMs(const Recipe& recipe, const dnnl::engine& engine)
{
    try {
        std::unordered_map<int, dnnl::memory> memories;
        for (const Argument& argument : recipe.arguments)
            memories.emplace(argument.id, zeroed(argument.layout, engine));
        for (const Derived& derived : recipe.derived)
            memories.emplace(derived.id, zeroed(derived.layout, engine));
        memories.emplace(DNNL_ARG_SCRATCHPAD, zeroed(recipe.scratchpad, engine));
        std::vector<Execution> executions = {{recipe.build(), std::move(memories)}};
        for (const Derived& derived : recipe.derived) {
            if (derived.reordered.data.ndims > 0)
                executions.push_back(reordering(derived.reordered, derived.layout, engine));
        }
        if (recipe.permuted) executions.push_back(reordering(recipe.permuted->from, recipe.permuted->to, engine));
        return typicalMs(executions, engine);
    } catch (const std::exception&) {
        return -1;
    }
}

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
