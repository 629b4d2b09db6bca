#include "kernels/onednn/onednn.h"

#include "kernels/onednn/recipe.h"

#include <dlfcn.h>
#include <map>

namespace plimsoll::kernels {
namespace {

using onednn::Argument;
using onednn::NodeView;
using onednn::Recipe;

/// What oneDNN refuses it refuses by throwing: that is no offer.
std::optional<Recipe> tryRecipe(const NodeView& node, const dnnl::engine& engine)
{
    const onednn::RecipeMaker make = onednn::findRecipe(node.node());
    if (!make || !node.node().bodies.empty()) return std::nullopt;
    try {
        return make(node, engine);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

Implementation describe(const Recipe& recipe)
{
    Implementation offer;
    offer.backend = "onednn";
    offer.name = recipe.name;
    offer.scratchpadBytes = static_cast<std::int64_t>(recipe.scratchpad.get_size());
    offer.inPlaceKnown = true;
    offer.inPlace = recipe.inPlace;
    return offer;
}

std::string isaName(dnnl::cpu_isa isa)
{
    switch (isa) {
    case dnnl::cpu_isa::sse41:
        return "sse41";
    case dnnl::cpu_isa::avx:
        return "avx";
    case dnnl::cpu_isa::avx2:
        return "avx2";
    case dnnl::cpu_isa::avx2_vnni:
        return "avx2_vnni";
    case dnnl::cpu_isa::avx512_core:
        return "avx512_core";
    case dnnl::cpu_isa::avx512_core_vnni:
        return "avx512_core_vnni";
    case dnnl::cpu_isa::avx512_core_bf16:
        return "avx512_core_bf16";
    case dnnl::cpu_isa::avx512_core_amx:
        return "avx512_core_amx";
    default:
        return "isa " + std::to_string(static_cast<int>(isa));
    }
}

/// oneDNN's own threads; its OpenMP library is loaded with it, and asked without linking to one.
int threadCount()
{
    using Function = int (*)();
    void* const symbol = dlsym(RTLD_DEFAULT, "omp_get_max_threads");
    return symbol ? reinterpret_cast<Function>(symbol)() : 1;
}

Error cannot(const KernelCall& call, std::string message)
{
    return {ErrorCode::Unsupported, std::move(message), "node '" + call.node().name + "'", {}};
}

/// The node's tensors as the primitive wants them; outputs are asked for here.
Result<std::unordered_map<int, dnnl::memory>> bind(KernelCall& call, const NodeView& node, const Recipe& recipe,
                                                   const dnnl::engine& engine)
{
    std::unordered_map<int, dnnl::memory> memories;
    for (const Argument& argument : recipe.arguments) {
        const auto planned = argument.isOutput ? node.output(argument.position) : node.input(argument.position);
        TensorView view;
        if (argument.isOutput) {
            PLIMSOLL_ASSIGN(output, call.output(argument.position, DType::Float32, *planned));
            view = output;
        } else {
            const RuntimeValue& input = call.input(argument.position);
            const bool isTensor = input.kind == RuntimeValue::Kind::Tensor && input.tensor.dtype == DType::Float32;
            if (!isTensor || input.tensor.shape != *planned)
                return cannot(call, "an input has another shape than was planned");
            view = input.tensor;
        }
        memories.emplace(argument.id, dnnl::memory(argument.layout, engine, view.data));
    }
    return memories;
}

} // namespace

struct OneDnnSession::Cache
{
    dnnl::engine engine {dnnl::engine::kind::cpu, 0};
    dnnl::stream stream {engine};
    std::map<const Node*, std::optional<Recipe>> recipes;
};

bool oneDnnAvailable()
{
    return true;
}

Catalogue describeWithOneDnn(const Graph& graph, const Context& context)
{
    Catalogue catalogue;
    const dnnl_version_t* version = dnnl_version();
    catalogue.environment["onednn"] =
        std::to_string(version->major) + "." + std::to_string(version->minor) + "." + std::to_string(version->patch);
    catalogue.environment["isa"] = isaName(dnnl::get_effective_cpu_isa());
    catalogue.environment["threads"] = std::to_string(threadCount());
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    for (std::size_t i = 0; i < graph.nodes.size() && !context.stopped(); ++i) {
        const auto recipe = tryRecipe(NodeView(graph, NodeId {i}), engine);
        if (recipe) catalogue.offers[graph.nodes[i].name].push_back(describe(*recipe));
    }
    return catalogue;
}

OneDnnSession::OneDnnSession() = default;
OneDnnSession::~OneDnnSession() = default;

Status OneDnnSession::run(KernelCall& call)
{
    try {
        if (!m_cache) m_cache = std::make_unique<Cache>();
        const NodeId id {static_cast<std::size_t>(&call.node() - call.graph().nodes.data())};
        const NodeView node(call.graph(), id);
        auto found = m_cache->recipes.find(&call.node());
        if (found == m_cache->recipes.end())
            found = m_cache->recipes.emplace(&call.node(), tryRecipe(node, m_cache->engine)).first;
        if (!found->second) return cannot(call, "oneDNN has nothing for this node on this machine");
        const Recipe& recipe = *found->second;
        PLIMSOLL_ASSIGN(memories, bind(call, node, recipe, m_cache->engine));
        const std::span<std::byte> scratchpad = call.scratchpad();
        if (scratchpad.size() < recipe.scratchpad.get_size()) {
            return cannot(call, "its scratchpad of " + std::to_string(scratchpad.size()) +
                                    " bytes is planned too small, oneDNN wants " +
                                    std::to_string(recipe.scratchpad.get_size()));
        }
        memories.emplace(DNNL_ARG_SCRATCHPAD, dnnl::memory(recipe.scratchpad, m_cache->engine, scratchpad.data()));
        recipe.primitive.execute(m_cache->stream, memories);
        m_cache->stream.wait();
        return {};
    } catch (const dnnl::error& error) {
        return cannot(call, std::string("oneDNN: ") + error.what());
    }
}

} // namespace plimsoll::kernels
