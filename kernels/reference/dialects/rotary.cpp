#include "kernels/common/numbers.h"
#include "kernels/reference/dialects/attention.h"
#include "kernels/reference/kernel_families.h"

namespace plimsoll::kernels {
namespace {

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
        return refuse(call,
                      "the angles " + describe(cosTensor) + " do not fit " + describe(call.input(0).tensor) + ".");
    }
    std::vector<std::int64_t> positions;
    for (std::int64_t i = 0; i < places; ++i)
        positions.push_back(i);
    if (positionTensor) positions = integersOf(*positionTensor);
    const std::vector<double> cosines = doublesOf(cosTensor);
    const std::vector<double> sines = doublesOf(sinTensor);
    const std::int64_t rows = pairs == 0 ? 0 : cosTensor.elements() / pairs;
    if (static_cast<std::int64_t>(positions.size()) != places)
        return refuse(call, "there is not one position for each place.");
    for (IndexWalk walk({heads.batch, heads.count, heads.length}); pairs > 0 && walk.valid(); walk.advance()) {
        const std::int64_t position = positions[static_cast<std::size_t>(walk[0] * heads.length + walk[2])];
        if (position < 0 || position >= rows)
            return refuse(call, "position " + std::to_string(position) + " has no angles.");
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
    const TensorView& x = call.input(0).tensor;
    return writeNumbers(call, 0, x.dtype, x.shape, x.shape.size() == 3 ? packedHeads(heads) : heads.numbers);
}

constexpr KernelEntry Table[] = {
    {"", "RotaryEmbedding", rotaryEmbedding},
};

} // namespace

constinit const KernelTable rotaryKernels = Table;

} // namespace plimsoll::kernels
