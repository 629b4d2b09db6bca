#include "kernels/onednn/recipe.h"

#include <algorithm>
#include <numeric>

namespace plimsoll::kernels::onednn {
namespace {

using Desc = dnnl::memory::desc;

/// One recurrent node, in ONNX's sizes.
struct Cell
{
    std::int64_t steps = 0;
    std::int64_t batch = 0;
    std::int64_t input = 0;
    std::int64_t hidden = 0;
    std::int64_t gates = 1;
    std::int64_t directions = 1;
    dnnl::rnn_direction direction = dnnl::rnn_direction::unidirectional_left2right;
};

std::optional<dnnl::rnn_direction> directionOf(const std::string& name)
{
    if (name == "forward") return dnnl::rnn_direction::unidirectional_left2right;
    if (name == "reverse") return dnnl::rnn_direction::unidirectional_right2left;
    if (name == "bidirectional") return dnnl::rnn_direction::bidirectional_concat;
    return std::nullopt;
}

/// Empty where the node has something that is not looked after here: lengths, other activations.
std::optional<Cell> cellOf(const NodeView& node, std::int64_t gates)
{
    const auto x = node.input(0);
    const auto w = node.input(1);
    const auto r = node.input(2);
    if (!x || !w || !r || x->size() != 3 || w->size() != 3 || r->size() != 3) return std::nullopt;
    const auto direction = directionOf(node.text("direction", "forward"));
    const bool plain = !node.hasInput(4) && !node.hasAttribute("clip") && node.integer("layout", 0) == 0 &&
                       node.integer("input_forget", 0) == 0 && node.opset() >= 7;
    if (!plain || !direction) return std::nullopt;
    const std::int64_t directions = *direction == dnnl::rnn_direction::bidirectional_concat ? 2 : 1;
    const Cell cell {(*x)[0], (*x)[1], (*x)[2], (*r)[2], gates, directions, *direction};
    const bool fits = *w == Shape {directions, gates * cell.hidden, cell.input} &&
                      *r == Shape {directions, gates * cell.hidden, cell.hidden};
    const bool biased = !node.hasInput(3) || node.input(3) == Shape {directions, 2 * gates * cell.hidden};
    const Shape state = {directions, cell.batch, cell.hidden};
    for (const std::size_t input : {std::size_t {5}, std::size_t {6}}) {
        if (node.hasInput(input) && node.input(input) != state) return std::nullopt;
    }
    return fits && biased ? std::optional(cell) : std::nullopt;
}

/// Both directions have activations of their own.
bool hasActivations(const NodeView& node, const Cell& cell, const std::vector<std::string>& wanted)
{
    std::vector<std::string> all = wanted;
    if (cell.directions == 2) all.insert(all.end(), wanted.begin(), wanted.end());
    return node.texts("activations", all) == all;
}

Desc plain(const Shape& shape)
{
    return inRows(shape, dnnl::memory::data_type::f32);
}

/// oneDNN's [layers, directions, in, gates, out], in rows: it computes forward from nothing else.
Desc weights(const Cell& cell, std::int64_t from)
{
    return plain({1, cell.directions, from, cell.gates, cell.hidden});
}

/// oneDNN's gates by their place among ONNX's: ONNX has input, output, forget, candidate for LSTM.
std::vector<std::size_t> gateOrder(std::int64_t gates)
{
    if (gates == 4) return {0, 2, 3, 1};
    std::vector<std::size_t> order(static_cast<std::size_t>(gates));
    std::iota(order.begin(), order.end(), std::size_t {0});
    return order;
}

/// The sums of what ONNX adds to the input's and to the state's part; \p apart keeps the last gate's second part.
void addBiases(const Cell& cell, bool apart, const float* from, float* to)
{
    const std::vector<std::size_t> order = gateOrder(cell.gates);
    const auto hidden = static_cast<std::size_t>(cell.hidden);
    for (std::int64_t direction = 0; direction < cell.directions; ++direction) {
        for (std::size_t gate = 0; gate < order.size(); ++gate, to += hidden) {
            const float* own = from + order[gate] * hidden;
            const float* second = own + order.size() * hidden;
            const bool alone = apart && gate + 1 == order.size();
            std::transform(own, own + hidden, second, to, [alone](float a, float b) { return alone ? a : a + b; });
            if (alone) to = std::copy_n(second, hidden, to + hidden) - hidden;
        }
        from += 2 * order.size() * hidden;
    }
}

/// Collects the arguments of a cell as they are the same for all kinds.
class CellRecipe
{
public:
    CellRecipe(const NodeView& node, const Cell& cell) : m_node(node), m_cell(cell)
    {
        argument(DNNL_ARG_SRC_LAYER, 0, false, source());
        if (m_node.hasOutput(1)) argument(DNNL_ARG_DST_ITER, 1, true, state());
        takeTarget();
        takeWeights(DNNL_ARG_WEIGHTS_LAYER, 1, cell.input);
        takeWeights(DNNL_ARG_WEIGHTS_ITER, 2, cell.hidden);
    }

