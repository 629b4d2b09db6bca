#include "kernels/onednn/onednn.h"

#include "core/graph/graph.h"
#include "core/ops/reorder_node.h"
#include "kernels/onednn/describe.h"
#include "kernels/onednn/integer_sums.h"
#include "kernels/onednn/measure.h"

#include <cstring>
#include <dlfcn.h>
#include <map>
#include <unordered_map>

namespace plimsoll::kernels {
namespace {

using onednn::Argument;
using onednn::NodeView;
using onednn::Recipe;

std::string isaName(dnnl::cpu_isa isa)
{
    using Isa = dnnl::cpu_isa;
    static const std::map<Isa, std::string> Names = {
        {Isa::sse41, "sse41"},
        {Isa::avx, "avx"},
        {Isa::avx2, "avx2"},
        {Isa::avx2_vnni, "avx2_vnni"},
        {Isa::avx512_core, "avx512_core"},
        {Isa::avx512_core_vnni, "avx512_core_vnni"},
        {Isa::avx512_core_bf16, "avx512_core_bf16"},
        {Isa::avx512_core_amx, "avx512_core_amx"},
    };
    const auto known = Names.find(isa);
    return known == Names.end() ? "isa " + std::to_string(static_cast<int>(isa)) : known->second;
}

/// oneDNN's own; its OpenMP library is loaded with it, and asked without linking to one.
int threadCount()
{
    void* const threads = dlsym(RTLD_DEFAULT, "omp_get_max_threads");
    return threads ? reinterpret_cast<int (*)()>(threads)() : 1;
}

/// Whether this CPU has what oneDNN computes bfloat16 with: it refuses otherwise.
Message bfloat16Text(const dnnl::engine& engine)
{
    try {
        const dnnl::memory::desc matrix({4, 4}, dnnl::memory::data_type::bf16, dnnl::memory::dims {4, 1});
        const dnnl::matmul::primitive_desc product(dnnl::matmul::desc(matrix, matrix, matrix), engine);
        return say("onednn.yes", product.impl_info_str());
    } catch (const dnnl::error&) {
        return say("onednn.no-instructions");
    }
}

Error cannot(const KernelCall& call, Message message)
{
    return {ErrorCode::Unsupported, std::move(message), "node '" + call.node().name + "'", {}};
}

Result<TensorView> inputView(KernelCall& call, std::size_t position, DType dtype)
{
    const RuntimeValue& input = call.input(position);
    const bool isTensor = input.kind == RuntimeValue::Kind::Tensor && input.tensor.dtype == dtype;
    if (isTensor) return input.tensor;
    return cannot(call, say("onednn.no-tensor", dtypeName(dtype)));
}

/// One argument of a compiled primitive, to be pointed at the bytes of each call.
struct Slot
{
    std::size_t position = 0; ///< Among the node's inputs or outputs.
    bool isOutput = false;
    DType dtype = DType::Float32;
    bool plain = false; ///< An input in rows, whose shape must be the planned one.
    Shape shape;
    std::int64_t bytes = 0;
    dnnl::memory memory; ///< The same object as in the arguments.
};

/// What is brought into an output behind the primitive.
struct Permutation
{
    dnnl::primitive primitive;
    std::size_t derived = 0;
    dnnl::memory from;
    Slot to;
};

/// A node, compiled once and executed in every call: making memory objects takes longer than small primitives do.
struct Compiled
{
    dnnl::primitive primitive;
    std::unordered_map<int, dnnl::memory> arguments;
    std::vector<Slot> slots;
    std::optional<std::size_t> sumInto;
    std::size_t scratchpad = 0; ///< Bytes, with what is derived.
    std::vector<onednn::Derived> derived;
    std::vector<std::size_t> derivedAt; ///< In the scratchpad.
    std::optional<Permutation> permutation {};
    Effort effort {};
};

Compiled compile(const NodeView& node, const Recipe& recipe, const dnnl::engine& engine)
{
    const std::vector<std::size_t> offsets = scratchOffsets(recipe);
    Compiled compiled {recipe.build(), {}, {}, recipe.sumInto, offsets.back(), recipe.derived, offsets};
    for (const onednn::Derived& derived : recipe.derived)
        compiled.arguments.emplace(derived.id, dnnl::memory(derived.layout, engine, nullptr));
    for (const Argument& argument : recipe.arguments) {
        const auto shape = argument.isOutput ? node.output(argument.position) : node.input(argument.position);
        Slot slot {argument.position,
                   argument.isOutput,
                   argument.isOutput ? node.outputType(argument.position) : node.inputType(argument.position),
                   !argument.isOutput && node.wantsPlain(argument.position),
                   shape.value_or(Shape {}),
                   static_cast<std::int64_t>(argument.layout.get_size()),
                   dnnl::memory(argument.layout, engine, nullptr)};
        compiled.arguments.emplace(argument.id, slot.memory);
        compiled.slots.push_back(std::move(slot));
    }
    compiled.arguments.emplace(DNNL_ARG_SCRATCHPAD, dnnl::memory(recipe.scratchpad, engine, nullptr));
    if (const auto& permuted = recipe.permuted) {
        const dnnl::memory from(permuted->from, engine, nullptr);
        Slot to {permuted->output,
                 true,
                 node.outputType(permuted->output),
                 false,
                 node.output(permuted->output).value_or(Shape {}),
                 static_cast<std::int64_t>(permuted->to.get_size()),
                 dnnl::memory(permuted->to, engine, nullptr)};
        compiled.permutation = {dnnl::reorder(from, to.memory), permuted->derived, from, std::move(to)};
    }
    return compiled;
}

/// Points one argument at its bytes; an output is asked for here.
Result<TensorView> point(KernelCall& call, Slot& slot)
{
    PLIMSOLL_ASSIGN(view, slot.isOutput ? call.output(slot.position, slot.dtype, slot.shape)
                                        : inputView(call, slot.position, slot.dtype));
    if (slot.plain && view.shape != slot.shape) return cannot(call, say("onednn.other-shape"));
    if (view.bytes() < slot.bytes)
        return cannot(call, say("onednn.too-small", word::Number {view.bytes()}, word::Number {slot.bytes}));
    slot.memory.set_data_handle(view.data);
    return view;
}

Status derive(KernelCall& call, Compiled& compiled, std::span<std::byte> scratchpad)
{
    for (std::size_t i = 0; i < compiled.derived.size(); ++i) {
        const onednn::Derived& derived = compiled.derived[i];
        std::byte* const to = scratchpad.data() + compiled.derivedAt[i];
        compiled.arguments.at(derived.id).set_data_handle(to);
        if (!derived.fill) continue;
        std::vector<TensorView> from;
        for (const std::size_t position : derived.from) {
            const TensorType& type = call.graph()[call.node().inputs[position]].type;
            PLIMSOLL_ASSIGN(input, inputView(call, position, type.dtype));
            if (input.shape != *type.shape()) return cannot(call, say("onednn.other-shape"));
            from.push_back(input);
        }
        derived.fill(from, to);
    }
    return {};
}

/// The node's tensors as the primitive wants them.
Status bind(KernelCall& call, Compiled& compiled)
{
    for (Slot& slot : compiled.slots) {
        PLIMSOLL_ASSIGN(view, point(call, slot));
        if (!slot.isOutput || !compiled.sumInto) continue;
        // What a primitive adds to has to be there first: in place it is, else it is copied.
        PLIMSOLL_ASSIGN(operand, inputView(call, *compiled.sumInto, view.dtype));
        if (operand.bytes() < slot.bytes) return cannot(call, say("onednn.small-addend"));
        if (operand.data != view.data) std::memcpy(view.data, operand.data, static_cast<std::size_t>(slot.bytes));
    }
    const std::span<std::byte> scratchpad = call.scratchpad();
    if (scratchpad.size() < compiled.scratchpad)
        return cannot(call,
                      say("onednn.scratchpad", word::Number {scratchpad.size()}, word::Number {compiled.scratchpad}));
    compiled.arguments.at(DNNL_ARG_SCRATCHPAD).set_data_handle(scratchpad.data());
    if (compiled.permutation) {
        if (const auto view = point(call, compiled.permutation->to); !view.ok()) return view.error();
        compiled.permutation->from.set_data_handle(scratchpad.data() +
                                                   compiled.derivedAt[compiled.permutation->derived]);
    }
    return derive(call, compiled, scratchpad);
}

/// An LSTM's weights, whose gates change places beside their layout.
Status permuteGates(KernelCall& call)
{
    const auto logical = call.graph()[call.node().inputs[0]].type.shape();
    const Shape shape = attributeOr<Shape>(call.node(), "readAs", Shape {});
    PLIMSOLL_ASSIGN(from, inputView(call, 0, DType::Float32));
    if (!logical || shape.size() != 4 || shape[1] != 4 || elementCount(shape) != elementCount(from.shape))
        return cannot(call, say("onednn.no-lstm"));
    PLIMSOLL_ASSIGN(to, call.output(0, DType::Float32, *logical));
    if (to.bytes() < from.bytes()) return cannot(call, say("onednn.small-output"));
    onednn::permuteGates(from.as<float>(), shape, to.as<float>());
    return {};
}

class OneDnnSession : public BackendSession
{
public:
    Status run(KernelCall& call, const Implementation& chosen) override
    {
        try {
            if (isReorder(call.node())) {
                if (attributeOr<std::string>(call.node(), "to", {}) == onednn::LstmWeights) return permuteGates(call);
                PLIMSOLL_ASSIGN(reorder, reorderFor(call));
                return execute(call, *reorder);
            }
            std::optional<Compiled>& compiled = compiledFor(call, chosen);
            if (!compiled) return cannot(call, say("onednn.no-recipe"));
            return execute(call, *compiled);
        } catch (const dnnl::error& error) {
            return cannot(call, say("onednn.threw", error.what()));
        }
    }

private:
    /// Chosen and compiled on first use.
    std::optional<Compiled>& compiledFor(const KernelCall& call, const Implementation& chosen)
    {
        const auto [entry, isNew] = m_nodes.try_emplace(&call.node());
        if (!isNew) return entry->second;
        const NodeId id {static_cast<std::size_t>(&call.node() - call.graph().nodes.data())};
        const std::size_t own = ownInputs(call.graph(), id);
        const NodeView view(call.graph(), id, onednn::wishOf(call.node(), own, chosen));
        if (const auto recipe = onednn::tryRecipe(view, m_engine)) {
            entry->second = compile(view, *recipe, m_engine);
            entry->second->effort = onednn::effortOf(view, chosen.name);
            entry->second->effort.perSecond *= threadCount();
        }
        return entry->second;
    }

