#include "kernels/onednn/onednn.h"

#include "core/ops/reorder.h"
#include "kernels/onednn/describe.h"
#include "kernels/onednn/layouts.h"

#include <dlfcn.h>
#include <map>

namespace plimsoll::kernels {
namespace {

using onednn::Argument;
using onednn::NodeView;
using onednn::Recipe;

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

using Memories = std::unordered_map<int, dnnl::memory>;

/// The bytes of one argument: as many as its layout needs, or an Error.
Result<dnnl::memory> memoryFor(KernelCall& call, const dnnl::memory::desc& layout, const TensorView& view,
                               const dnnl::engine& engine)
{
    if (view.bytes() >= static_cast<std::int64_t>(layout.get_size())) return dnnl::memory(layout, engine, view.data);
    return cannot(call, "a tensor of " + std::to_string(view.bytes()) +
                            " bytes is too small for its layout, which takes " + std::to_string(layout.get_size()));
}

Result<TensorView> inputView(KernelCall& call, std::size_t position)
{
    const RuntimeValue& input = call.input(position);
    const bool isTensor = input.kind == RuntimeValue::Kind::Tensor && input.tensor.dtype == DType::Float32;
    return isTensor ? Result<TensorView>(input.tensor) : cannot(call, "an input is no float32 tensor");
}

/// The node's tensors as the primitive wants them; outputs are asked for here.
Result<Memories> bind(KernelCall& call, const NodeView& node, const Recipe& recipe, const dnnl::engine& engine)
{
    Memories memories;
    for (const Argument& argument : recipe.arguments) {
        TensorView view;
        if (argument.isOutput) {
            PLIMSOLL_ASSIGN(output, call.output(argument.position, DType::Float32, *node.output(argument.position)));
            view = output;
        } else {
            PLIMSOLL_ASSIGN(input, inputView(call, argument.position));
            const bool plain = node.wantsPlain(argument.position);
            if (plain && input.shape != node.input(argument.position))
                return cannot(call, "an input has another shape than was planned");
            view = input;
        }
        PLIMSOLL_ASSIGN(memory, memoryFor(call, argument.layout, view, engine));
        memories.emplace(argument.id, std::move(memory));
    }
    return memories;
}

struct Reordering
{
    dnnl::memory::desc from;
    dnnl::memory::desc to;
};

Result<Reordering> reorderingOf(const KernelCall& call)
{
    const Node& node = call.node();
    const auto logical = call.graph()[node.inputs[0]].type.shape();
    const Shape shape = attributeOr<Shape>(node, "readAs", logical.value_or(Shape {}));
    const auto from = onednn::descriptionOf(attributeOr<std::string>(node, "from", std::string(PlainLayout)), shape);
    const auto to = onednn::descriptionOf(attributeOr<std::string>(node, "to", std::string(PlainLayout)), shape);
    if (!logical || !from || !to) return cannot(call, "it names a layout that oneDNN does not have");
    return Reordering {*from, *to};
}

} // namespace

struct OneDnnSession::Cache
{
    dnnl::engine engine {dnnl::engine::kind::cpu, 0};
    dnnl::stream stream {engine};
    struct Entry
    {
        std::optional<Recipe> recipe;
        dnnl::primitive primitive;
    };
    std::map<const Node*, Entry> entries;

    /// Chosen and compiled on first use.
    const Entry& entryFor(const Node& node, const NodeView& view)
    {
        const auto found = entries.find(&node);
        if (found != entries.end()) return found->second;
        Entry entry {onednn::tryRecipe(view, engine), {}};
        if (entry.recipe) entry.primitive = entry.recipe->build();
        return entries.emplace(&node, std::move(entry)).first->second;
    }

    Status reorder(KernelCall& call)
    {
        PLIMSOLL_ASSIGN(layouts, reorderingOf(call));
        PLIMSOLL_ASSIGN(input, inputView(call, 0));
        PLIMSOLL_ASSIGN(output, call.output(0, DType::Float32, *call.graph()[call.node().inputs[0]].type.shape()));
        PLIMSOLL_ASSIGN(from, memoryFor(call, layouts.from, input, engine));
        PLIMSOLL_ASSIGN(to, memoryFor(call, layouts.to, output, engine));
        auto found = entries.find(&call.node());
        if (found == entries.end())
            found = entries.emplace(&call.node(), Entry {std::nullopt, dnnl::reorder(from, to)}).first;
        found->second.primitive.execute(stream, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
        stream.wait();
        return {};
    }
};

bool oneDnnAvailable()
{
    return true;
}

Catalogue describeWithOneDnn(const Graph& graph, bool measure, const Context& context)
{
    Catalogue catalogue;
    const dnnl_version_t* version = dnnl_version();
    catalogue.environment["onednn"] =
        std::to_string(version->major) + "." + std::to_string(version->minor) + "." + std::to_string(version->patch);
    catalogue.environment["isa"] = isaName(dnnl::get_effective_cpu_isa());
    catalogue.environment["threads"] = std::to_string(threadCount());
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    Catalogue described = onednn::describeNodes(graph, engine, measure, context);
    catalogue.offers = std::move(described.offers);
    return catalogue;
}

OneDnnSession::OneDnnSession() = default;
OneDnnSession::~OneDnnSession() = default;

Status OneDnnSession::run(KernelCall& call, const Implementation& chosen)
{
    try {
        if (!m_cache) m_cache = std::make_unique<Cache>();
        if (isReorder(call.node())) return m_cache->reorder(call);
        const NodeId id {static_cast<std::size_t>(&call.node() - call.graph().nodes.data())};
        const NodeView node(call.graph(), id, onednn::wishOf(call.node(), chosen));
        const Cache::Entry& entry = m_cache->entryFor(call.node(), node);
        if (!entry.recipe) return cannot(call, "oneDNN has nothing for this node on this machine");
        PLIMSOLL_ASSIGN(memories, bind(call, node, *entry.recipe, m_cache->engine));
        const std::span<std::byte> scratchpad = call.scratchpad();
        const dnnl::memory::desc& wanted = entry.recipe->scratchpad;
        if (scratchpad.size() < wanted.get_size()) {
            return cannot(call, "its scratchpad of " + std::to_string(scratchpad.size()) +
                                    " bytes is planned too small, oneDNN wants " + std::to_string(wanted.get_size()));
        }
        memories.emplace(DNNL_ARG_SCRATCHPAD, dnnl::memory(wanted, m_cache->engine, scratchpad.data()));
        entry.primitive.execute(m_cache->stream, memories);
        m_cache->stream.wait();
        return {};
    } catch (const dnnl::error& error) {
        return cannot(call, std::string("oneDNN: ") + error.what());
    }
}

} // namespace plimsoll::kernels
