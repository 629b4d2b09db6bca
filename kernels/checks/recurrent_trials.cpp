#include "kernels/checks/trial.h"

namespace plimsoll::kernels {
namespace {

using enum DType;

struct Cell
{
    const char* op;
    std::int64_t gates;
};
constexpr Cell Cells[] = {{"RNN", 1}, {"GRU", 3}, {"LSTM", 4}};

/// [steps, batch, input], or the first two the other way round.
struct Sizes
{
    std::int64_t steps = 5;
    std::int64_t batch = 3;
    std::int64_t input = 7;
    std::int64_t hidden = 17;
    std::int64_t directions = 1;
    bool batchFirst = false;
};

Trial cell(const Cell& of, const Sizes& sizes)
{
    const std::int64_t rows = of.gates * sizes.hidden;
    Trial trial(of.op);
    trial.input(sizes.batchFirst ? Shape {sizes.batch, sizes.steps, sizes.input}
                                 : Shape {sizes.steps, sizes.batch, sizes.input});
    trial.input({sizes.directions, rows, sizes.input}).input({sizes.directions, rows, sizes.hidden});
    trial.set("hidden_size", sizes.hidden).set("layout", std::int64_t {sizes.batchFirst});
    if (sizes.directions == 2) trial.set("direction", std::string("bidirectional"));
    return trial.outputs(of.gates == 4 ? 3 : 2);
}

} // namespace

std::vector<Trial> recurrentTrials()
{
    std::vector<Trial> trials;
    for (const Cell& of : Cells) {
        trials.push_back(cell(of, {}));
        trials.push_back(cell(of, {1, 1, 1, 1}));
        trials.push_back(cell(of, {.steps = 4}).set("direction", std::string("reverse")));
        trials.push_back(cell(of, {.hidden = 70}).set("clip", 0.5));
        // Bias, lengths and first states, and peepholes for the one that has them.
        for (const std::int64_t way : {0, 1, 2, 3}) {
            const Sizes sizes {.directions = 1 + way / 2, .batchFirst = way % 2 == 1};
            const Shape state = sizes.batchFirst ? Shape {sizes.batch, sizes.directions, sizes.hidden}
                                                 : Shape {sizes.directions, sizes.batch, sizes.hidden};
            Trial& trial = trials.emplace_back(cell(of, sizes)).input({sizes.directions, 2 * of.gates * sizes.hidden});
            trial.input(Int32, {sizes.batch}).within(0, static_cast<double>(sizes.steps) + 1).input(state);
            if (of.gates == 4) trial.input(state).input({sizes.directions, 3 * sizes.hidden});
        }
    }
    trials.push_back(cell(Cells[1], {}).set("linear_before_reset", std::int64_t {1}));
    trials.push_back(cell(Cells[2], {}).set("input_forget", std::int64_t {1}));
    for (const char* name : {"Affine", "Elu", "HardSigmoid", "LeakyRelu", "Relu", "ScaledTanh", "Sigmoid", "Softplus",
                             "Softsign", "ThresholdedRelu"}) {
        trials.push_back(cell(Cells[0], {})
                             .set("activations", std::vector<std::string> {name})
                             .set("activation_alpha", std::vector<double> {0.5})
                             .set("activation_beta", std::vector<double> {0.25}));
    }
    return trials;
}

} // namespace plimsoll::kernels
