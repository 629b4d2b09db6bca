#include "kernels/onednn/integer_sums.h"
#include "kernels/onednn/onednn_convolution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace plimsoll::kernels::onednn {
namespace {

/// Which input of an operator is what.
constexpr std::size_t None = std::numeric_limits<std::size_t>::max();
struct Places
{
    std::string_view op;
    std::size_t sourceScale;
    std::size_t sourceZero;
    std::size_t weights;
    std::size_t weightsScale;
    std::size_t weightsZero;
    std::size_t targetScale; ///< None: the result is the sums themselves.
    std::size_t targetZero;
    std::size_t bias;
};
constexpr std::array Operators = {
    Places {"ConvInteger", None, 2, 1, None, 3, None, None, None},
    Places {"MatMulInteger", None, 2, 1, None, 3, None, None, None},
    Places {"QLinearConv", 1, 2, 3, 4, 5, 6, 7, 8},
    Places {"QLinearMatMul", 1, 2, 3, 4, 5, 6, 7, None},
};

/// What a primitive has to know of an operator's numbers.
struct Numbers
{
    dnnl::primitive_attr attributes;
    std::vector<Derived> derived {};
    double largestScale = 0; ///< 0: the result is the sums themselves.
    double weightsZero = 0;
};

/// Of the result: the axis along which scales may differ, and how long it is.
struct Channels
{
    std::size_t axis = 0;
    std::int64_t count = 0;
};

/// oneDNN takes weights with a sign only.
bool typesFit(const NodeView& node, const Places& places)
{
    const DType result = node.outputType(0);
    const bool biased = node.hasInput(places.bias);
    return isByte(node.dtype()) && node.inputType(places.weights) == DType::Int8 &&
           (places.targetScale == None ? result == DType::Int32 : isByte(result)) &&
           (!biased || node.inputType(places.bias) == DType::Int32);
}

/// The number that an input has everywhere; \p absent where there is no input. Empty where it is known only in the run.
std::optional<double> single(const NodeView& node, std::size_t input, double absent)
{
    if (!node.hasInput(input)) return absent;
    const auto numbers = node.knownNumbers(input);
    if (!numbers) return std::nullopt;
    const double first = numbers->front();
    const bool same = std::all_of(numbers->begin(), numbers->end(), [first](double n) { return n == first; });
    return same ? std::optional(first) : std::nullopt;
}

void setZero(dnnl::primitive_attr& attributes, int argument, double zero)
{
    if (zero != 0) attributes.set_zero_points(argument, 0, {static_cast<std::int32_t>(zero)});
}

/// One that is known only in the run, as behind a DynamicQuantizeLinear, is handed over in 32 bits.
bool takeSourceZero(const NodeView& node, const Places& places, Numbers& numbers)
{
    if (const auto known = single(node, places.sourceZero, 0)) {
        setZero(numbers.attributes, DNNL_ARG_SRC, *known);
        return true;
    }
    const auto shape = node.input(places.sourceZero);
    if (!shape || elementCount(*shape) != 1 || !isByte(node.inputType(places.sourceZero))) return false;
    numbers.attributes.set_zero_points(DNNL_ARG_SRC, 0, {DNNL_RUNTIME_S32_VAL});
    numbers.derived.push_back({DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC,
                               inRows({}, dnnl::memory::data_type::s32),
                               {places.sourceZero},
                               [](const std::vector<TensorView>& from, void* to) {
                                   const bool isSigned = from[0].dtype == DType::Int8;
                                   *static_cast<std::int32_t*>(to) =
                                       isSigned ? *from[0].as<std::int8_t>() : *from[0].as<std::uint8_t>();
                               }});
    return true;
}

/// Becomes one factor for each channel: source times weights by target.
bool takeScales(const NodeView& node, const Places& places, const Channels& channels, Numbers& numbers)
{
    if (places.targetScale == None) return true;
    const auto source = single(node, places.sourceScale, 1);
    const auto target = single(node, places.targetScale, 1);
    const auto weights = node.knownNumbers(places.weightsScale);
    if (!source || !target || !weights) return false;
    if (weights->size() != 1 && static_cast<std::int64_t>(weights->size()) != channels.count) return false;
    std::vector<float> factors;
    for (const double scale : *weights) {
        const double factor = *source * scale / *target;
        if (!std::isfinite(factor) || factor <= 0) return false;
        factors.push_back(static_cast<float>(factor));
        numbers.largestScale = std::max(numbers.largestScale, factor);
    }
    numbers.attributes.set_output_scales(factors.size() == 1 ? 0 : 1 << channels.axis, factors);
    return true;
}

std::optional<Numbers> numbersOf(const NodeView& node, const Places& places, const Channels& channels)
{
    Numbers numbers;
    numbers.attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const auto weightsZero = single(node, places.weightsZero, 0);
    const auto targetZero = single(node, places.targetZero, 0);
    if (!weightsZero || !targetZero || !takeSourceZero(node, places, numbers)) return std::nullopt;
    if (!takeScales(node, places, channels, numbers)) return std::nullopt;
    numbers.weightsZero = *weightsZero;
    setZero(numbers.attributes, DNNL_ARG_WEIGHTS, *weightsZero);
    setZero(numbers.attributes, DNNL_ARG_DST, *targetZero);
    return numbers;
}

/// Sums are right in 32 bits, but a float takes them to the result, where zero points and biases are added, too. The
/// sums themselves have to fit into its 24 bits; what is scaled may lose a quarter of a unit there, so that rounding
/// ends one unit apart at most.
bool isExactEnough(const NodeView& node, const Places& places, const Numbers& numbers,
                   const std::string& implementation, const dnnl::engine& engine)
{
    const WeightSums sums = weightSums(node, places.weights, findRecipe(node)->work);
    const bool exact = addsBytesExactly(engine) || implementation.find("ref") != std::string::npos;
    constexpr double SafeWeight = 64; // two products with 255 fit into 16 bits
    if (!exact && sums.magnitude > SafeWeight) return false;
    const bool biased = node.hasInput(places.bias);
    const auto biases = biased ? node.knownNumbers(places.bias) : std::nullopt;
    double largest = biased && !biases ? std::ldexp(1.0, 31) : 0;
    for (const double bias : biases.value_or(std::vector<double> {}))
        largest = std::max(largest, std::abs(bias));
    const double reach = 255 * (sums.sum + sums.products * std::abs(numbers.weightsZero)) + largest;
    return numbers.largestScale == 0 ? reach <= std::ldexp(1.0, 24)
                                     : reach * std::ldexp(1.0, -23) * numbers.largestScale <= 0.25;
}

const Places& placesOf(const NodeView& node)
{
    return *std::find_if(Operators.begin(), Operators.end(), [&](const Places& p) { return p.op == node.node().op; });
}

std::optional<Recipe> checked(const NodeView& node, const Places& places, Numbers numbers, std::optional<Recipe> recipe,
                              const dnnl::engine& engine)
{
    if (!recipe || !isExactEnough(node, places, numbers, recipe->name, engine)) return std::nullopt;
    recipe->derived = std::move(numbers.derived);
    return recipe;
}

} // namespace

