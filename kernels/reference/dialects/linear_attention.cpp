#include "kernels/common/numbers.h"
#include "kernels/reference/dialects/attention.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::kernels {
namespace {

/// One number for each head at each place, or one for each dimension of its key, or one for all heads.
struct Gate
{
    std::vector<double> numbers;
    std::int64_t width = 0; ///< Numbers a place; 0: no gate.

    [[nodiscard]] double at(std::int64_t place, std::int64_t head, std::int64_t dimension, const Heads& keys) const
    {
        if (width == 0) return 0;
        std::int64_t column = width == 1 ? 0 : head;
        if (width == keys.count * keys.size && keys.size > 1) column = head * keys.size + dimension;
        return numbers[static_cast<std::size_t>(place * width + column)];
    }
};

Result<Gate> readGate(const KernelCall& call, std::size_t input, const Heads& keys)
{
    const TensorView* tensor = optionalInput(call, input);
    if (!tensor) return Gate();
    const std::int64_t places = keys.batch * keys.length;
    const std::int64_t width = tensor->shape.size() == 3 ? tensor->shape[2] : 0;
    const bool known = width == 1 || width == keys.count || width == keys.count * keys.size;
    if (!known || tensor->elements() != places * width)
        return refuse(call, say("kernel.gate-misfit", describe(*tensor)));
    return Gate {doublesOf(*tensor), width};
}

Status linearAttention(KernelCall& call)
{
    PLIMSOLL_ASSIGN(q, readHeads(call, 0, "q_num_heads"));
    PLIMSOLL_ASSIGN(k, readHeads(call, 1, "kv_num_heads"));
    PLIMSOLL_ASSIGN(v, readHeads(call, 2, "kv_num_heads"));
    if (k.count < 1 || q.count % k.count != 0 || v.count != k.count || q.size != k.size || q.length != k.length ||
        k.length != v.length || q.batch != k.batch || k.batch != v.batch) {
        return refuse(call, say("kernel.attention-misfit"));
    }
    PLIMSOLL_ASSIGN(decayGate, readGate(call, 4, k));
    PLIMSOLL_ASSIGN(betaGate, readGate(call, 5, k));
    const std::string rule = textAttribute(call, "update_rule", "gated_delta");
    const bool delta = rule == "delta" || rule == "gated_delta";
    const bool gated = rule == "gated" || rule == "gated_delta";
    const double asked = floatAttribute(call, "scale", 0);
    const double scale = asked == 0 ? 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(q.size, 1))) : asked;
    const std::int64_t stateSize = k.size * v.size;
    PLIMSOLL_TRY(call.announce({loopPasses({k.batch, k.length, stateSize, 2 * k.count + q.count})}));
    std::vector<double> states(static_cast<std::size_t>(k.batch * k.count * stateSize), 0);
    const TensorView* past = optionalInput(call, 3);
    if (past && past->elements() != static_cast<std::int64_t>(states.size()))
        return refuse(call, say("kernel.past-state", describe(*past)));
    if (past) states = doublesOf(*past);
    Heads y {q.batch, q.count, q.length, v.size,
             std::vector<double>(static_cast<std::size_t>(q.batch * q.count * q.length * v.size), 0)};
    std::vector<double> decay(static_cast<std::size_t>(k.size));
    for (IndexWalk walk({k.batch, k.count, k.length}); walk.valid(); walk.advance()) {
        const std::int64_t place = walk[0] * k.length + walk[2];
        for (std::int64_t i = 0; i < k.size; ++i)
            decay[static_cast<std::size_t>(i)] = gated ? std::exp(decayGate.at(place, walk[1], i, k)) : 1;
        double* state = states.data() + (walk[0] * k.count + walk[1]) * stateSize;
        const double beta = delta && betaGate.width > 0 ? betaGate.at(place, walk[1], 0, k) : 1;
        // The state decays and takes in key ⊗ value: the part it does not know yet, for the delta rules.
        for (std::int64_t i = 0; i < stateSize; ++i)
            state[i] *= decay[static_cast<std::size_t>(i / v.size)];
        const double* key = k.row(walk[0], walk[1], walk[2]);
        const double* value = v.row(walk[0], walk[1], walk[2]);
        std::vector<double> fresh(value, value + v.size);
        for (std::int64_t i = 0; delta && i < stateSize; ++i)
            fresh[static_cast<std::size_t>(i % v.size)] -= state[i] * key[i / v.size];
        for (std::int64_t i = 0; i < stateSize; ++i)
            state[i] += beta * key[i / v.size] * fresh[static_cast<std::size_t>(i % v.size)];
        for (std::int64_t head = walk[1] * (q.count / k.count); head < (walk[1] + 1) * (q.count / k.count); ++head) {
            const double* query = q.row(walk[0], head, walk[2]);
            double* out = y.numbers.data() + ((walk[0] * q.count + head) * q.length + walk[2]) * v.size;
            for (std::int64_t i = 0; i < stateSize; ++i)
                out[i % v.size] += scale * query[i / v.size] * state[i];
        }
    }
    const DType dtype = call.input(0).tensor.dtype;
    PLIMSOLL_TRY(writeHeads(call, y));
    return call.wantsOutput(1)
               ? writeNumbers(call, 1, past ? past->dtype : dtype, {k.batch, k.count, k.size, v.size}, states)
               : Status();
}

