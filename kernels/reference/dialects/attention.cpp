#include "kernels/reference/dialects/attention.h"

#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/layers/softmax.h"

#include <cmath>
#include <limits>

namespace plimsoll::kernels {
namespace {

/// Past keys or values in front of the new ones.
Result<Heads> withPast(const KernelCall& call, std::size_t input, const Heads& fresh)
{
    const TensorView* past = optionalInput(call, input);
    if (!past) return fresh;
    if (past->shape.size() != 4 || past->shape[0] != fresh.batch || past->shape[1] != fresh.count ||
        past->shape[3] != fresh.size) {
        return refuse(call, say("kernel.past-misfit", describe(*past)));
    }
    const Heads old {fresh.batch, fresh.count, past->shape[2], fresh.size, doublesOf(*past)};
    Heads joined {fresh.batch, fresh.count, old.length + fresh.length, fresh.size, {}};
    for (std::int64_t i = 0; i < fresh.batch * fresh.count; ++i) {
        for (const Heads* part : {&old, &fresh}) {
            const double* begin = part->numbers.data() + i * part->length * part->size;
            joined.numbers.insert(joined.numbers.end(), begin, begin + part->length * part->size);
        }
    }
    return joined;
}

/// What is added to each score: the mask, with -infinity where a place must not be seen.
struct Bias
{
    std::vector<double> numbers;
    Shape strides;         ///< Along batch, head, query and key; 0 where it repeats.
    std::int64_t keys = 0; ///< Keys behind these are not seen.

    [[nodiscard]] double at(std::int64_t batch, std::int64_t head, std::int64_t query, std::int64_t key) const
    {
        if (numbers.empty()) return 0;
        if (key >= keys) return -std::numeric_limits<double>::infinity();
        return numbers[static_cast<std::size_t>(batch * strides[0] + head * strides[1] + query * strides[2] +
                                                key * strides[3])];
    }
};

Result<Bias> readBias(const KernelCall& call, const Heads& q, const Heads& k)
{
    const TensorView* mask = optionalInput(call, 3);
    if (!mask) return Bias();
    if (mask->shape.empty()) return refuse(call, say("kernel.mask-rank", describe(*mask)));
    const std::int64_t given = mask->shape.back();
    const std::int64_t keys = given == 1 ? k.length : std::min(given, k.length);
    const Shape to {q.batch, q.count, q.length, given == 1 ? keys : given};
    if (broadcastShape(mask->shape, to) != to)
        return refuse(call, say("kernel.mask-misfit", describe(*mask), plimsoll::describe(to)));
    Bias bias {doublesOf(*mask), broadcastStrides(mask->shape, to), keys};
    if (mask->dtype != DType::Bool) return bias;
    for (double& number : bias.numbers)
        number = number != 0 ? 0 : -std::numeric_limits<double>::infinity();
    return bias;
}

struct AttentionRules
{
    double scale = 1;
    double softcap = 0;
    bool causal = false;
    std::int64_t pastLength = 0;
    std::vector<std::int64_t> lengths; ///< Keys that are no padding, by batch; empty: all.
    std::int64_t shown = 0;            ///< Which stage of the scores the fourth output shows.
};

class AttentionScores
{
public:
    AttentionScores(const AttentionRules& rules, const Bias& bias) : m_rules(rules), m_bias(bias) {}

    /// The probabilities of one query over all keys; \p shown gets the stage that is asked for.
    std::vector<double> of(const Heads& q, const Heads& k, const Shape& at, std::vector<double>& shown) const
    {
        const std::int64_t kvHead = at[1] / (q.count / k.count);
        const double* query = q.row(at[0], at[1], at[2]);
        std::vector<double> scores(static_cast<std::size_t>(k.length), 0);
        for (std::int64_t key = 0; key < k.length; ++key) {
            const double* other = k.row(at[0], kvHead, key);
            double sum = 0;
            for (std::int64_t i = 0; i < q.size; ++i)
                sum += query[i] * other[i];
            scores[static_cast<std::size_t>(key)] = sum * m_rules.scale;
        }
        if (m_rules.shown == 0) shown = scores;
        if (m_rules.softcap > 0) {
            for (double& score : scores)
                score = m_rules.softcap * std::tanh(score / m_rules.softcap);
        }
        const bool capFirst = m_rules.shown == 1;
        std::vector<double> masked = scores;
        bool any = false;
        for (std::int64_t key = 0; key < k.length; ++key) {
            double& score = masked[static_cast<std::size_t>(key)];
            score += m_bias.at(at[0], at[1], at[2], key);
            if (hidden(at[0], at[2], key, q.length)) score = -std::numeric_limits<double>::infinity();
            any = any || score > -std::numeric_limits<double>::infinity();
        }
        if (capFirst) shown = scores;
        if (m_rules.shown == 2) shown = masked;
        if (any) {
            softmaxInPlace(masked);
        } else {
            std::fill(masked.begin(), masked.end(), 0.0); // nothing may be seen
        }
        if (m_rules.shown == 3) shown = masked;
        return masked;
    }

private:
    [[nodiscard]] bool hidden(std::int64_t batch, std::int64_t query, std::int64_t key, std::int64_t queries) const
    {
        const bool padded = !m_rules.lengths.empty();
        const std::int64_t length = padded ? m_rules.lengths[static_cast<std::size_t>(batch)] : 0;
        if (padded && key >= length) return true;
        const std::int64_t offset = padded ? length - queries : m_rules.pastLength;
        return m_rules.causal && key > query + offset;
    }

