#include "kernels/cuda/cuda_recurrent.h"

#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/cuda_matmul.h"
#include "kernels/cuda/fill.h"
#include "kernels/cuda/region.h"

/// RNN, GRU and LSTM: the inputs of all steps are multiplied at once, then each step multiplies the state and makes the
/// new one of it.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

struct NamedActivation
{
    std::string_view name;
    Activated activated; ///< With its defaults.
};
constexpr NamedActivation Activations[] = {
    {"Affine", {Activation::Affine, 1, 0}},
    {"Elu", {Activation::Elu, 1, 0}},
    {"HardSigmoid", {Activation::HardSigmoid, 0.2F, 0.5F}},
    {"LeakyRelu", {Activation::LeakyRelu, 0.01F, 0}},
    {"Relu", {Activation::Relu, 1, 0}},
    {"ScaledTanh", {Activation::ScaledTanh, 1, 0}},
    {"Sigmoid", {Activation::Sigmoid, 1, 0}},
    {"Softplus", {Activation::Softplus, 1, 0}},
    {"Softsign", {Activation::Softsign, 1, 0}},
    {"Tanh", {Activation::Tanh, 1, 0}},
    {"ThresholdedRelu", {Activation::ThresholdedRelu, 1, 0}},
};

/// The attributes list those of one direction behind those of the other.
Status readActivations(const DeviceCall& call, Recurrence& r, const std::vector<std::string>& defaults)
{
    const std::vector<std::string> names = textsAttribute(call, "activations");
    const auto alphas = floatsAttribute(call, "activation_alpha").value_or(std::vector<double>());
    const auto betas = floatsAttribute(call, "activation_beta").value_or(std::vector<double>());
    const std::size_t each = defaults.size();
    const std::size_t count = each * static_cast<std::size_t>(r.directions);
    if (!names.empty() && names.size() != count) return decline(call, "another number of activations than it needs");
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& name = names.empty() ? defaults[i % each] : names[i];
        const NamedActivation* known = nullptr;
        for (const NamedActivation& activation : Activations)
            known = activation.name == name ? &activation : known;
        if (!known) return decline(call, "activation " + name);
        Activated& activated = r.activations[i / each][i % each] = known->activated;
        if (i < alphas.size()) activated.alpha = static_cast<float>(alphas[i]);
        if (i < betas.size()) activated.beta = static_cast<float>(betas[i]);
    }
    return {};
}

/// An optional input of float32 with so many numbers, or nullptr.
Result<const float*> parameter(const DeviceCall& call, std::size_t input, std::int64_t count)
{
    const TensorView* tensor = optionalInput(call, input);
    if (!tensor) return static_cast<const float*>(nullptr);
    if (tensor->dtype == DType::Float32 && tensor->elements() == count) return tensor->as<const float>();
    return decline(call, "input " + std::to_string(input) + " does not fit");
}

Result<Recurrence> sizesOf(const DeviceCall& call, std::int64_t gates)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(w, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(state, inputTensor(call, 2));
    if (x.dtype != DType::Float32 || w.dtype != x.dtype || state.dtype != x.dtype) return declineType(call, x.dtype);
    if (x.shape.size() != 3 || w.shape.size() != 3 || w.shape[1] % gates != 0)
        return decline(call, "its weights do not fit");
    Recurrence r {};
    const std::string direction = textAttribute(call, "direction", "forward");
    r.gates = gates;
    r.backward = direction == "reverse";
    r.directions = direction == "bidirectional" ? 2 : 1;
    r.batchFirst = intAttribute(call, "layout", 0) != 0;
    r.steps = x.shape[r.batchFirst ? 1 : 0];
    r.batch = x.shape[r.batchFirst ? 0 : 1];
    r.hidden = w.shape[1] / gates;
    r.clip = static_cast<float>(floatAttribute(call, "clip", 0));
    if (w.shape != Shape {r.directions, gates * r.hidden, x.shape[2]} ||
        state.shape != Shape {r.directions, gates * r.hidden, r.hidden})
        return decline(call, "its weights do not fit");
    return r;
}