/// Each channel convolved with its own kernel over what came before, the state in front.
Status causalConvWithState(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(w, inputTensor(call, 1));
    const bool fits =
        x.shape.size() == 3 && w.shape.size() == 3 && w.shape[0] == x.shape[1] && w.shape[1] == 1 && w.shape[2] > 0;
    const TensorView* biasTensor = optionalInput(call, 2);
    const TensorView* past = optionalInput(call, 3);
    const std::int64_t kernel = fits ? w.shape[2] : 1;
    const Shape stateShape = fits ? Shape {x.shape[0], x.shape[1], kernel - 1} : Shape();
    if (!fits || (biasTensor && biasTensor->elements() != x.shape[1]) || (past && past->shape != stateShape)) {
        return refuse(call, say("kernel.state-misfit", describe(w), describe(x)));
    }
    PLIMSOLL_TRY(call.announce({loopPasses(x.shape) * static_cast<double>(kernel)}));
    const std::vector<double> in = doublesOf(x);
    const std::vector<double> weights = doublesOf(w);
    const std::vector<double> bias =
        biasTensor ? doublesOf(*biasTensor) : std::vector<double>(static_cast<std::size_t>(x.shape[1]), 0);
    const std::vector<double> before =
        past ? doublesOf(*past) : std::vector<double>(static_cast<std::size_t>(productOf(stateShape)), 0);
    const std::string activation = textAttribute(call, "activation", "none");
    std::vector<double> out;
    std::vector<double> after;
    for (std::int64_t line = 0; line < x.shape[0] * x.shape[1]; ++line) {
        const std::int64_t channel = line % x.shape[1];
        std::vector<double> all(before.begin() + line * (kernel - 1), before.begin() + (line + 1) * (kernel - 1));
        all.insert(all.end(), in.begin() + line * x.shape[2], in.begin() + (line + 1) * x.shape[2]);
        for (std::int64_t t = 0; t < x.shape[2]; ++t) {
            double sum = bias[static_cast<std::size_t>(channel)];
            for (std::int64_t i = 0; i < kernel; ++i)
                sum += weights[static_cast<std::size_t>(channel * kernel + i)] * all[static_cast<std::size_t>(t + i)];
            out.push_back(activation == "none" ? sum : sum / (1 + std::exp(-sum)));
        }
        after.insert(after.end(), all.end() - (kernel - 1), all.end());
    }
    PLIMSOLL_TRY(writeNumbers(call, 0, x.dtype, x.shape, out));
    return call.wantsOutput(1) ? writeNumbers(call, 1, x.dtype, stateShape, after) : Status();
}

constexpr KernelEntry LinearAttentionKernels[] = {
    {"", "CausalConvWithState", causalConvWithState},
    {"", "LinearAttention", linearAttention},
};

} // namespace

constinit const KernelTable linearAttentionKernels = LinearAttentionKernels;

} // namespace plimsoll::kernels