    Result<Compiled*> reorderFor(const KernelCall& call)
    {
        const auto found = m_reorders.find(&call.node());
        if (found != m_reorders.end()) return &found->second;
        const TensorType& type = call.graph()[call.node().inputs[0]].type;
        const auto shape = type.shape();
        const Shape readAs = attributeOr<Shape>(call.node(), "readAs", shape.value_or(Shape {}));
        const auto layoutOf = [&](const char* end) {
            const std::string name = attributeOr<std::string>(call.node(), end, std::string(PlainLayout));
            return onednn::descriptionOf(name, readAs, onednn::typeOf(type.dtype));
        };
        const auto from = layoutOf("from");
        const auto to = layoutOf("to");
        if (!shape || !from || !to) return cannot(call, say("onednn.no-layout"));
        Compiled made;
        const auto slot = [&](bool isOutput, const dnnl::memory::desc& layout) {
            const auto bytes = static_cast<std::int64_t>(layout.get_size());
            return Slot {0, isOutput, type.dtype, false, *shape, bytes, dnnl::memory(layout, m_engine, nullptr)};
        };
        made.slots = {slot(false, *from), slot(true, *to)};
        made.primitive = dnnl::reorder(made.slots[0].memory, made.slots[1].memory);
        made.arguments = {{DNNL_ARG_FROM, made.slots[0].memory}, {DNNL_ARG_TO, made.slots[1].memory}};
        made.arguments.emplace(DNNL_ARG_SCRATCHPAD, dnnl::memory({}, m_engine, nullptr));
        return &m_reorders.emplace(&call.node(), std::move(made)).first->second;
    }