    /// What the primitive writes and no node reads.
    void discard(int id, const Desc& layout) { m_derived.push_back({id, layout, {}, {}}); }

    void argument(int id, std::size_t position, bool isOutput, const Desc& layout)
    {
        m_arguments.push_back({id, position, isOutput, layout});
    }

    /// The state it starts from, or zeros.
    void takeState(int id, std::size_t position)
    {
        if (m_node.hasInput(position)) return argument(id, position, false, state());
        const auto bytes = state().get_size();
        m_derived.push_back({id, state(), {}, [bytes](const std::vector<TensorView>&, void* to) {
                                 std::fill_n(static_cast<std::byte*>(to), bytes, std::byte {0});
                             }});
    }

    /// Zeros where there is none, without which oneDNN refuses.
    void takeBias(bool apart)
    {
        const Cell cell = m_cell;
        const auto bytes = bias(apart).get_size();
        const bool given = m_node.hasInput(3);
        m_derived.push_back({DNNL_ARG_BIAS, bias(apart),
                             given ? std::vector<std::size_t> {3} : std::vector<std::size_t> {},
                             [cell, apart, bytes](const std::vector<TensorView>& from, void* to) {
                                 std::fill_n(static_cast<std::byte*>(to), bytes, std::byte {0});
                                 if (!from.empty())
                                     addBiases(cell, apart, from[0].as<float>(), static_cast<float*>(to));
                             }});
    }

    void takePeepholes()
    {
        const std::int64_t directions = m_cell.directions;
        const std::int64_t hidden = m_cell.hidden;
        const auto permute = [directions, hidden](const std::vector<TensorView>& from, void* to) {
            auto* out = static_cast<float*>(to);
            for (std::int64_t direction = 0; direction < directions; ++direction) {
                for (const std::int64_t gate : {0, 2, 1}) // ONNX: input, output, forget; oneDNN: input, forget, output
                    out = std::copy_n(from[0].as<float>() + (3 * direction + gate) * hidden, hidden, out);
            }
        };
        m_derived.push_back({DNNL_ARG_WEIGHTS_PEEPHOLE, peepholes(), {7}, permute});
    }

    [[nodiscard]] Desc source() const { return plain({m_cell.steps, m_cell.batch, m_cell.input}); }
    [[nodiscard]] Desc target() const { return plain({m_cell.steps, m_cell.batch, m_cell.directions * m_cell.hidden}); }
    [[nodiscard]] Desc state() const { return plain({1, m_cell.directions, m_cell.batch, m_cell.hidden}); }
    [[nodiscard]] Desc stateIf(bool there) const { return there ? state() : Desc(); }
    [[nodiscard]] Desc bias(bool apart) const
    {
        return plain({1, m_cell.directions, m_cell.gates + (apart ? 1 : 0), m_cell.hidden});
    }
    [[nodiscard]] Desc peepholes() const { return plain({1, m_cell.directions, 3, m_cell.hidden}); }

    template <typename Primitive>
    Recipe finish(const typename Primitive::desc& operation, const dnnl::engine& engine)
    {
        Recipe recipe = recipeOf<Primitive>(m_node, operation, m_arguments, engine);
        recipe.derived = m_derived;
        recipe.permuted = m_permuted;
        return recipe;
    }

private:
    /// oneDNN puts the directions of one item side by side, ONNX the items of one direction: [step, direction, item].
    void takeTarget()
    {
        if (!m_node.hasOutput(0)) return discard(DNNL_ARG_DST_LAYER, target());
        if (m_cell.directions == 1 || m_cell.batch == 1) return argument(DNNL_ARG_DST_LAYER, 0, true, target());
        const Shape shape = {m_cell.steps, m_cell.directions, m_cell.batch, m_cell.hidden};
        const std::int64_t row = m_cell.directions * m_cell.hidden;
        const Desc sideBySide(shape, dnnl::memory::data_type::f32, Shape {m_cell.batch * row, m_cell.hidden, row, 1});
        m_permuted = Permuted {m_derived.size(), 0, sideBySide, plain(shape)};
        discard(DNNL_ARG_DST_LAYER, target());
    }