/// Weights have no zero point here: oneDNN knows none of convolutions.
std::optional<Recipe> makeQuantizedConvolution(const NodeView& node, const dnnl::engine& engine)
{
    const Places& places = placesOf(node);
    auto sliding = typesFit(node, places) ? slidingOf(node, places.weights) : std::nullopt;
    if (!sliding) return std::nullopt;
    auto numbers = numbersOf(node, places, {1, sliding->channels});
    if (!numbers || numbers->weightsZero != 0) return std::nullopt;
    auto recipe = windowRecipe<dnnl::convolution_forward>(
        node, dnnl::algorithm::convolution_direct, *std::move(sliding), places.bias, numbers->attributes, engine);
    return checked(node, places, *std::move(numbers), std::move(recipe), engine);
}

std::optional<Recipe> makeQuantizedMatMul(const NodeView& node, const dnnl::engine& engine)
{
    const Places& places = placesOf(node);
    const auto shapes = typesFit(node, places) ? matricesOf(node, 0, places.weights) : std::nullopt;
    if (!shapes) return std::nullopt;
    auto numbers = numbersOf(node, places, {shapes->target.size() - 1, shapes->target.back()});
    if (!numbers) return std::nullopt;
    const std::vector<Argument> arguments = {
        {DNNL_ARG_SRC, 0, false, node.inputLayout(0, shapes->left)},
        {DNNL_ARG_WEIGHTS, places.weights, false, node.inputLayout(places.weights, shapes->right), shapes->right},
        {DNNL_ARG_DST, 0, true, node.outputLayout(0, shapes->target)}};
    const dnnl::matmul::desc operation(arguments[0].layout, arguments[1].layout, arguments[2].layout);
    const dnnl::matmul::primitive_desc description(operation, numbers->attributes, engine);
    return checked(node, places, *std::move(numbers), finishRecipe<dnnl::matmul>(description, arguments), engine);
}

/// A reorder into float32: a difference of bytes times a scale is rounded once, as ONNX has it. The way back is none:
/// a reorder multiplies by the reciprocal, and rounds after it has added the zero point.
std::optional<Recipe> makeDequantization(const NodeView& node, const dnnl::engine& engine)
{
    const auto shape = node.input(0);
    const auto scales = node.knownNumbers(1);
    const auto zero = single(node, 2, 0);
    const bool typed = node.inputType(1) == DType::Float32 && node.outputType(0) == DType::Float32;
    if (!shape || !scales || !zero || !typed || node.integer("block_size", 0) != 0) return std::nullopt;
    const auto rank = static_cast<std::int64_t>(shape->size());
    const std::int64_t given = node.integer("axis", 1);
    const std::int64_t axis = given < 0 ? given + rank : given;
    const bool isOne = scales->size() == 1;
    if (!isOne && (axis < 0 || axis >= rank ||
                   (*shape)[static_cast<std::size_t>(axis)] != static_cast<std::int64_t>(scales->size())))
        return std::nullopt;
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    attributes.set_output_scales(isOne ? 0 : 1 << axis, {scales->begin(), scales->end()});
    setZero(attributes, DNNL_ARG_SRC, *zero);
    const std::vector<Argument> arguments = fromTo(node.inputLayout(0, *shape), node.outputLayout(0, *shape));
    const dnnl::reorder::primitive_desc description(engine, arguments[0].layout, engine, arguments[1].layout,
                                                    attributes);
    return finishRecipe<dnnl::reorder>(description, arguments);
}

} // namespace plimsoll::kernels::onednn
