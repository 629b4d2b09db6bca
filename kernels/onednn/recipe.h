#pragma once

#include "core/graph/graph.h"
#include "core/plan/implementation.h"
#include "kernels/onednn/layouts.h"
#include "kernels/tensor_view.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::kernels::onednn {

/// In which layouts a recipe is wanted, by names of layout.h; "any" leaves it to oneDNN. What is not listed is plain.
struct Wish
{
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    /// An input of what is fused that is added by accumulating on top of it: the output begins as a copy of it, or lies
    /// on it.
    std::optional<std::size_t> sumInto {};
    bool winograd = false; ///< Of a convolution: by Winograd's fewer products.
};
inline constexpr std::string_view AnyLayout = "any";

[[nodiscard]] Shape denseStrides(const Shape& shape);
/// Row-major; a scalar becomes {1}.
[[nodiscard]] dnnl::memory::desc inRows(const Shape& shape, dnnl::memory::data_type type);

/// A node as planning and running see it alike: its operator, attributes, inferred types and layouts. Whatever a family
/// decides, it decides from this, so that what was described is what is executed.
class NodeView
{
public:
    /// With what is fused into the node in the graph.
    NodeView(const Graph& graph, NodeId node, Wish wish = {});
    /// As if \p fused were fused into it; its inputs count on behind its own.
    NodeView(const Graph& graph, NodeId node, Wish wish, std::vector<FusedNode> fused);

    [[nodiscard]] const Node& node() const { return m_node; }
    [[nodiscard]] std::int64_t opset() const { return opsetVersion(m_graph, m_node.domain); }
    /// Of its own operator, as is all that is said of inputs below but for input(), inputLayout() and isWeight(), which
    /// know what fused nodes read, too.
    [[nodiscard]] std::size_t inputCount() const { return m_own; }
    [[nodiscard]] std::size_t operandCount() const { return m_operands.size(); } ///< What fused nodes read beside.
    [[nodiscard]] bool hasInput(std::size_t index) const { return index < m_own && m_node.inputs[index].valid(); }
    [[nodiscard]] bool hasOutput(std::size_t index) const
    {
        return index < m_node.outputs.size() && m_node.outputs[index].valid();
    }

    /// That of its first input. Floating-point tensors of one node have all that one.
    [[nodiscard]] DType dtype() const { return m_dtype; }
    [[nodiscard]] dnnl::memory::data_type type() const { return typeOf(m_dtype); }
    /// Shapes of tensors with at least one element: of the node's type, or, where that is a byte, of any that oneDNN
    /// has. Empty for everything else.
    [[nodiscard]] std::optional<Shape> input(std::size_t index) const;
    [[nodiscard]] std::optional<Shape> output(std::size_t index) const;
    /// Unknown where there is none.
    [[nodiscard]] DType inputType(std::size_t index) const
    {
        const ValueId value = inputValue(index);
        return value.valid() ? m_graph[value].type.dtype : DType::Unknown;
    }
    [[nodiscard]] DType outputType(std::size_t index) const;

