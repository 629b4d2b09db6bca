#include "kernels/common/call_tools.h"
#include "kernels/common/functions.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/gradients/host_steps.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <type_traits>

namespace plimsoll::kernels {
namespace {

/// Operators of PyTorch that ONNX has no counterpart of, in the language of the derivatives.
struct AtenFormula
{
    std::string_view op;
    std::vector<std::string> arguments;
    std::string_view formula;
};

Status runAten(KernelCall& call)
{
    static const AtenFormula Formulas[] = {
        {"_trilinear", {"i1", "i2", "i3"}, "sum_axes(i1 * i2 * i3)"},
        {"addbmm",
         {"self", "batch1", "batch2"},
         "attr(beta, 1) * self + attr(alpha, 1) * batch_sum(matmul(batch1, batch2))"},
        {"addcdiv", {"self", "tensor1", "tensor2"}, "self + attr(value, 1) * tensor1 / tensor2"},
        {"addcmul", {"self", "tensor1", "tensor2"}, "self + attr(value, 1) * tensor1 * tensor2"},
        {"addmv", {"self", "mat", "vec"}, "attr(beta, 1) * self + attr(alpha, 1) * matmul(mat, vec)"},
        {"addr", {"self", "vec1", "vec2"}, "attr(beta, 1) * self + attr(alpha, 1) * column(vec1) * vec2"},
        {"baddbmm", {"self", "batch1", "batch2"}, "attr(beta, 1) * self + attr(alpha, 1) * matmul(batch1, batch2)"},
        {"ger", {"self", "vec2"}, "column(self) * vec2"},
        {"lerp", {"self", "end", "weight"}, "self + weight * (end - self)"},
        {"linalg_cross", {"self", "other"}, "cross(self, other)"},
        {"matmul", {"self", "other"}, "matmul(self, other)"},
        {"sigmoid_backward", {"grad_output", "output"}, "grad_output * output * (1 - output)"},
    };
    const AtenFormula* const found = std::ranges::find(Formulas, *call.node().op, &AtenFormula::op);
    if (call.inputCount() != found->arguments.size())
        return refuse(call, say("kernel.takes-inputs", word::Number(found->arguments.size())));
    PLIMSOLL_TRY(requireSameType(call, found->arguments.size()));
    PLIMSOLL_ASSIGN(formula, parseFormula(found->formula));
    const FormulaScope scope(call, hostSteps(), found->arguments, found->arguments[0]);
    PLIMSOLL_ASSIGN(value, evaluateFormula(formula, scope));
    PLIMSOLL_ASSIGN(result, scope.written(value, value.shape));
    PLIMSOLL_ASSIGN(out, call.output(0, call.input(0).tensor.dtype, result.shape));
    storeNumbers(result.as<double>(), out);
    return {};
}

/// Sums of integers wrap around.
template <typename Number>
void addSlices(std::vector<Number>& numbers, const std::vector<Number>& added, const AxisSplit& split,
               const std::vector<std::int64_t>& indexes)
{
    std::size_t from = 0;
    for (std::int64_t outer = 0; outer < split.outer; ++outer) {
        for (const std::int64_t at : indexes) {
            const std::int64_t to = (outer * split.size + (at < 0 ? at + split.size : at)) * split.inner;
            for (std::int64_t i = 0; i < split.inner; ++i) {
                Number& number = numbers[static_cast<std::size_t>(to + i)];
                number = functions::Plus()(number, added[from++]);
            }
        }
    }
}

/// Adds slices of the third input to the first, at the indices that the second one names.
Status indexAdd(KernelCall& call)
{
    PLIMSOLL_ASSIGN(self, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(index, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(source, inputTensor(call, 2));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), self.shape.size()));
    Shape expected = self.shape;
    expected[static_cast<std::size_t>(axis)] = index.elements();
    if (source.shape != expected || source.dtype != self.dtype)
        return refuse(call,
                      say("kernel.index-add-misfit", describe(source), describe(self), word::Number(index.elements())));
    const AxisSplit split = splitAt(self.shape, axis);
    const std::vector<std::int64_t> indexes = integersOf(index);
    for (const std::int64_t at : indexes) {
        if (at < -split.size || at >= split.size)
            return refuse(call, say("kernel.index-outside", word::Number(at), describe(self)));
    }
    if (isInteger(self.dtype)) {
        std::vector<std::int64_t> numbers = integersOf(self);
        addSlices(numbers, integersOf(source), split, indexes);
        return writeIntegers(call, 0, self.dtype, self.shape, numbers);
    }
    std::vector<double> numbers = doublesOf(self);
    addSlices(numbers, doublesOf(source), split, indexes);
    return writeNumbers(call, 0, self.dtype, self.shape, numbers);
}

constexpr std::string_view Domain = "aten";

constexpr KernelEntry AtenKernels[] = {
    {Domain, "_trilinear", runAten},
    {Domain, "addbmm", runAten},
    {Domain, "addcdiv", runAten},
    {Domain, "addcmul", runAten},
    {Domain, "addmv", runAten},
    {Domain, "addr", runAten},
    {Domain, "baddbmm", runAten},
    {Domain, "ger", runAten},
    {Domain, "index_add", indexAdd},
    {Domain, "lerp", runAten},
    {Domain, "linalg_cross", runAten},
    {Domain, "matmul", runAten},
    {Domain, "sigmoid_backward", runAten},
    {"plimsoll", "IndexAdd_", indexAdd},
};

} // namespace

constinit const KernelTable atenKernels = AtenKernels;

} // namespace plimsoll::kernels
