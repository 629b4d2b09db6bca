#include "kernels/onednn/recipe.h"

#include <algorithm>

namespace plimsoll::kernels::onednn {
namespace {

using Desc = dnnl::memory::desc;

/// One recurrent node of one direction, in ONNX's sizes.
struct Cell
{
    std::int64_t steps = 0;
    std::int64_t batch = 0;
    std::int64_t input = 0;
    std::int64_t hidden = 0;
    std::int64_t gates = 1;
    dnnl::rnn_direction direction = dnnl::rnn_direction::unidirectional_left2right;
};

/// oneDNN's gates by their place among ONNX's: ONNX has input, output, forget, candidate for LSTM.
std::vector<std::size_t> gateOrder(std::int64_t gates)
{
    if (gates == 4) return {0, 2, 3, 1};
    std::vector<std::size_t> order;
    for (std::size_t gate = 0; gate < static_cast<std::size_t>(gates); ++gate)
        order.push_back(gate);
    return order;
}

/// Empty where the node has something that is not looked after here: lengths, peepholes, other activations.
std::optional<Cell> cellOf(const NodeView& node, std::int64_t gates)
{
    const auto x = node.input(0);
    const auto w = node.input(1);
    const auto r = node.input(2);
    if (!x || !w || !r || x->size() != 3 || w->size() != 3 || r->size() != 3 || (*w)[0] != 1) return std::nullopt;
    const std::string direction = node.text("direction", "forward");
    const bool plain = !node.hasInput(4) && !node.hasInput(7) && !node.hasAttribute("clip") &&
                       node.integer("layout", 0) == 0 && node.integer("input_forget", 0) == 0 && node.opset() >= 7;
    if (!plain || direction == "bidirectional") return std::nullopt;
    Cell cell {(*x)[0], (*x)[1], (*x)[2], (*r)[2], gates};
    if (direction == "reverse") cell.direction = dnnl::rnn_direction::unidirectional_right2left;
    const bool fits =
        *w == Shape {1, gates * cell.hidden, cell.input} && *r == Shape {1, gates * cell.hidden, cell.hidden};
    const bool biased = !node.hasInput(3) || node.input(3) == Shape {1, 2 * gates * cell.hidden};
    const Shape state = {1, cell.batch, cell.hidden};
    for (const std::size_t input : {std::size_t {5}, std::size_t {6}}) {
        if (node.hasInput(input) && node.input(input) != state) return std::nullopt;
    }
    return fits && biased ? std::optional(cell) : std::nullopt;
}

bool hasActivations(const NodeView& node, const std::vector<std::string>& wanted)
{
    return node.texts("activations", wanted) == wanted;
}

Desc plain(const Shape& shape)
{
    return {shape, dnnl::memory::data_type::f32, denseStrides(shape)};
}

/// oneDNN's [layers, directions, in, gates, out], in rows: it computes forward from nothing else.
Desc weights(const Cell& cell, std::int64_t from)
{
    return plain({1, 1, from, cell.gates, cell.hidden});
}

/// From ONNX's [gates, out, in].
void turnWeights(const float* from, float* to, const std::vector<std::size_t>& order, std::size_t hidden,
                 std::size_t inputs)
{
    for (std::size_t gate = 0; gate < order.size(); ++gate) {
        for (std::size_t out = 0; out < hidden; ++out) {
            const float* row = from + (order[gate] * hidden + out) * inputs;
            for (std::size_t in = 0; in < inputs; ++in)
                to[(in * order.size() + gate) * hidden + out] = row[in];
        }
    }
}

/// Collects the arguments of a cell as they are the same for all kinds.
class CellRecipe
{
public:
    CellRecipe(const NodeView& node, const Cell& cell) : m_node(node), m_cell(cell)
    {
        argument(DNNL_ARG_SRC_LAYER, 0, false, source());
        if (m_node.hasInput(5)) argument(DNNL_ARG_SRC_ITER, 5, false, state());
        if (m_node.hasOutput(1)) argument(DNNL_ARG_DST_ITER, 1, true, state());
        if (m_node.hasOutput(0))
            argument(DNNL_ARG_DST_LAYER, 0, true, target());
        else
            discard(DNNL_ARG_DST_LAYER, target());
        takeWeights(DNNL_ARG_WEIGHTS_LAYER, 1, cell.input);
        takeWeights(DNNL_ARG_WEIGHTS_ITER, 2, cell.hidden);
    }

    /// What the primitive writes and nobody wants.
    void discard(int id, const Desc& layout) { m_derived.push_back({id, layout, {}, {}}); }

    void argument(int id, std::size_t position, bool isOutput, const Desc& layout)
    {
        m_arguments.push_back({id, position, isOutput, layout});
    }

    /// The sums of what ONNX adds to the input's and to the state's part, or zeros, without which oneDNN refuses;
    /// \p apart keeps the last gate's second part.
    void takeBias(bool apart)
    {
        const std::vector<std::size_t> order = gateOrder(m_cell.gates);
        const auto hidden = static_cast<std::size_t>(m_cell.hidden);
        const bool given = m_node.hasInput(3);
        m_derived.push_back({DNNL_ARG_BIAS, bias(apart),
                             given ? std::vector<std::size_t> {3} : std::vector<std::size_t> {},
                             [order, hidden, apart, given](const std::vector<TensorView>& from, void* bytes) {
                                 auto* const to = static_cast<float*>(bytes);
                                 const std::size_t gates = order.size();
                                 std::fill(to, to + (gates + (apart ? 1 : 0)) * hidden, 0.0F);
                                 for (std::size_t gate = 0; given && gate < gates; ++gate) {
                                     const float* own = from[0].as<float>() + order[gate] * hidden;
                                     const float* second = own + gates * hidden;
                                     const bool alone = apart && gate + 1 == gates;
                                     for (std::size_t i = 0; i < hidden; ++i) {
                                         to[gate * hidden + i] = alone ? own[i] : own[i] + second[i];
                                         if (alone) to[(gate + 1) * hidden + i] = second[i];
                                     }
                                 }
                             }});
    }

