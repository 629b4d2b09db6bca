// Prints how long it takes to choose implementations for networks of convolutions and operations on elements:
//     build/bench/bench_choice [NODES]      default: 3000
// Once with a catalogue made here, of blocked, channels-last and plain layouts, fused and apart; then with what oneDNN
// offers on this machine, for a network that repeats its shapes and for one in which no two convolutions are alike.
// "asking" is what the library takes to describe its offers, "choosing" the choice alone.

#include "core/graph/graph_builder.h"
#include "core/lower/choose/dispatch.h"
#include "core/pipeline/pipeline.h"
#include "kernels/run/catalogue.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace plimsoll;

namespace {

double msOf(const std::function<void()>& function)
{
    const auto begin = std::chrono::steady_clock::now();
    function();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// Blocks of a convolution, a sum with what went in, and a Relu; in the wider one every convolution has other channels.
class Chain
{
public:
    explicit Chain(bool alike) : m_alike(alike) {}

    Graph make(int nodes)
    {
        ValueId x = m_builder.addInput("x", TensorType::dense(DType::Float32, {1, 32, 14, 14}));
        std::int64_t channels = 32;
        for (int i = 0; i + 3 <= nodes; i += 3) {
            const std::int64_t inner = m_alike ? 32 : 16 + i / 3 % 997;
            const ValueId made = node("Conv", {x, weight({inner, channels, 1, 1})});
            const ValueId sum = inner == channels ? node("Add", {made, x}) : node("Sigmoid", {made});
            x = node("Relu", {sum});
            channels = inner;
        }
        m_builder.addOutput(x);
        m_builder.graph().opsets[""] = 17;
        return std::move(m_builder).build().value();
    }

private:
    ValueId weight(const Shape& shape)
    {
        return m_builder.addParameter("w" + std::to_string(++m_weights), TensorType::dense(DType::Float32, shape));
    }

    ValueId node(const char* op, ValueIds inputs)
    {
        Node made;
        made.op = op;
        const NodeId id = m_builder.addNode(std::move(made), std::move(inputs), {"v" + std::to_string(++m_values)});
        return m_builder.output(id, 0);
    }

    bool m_alike;
    GraphBuilder m_builder {"chain"};
    int m_weights = 0;
    int m_values = 0;
};

Implementation offer(const Node& node, const char* layout, double ms, std::vector<std::string> fuses = {})
{
    Implementation made;
    made.backend = "library";
    made.name = layout;
    made.inputLayouts = {layout};
    if (node.op == "Add") made.inputLayouts.emplace_back(layout);
    if (fuses.size() > 1) made.inputLayouts = {layout, "plain", layout}; // the sum reads the block's input
    made.outputLayouts = {layout};
    made.timeMs = ms;
    made.fuses = std::move(fuses);
    return made;
}

/// Four layouts for every node, and for convolutions the same with what stands behind them.
Catalogue manyLayouts(const Graph& graph)
{
    Catalogue catalogue;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        auto& offers = catalogue.offers[node.name];
        double ms = node.op == "Conv" ? 0.5 : 0.1;
        for (const char* layout : {"nChw16c", "nChw8c", "nhwc", "plain"}) {
            ms *= 1.2 + static_cast<double>(i % 7) / 10;
            offers.push_back(offer(node, layout, ms));
            if (node.op != "Conv") continue;
            offers.push_back(offer(node, layout, ms, {graph.nodes[i + 1].name}));
            offers.push_back(offer(node, layout, ms, {graph.nodes[i + 1].name, graph.nodes[i + 2].name}));
        }
        Implementation reference;
        reference.timeMs = 3 * ms;
        offers.push_back(reference);
    }
    return catalogue;
}

std::size_t offersOf(const Catalogue& catalogue)
{
    std::size_t count = 0;
    for (const auto& [node, offers] : catalogue.offers)
        count += offers.size();
    return count;
}

void row(const char* name, const Graph& graph, const std::function<Catalogue()>& ask)
{
    Catalogue catalogue;
    const double asking = msOf([&] { catalogue = ask(); });
    const Graph typed = inferTypes(graph, {}, {}).value().graph;
    for (const FusionPolicy fusion : {FusionPolicy::On, FusionPolicy::Off}) {
        Policies policies;
        policies.fusion = fusion;
        std::vector<Decision> decisions;
        std::size_t reorders = 0;
        int told = 0;
        const Context context {{}, [&told](std::string_view, double) { ++told; }};
        const double choosing = msOf([&] {
            const auto made = dispatch(typed, {catalogue, policies, {}}, DecisionLog(decisions), context);
            reorders = made.value().graph.nodes.size() - typed.nodes.size();
        });
        std::printf("%-34s %6zu %7zu %7s %10.1f %11.1f %9zu %9d\n", name, graph.nodes.size(), offersOf(catalogue),
                    fusion == FusionPolicy::On ? "on" : "off", asking, choosing, reorders, told);
    }
}

} // namespace

int main(int count, char** arguments)
{
    const int nodes = count > 1 ? std::max(3, std::atoi(arguments[1])) : 3000;
    const Graph alike = Chain(true).make(nodes);
    const Graph different = Chain(false).make(nodes);
    std::printf("%-34s %6s %7s %7s %10s %11s %9s %9s\n", "network", "nodes", "offers", "fusion", "asking ms",
                "choosing ms", "reorders", "reported");
    row("four layouts, made here", alike, [&] { return manyLayouts(alike); });
    row("oneDNN, shapes repeat", alike, [&] { return kernels::describeBackends(alike, {}, {}).value(); });
    row("oneDNN, every shape once", different, [&] { return kernels::describeBackends(different, {}, {}).value(); });
    return 0;
}