Result<Recurrence> recurrenceOf(const DeviceCall& call, std::int64_t gates, const std::vector<std::string>& defaults)
{
    PLIMSOLL_ASSIGN(r, sizesOf(call, gates));
    PLIMSOLL_TRY(readActivations(call, r, defaults));
    PLIMSOLL_ASSIGN(bias, parameter(call, 3, r.directions * 2 * gates * r.hidden));
    PLIMSOLL_ASSIGN(peepholes, parameter(call, 7, r.directions * 3 * r.hidden));
    r.bias = bias;
    r.peepholes = gates == 4 ? peepholes : nullptr;
    if (const TensorView* lengths = optionalInput(call, 4)) {
        if (lengths->dtype != DType::Int32 || lengths->elements() != r.batch)
            return decline(call, "its lengths do not fit");
        r.lengths = lengths->as<const std::int32_t>();
    }
    return r;
}

/// [direction, item, hidden] as the graph lays it.
Region statesIn(const Recurrence& r, const TensorView& tensor)
{
    return {tensor, 0,
            r.batchFirst ? Shape {r.hidden, r.directions * r.hidden, 1} : Shape {r.batch * r.hidden, r.hidden, 1}};
}
Region statesOf(const Recurrence& r, float* state)
{
    const Shape shape {r.directions, r.batch, r.hidden};
    return {{DType::Float32, shape, state}, 0, rowMajorStrides(shape)};
}

/// The state before the first step.
Result<float*> firstState(DeviceCall& call, const Recurrence& r, std::size_t input)
{
    PLIMSOLL_ASSIGN(given, parameter(call, input, r.places()));
    PLIMSOLL_ASSIGN(state, call.scratch<float>(r.places()));
    const Region to = statesOf(r, state);
    if (!optionalInput(call, input)) {
        fillElements(call.queue(), to.tensor, 0.0);
        return state;
    }
    const TensorView from {DType::Float32, to.tensor.shape, const_cast<float*>(given)};
    PLIMSOLL_TRY(copyRegion(call, statesIn(r, from), to, to.tensor.shape));
    return state;
}

Status writeState(DeviceCall& call, const Recurrence& r, std::size_t output, float* state)
{
    if (!call.wantsOutput(output)) return {};
    const Shape shape =
        r.batchFirst ? Shape {r.batch, r.directions, r.hidden} : Shape {r.directions, r.batch, r.hidden};
    PLIMSOLL_ASSIGN(y, call.output(output, DType::Float32, shape));
    const Region from = statesOf(r, state);
    return copyRegion(call, from, statesIn(r, y), from.tensor.shape);
}

/// rows × depth numbers times the rows of weights transposed, one product for each direction.
MatrixProblem<float> transposedProduct(const float* a, const float* weights, float* y, std::int64_t rows,
                                       std::int64_t columns, std::int64_t depth)
{
    MatrixProblem<float> problem {};
    problem.rows = rows;
    problem.columns = columns;
    problem.depth = depth;
    problem.parts = 1;
    problem.aAt = a;
    problem.bAt = weights;
    problem.y = y;
    problem.aRow = depth;
    problem.aDepth = 1;
    problem.bDepth = 1;
    problem.bColumn = depth;
    problem.alpha = 1;
    return problem;
}

/// Of the inputs of all steps, with the bias that belongs to them.
Status multiplyInputs(DeviceCall& call, Recurrence& r)
{
    const TensorView x = call.input(0).tensor;
    const std::int64_t columns = r.gates * r.hidden;
    const std::int64_t rows = r.steps * r.batch;
    const std::int64_t depth = x.shape[2];
    PLIMSOLL_ASSIGN(sums, call.scratch<float>(r.directions * rows * columns));
    for (std::int64_t d = 0; d < r.directions; ++d) {
        const auto at = [d](auto* first, std::int64_t step) { return first ? first + d * step : first; };
        const auto* weights = call.input(1).tensor.as<const float>();
        auto problem = transposedProduct(x.as<const float>(), at(weights, columns * depth), at(sums, rows * columns),
                                         rows, columns, depth);
        problem.beta = 1;
        problem.c = at(r.bias, 2 * columns);
        problem.cColumn = 1;
        multiply(call.queue(), problem);
    }
    call.noteOperations(2.0 * static_cast<double>(r.directions * rows * columns * (depth + r.hidden)));
    r.inputSums = sums;
    return {};
}