    [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t fallback) const
    {
        return attributeOr<std::int64_t>(m_node, name, fallback);
    }
    [[nodiscard]] double real(std::string_view name, double fallback) const
    {
        return attributeOr<double>(m_node, name, fallback);
    }
    [[nodiscard]] std::string text(std::string_view name, std::string fallback) const
    {
        return attributeOr<std::string>(m_node, name, std::move(fallback));
    }
    [[nodiscard]] std::vector<std::string> texts(std::string_view name, std::vector<std::string> fallback) const
    {
        return attributeOr<std::vector<std::string>>(m_node, name, std::move(fallback));
    }
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name, std::vector<std::int64_t> fallback) const
    {
        return attributeOr<std::vector<std::int64_t>>(m_node, name, std::move(fallback));
    }
    [[nodiscard]] bool hasAttribute(std::string_view name) const
    {
        return m_node.attributes.find(name) != m_node.attributes.end();
    }

    /// The tensor as the wish has it; \p readAs is its shape, or another view of the same elements.
    [[nodiscard]] dnnl::memory::desc inputLayout(std::size_t index, const Shape& readAs) const
    {
        return inLayout(m_wish.inputs, index, {readAs, typeOf(inputType(index))});
    }
    [[nodiscard]] dnnl::memory::desc outputLayout(std::size_t index, const Shape& readAs) const
    {
        return inLayout(m_wish.outputs, index, {readAs, typeOf(outputType(index))});
    }
    /// Row-major in the type of the node; a scalar becomes {1}.
    [[nodiscard]] dnnl::memory::desc dense(const Shape& shape) const { return inRows(shape, type()); }
    [[nodiscard]] dnnl::memory::desc strided(const Shape& shape, const Shape& strides) const;
    [[nodiscard]] bool wantsPlain(std::size_t input) const
    {
        return input >= m_wish.inputs.size() || m_wish.inputs[input] == PlainLayout;
    }
    [[nodiscard]] const Graph& graph() const { return m_graph; }
    [[nodiscard]] const std::vector<FusedNode>& fused() const { return m_fused; }
    [[nodiscard]] const Wish& wish() const { return m_wish; }
    /// The scratchpad is ours: planned, not allocated by the library. What is fused comes as post-operations.
    [[nodiscard]] const dnnl::primitive_attr& attributes() const { return m_attributes; }
    void setAttributes(dnnl::primitive_attr attributes) { m_attributes = std::move(attributes); }
    /// A weight whose bytes are there before the run, so that it can be prepared.
    [[nodiscard]] bool isWeight(std::size_t index) const;
    [[nodiscard]] ValueId inputValue(std::size_t index) const; ///< Invalid where there is none.
    /// An input of what is fused that is added to what was computed so far.
    [[nodiscard]] bool isAddend(std::size_t index) const;

    /// The elements of an input that is a constant in memory: int64 or float32. Empty where it is none.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> constantIntegers(std::size_t index) const;
    [[nodiscard]] std::optional<std::vector<float>> constantFloats(std::size_t index) const;
    [[nodiscard]] std::optional<float> constantFloat(std::size_t index) const; ///< Of a single one.
    /// The bytes of a weight or constant in memory, row-major, those that it was prepared from too; empty where it is
    /// neither.
    [[nodiscard]] std::span<const std::byte> knownBytes(std::size_t index) const;
    /// Its elements: of float32, int32 or bytes. Empty where they are not known before the run.
    [[nodiscard]] std::optional<std::vector<double>> knownNumbers(std::size_t index) const;

private:
    [[nodiscard]] std::optional<Shape> shapeOf(ValueId value) const;
    [[nodiscard]] const Value* constant(std::size_t index, DType dtype) const;
    struct Seen
    {
        const Shape& readAs;
        dnnl::memory::data_type type;
    };
    [[nodiscard]] static dnnl::memory::desc inLayout(const std::vector<std::string>& wishes, std::size_t index,
                                                     const Seen& tensor);

    const Graph& m_graph;
    const Node& m_node;
    Wish m_wish;
    std::vector<FusedNode> m_fused;
    std::vector<FusedOperand> m_operands;
    std::size_t m_own = 0;
    DType m_dtype = DType::Float32;
    dnnl::primitive_attr m_attributes;
};

/// One tensor that a primitive reads or writes.
struct Argument
{
    int id = 0;               ///< DNNL_ARG_…
    std::size_t position = 0; ///< Among the node's inputs or outputs.
    bool isOutput = false;
    dnnl::memory::desc layout; ///< For a plain tensor, some dense reading of its row-major bytes.
    Shape readAs {};           ///< The shape whose axes a layout names, where it is not the tensor's own…
    std::string storedAs {};   ///< …and the layout of the tensor's plain bytes by these axes; empty is plain.
    std::string prepared {};   ///< What the plan calls its layout, where oneDNN's own description does not tell.
};

/// What a primitive reads in another form than the node has it, or writes though no node reads it: made in every call,
/// behind the primitive's own scratchpad.
struct Derived
{
    int id = 0; ///< DNNL_ARG_…
    dnnl::memory::desc layout;
    std::vector<std::size_t> from; ///< Inputs of the node, in rows.
    /// Of tensors of their planned types and shapes; \p to is as large as the layout. Empty: it is not looked at.
    std::function<void(const std::vector<TensorView>& from, void* to)> fill;
    dnnl::memory::desc reordered {}; ///< What it is a reorder of, where that takes its time.
};

