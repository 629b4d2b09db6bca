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
        return 2 * elementsOf(target) * elementsOf(weights) / static_cast<double>(target->empty() ? 1 : target->back());
    case Work::Scatters:
        return 2 * elementsOf(node.input(0)) * elementsOf(weights) / filters;
    default:
        return 0;
    }
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
    const auto found = std::find_if(Speeds.begin(), Speeds.end(), [&](const Speed& speed) {
        return implementation.find(speed.part) != std::string::npos;
    });
    Speed speed = found == Speeds.end() ? Other : *found;
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

} // namespace plimsoll::kernels::onednn