    const AttentionRules& m_rules;
    const Bias& m_bias;
};

Status attention(KernelCall& call)
{
    PLIMSOLL_ASSIGN(q, readHeads(call, 0, "q_num_heads"));
    PLIMSOLL_ASSIGN(freshK, readHeads(call, 1, "kv_num_heads"));
    PLIMSOLL_ASSIGN(freshV, readHeads(call, 2, "kv_num_heads"));
    PLIMSOLL_ASSIGN(k, withPast(call, 4, freshK));
    PLIMSOLL_ASSIGN(v, withPast(call, 5, freshV));
    const bool fits = k.count > 0 && q.count % k.count == 0 && v.count == k.count && q.size == k.size &&
                      k.length == v.length && q.batch == k.batch && k.batch == v.batch;
    if (!fits || k.length == 0) return refuse(call, say("kernel.attention-misfit"));
    PLIMSOLL_ASSIGN(bias, readBias(call, q, k));
    AttentionRules rules;
    rules.scale = floatAttribute(call, "scale", 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(q.size, 1))));
    rules.softcap = floatAttribute(call, "softcap", 0);
    rules.causal = intAttribute(call, "is_causal", 0) != 0;
    rules.pastLength = k.length - freshK.length;
    rules.shown = intAttribute(call, "qk_matmul_output_mode", 0);
    if (const TensorView* lengths = optionalInput(call, 6)) rules.lengths = integersOf(*lengths);
    if (!rules.lengths.empty() && static_cast<std::int64_t>(rules.lengths.size()) != q.batch)
        return refuse(call, say("kernel.lengths"));
    PLIMSOLL_TRY(call.announce({loopPasses({q.batch, q.count, q.length, k.length, q.size + v.size})}));
    const AttentionScores scores(rules, bias);
    Heads y {q.batch, q.count, q.length, v.size,
             std::vector<double>(static_cast<std::size_t>(q.batch * q.count * q.length * v.size), 0)};
    std::vector<double> shownAll;
    for (IndexWalk walk({q.batch, q.count, q.length}); walk.valid(); walk.advance()) {
        std::vector<double> shown;
        const std::vector<double> probabilities = scores.of(q, k, walk.index(), shown);
        double* out = y.numbers.data() + ((walk[0] * q.count + walk[1]) * q.length + walk[2]) * v.size;
        for (std::int64_t key = 0; key < v.length; ++key) {
            const double* row = v.row(walk[0], walk[1] / (q.count / v.count), key);
            for (std::int64_t i = 0; i < v.size; ++i)
                out[i] += probabilities[static_cast<std::size_t>(key)] * row[i];
        }
        if (call.wantsOutput(3)) shownAll.insert(shownAll.end(), shown.begin(), shown.end());
    }
    const DType dtype = call.input(0).tensor.dtype;
    PLIMSOLL_TRY(writeHeads(call, y));
    if (call.wantsOutput(1))
        PLIMSOLL_TRY(writeNumbers(call, 1, dtype, {k.batch, k.count, k.length, k.size}, k.numbers));
    if (call.wantsOutput(2))
        PLIMSOLL_TRY(writeNumbers(call, 2, dtype, {v.batch, v.count, v.length, v.size}, v.numbers));
    return call.wantsOutput(3) ? writeNumbers(call, 3, dtype, {q.batch, q.count, q.length, k.length}, shownAll)
                               : Status();
}

