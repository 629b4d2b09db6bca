#include "kernels/cuda/kernels/cuda_recurrent.h"

#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/kernels/cuda_matmul.h"
#include "kernels/cuda/kernels/fill.h"
#include "kernels/cuda/launch/region.h"

/// RNN, GRU and LSTM: the inputs of all steps are multiplied at once, then each step multiplies the state and makes the
/// new one of it.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

/// An optional input of float32 with so many numbers, or nullptr.
Result<const float*> parameter(const DeviceCall& call, std::size_t input, std::int64_t count)
{
    const TensorView* tensor = optionalInput(call, input);
    if (!tensor) return static_cast<const float*>(nullptr);
    if (tensor->dtype == DType::Float32 && tensor->elements() == count) return tensor->as<const float>();
    return decline(call, say("cuda.input-misfit", word::Number(input)));
}

Result<Recurrence> recurrenceOf(const DeviceCall& call, std::int64_t gates, const std::vector<std::string>& defaults)
{
    Recurrence r {};
    PLIMSOLL_ASSIGN(plan, planRecurrence(call, gates, defaults));
    r.plan = plan;
    for (std::size_t i = 0; i < 3; ++i) {
        if (call.input(i).tensor.dtype != DType::Float32) return declineType(call, call.input(i).tensor.dtype);
    }
    PLIMSOLL_ASSIGN(bias, parameter(call, 3, r.plan.directions * 2 * gates * r.plan.hidden));
    PLIMSOLL_ASSIGN(peepholes, parameter(call, 7, r.plan.directions * 3 * r.plan.hidden));
    r.bias = bias;
    r.peepholes = gates == 4 ? peepholes : nullptr;
    if (const TensorView* lengths = optionalInput(call, 4)) {
        if (lengths->dtype != DType::Int32 || lengths->elements() != r.plan.batch)
            return decline(call, say("cuda.length-misfit"));
        r.lengths = lengths->as<const std::int32_t>();
    }
    return r;
}

/// [direction, item, hidden] as the graph lays it.
Region statesIn(const Recurrence& r, const TensorView& tensor)
{
    return {tensor, 0,
            r.plan.batchFirst ? Shape {r.plan.hidden, r.plan.directions * r.plan.hidden, 1}
                              : Shape {r.plan.batch * r.plan.hidden, r.plan.hidden, 1}};
}
Region statesOf(const Recurrence& r, float* state)
{
    const Shape shape {r.plan.directions, r.plan.batch, r.plan.hidden};
    return {{DType::Float32, shape, state}, 0, rowMajorStrides(shape)};
}

/// The state before the first step.
Result<float*> firstState(DeviceCall& call, const Recurrence& r, std::size_t input)
{
    PLIMSOLL_ASSIGN(given, parameter(call, input, r.plan.places()));
    PLIMSOLL_ASSIGN(state, call.scratch<float>(r.plan.places()));
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
    const Shape shape = r.plan.batchFirst ? Shape {r.plan.batch, r.plan.directions, r.plan.hidden}
                                          : Shape {r.plan.directions, r.plan.batch, r.plan.hidden};
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
    problem.strides = {depth, 1, 1, depth};
    problem.alpha = 1;
    return problem;
}

/// Of the inputs of all steps, with the bias that belongs to them.
Status multiplyInputs(DeviceCall& call, Recurrence& r)
{
    const TensorView x = call.input(0).tensor;
    const std::int64_t columns = r.plan.gates * r.plan.hidden;
    const std::int64_t rows = r.plan.steps * r.plan.batch;
    const std::int64_t depth = x.shape[2];
    PLIMSOLL_ASSIGN(sums, call.scratch<float>(r.plan.directions * rows * columns));
    for (std::int64_t d = 0; d < r.plan.directions; ++d) {
        const auto at = [d](auto* first, std::int64_t step) { return first ? first + d * step : first; };
        const auto* weights = call.input(1).tensor.as<const float>();
        auto problem = transposedProduct(x.as<const float>(), at(weights, columns * depth), at(sums, rows * columns),
                                         rows, columns, depth);
        problem.added = {1, at(r.bias, 2 * columns), 0, 1};
        multiply(call.queue(), problem);
    }
    call.noteOperations(2.0 * static_cast<double>(r.plan.directions * rows * columns * (depth + r.plan.hidden)));
    r.inputSums = sums;
    return {};
}

/// [direction, item, …] = state · weights of \p columns rows, from row \p first of each direction on.
void multiplyState(DeviceCall& call, const Recurrence& r, const float* state, float* sums, std::int64_t first,
                   std::int64_t columns)
{
    const std::int64_t each = r.plan.gates * r.plan.hidden * r.plan.hidden; // weights of a direction
    const auto* weights = call.input(2).tensor.as<const float>();
    auto problem = transposedProduct(state, weights ? weights + first * r.plan.hidden : weights, sums, r.plan.batch,
                                     columns, r.plan.hidden);
    problem.parts = r.plan.directions;
    problem.batch = *walkOver<2>({r.plan.directions}, {Shape {r.plan.batch * r.plan.hidden}, Shape {each}});
    multiply(call.queue(), problem);
}

/// Everything that comes before and behind the steps; \p step is called for each of them.
template <typename Step>
Status runSteps(DeviceCall& call, Recurrence& r, const Step& step)
{
    PLIMSOLL_TRY(multiplyInputs(call, r));
    PLIMSOLL_ASSIGN(stateSums, call.scratch<float>(r.plan.places() * r.plan.gates));
    PLIMSOLL_ASSIGN(state, firstState(call, r, 5));
    r.stateSums = stateSums;
    r.state = state;
    if (r.plan.gates == 4) {
        PLIMSOLL_ASSIGN(cell, firstState(call, r, 6));
        r.cell = cell;
    }
    if (call.wantsOutput(0)) {
        const Shape shape = r.plan.batchFirst ? Shape {r.plan.batch, r.plan.steps, r.plan.directions, r.plan.hidden}
                                              : Shape {r.plan.steps, r.plan.directions, r.plan.batch, r.plan.hidden};
        PLIMSOLL_ASSIGN(y, call.output(0, DType::Float32, shape));
        r.y = y.as<float>();
    }
    for (std::int64_t i = 0; i < r.plan.steps; ++i) {
        multiplyState(call, r, r.state, r.stateSums, 0, r.plan.gates * r.plan.hidden);
        step(i);
    }
    PLIMSOLL_TRY(writeState(call, r, 1, r.state));
    return r.plan.gates == 4 ? writeState(call, r, 2, r.cell) : Status();
}

template <typename Cell>
void advance(DeviceCall& call, const Recurrence& r, const Cell& cell, std::int64_t step)
{
    forEach(call.queue(), r.plan.places(), CellBody<Cell> {r, cell, step});
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
    PLIMSOLL_ASSIGN(reset, call.scratch<float>(r.plan.places()));
    PLIMSOLL_ASSIGN(sums, call.scratch<float>(r.plan.places()));
    return runSteps(call, r, [&](std::int64_t step) {
        forEach(call.queue(), r.plan.places(), ResetBody {r, reset, step});
        multiplyState(call, r, reset, sums, 2 * r.plan.hidden, r.plan.hidden);
        advance(call, r, GruCell {sums}, step);
    });
}

constexpr DeviceKernel Table[] = {
    {"", "GRU", "steps", gru},
    {"", "LSTM", "steps", lstm},
    {"", "RNN", "steps", rnn},
};

} // namespace

constinit const DeviceTable recurrentKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
