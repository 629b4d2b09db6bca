#include "kernels/reference/layers/recurrent.h"

#include "kernels/reference/numbers.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::kernels {
namespace {

/// An activation of a recurrent operator, named by attribute.
std::function<double(double)> activation(const std::string& name, double alpha, double beta)
{
    if (name == "Sigmoid") return [](double x) { return 1 / (1 + std::exp(-x)); };
    if (name == "Tanh") return [](double x) { return std::tanh(x); };
    if (name == "Relu") return [](double x) { return std::max(x, 0.0); };
    if (name == "Affine") return [=](double x) { return alpha * x + beta; };
    if (name == "LeakyRelu") return [=](double x) { return x < 0 ? alpha * x : x; };
    if (name == "ThresholdedRelu") return [=](double x) { return x > alpha ? x : 0; };
    if (name == "ScaledTanh") return [=](double x) { return alpha * std::tanh(beta * x); };
    if (name == "HardSigmoid") return [=](double x) { return std::clamp(alpha * x + beta, 0.0, 1.0); };
    if (name == "Elu") return [=](double x) { return x < 0 ? alpha * std::expm1(x) : x; };
    if (name == "Softsign") return [](double x) { return x / (1 + std::fabs(x)); };
    if (name == "Softplus") return [](double x) { return std::log1p(std::exp(x)); };
    return nullptr;
}

double defaultAlpha(const std::string& name)
{
    if (name == "LeakyRelu") return 0.01;
    if (name == "HardSigmoid") return 0.2;
    return 1;
}

/// [time, batch, x] from or to [batch, time, x].
std::vector<double> swapOuter(const std::vector<double>& numbers, std::int64_t first, std::int64_t second)
{
    std::vector<double> swapped(numbers.size());
    const std::size_t row = first * second == 0 ? 0 : numbers.size() / static_cast<std::size_t>(first * second);
    for (std::size_t i = 0; i < static_cast<std::size_t>(first); ++i) {
        for (std::size_t j = 0; j < static_cast<std::size_t>(second); ++j) {
            const auto from =
                numbers.begin() + static_cast<std::ptrdiff_t>((i * static_cast<std::size_t>(second) + j) * row);
            std::copy_n(from, row,
                        swapped.begin() + static_cast<std::ptrdiff_t>((j * static_cast<std::size_t>(first) + i) * row));
        }
    }
    return swapped;
}

/// Numbers of an optional input of a known size, or zeros.
Result<std::vector<double>> parameter(const KernelCall& call, std::size_t input, std::int64_t size)
{
    const TensorView* tensor = optionalInput(call, input);
    if (!tensor) return std::vector<double>(static_cast<std::size_t>(size), 0);
    if (tensor->elements() == size) return doublesOf(*tensor);
    return refuse(call, "input " + std::to_string(input) + " is " + describe(*tensor) + "; " + std::to_string(size) +
                            " numbers are needed.");
}

Status readSizes(const KernelCall& call, Recurrence& r)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(w, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(recurrent, inputTensor(call, 2));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    const std::string direction = textAttribute(call, "direction", "forward");
    r.batchFirst = intAttribute(call, "layout", 0) != 0;
    r.backward = direction == "reverse";
    r.directions = direction == "bidirectional" ? 2 : 1;
    const bool ranks = x.shape.size() == 3 && w.shape.size() == 3 && recurrent.shape.size() == 3;
    if (!ranks || w.shape[1] % r.gates != 0)
        return refuse(call, describe(x) + ", " + describe(w) + " and " + describe(recurrent) +
                                " are not the inputs of this operator.");
    r.steps = x.shape[r.batchFirst ? 1 : 0];
    r.batch = x.shape[r.batchFirst ? 0 : 1];
    r.inputSize = x.shape[2];
    r.hidden = w.shape[1] / r.gates;
    if (w.shape != Shape {r.directions, r.gates * r.hidden, r.inputSize} ||
        recurrent.shape != Shape {r.directions, r.gates * r.hidden, r.hidden}) {
        return refuse(call, "the weights " + describe(w) + " and " + describe(recurrent) + " do not fit " +
                                describe(x) + ".");
    }
    r.dtype = x.dtype;
    r.x = r.batchFirst ? swapOuter(doublesOf(x), r.batch, r.steps) : doublesOf(x);
    r.w = doublesOf(w);
    r.recurrent = doublesOf(recurrent);
    return {};
}

Status readActivations(const KernelCall& call, Recurrence& r, const std::vector<std::string>& defaults)
{
    std::vector<std::string> names = textsAttribute(call, "activations");
    if (names.empty()) {
        for (std::int64_t d = 0; d < r.directions; ++d)
            names.insert(names.end(), defaults.begin(), defaults.end());
    }
    if (names.size() < defaults.size() * static_cast<std::size_t>(r.directions))
        return refuse(call, "there are too few activations.");
    const auto alphas = floatsAttribute(call, "activation_alpha").value_or(std::vector<double>());
    const auto betas = floatsAttribute(call, "activation_beta").value_or(std::vector<double>());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const double alpha = i < alphas.size() ? alphas[i] : defaultAlpha(names[i]);
        const double beta = i < betas.size() ? betas[i] : (names[i] == "HardSigmoid" ? 0.5 : 0);
        r.activations.push_back(activation(names[i], alpha, beta));
        if (!r.activations.back()) return refuse(call, "\"" + names[i].substr(0, 40) + "\" is no activation.");
    }
    return {};
}

} // namespace