/// [direction, item, …] = state · weights of \p columns rows, from row \p first of each direction on.
void multiplyState(DeviceCall& call, const Recurrence& r, const float* state, float* sums, std::int64_t first,
                   std::int64_t columns)
{
    const std::int64_t each = r.gates * r.hidden * r.hidden; // weights of a direction
    const auto* weights = call.input(2).tensor.as<const float>();
    auto problem =
        transposedProduct(state, weights ? weights + first * r.hidden : weights, sums, r.batch, columns, r.hidden);
    problem.parts = r.directions;
    problem.batch = *walkOver<2>({r.directions}, {Shape {r.batch * r.hidden}, Shape {each}});
    multiply(call.queue(), problem);
}

/// Everything that comes before and behind the steps; \p step is called for each of them.
template <typename Step>
Status runSteps(DeviceCall& call, Recurrence& r, const Step& step)
{
    PLIMSOLL_TRY(multiplyInputs(call, r));
    PLIMSOLL_ASSIGN(stateSums, call.scratch<float>(r.places() * r.gates));
    PLIMSOLL_ASSIGN(state, firstState(call, r, 5));
    r.stateSums = stateSums;
    r.state = state;
    if (r.gates == 4) {
        PLIMSOLL_ASSIGN(cell, firstState(call, r, 6));
        r.cell = cell;
    }
    if (call.wantsOutput(0)) {
        const Shape shape = r.batchFirst ? Shape {r.batch, r.steps, r.directions, r.hidden}
                                         : Shape {r.steps, r.directions, r.batch, r.hidden};
        PLIMSOLL_ASSIGN(y, call.output(0, DType::Float32, shape));
        r.y = y.as<float>();
    }
    for (std::int64_t i = 0; i < r.steps; ++i) {
        multiplyState(call, r, r.state, r.stateSums, 0, r.gates * r.hidden);
        step(i);
    }
    PLIMSOLL_TRY(writeState(call, r, 1, r.state));
    return r.gates == 4 ? writeState(call, r, 2, r.cell) : Status();
}

template <typename Cell>
void advance(DeviceCall& call, const Recurrence& r, const Cell& cell, std::int64_t step)
{
    forEach(call.queue(), r.places(), CellBody<Cell> {r, cell, step});
}

Status rnn(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(r, recurrenceOf(call, 1, {"Tanh"}));
    return runSteps(call, r, [&](std::int64_t step) { advance(call, r, RnnCell(), step); });
}

Status lstm(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(r, recurrenceOf(call, 4, {"Sigmoid", "Tanh", "Tanh"}));
    const LstmCell cell {intAttribute(call, "input_forget", 0) != 0};
    return runSteps(call, r, [&](std::int64_t step) { advance(call, r, cell, step); });
}

/// Where the state is reset before it is multiplied, there is a second product in each step.
Status gru(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(r, recurrenceOf(call, 3, {"Sigmoid", "Tanh"}));
    if (intAttribute(call, "linear_before_reset", 0) != 0)
        return runSteps(call, r, [&](std::int64_t step) { advance(call, r, GruCell {nullptr}, step); });
    PLIMSOLL_ASSIGN(reset, call.scratch<float>(r.places()));
    PLIMSOLL_ASSIGN(sums, call.scratch<float>(r.places()));
    return runSteps(call, r, [&](std::int64_t step) {
        forEach(call.queue(), r.places(), ResetBody {r, reset, step});
        multiplyState(call, r, reset, sums, 2 * r.hidden, r.hidden);
        advance(call, r, GruCell {sums}, step);
    });
}

constexpr DeviceKernel Table[] = {
    {"", "GRU", "steps", gru},
    {"", "LSTM", "steps", lstm},
    {"", "RNN", "steps", rnn},
};

} // namespace

DeviceTable recurrentKernels()
{
    return Table;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