/// An output that the primitive leaves in another form among what is derived: brought into rows behind it.
struct Permuted
{
    std::size_t derived = 0;
    std::size_t output = 0;
    dnnl::memory::desc from; ///< The same bytes by the output's axes.
    dnnl::memory::desc to;
};

/// A primitive that computes a node, and what it needs.
struct Recipe
{
    std::function<dnnl::primitive()> build; ///< Compiles it, which takes ten times as long as choosing it.
    std::string name;                       ///< As oneDNN calls the implementation.
    dnnl::memory::desc scratchpad;
    std::vector<Argument> arguments;
    std::vector<Implementation::InPlacePair> inPlace;
    std::vector<Derived> derived {};
    std::optional<std::size_t> sumInto {}; ///< The input that the output has to hold before the primitive runs.
    std::optional<Permuted> permuted {};
};

/// The recipe of a node, or nothing where its family does not mean exactly what ONNX means, or oneDNN refuses.
/// Throws dnnl::error.
using RecipeMaker = std::optional<Recipe> (*)(const NodeView& node, const dnnl::engine& engine);

/// Which layouts an operator can have beside plain ones.
enum class Layouts : std::uint8_t {
    Plain,    ///< None.
    Prepares, ///< Weights that are known ahead, as oneDNN likes them best; all else is plain.
    Follows,  ///< That of its inputs, for the output too.
    Chooses,  ///< oneDNN says which it likes best, for the weights too.
};

/// In which types of its first input an operator means what ONNX means.
enum class Types : std::uint8_t { Float32, Floats, FloatsAndBytes, Bytes };

/// What it takes its time for, by its weights: how many products go into one element of the result.
enum class Work : std::uint8_t {
    Passes,   ///< None: it passes over its tensors.
    Filters,  ///< One filter, of which the first axis of the weights counts the number.
    Columns,  ///< One column of a matrix.
    Scatters, ///< Each element of the source goes to all that one row of the weights holds.
};

/// What may be fused into an operator. oneDNN 2.6 takes a sum behind a pool without a word, and does not add.
enum class Fuses : std::uint8_t {
    Nothing,
    Operations, ///< Of one tensor, or of two that are read beside.
    Sums,       ///< Those, and sums on top of what the output holds.
};

struct RecipeEntry
{
    std::string_view op;
    RecipeMaker make = nullptr;
    Layouts layouts = Layouts::Plain;
    Fuses fuses = Fuses::Nothing;
    Types types = Types::Floats;
    Work work = Work::Passes;
    std::size_t weights = 1; ///< Which input they are, where it has some…
    std::size_t count = 1;   ///< …and how many of the next ones are.
};
/// nullptr where oneDNN has nothing for the operator, or not in the type of what the node reads.
[[nodiscard]] const RecipeEntry* findRecipe(const NodeView& node);
/// Whether sizes and steps are such as the library can count. It is asked nothing about others.
[[nodiscard]] bool fitsLibrary(const NodeView& node);
/// What oneDNN refuses it refuses by throwing: that is no recipe.
[[nodiscard]] std::optional<Recipe> tryRecipe(NodeView node, const dnnl::engine& engine);

/// One operation that works element by element, with its numbers.
struct Eltwise
{
    dnnl::algorithm kind = dnnl::algorithm::undef;
    float alpha = 0;
    float beta = 0;
};
/// Of Clip only with both ends known before the run: an absent end would have to be an infinity. Empty for everything
/// that oneDNN does not compute as ONNX means it.
[[nodiscard]] std::optional<Eltwise> eltwiseOf(const NodeView& node);

/// An operation of two tensors; \c first is the one with the shape of the result, the other is spread.
struct Binary
{
    dnnl::algorithm kind = dnnl::algorithm::undef;
    std::size_t first = 0;
};
/// With \p fixedFirst that input has to be the first.
[[nodiscard]] std::optional<Binary> binaryOf(const NodeView& node, std::optional<std::size_t> fixedFirst = {});
/// A shape with ones in front, up to so many axes.
[[nodiscard]] Shape spreadTo(Shape shape, std::size_t rank);