/// Turns pairs of each vector by angles that depend on its place.
Status rotaryEmbedding(KernelCall& call)
{
    PLIMSOLL_ASSIGN(heads, readHeads(call, 0, "num_heads"));
    PLIMSOLL_ASSIGN(cosTensor, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(sinTensor, inputTensor(call, 2));
    const TensorView* positionTensor = optionalInput(call, 3);
    const std::int64_t asked = intAttribute(call, "rotary_embedding_dim", 0);
    const std::int64_t turned = asked == 0 ? heads.size : asked;
    const std::int64_t pairs = turned / 2;
    const bool interleaved = intAttribute(call, "interleaved", 0) != 0;
    const std::int64_t places = heads.batch * heads.length;
    const bool fits = turned >= 0 && turned <= heads.size && turned % 2 == 0 && !cosTensor.shape.empty() &&
                      cosTensor.shape.back() == pairs && sinTensor.shape == cosTensor.shape;
    if (!fits || (!positionTensor && cosTensor.elements() != places * pairs)) {
        return refuse(call, say("kernel.angle-misfit", describe(cosTensor), describe(call.input(0).tensor)));
    }
    std::vector<std::int64_t> positions;
    for (std::int64_t i = 0; i < places; ++i)
        positions.push_back(i);
    if (positionTensor) positions = integersOf(*positionTensor);
    const std::vector<double> cosines = doublesOf(cosTensor);
    const std::vector<double> sines = doublesOf(sinTensor);
    const std::int64_t rows = pairs == 0 ? 0 : cosTensor.elements() / pairs;
    if (static_cast<std::int64_t>(positions.size()) != places) return refuse(call, say("kernel.positions"));
    for (IndexWalk walk({heads.batch, heads.count, heads.length}); pairs > 0 && walk.valid(); walk.advance()) {
        const std::int64_t position = positions[static_cast<std::size_t>(walk[0] * heads.length + walk[2])];
        if (position < 0 || position >= rows) return refuse(call, say("kernel.no-angles", word::Number(position)));
        double* vector =
            heads.numbers.data() + ((walk[0] * heads.count + walk[1]) * heads.length + walk[2]) * heads.size;
        for (std::int64_t i = 0; i < pairs; ++i) {
            double& first = vector[interleaved ? 2 * i : i];
            double& second = vector[interleaved ? 2 * i + 1 : pairs + i];
            const double cosine = cosines[static_cast<std::size_t>(position * pairs + i)];
            const double sine = sines[static_cast<std::size_t>(position * pairs + i)];
            const double old = first;
            first = old * cosine - second * sine;
            second = old * sine + second * cosine;
        }
    }
    return writeHeads(call, heads);
}

constexpr KernelEntry AttentionKernels[] = {
    {"", "Attention", attention},
    {"", "RotaryEmbedding", rotaryEmbedding},
};

} // namespace

Result<Heads> readHeads(const KernelCall& call, std::size_t input, std::string_view headsAttribute)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, input));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    if (x.shape.size() == 4) return Heads {x.shape[0], x.shape[1], x.shape[2], x.shape[3], doublesOf(x)};
    const std::int64_t count = intAttribute(call, headsAttribute, 0);
    if (x.shape.size() != 3 || count < 1 || x.shape[2] % count != 0)
        return refuse(call, say("kernel.not-heads", describe(x), word::Number(count)));
    Heads heads {x.shape[0], count, x.shape[1], x.shape[2] / count, {}};
    const std::vector<double> packed = doublesOf(x);
    heads.numbers.resize(packed.size());
    const auto size = static_cast<std::size_t>(heads.size);
    for (std::size_t i = 0; i < packed.size(); ++i) {
        const std::size_t head = i / size % static_cast<std::size_t>(count);
        const std::size_t place = i / (size * static_cast<std::size_t>(count));
        const std::size_t batch = place / static_cast<std::size_t>(heads.length);
        const std::size_t at = place % static_cast<std::size_t>(heads.length);
        heads.numbers[((batch * static_cast<std::size_t>(count) + head) * static_cast<std::size_t>(heads.length) + at) *
                          size +
                      i % size] = packed[i];
    }
    return heads;
}

Status writeHeads(KernelCall& call, const Heads& heads)
{
    const TensorView x = call.input(0).tensor;
    if (x.shape.size() == 4)
        return writeNumbers(call, 0, x.dtype, {heads.batch, heads.count, heads.length, heads.size}, heads.numbers);
    std::vector<double> packed;
    packed.reserve(heads.numbers.size());
    for (std::int64_t place = 0; place < heads.batch * heads.length; ++place) {
        for (std::int64_t head = 0; head < heads.count; ++head) {
            const double* row = heads.row(place / heads.length, head, place % heads.length);
            packed.insert(packed.end(), row, row + heads.size);
        }
    }
    return writeNumbers(call, 0, x.dtype, {heads.batch, heads.length, heads.count * heads.size}, packed);
}

constinit const KernelTable attentionKernels = AttentionKernels;

} // namespace plimsoll::kernels
