#pragma once

#include "core/graph/graph.h"
#include "core/plan/implementation.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::kernels::onednn {

/// In which layouts a recipe is wanted, by names of layout.h; "any" leaves it to oneDNN. What is not listed is plain.
struct Wish
{
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
};
inline constexpr std::string_view AnyLayout = "any";

/// A node as planning and running see it alike: its operator, attributes, inferred types and layouts. Whatever a family
/// decides, it decides from this, so that what was described is what is executed.
class NodeView
{
public:
    NodeView(const Graph& graph, NodeId node, Wish wish = {})
        : m_graph(graph), m_node(graph[node]), m_wish(std::move(wish))
    {
    }

    [[nodiscard]] const Node& node() const { return m_node; }
    [[nodiscard]] std::int64_t opset() const { return opsetVersion(m_graph, m_node.domain); }
    [[nodiscard]] std::size_t inputCount() const { return m_node.inputs.size(); }
    [[nodiscard]] bool hasInput(std::size_t index) const;
    [[nodiscard]] bool hasOutput(std::size_t index) const;

    /// Shapes of float32 tensors with at least one element; empty for everything else.
    [[nodiscard]] std::optional<Shape> input(std::size_t index) const;
    [[nodiscard]] std::optional<Shape> output(std::size_t index) const;

    [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t fallback) const;
    [[nodiscard]] double real(std::string_view name, double fallback) const;
    [[nodiscard]] std::string text(std::string_view name, std::string fallback) const;
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name, std::vector<std::int64_t> fallback) const;
    [[nodiscard]] bool hasAttribute(std::string_view name) const
    {
        return m_node.attributes.find(name) != m_node.attributes.end();
    }

    /// The tensor as the wish has it; \p readAs is its shape, or another view of the same elements.
    [[nodiscard]] dnnl::memory::desc inputLayout(std::size_t index, const Shape& readAs) const;
    [[nodiscard]] dnnl::memory::desc outputLayout(std::size_t index, const Shape& readAs) const;
    [[nodiscard]] bool wantsPlain(std::size_t input) const;
    /// A weight whose bytes are there before the run, so that it can be prepared.
    [[nodiscard]] bool isWeight(std::size_t index) const;

    /// The elements of an input that is a constant in memory: int64 or float32. Empty where it is none.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> constantIntegers(std::size_t index) const;
    [[nodiscard]] std::optional<float> constantFloat(std::size_t index) const;

private:
    [[nodiscard]] std::optional<Shape> floatShape(ValueId value) const;
    [[nodiscard]] const Value* constant(std::size_t index, DType dtype) const;

    const Graph& m_graph;
    const Node& m_node;
    Wish m_wish;
};

/// One tensor that a primitive reads or writes.
struct Argument
{
    int id = 0;               ///< DNNL_ARG_…
    std::size_t position = 0; ///< Among the node's inputs or outputs.
    bool isOutput = false;
    dnnl::memory::desc layout; ///< For a plain tensor, some dense reading of its row-major bytes.
    Shape readAs {};           ///< The shape whose axes a layout names, where it is not the tensor's own.
};

/// A primitive that computes a node, and what it needs.
struct Recipe
{
    std::function<dnnl::primitive()> build; ///< Compiles it, which takes ten times as long as choosing it.
    std::string name;                       ///< As oneDNN calls the implementation.
    dnnl::memory::desc scratchpad;
    std::vector<Argument> arguments;
    std::vector<Implementation::InPlacePair> inPlace;
};

/// The recipe of a node, or nothing where its family does not mean exactly what ONNX means, or oneDNN refuses.
/// Throws dnnl::error.
using RecipeMaker = std::optional<Recipe> (*)(const NodeView& node, const dnnl::engine& engine);

/// Which layouts an operator can have beside plain ones.
enum class Layouts : std::uint8_t {
    Plain,         ///< None.
    Follows,       ///< That of its inputs, for the output too.
    Chooses,       ///< oneDNN says which it likes best, for the weights too.
    ChoosesImages, ///< The same, but weights stay as they are.
};

struct RecipeEntry
{
    std::string_view op;
    RecipeMaker make = nullptr;
    Layouts layouts = Layouts::Plain;
};
/// nullptr where oneDNN has nothing for the operator.
[[nodiscard]] const RecipeEntry* findRecipe(const Node& node);
/// What oneDNN refuses it refuses by throwing: that is no recipe.
[[nodiscard]] std::optional<Recipe> tryRecipe(const NodeView& node, const dnnl::engine& engine);

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
std::optional<Recipe> makeClip(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeBinary(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeDeconvolution(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makePRelu(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeConcat(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeSum(const NodeView& node, const dnnl::engine& engine);
std::optional<Recipe> makeReduction(const NodeView& node, const dnnl::engine& engine);

/// Row-major float32; a scalar becomes {1}.
[[nodiscard]] dnnl::memory::desc denseLayout(const Shape& shape);
[[nodiscard]] dnnl::memory::desc stridedLayout(const Shape& shape, const Shape& strides);
[[nodiscard]] Shape denseStrides(const Shape& shape);

/// Scratchpads are ours: planned, not allocated by the library.
[[nodiscard]] dnnl::primitive_attr userScratchpad();

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