    Status execute(KernelCall& call, Compiled& compiled)
    {
        PLIMSOLL_TRY(call.announce(compiled.effort));
        PLIMSOLL_TRY(bind(call, compiled));
        compiled.primitive.execute(m_stream, compiled.arguments);
        if (compiled.permutation) {
            compiled.permutation->primitive.execute(m_stream, {{DNNL_ARG_FROM, compiled.permutation->from},
                                                               {DNNL_ARG_TO, compiled.permutation->to.memory}});
        }
        m_stream.wait();
        return {};
    }

    dnnl::engine m_engine {dnnl::engine::kind::cpu, 0};
    dnnl::stream m_stream {m_engine};
    std::unordered_map<const Node*, std::optional<Compiled>> m_nodes; ///< Empty: oneDNN refuses it here.
    std::unordered_map<const Node*, Compiled> m_reorders;
};

} // namespace

Status oneDnnHere()
{
    return {};
}

Catalogue describeWithOneDnn(const Graph& graph, bool measure, const Context& context)
{
    Catalogue catalogue;
    const dnnl_version_t* version = dnnl_version();
    catalogue.environment["onednn"] = Message(std::to_string(version->major) + "." + std::to_string(version->minor) +
                                              "." + std::to_string(version->patch));
    catalogue.environment["isa"] = Message(isaName(dnnl::get_effective_cpu_isa()));
    catalogue.environment["threads"] = Message(std::to_string(threadCount()));
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    catalogue.environment["bfloat16"] = bfloat16Text(engine);
    catalogue.environment["int8"] = onednn::integerText(engine);
    Catalogue described = onednn::describeNodes(graph, engine, measure, context);
    catalogue.offers = std::move(described.offers);
    if (measure) onednn::measureReorders(graph, engine, catalogue, context);
    return catalogue;
}

std::unique_ptr<BackendSession> beginOneDnn()
{
    return std::make_unique<OneDnnSession>();
}

} // namespace plimsoll::kernels
