#include "kernels/onednn/describe.h"

#include <algorithm>
#include <array>

namespace plimsoll::kernels::onednn {
namespace {

/// Speeds of one core of a server of 2022, measured with 64 channels of 56 x 56 (see the notes on oneDNN 2.6).
struct Speed
{
    std::string_view part;  ///< Of the implementation's name.
    double operationsPerMs; ///< Multiplications and additions.
    double elementsPerMs;   ///< Of operations that only pass over their tensors.
    double bytesTimes = 1;  ///< How many times that where elements are bytes.
};
constexpr std::array Speeds = {
    Speed {"wino", 1.3e8, 2e6}, // of the products that it does without, too
    Speed {"brg", 1e8, 2e6, 4},
    Speed {"brdgmm", 1e8, 2e6, 4},
    Speed {"gemm", 4e7, 1e6, 2}, // before "jit", for "x64:gemm:jit": it copies windows together
                                 // first
    Speed {"jit", 1e8, 2e6, 4},
    Speed {"shuffle", 1e8, 2e6}, // before "ref": whole rows move as fast as bytes do
    Speed {"simple", 1e7, 1e6},
    Speed {"ref", 1e6, 1e5},
};
constexpr Speed Other {"", 1e7, 5e5};
constexpr Speed Loops {"", 2e6, 2e5};
constexpr double CallMs = 0.002;
/// Elements of weights that become Winograd's in every call: 128 to 256 channels take 11 ns each.
constexpr double WinogradWeightsPerMs = 9e4;
/// Behind a convolution by matrix products oneDNN 2.6 adds a second tensor in plain loops: 50 ns an element.
constexpr double SlowOperandsPerMs = 2e4;

double elementsOf(const std::optional<Shape>& shape)
{
    return shape ? static_cast<double>(elementCount(*shape).value_or(0)) : 0.0;
}

/// How many products an element of a product of matrices is the sum of. Of a batch it meets one matrix.
double depthOf(const Shape& weights, const Shape& target)
{
    if (weights.size() < 2) return elementsOf(weights);
    return elementsOf(Shape(weights.end() - 2, weights.end())) /
           static_cast<double>(target.empty() ? 1 : target.back());
}

double operationsOf(const NodeView& node)
{
    const RecipeEntry* entry = findRecipe(node);
    const auto weights = entry ? node.input(entry->weights) : std::nullopt;
    const auto target = node.output(0);
    if (!weights || !target || weights->empty()) return 0;
    const auto filters = static_cast<double>(weights->front());
    switch (entry->work) {
    case Work::Filters:
        return 2 * elementsOf(target) * elementsOf(weights) / filters;
    case Work::Columns:
        return 2 * elementsOf(target) * depthOf(*weights, *target);
    case Work::Scatters:
        return 2 * elementsOf(node.input(0)) * elementsOf(weights) / filters;
    default:
        return 0;
    }
}

const Speed& speedOf(const std::string& implementation)
{
    const auto* const found = std::ranges::find_if(
        Speeds, [&](const Speed& speed) { return implementation.find(speed.part) != std::string::npos; });
    return found == Speeds.end() ? Other : *found;
}

/// How many elements of all windows along one axis lie in the tensor: what lies beside it may be left out.
double readAlong(const Window& window, std::size_t axis, std::int64_t input, std::int64_t output)
{
    double read = 0;
    for (std::int64_t k = 0; k < window.kernel[axis]; ++k) {
        const std::int64_t stride = window.strides[axis];
        const std::int64_t behind = window.before[axis] - k * window.dilations[axis]; // where window 0 has it at 0
        const std::int64_t first = behind <= 0 ? 0 : (behind + stride - 1) / stride;
        const std::int64_t end = input + behind <= 0 ? 0 : (input + behind + stride - 1) / stride;
        read += static_cast<double>(std::max<std::int64_t>(0, std::min(end, output) - first));
    }
    return read;
}

/// By element of the output, of one plane.
double readByWindow(const NodeView& node, const Shape& kernel)
{
    const auto source = node.input(0);
    const auto target = node.output(0);
    const auto window = source && target ? findWindow(node, *source, *target, kernel) : std::nullopt;
    double read = 1;
    for (std::size_t d = 0; window && d < kernel.size(); ++d)
        read *= readAlong(*window, d, (*source)[d + 2], (*target)[d + 2]) / static_cast<double>((*target)[d + 2]);
    return read;
}

Shape behindChannels(const std::optional<Shape>& shape)
{
    return shape && shape->size() > 2 ? Shape(shape->begin() + 2, shape->end()) : Shape();
}

/// Those that are done whatever the implementation.
double leastOperationsOf(const NodeView& node)
{
    const RecipeEntry* const entry = findRecipe(node);
    if (!entry) return 0;
    if (entry->work == Work::Filters) {
        const Shape kernel = behindChannels(node.input(entry->weights));
        return operationsOf(node) * readByWindow(node, kernel) / elementsOf(kernel);
    }
    if (entry->make == makePool)
        return elementsOf(node.output(0)) * readByWindow(node, node.integers("kernel_shape", {}));
    if (entry->make == makeLocalResponse) { // at the first and the last channel half of the neighbours are missing
        const auto channels = node.output(0) ? (*node.output(0))[1] : 0;
        return elementsOf(node.output(0)) * static_cast<double>(std::min(node.integer("size", 1), channels)) / 2;
    }
    if (entry->make != makeRnn && entry->make != makeGru && entry->make != makeLstm) return operationsOf(node);
    const auto items = node.input(0); // [time, batch, numbers]
    if (!items || items->size() < 2) return 0;
    return 2 * static_cast<double>((*items)[0]) * static_cast<double>((*items)[1]) *
           (elementsOf(node.input(1)) + elementsOf(node.input(2)));
}

double takes(const NodeView& node, const Speed& speed)
{
    const double narrow = isByte(node.dtype()) ? speed.bytesTimes : 1;
    const double sums = operationsOf(node) / (speed.operationsPerMs * narrow);
    double passed = elementsOf(node.output(0));
    for (std::size_t i = 0; i < node.inputCount() + node.operandCount(); ++i)
        passed += elementsOf(node.input(i));
    return CallMs + std::max(sums, passed / (speed.elementsPerMs * narrow));
}

} // namespace

double estimateMs(const NodeView& node, const std::string& implementation)
{
    Speed speed = speedOf(implementation);
    // A matrix product for each group leaves nothing to multiply when a group is one channel.
    const auto groups = static_cast<double>(node.integer("group", 1));
    if (speed.part == "gemm" && groups > 1) speed.operationsPerMs = std::max(1e6, speed.operationsPerMs / groups);
    const RecipeEntry* entry = findRecipe(node);
    const bool byProducts =
        speed.part == "gemm" && entry && (entry->work == Work::Filters || entry->work == Work::Scatters);
    if (speed.part == "wino") return takes(node, speed) + elementsOf(node.input(entry->weights)) / WinogradWeightsPerMs;
    if (!byProducts) return takes(node, speed);
    // What is fused into a convolution by matrix products. A sum with what the output holds costs nothing there.
    const auto beside = std::ranges::count_if(node.fused(), [&](const FusedNode& fused) {
        return fused.input != 0 || !eltwiseOf(NodeView(node.graph(), fused.node));
    });
    const auto read = static_cast<double>(beside - (node.wish().sumInto ? 1 : 0));
    return takes(node, speed) + read * elementsOf(node.output(0)) / SlowOperandsPerMs;
}

double estimateReferenceMs(const NodeView& node)
{
    return takes(node, Loops);
}

Effort effortOf(const NodeView& node, const std::string& implementation)
{
    constexpr double Looping = 1e11;
    constexpr double Products = 1e12; // two units of 16 numbers at 4 GHz, and Winograd does without three in four
    constexpr double Tiles = 1e13;    // of bytes and halves
    const double operations = leastOperationsOf(node);
    const bool loops = speedOf(implementation).part == "ref" && operationsOf(node) > 0; // not so of recurrent cells
    return {operations, loops ? Looping : node.dtype() == DType::Float32 ? Products : Tiles};
}

} // namespace plimsoll::kernels::onednn
