#include "kernels/common/call_tools.h"

#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"

#include <array>

namespace plimsoll::kernels {
namespace {

template <typename T>
std::optional<T> attributeOf(const KernelCall& call, std::string_view name)
{
    const T* found = findAttribute<T>(call.node(), name);
    return found ? std::optional<T>(*found) : std::nullopt;
}

} // namespace

Error refuse(const KernelCall& call, Message message)
{
    return {ErrorCode::BadInput,
            say("kernel.refuses", qualifiedOp(call.node()), std::move(message)),
            "node '" + call.node().name + "'",
            {}};
}

Error refuseType(const KernelCall& call, DType dtype)
{
    Error error = refuse(call, say("kernel.no-kernel-of-type", dtypeName(dtype)));
    error.code = ErrorCode::Unsupported;
    return error;
}

const TensorView* optionalInput(const KernelCall& call, std::size_t index)
{
    const RuntimeValue& value = call.input(index);
    return value.kind == RuntimeValue::Kind::Tensor ? &value.tensor : nullptr;
}

Result<TensorView> inputTensor(const KernelCall& call, std::size_t index)
{
    const TensorView* tensor = optionalInput(call, index);
    if (tensor) return *tensor;
    return refuse(call, say("kernel.input-needed", word::Number(index)));
}

Status requireSameType(const KernelCall& call, std::size_t count)
{
    PLIMSOLL_ASSIGN(first, inputTensor(call, 0));
    for (std::size_t i = 1; i < count; ++i) {
        PLIMSOLL_ASSIGN(other, inputTensor(call, i));
        if (other.dtype != first.dtype) {
            return refuse(call, say("kernel.input-types", word::Number(i), describe(other), describe(first)));
        }
    }
    return {};
}

Status requireRank(const KernelCall& call, const TensorView& tensor, std::size_t atLeast)
{
    if (tensor.shape.size() >= atLeast) return {};
    return refuse(call, say("kernel.too-few-dimensions", describe(tensor), word::Number(atLeast)));
}

std::int64_t intAttribute(const KernelCall& call, std::string_view name, std::int64_t fallback)
{
    return attributeOr<std::int64_t>(call.node(), name, fallback);
}

double floatAttribute(const KernelCall& call, std::string_view name, double fallback)
{
    return attributeOr<double>(call.node(), name, fallback);
}

std::string textAttribute(const KernelCall& call, std::string_view name, std::string fallback)
{
    return attributeOr<std::string>(call.node(), name, std::move(fallback));
}

std::optional<std::vector<std::int64_t>> intsAttribute(const KernelCall& call, std::string_view name)
{
    return attributeOf<std::vector<std::int64_t>>(call, name);
}

std::optional<std::vector<double>> floatsAttribute(const KernelCall& call, std::string_view name)
{
    return attributeOf<std::vector<double>>(call, name);
}

std::vector<std::string> textsAttribute(const KernelCall& call, std::string_view name)
{
    return attributeOf<std::vector<std::string>>(call, name).value_or(std::vector<std::string>());
}

bool hasAttribute(const KernelCall& call, std::string_view name)
{
    return call.node().attributes.contains(name);
}

std::optional<std::vector<std::int64_t>> intsInputOrAttribute(const KernelCall& call, std::size_t input,
                                                              std::string_view name)
{
    const TensorView* tensor = optionalInput(call, input);
    return tensor ? integersOf(*tensor) : intsAttribute(call, name);
}

double scalarInput(const KernelCall& call, std::size_t index, double fallback)
{
    const TensorView* tensor = optionalInput(call, index);
    return tensor && tensor->elements() > 0 ? doublesOf(*tensor).front() : fallback;
}

std::int64_t intInput(const KernelCall& call, std::size_t index, std::int64_t fallback)
{
    const TensorView* tensor = optionalInput(call, index);
    return tensor && tensor->elements() > 0 ? integersOf(*tensor).front() : fallback;
}

Result<std::int64_t> normalAxis(const KernelCall& call, std::int64_t axis, std::size_t rank)
{
    const auto size = static_cast<std::int64_t>(rank);
    if (axis >= -size && axis < size) return axis < 0 ? axis + size : axis;
    return refuse(call, say("kernel.axis-beyond-rank", word::Number(axis), word::Number(rank)));
}

Result<std::vector<bool>> axisMask(const KernelCall& call, const std::vector<std::int64_t>& axes, std::size_t rank)
{
    std::vector<bool> mask(rank, false);
    for (const std::int64_t axis : axes) {
        PLIMSOLL_ASSIGN(normal, normalAxis(call, axis, rank));
        mask[static_cast<std::size_t>(normal)] = true;
    }
    return mask;
}

DType dtypeFromOnnx(std::int64_t number)
{
    using enum DType;
    static constexpr std::array Types {
        Unknown,        Float32,    UInt8,          Int8,   UInt16, Int16,      Int32,      Int64,    String,
        Bool,           Float16,    Float64,        UInt32, UInt64, Complex64,  Complex128, BFloat16, Float8E4M3FN,
        Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ, UInt4,  Int4,   Float4E2M1, Float8E8M0, UInt2,    Int2};
    return number > 0 && number < static_cast<std::int64_t>(Types.size()) ? Types[static_cast<std::size_t>(number)]
                                                                          : Unknown;
}

std::string describe(const TensorView& tensor)
{
    return std::string(dtypeName(tensor.dtype)) + plimsoll::describe(tensor.shape);
}

HostTensor ownedCopy(const TensorView& tensor)
{
    HostTensor copy(tensor.dtype, tensor.shape);
    copyAll(tensor, copy.view());
    return copy;
}

HostTensor scalarTensor(DType dtype, double number)
{
    HostTensor tensor(dtype, {});
    storeNumbers(&number, tensor.view());
    return tensor;
}

Status writeReshaped(KernelCall& call, std::size_t output, const TensorView& tensor, const Shape& shape)
{
    if (elementCount(shape) != tensor.elements()) {
        return refuse(call, say("kernel.reshape-misfit", describe(tensor), plimsoll::describe(shape)));
    }
    PLIMSOLL_ASSIGN(out, call.output(output, tensor.dtype, shape));
    copyAll(tensor, out);
    return {};
}

Status writeNumbers(KernelCall& call, std::size_t output, DType dtype, const Shape& shape,
                    const std::vector<double>& numbers)
{
    PLIMSOLL_ASSIGN(out, call.output(output, dtype, shape));
    storeNumbers(numbers.data(), out);
    return {};
}

Status writeNumbers(KernelCall& call, std::size_t output, DType dtype, const Shape& shape,
                    const std::vector<float>& numbers)
{
    PLIMSOLL_ASSIGN(out, call.output(output, dtype, shape));
    storeNumbers(numbers.data(), out);
    return {};
}

Status writeIntegers(KernelCall& call, std::size_t output, DType dtype, const Shape& shape,
                     const std::vector<std::int64_t>& numbers)
{
    PLIMSOLL_ASSIGN(out, call.output(output, dtype, shape));
    storeNumbers(numbers.data(), out);
    return {};
}

} // namespace plimsoll::kernels