Result<Recurrence> readRecurrence(const KernelCall& call, std::int64_t gates, const std::vector<std::string>& defaults)
{
    Recurrence r;
    r.gates = gates;
    PLIMSOLL_TRY(readSizes(call, r));
    PLIMSOLL_TRY(readActivations(call, r, defaults));
    PLIMSOLL_ASSIGN(bias, parameter(call, 3, r.directions * 2 * gates * r.hidden));
    PLIMSOLL_ASSIGN(hidden, parameter(call, 5, r.directions * r.batch * r.hidden));
    PLIMSOLL_ASSIGN(cell, parameter(call, 6, gates == 4 ? r.directions * r.batch * r.hidden : 0));
    PLIMSOLL_ASSIGN(peepholes, parameter(call, 7, gates == 4 ? 3 * r.directions * r.hidden : 0));
    r.bias = bias;
    r.peepholes = peepholes;
    r.state = r.batchFirst ? swapOuter(hidden, r.batch, r.directions) : hidden;
    r.cell = r.batchFirst ? swapOuter(cell, r.batch, r.directions) : cell;
    r.clip = floatAttribute(call, "clip", 0);
    r.lengths.assign(static_cast<std::size_t>(r.batch), r.steps);
    if (const TensorView* lengths = optionalInput(call, 4)) r.lengths = integersOf(*lengths);
    if (static_cast<std::int64_t>(r.lengths.size()) != r.batch)
        return refuse(call, "there is not one length for each batch.");
    r.outputs.assign(static_cast<std::size_t>(r.steps * r.directions * r.batch * r.hidden), 0);
    return r;
}

std::vector<double> Recurrence::gateSums(std::int64_t direction, std::int64_t item, const double* input) const
{
    const std::int64_t rows = gates * hidden;
    std::vector<double> sums(static_cast<std::size_t>(2 * rows), 0);
    const double* h = state.data() + (direction * batch + item) * hidden;
    const double* biases = bias.data() + direction * 2 * rows;
    for (std::int64_t row = 0; row < rows; ++row) {
        const double* fromInput = w.data() + (direction * rows + row) * inputSize;
        const double* fromState = recurrent.data() + (direction * rows + row) * hidden;
        double sum = biases[row];
        for (std::int64_t i = 0; i < inputSize; ++i)
            sum += fromInput[i] * input[i];
        double stateSum = biases[rows + row];
        for (std::int64_t i = 0; i < hidden; ++i)
            stateSum += fromState[i] * h[i];
        sums[static_cast<std::size_t>(row)] = sum;
        sums[static_cast<std::size_t>(rows + row)] = stateSum;
    }
    return sums;
}

double Recurrence::activate(std::int64_t direction, std::size_t which, double sum) const
{
    const std::size_t each = activations.size() / static_cast<std::size_t>(directions);
    const double clipped = clip > 0 ? std::clamp(sum, -clip, clip) : sum;
    return activations[static_cast<std::size_t>(direction) * each + which](clipped);
}

void runRecurrence(Recurrence& r, const CellStep& step)
{
    for (std::int64_t d = 0; d < r.directions; ++d) {
        const bool backward = r.backward || d == 1;
        for (std::int64_t item = 0; item < r.batch; ++item) {
            const std::int64_t length = std::clamp<std::int64_t>(r.lengths[static_cast<std::size_t>(item)], 0, r.steps);
            for (std::int64_t i = 0; i < length; ++i) {
                const std::int64_t t = backward ? length - 1 - i : i;
                double* h = r.state.data() + (d * r.batch + item) * r.hidden;
                step(r, {d, item, r.x.data() + (t * r.batch + item) * r.inputSize, h});
                std::copy_n(h, r.hidden, r.outputs.data() + ((t * r.directions + d) * r.batch + item) * r.hidden);
            }
        }
    }
}

Status writeRecurrence(KernelCall& call, const Recurrence& r)
{
    if (call.wantsOutput(0)) {
        if (!r.batchFirst) {
            PLIMSOLL_TRY(writeNumbers(call, 0, r.dtype, {r.steps, r.directions, r.batch, r.hidden}, r.outputs));
        } else {
            // [time, direction, batch] to [batch, time, direction]
            const std::vector<double> turned = swapOuter(r.outputs, r.steps * r.directions, r.batch);
            PLIMSOLL_TRY(writeNumbers(call, 0, r.dtype, {r.batch, r.steps, r.directions, r.hidden}, turned));
        }
    }
    const auto writeState = [&](std::size_t output, const std::vector<double>& state) -> Status {
        if (!call.wantsOutput(output)) return {};
        if (!r.batchFirst) return writeNumbers(call, output, r.dtype, {r.directions, r.batch, r.hidden}, state);
        return writeNumbers(call, output, r.dtype, {r.batch, r.directions, r.hidden},
                            swapOuter(state, r.directions, r.batch));
    };
    PLIMSOLL_TRY(writeState(1, r.state));
    return r.gates == 4 ? writeState(2, r.cell) : Status();
}

} // namespace plimsoll::kernels