    /// Prepared, or brought into shape in each call.
    void takeWeights(int id, std::size_t position, std::int64_t from)
    {
        const Shape stored = {m_cell.directions, m_cell.gates, m_cell.hidden, from};
        const Desc layout = weights(m_cell, from);
        const std::string prepared(m_cell.gates == 4 ? LstmWeights : CellWeights);
        if (!m_node.wantsPlain(position)) {
            m_arguments.push_back({id, position, false, layout, stored, {}, prepared});
            return;
        }
        m_derived.push_back({id, layout, {position}, [stored](const std::vector<TensorView>& given, void* to) {
                                 permuteGates(given[0].as<float>(), stored, static_cast<float*>(to));
                             }});
    }

    const NodeView& m_node;
    const Cell m_cell;
    std::vector<Argument> m_arguments;
    std::vector<Derived> m_derived;
    std::optional<Permuted> m_permuted;
};

} // namespace

void permuteGates(const float* from, const Shape& shape, float* to)
{
    const std::vector<std::size_t> order = gateOrder(shape[1]);
    const auto hidden = static_cast<std::size_t>(shape[2]);
    const auto inputs = static_cast<std::size_t>(shape[3]);
    const std::size_t all = order.size() * hidden * inputs;
    for (std::int64_t direction = 0; direction < shape[0]; ++direction, from += all, to += all) {
        for (std::size_t gate = 0; gate < order.size(); ++gate) {
            for (std::size_t out = 0; out < hidden; ++out) {
                const float* row = from + (order[gate] * hidden + out) * inputs;
                for (std::size_t in = 0; in < inputs; ++in)
                    to[(in * order.size() + gate) * hidden + out] = row[in];
            }
        }
    }
}

/// oneDNN takes and leaves both states or none.
std::optional<Recipe> makeLstm(const NodeView& node, const dnnl::engine& engine)
{
    const auto cell = cellOf(node, 4);
    if (!cell || !hasActivations(node, *cell, {"Sigmoid", "Tanh", "Tanh"})) return std::nullopt;
    const bool peeps = node.hasInput(7);
    if (peeps && node.input(7) != Shape {cell->directions, 3 * cell->hidden}) return std::nullopt;
    CellRecipe recipe(node, *cell);
    recipe.takeBias(false);
    const bool first = node.hasInput(5) || node.hasInput(6);
    if (first) recipe.takeState(DNNL_ARG_SRC_ITER, 5);
    if (first) recipe.takeState(DNNL_ARG_SRC_ITER_C, 6);
    if (peeps) recipe.takePeepholes();
    const bool last = node.hasOutput(1) || node.hasOutput(2);
    if (node.hasOutput(2)) recipe.argument(DNNL_ARG_DST_ITER_C, 2, true, recipe.state());
    if (last && !node.hasOutput(1)) recipe.discard(DNNL_ARG_DST_ITER, recipe.state());
    if (last && !node.hasOutput(2)) recipe.discard(DNNL_ARG_DST_ITER_C, recipe.state());
    const dnnl::lstm_forward::desc operation(dnnl::prop_kind::forward_inference, cell->direction, recipe.source(),
                                             recipe.stateIf(first), recipe.stateIf(first), weights(*cell, cell->input),
                                             weights(*cell, cell->hidden), peeps ? recipe.peepholes() : Desc(),
                                             recipe.bias(false), recipe.target(), recipe.stateIf(last),
                                             recipe.stateIf(last));
    return recipe.finish<dnnl::lstm_forward>(operation, engine);
}

std::optional<Recipe> makeGru(const NodeView& node, const dnnl::engine& engine)
{
    const auto cell = cellOf(node, 3);
    if (!cell || !hasActivations(node, *cell, {"Sigmoid", "Tanh"})) return std::nullopt;
    const bool resetsAfter = node.integer("linear_before_reset", 0) != 0;
    CellRecipe recipe(node, *cell);
    recipe.takeBias(resetsAfter);
    if (node.hasInput(5)) recipe.takeState(DNNL_ARG_SRC_ITER, 5);
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
    if (!cell) return std::nullopt;
    const bool isRelu = hasActivations(node, *cell, {"Relu"}) && node.hasAttribute("activations");
    if (!isRelu && !hasActivations(node, *cell, {"Tanh"})) return std::nullopt;
    CellRecipe recipe(node, *cell);
    recipe.takeBias(false);
    if (node.hasInput(5)) recipe.takeState(DNNL_ARG_SRC_ITER, 5);
    const dnnl::vanilla_rnn_forward::desc operation(
        dnnl::prop_kind::forward_inference, isRelu ? dnnl::algorithm::eltwise_relu : dnnl::algorithm::eltwise_tanh,
        cell->direction, recipe.source(), recipe.stateIf(node.hasInput(5)), weights(*cell, cell->input),
        weights(*cell, cell->hidden), recipe.bias(false), recipe.target(), recipe.stateIf(node.hasOutput(1)));
    return recipe.finish<dnnl::vanilla_rnn_forward>(operation, engine);
}

} // namespace plimsoll::kernels::onednn
