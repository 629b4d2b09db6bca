#include "kernels/common/call_tools.h"
#include "kernels/common/functions.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace plimsoll::kernels {
namespace {

/// Names of dimensions: letters, and numbers below for those that the ellipsis stands for, the last one 0.
using Labels = std::vector<int>;

struct Equation
{
    std::vector<Labels> inputs;
    Labels output;
    std::map<int, std::int64_t> sizes;
};

/// "..." becomes the labels of \p rank dimensions, whatever the term's letters leave.
Result<Labels> labelsOf(const KernelCall& call, const std::string& term, std::size_t rank)
{
    const auto letters =
        static_cast<std::size_t>(std::count_if(term.begin(), term.end(), [](char c) { return c != '.'; }));
    Labels labels;
    for (std::size_t i = 0; i < term.size(); ++i) {
        if (term[i] != '.') {
            labels.push_back(term[i]);
            continue;
        }
        if (term.compare(i, 3, "...") != 0 || letters > rank)
            return refuse(call, say("kernel.term-misfit", term.substr(0, 40)));
        for (std::size_t left = rank - letters; left > 0; --left)
            labels.push_back(-static_cast<int>(left) + 1);
        i += 2;
    }
    if (labels.size() != rank) return refuse(call, say("kernel.term-rank", term.substr(0, 40), word::Number(rank)));
    return labels;
}

Status bindSizes(const KernelCall& call, Equation& equation, const Labels& labels, const Shape& shape)
{
    for (std::size_t d = 0; d < labels.size(); ++d) {
        auto [known, fresh] = equation.sizes.try_emplace(labels[d], shape[d]);
        if (fresh || known->second == shape[d] || shape[d] == 1) continue;
        if (known->second != 1)
            return refuse(call, say("kernel.dimension-sizes", word::Number(known->second), word::Number(shape[d])));
        known->second = shape[d];
    }
    return {};
}

Result<Equation> parseEquation(const KernelCall& call)
{
    std::string text = textAttribute(call, "equation", "");
    std::erase(text, ' ');
    const std::size_t arrow = text.find("->");
    std::string left = text.substr(0, arrow) + ",";
    Equation equation;
    for (std::size_t begin = 0, end = 0; (end = left.find(',', begin)) != std::string::npos; begin = end + 1) {
        PLIMSOLL_ASSIGN(tensor, inputTensor(call, equation.inputs.size()));
        PLIMSOLL_ASSIGN(labels, labelsOf(call, left.substr(begin, end - begin), tensor.shape.size()));
        PLIMSOLL_TRY(bindSizes(call, equation, labels, tensor.shape));
        equation.inputs.push_back(labels);
    }
    if (equation.inputs.size() != call.inputCount()) return refuse(call, say("kernel.equation-terms"));
    if (arrow == std::string::npos) {
        // What the ellipsis stands for, then the letters that stand once, in order.
        std::map<int, int> counts;
        for (const Labels& labels : equation.inputs) {
            for (const int label : labels)
                ++counts[label];
        }
        for (const auto& [label, count] : counts) {
            if (label <= 0 || count == 1) equation.output.push_back(label);
        }
        return equation;
    }
    const std::string right = text.substr(arrow + 2);
    const auto ellipsis = static_cast<std::size_t>(
        std::count_if(equation.sizes.begin(), equation.sizes.end(), [](const auto& s) { return s.first <= 0; }));
    const auto dots = static_cast<std::size_t>(std::count(right.begin(), right.end(), '.'));
    PLIMSOLL_ASSIGN(output, labelsOf(call, right, right.size() - dots + (dots > 0 ? ellipsis : 0)));
    for (const int label : output) {
        if (!equation.sizes.contains(label)) return refuse(call, say("kernel.unknown-dimension"));
    }
    equation.output = output;
    return equation;
}

/// Strides of an input along \p labels: 0 for those it has not, summed for those it names twice.
Shape stridesAlong(const Labels& labels, const Labels& own, const Shape& shape)
{
    const Shape dense = rowMajorStrides(shape);
    Shape strides;
    for (const int label : labels) {
        std::int64_t stride = 0;
        for (std::size_t d = 0; d < own.size(); ++d)
            stride += own[d] == label && shape[d] != 1 ? dense[d] : 0;
        strides.push_back(stride);
    }
    return strides;
}

/// Integers wrap around. Walks over a block of all labels; \p strides are those of the inputs, and of the outcome
/// behind them.
template <typename Number>
void sumProducts(const KernelCall& call, const Shape& block, const std::vector<Shape>& strides, const TensorView& out)
{
    std::vector<std::vector<Number>> numbers;
    for (std::size_t i = 0; i + 1 < strides.size(); ++i)
        numbers.push_back(numbersOf<Number>(call.input(i).tensor));
    std::vector<Number> sums(static_cast<std::size_t>(out.elements()), 0);
    for (RowWalk walk(block, strides); walk.valid(); walk.advance()) {
        for (std::int64_t i = 0; i < walk.count(); ++i) {
            Number product = 1;
            for (std::size_t k = 0; k < numbers.size(); ++k)
                product = functions::Times()(product,
                                             numbers[k][static_cast<std::size_t>(walk.offset(k) + i * walk.step(k))]);
            Number& sum = sums[static_cast<std::size_t>(walk.offset(numbers.size()) + i * walk.step(numbers.size()))];
            sum = functions::Plus()(sum, product);
        }
    }
    storeNumbers(sums.data(), out);
}

Status einsum(KernelCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, call.inputCount()));
    const DType dtype = call.input(0).tensor.dtype;
    if (!visitNumeric(dtype, []<typename T>() {})) return refuseType(call, dtype);
    PLIMSOLL_ASSIGN(equation, parseEquation(call));
    Labels labels = equation.output; // then those that are summed over
    for (const auto& [label, size] : equation.sizes) {
        if (std::find(equation.output.begin(), equation.output.end(), label) == equation.output.end())
            labels.push_back(label);
    }
    Shape block;
    for (const int label : labels)
        block.push_back(equation.sizes.at(label));
    const auto outRank = static_cast<std::ptrdiff_t>(equation.output.size());
    const Shape shape(block.begin(), block.begin() + outRank);
    PLIMSOLL_TRY(call.announce({loopPasses(block)}));
    PLIMSOLL_ASSIGN(out, call.output(0, dtype, shape));
    std::vector<Shape> strides;
    for (std::size_t i = 0; i < equation.inputs.size(); ++i)
        strides.push_back(stridesAlong(labels, equation.inputs[i], call.input(i).tensor.shape));
    strides.push_back(rowMajorStrides(shape));
    strides.back().resize(block.size(), 0);
    if (isInteger(dtype))
        sumProducts<std::int64_t>(call, block, strides, out);
    else
        sumProducts<double>(call, block, strides, out);
    return {};
}

constexpr KernelEntry EinsumKernels[] = {
    {"", "Einsum", einsum},
};

} // namespace

constinit const KernelTable einsumKernels = EinsumKernels;

} // namespace plimsoll::kernels