    [[nodiscard]] Desc source() const { return plain({m_cell.steps, m_cell.batch, m_cell.input}); }
    [[nodiscard]] Desc target() const { return plain({m_cell.steps, m_cell.batch, m_cell.hidden}); }
    [[nodiscard]] Desc state() const { return plain({1, 1, m_cell.batch, m_cell.hidden}); }
    [[nodiscard]] Desc stateIf(bool there) const { return there ? state() : Desc(); }
    [[nodiscard]] Desc bias(bool apart) const { return plain({1, 1, m_cell.gates + (apart ? 1 : 0), m_cell.hidden}); }

    template <typename Primitive, typename Operation>
    Recipe finish(const Operation& operation, const dnnl::engine& engine)
    {
        const typename Primitive::primitive_desc description(operation, m_node.attributes(), engine);
        Recipe recipe = finishRecipe<Primitive>(description, m_arguments);
        recipe.derived = m_derived;
        return recipe;
    }

private:
    void takeWeights(int id, std::size_t position, std::int64_t from)
    {
        const std::vector<std::size_t> order = gateOrder(m_cell.gates);
        const auto hidden = static_cast<std::size_t>(m_cell.hidden);
        const auto inputs = static_cast<std::size_t>(from);
        m_derived.push_back({id,
                             weights(m_cell, from),
                             {position},
                             [order, hidden, inputs](const std::vector<TensorView>& given, void* to) {
                                 turnWeights(given[0].as<float>(), static_cast<float*>(to), order, hidden, inputs);
                             }});
    }

    const NodeView& m_node;
    const Cell m_cell;
    std::vector<Argument> m_arguments;
    std::vector<Derived> m_derived;
};

} // namespace

/// From a state of zeros alone.
std::optional<Recipe> makeLstm(const NodeView& node, const dnnl::engine& engine)
{
    const auto cell = cellOf(node, 4);
    if (!cell || !hasActivations(node, {"Sigmoid", "Tanh", "Tanh"})) return std::nullopt;
    if (node.hasInput(5) || node.hasInput(6)) return std::nullopt;
    CellRecipe recipe(node, *cell);
    recipe.takeBias(false);
    const bool last = node.hasOutput(1) || node.hasOutput(2); // oneDNN leaves both or none
    if (node.hasOutput(2)) recipe.argument(DNNL_ARG_DST_ITER_C, 2, true, recipe.state());
    if (last && !node.hasOutput(1)) recipe.discard(DNNL_ARG_DST_ITER, recipe.state());
    if (last && !node.hasOutput(2)) recipe.discard(DNNL_ARG_DST_ITER_C, recipe.state());
    const dnnl::lstm_forward::desc operation(dnnl::prop_kind::forward_inference, cell->direction, recipe.source(),
                                             Desc(), Desc(), weights(*cell, cell->input), weights(*cell, cell->hidden),
                                             recipe.bias(false), recipe.target(), recipe.stateIf(last),
                                             recipe.stateIf(last));
    return recipe.finish<dnnl::lstm_forward>(operation, engine);
}

std::optional<Recipe> makeGru(const NodeView& node, const dnnl::engine& engine)
{
    const auto cell = cellOf(node, 3);
    if (!cell || !hasActivations(node, {"Sigmoid", "Tanh"})) return std::nullopt;
    const bool resetsAfter = node.integer("linear_before_reset", 0) != 0;
    CellRecipe recipe(node, *cell);
    recipe.takeBias(resetsAfter);
    const auto make = [&](auto primitive) {
        using Primitive = typename decltype(primitive)::type;
        const typename Primitive::desc operation(dnnl::prop_kind::forward_inference, cell->direction, recipe.source(),
                                                 recipe.stateIf(node.hasInput(5)), weights(*cell, cell->input),
                                                 weights(*cell, cell->hidden), recipe.bias(resetsAfter),
                                                 recipe.target(), recipe.stateIf(node.hasOutput(1)));
        return recipe.finish<Primitive>(operation, engine);
    };
    return resetsAfter ? make(std::type_identity<dnnl::lbr_gru_forward> {})
                       : make(std::type_identity<dnnl::gru_forward> {});
}

std::optional<Recipe> makeRnn(const NodeView& node, const dnnl::engine& engine)
{
    const auto cell = cellOf(node, 1);
    const bool isRelu = hasActivations(node, {"Relu"}) && node.hasAttribute("activations");
    if (!cell || !(isRelu || hasActivations(node, {"Tanh"}))) return std::nullopt;
    CellRecipe recipe(node, *cell);
    recipe.takeBias(false);
    const dnnl::vanilla_rnn_forward::desc operation(
        dnnl::prop_kind::forward_inference, isRelu ? dnnl::algorithm::eltwise_relu : dnnl::algorithm::eltwise_tanh,
        cell->direction, recipe.source(), recipe.stateIf(node.hasInput(5)), weights(*cell, cell->input),
        weights(*cell, cell->hidden), recipe.bias(false), recipe.target(), recipe.stateIf(node.hasOutput(1)));
    return recipe.finish<dnnl::vanilla_rnn_forward>(operation, engine);
}

} // namespace plimsoll::kernels::onednn