/// What is fused into the node becomes part of its primitives: sets its attributes. Empty where oneDNN has no
/// post-operation that means the same; with nothing fused there is nothing to do.
struct PostOps
{
    std::vector<Argument> arguments; ///< What they read beside.
};
[[nodiscard]] std::optional<PostOps> takePostOps(NodeView& node);

/// Of quantised tensors; what their numbers have to be is said in quantized.cpp.
std::optional<Recipe> makeQuantizedConvolution(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeQuantizedMatMul(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeDequantization(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeConvolution(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeMatMul(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeGemm(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makePool(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeGlobalPool(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeBatchNormalization(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeLayerNormalization(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeLocalResponse(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeSoftmax(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeEltwise(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeBinary(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeDeconvolution(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makePRelu(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeConcat(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeSum(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeLstm(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeGru(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeRnn(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeResampling(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeReduction(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeTranspose(const NodeView& node, const dnnl::engine& engine);

/// Weights of recurrent cells as oneDNN reads them, in [directions, gates, out, in]: the inputs before the gates. An
/// LSTM's gates change places, too, which is no matter of layout alone.
inline constexpr std::string_view CellWeights = "adbc";
inline constexpr std::string_view LstmWeights = "adbc+lstm";

/// From ONNX's [directions, gates, out, in].
void permuteGates(const float* from, const Shape& shape, float* to);

[[nodiscard]] constexpr bool isByte(DType dtype)
{
    return dtype == DType::Int8 || dtype == DType::UInt8;
}

/// \p arguments get the layouts that oneDNN has settled on.
template <typename Primitive, typename Description>
[[nodiscard]] Recipe finishRecipe(const Description& description, std::vector<Argument> arguments)
{
    for (Argument& argument : arguments) {
        const dnnl::memory::desc settled = description.query_md(dnnl::query::exec_arg_md, argument.id);
        if (settled.data.ndims > 0) argument.layout = settled;
    }
    return {[description] { return dnnl::primitive(Primitive(description)); },
            description.impl_info_str(),
            description.scratchpad_desc(),
            std::move(arguments),
            {}};
}

/// Of an operation with the node's attributes. \p inPlace: it may write over its first input.
template <typename Primitive>
[[nodiscard]] Recipe recipeOf(const NodeView& node, const typename Primitive::desc& operation,
                              std::vector<Argument> arguments, const dnnl::engine& engine, bool inPlace = false)
{
    const typename Primitive::primitive_desc description(operation, node.attributes(), engine);
    Recipe recipe = finishRecipe<Primitive>(description, std::move(arguments));
    if (inPlace) recipe.inPlace = {{0, 0}};
    return recipe;
}

/// Of what has one input and one output.
[[nodiscard]] inline std::vector<Argument> fromTo(const dnnl::memory::desc& from, const dnnl::memory::desc& to)
{
    return {{DNNL_ARG_SRC, 0, false, from}, {DNNL_ARG_DST, 0, true, to}};
}

/// Where each of what is derived begins in the scratchpad, and at the end where that ends.
[[nodiscard]] std::vector<std::size_t> scratchOffsets(const Recipe& recipe);

/// The shapes of a product of matrices as oneDNN wants them, of one rank: vectors become matrices, and what is spread
/// over batches has ones in front.
struct Matrices
{
    Shape left;
    Shape right;
    Shape target;
};
/// By ONNX's MatMul of those two inputs. Empty where they or the result are not known.
[[nodiscard]] std::optional<Matrices> matricesOf(const NodeView& node, std::size_t left, std::size_t right);

/// Windows of convolutions and pools, by spatial axis.
struct Window
{
    Shape kernel;
    Shape strides;
    Shape dilations; ///< 1 is none.
    Shape before;    ///< Padding.
    Shape after;
};
/// From attributes and known shapes; auto_pad and ceil_mode become explicit padding. Empty where they contradict the
/// output's shape.
[[nodiscard]] std::optional<Window> findWindow(const NodeView& node, const Shape& input, const Shape& output,
                                               const Shape& kernel);
[[nodiscard]] Shape lessOne(Shape dilations); ///< As oneDNN counts them.

} // namespace plimsoll::kernels::onednn
