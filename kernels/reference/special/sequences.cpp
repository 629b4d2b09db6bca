#include "kernels/common/call_tools.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/parts.h"
#include "kernels/tensor_view.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

using Kind = RuntimeValue::Kind;

RuntimeValue sequenceOf(std::vector<HostTensor> tensors, DType dtype)
{
    RuntimeValue value;
    value.kind = Kind::Sequence;
    value.sequence = std::move(tensors);
    value.sequenceDtype = dtype;
    return value;
}

Result<const RuntimeValue*> inputSequence(const KernelCall& call, std::size_t index)
{
    const RuntimeValue& value = call.input(index);
    if (value.kind == Kind::Sequence) return &value;
    return refuse(call, say("kernel.no-sequence", word::Number(index)));
}

/// A position in a sequence of \p size counted from the front. \p room is 1 more for an insertion.
Result<std::ptrdiff_t> positionIn(const KernelCall& call, std::size_t input, std::size_t size, std::size_t room,
                                  std::int64_t fallback)
{
    const std::int64_t given = intInput(call, input, fallback);
    const std::int64_t position = given < 0 ? given + static_cast<std::int64_t>(size) : given;
    if (position >= 0 && position < static_cast<std::int64_t>(room)) return static_cast<std::ptrdiff_t>(position);
    return refuse(call, say("kernel.position-outside", word::Number(given), word::Number(size)));
}

Status sequenceConstruct(KernelCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, call.inputCount()));
    std::vector<HostTensor> tensors;
    for (std::size_t i = 0; i < call.inputCount(); ++i)
        tensors.push_back(ownedCopy(call.input(i).tensor));
    return call.setOutput(0, sequenceOf(std::move(tensors), call.input(0).tensor.dtype));
}

Status sequenceAt(KernelCall& call)
{
    PLIMSOLL_ASSIGN(sequence, inputSequence(call, 0));
    PLIMSOLL_ASSIGN(position, positionIn(call, 1, sequence->sequence.size(), sequence->sequence.size(), 0));
    const TensorView& tensor = sequence->sequence[static_cast<std::size_t>(position)].view();
    return writeReshaped(call, 0, tensor, tensor.shape);
}

Status sequenceInsert(KernelCall& call)
{
    PLIMSOLL_ASSIGN(sequence, inputSequence(call, 0));
    PLIMSOLL_ASSIGN(tensor, inputTensor(call, 1));
    std::vector<HostTensor> tensors = sequence->sequence;
    if (!tensors.empty() && tensors.front().dtype() != tensor.dtype)
        return refuse(call, say("kernel.sequence-type", describe(tensor)));
    const auto end = static_cast<std::int64_t>(tensors.size());
    PLIMSOLL_ASSIGN(position, positionIn(call, 2, tensors.size(), tensors.size() + 1, end));
    tensors.insert(tensors.begin() + position, ownedCopy(tensor));
    return call.setOutput(0, sequenceOf(std::move(tensors), tensor.dtype));
}

Status sequenceErase(KernelCall& call)
{
    PLIMSOLL_ASSIGN(sequence, inputSequence(call, 0));
    PLIMSOLL_ASSIGN(position, positionIn(call, 1, sequence->sequence.size(), sequence->sequence.size(), -1));
    std::vector<HostTensor> tensors = sequence->sequence;
    tensors.erase(tensors.begin() + position);
    return call.setOutput(0, sequenceOf(std::move(tensors), sequence->sequenceDtype));
}

Status sequenceLength(KernelCall& call)
{
    PLIMSOLL_ASSIGN(sequence, inputSequence(call, 0));
    return writeIntegers(call, 0, DType::Int64, {}, {static_cast<std::int64_t>(sequence->sequence.size())});
}

/// Sizes of the parts: listed, one for all (the last smaller), or 1 each.
Result<std::vector<std::int64_t>> partSizes(const KernelCall& call, std::int64_t size)
{
    const TensorView* given = optionalInput(call, 1);
    if (!given) return std::vector<std::int64_t>(static_cast<std::size_t>(size), 1);
    std::vector<std::int64_t> sizes = integersOf(*given);
    if (given->shape.empty()) {
        const std::int64_t each = sizes.front();
        if (each < 1) return refuse(call, say("kernel.part-size", word::Number(each)));
        sizes.assign(static_cast<std::size_t>(size / each), each);
        if (size % each != 0) sizes.push_back(size % each);
    }
    std::int64_t total = 0;
    for (const std::int64_t part : sizes) {
        if (part < 0 || part > size - total)
            return refuse(call, say("kernel.parts-misfit", plimsoll::describe(sizes), word::Number(size)));
        total += part;
    }
    return sizes;
}

Status splitToSequence(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), x.shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    PLIMSOLL_ASSIGN(sizes, partSizes(call, x.shape[at]));
    const bool drop = !optionalInput(call, 1) && intAttribute(call, "keepdims", 1) == 0;
    std::vector<HostTensor> tensors;
    std::int64_t begin = 0;
    for (const std::int64_t size : sizes) {
        Shape shape = x.shape;
        shape[at] = size;
        Shape finalShape = shape;
        if (drop) finalShape.erase(finalShape.begin() + static_cast<std::ptrdiff_t>(axis));
        const HostTensor part(x.dtype, finalShape);
        copyPart(x, {x.dtype, shape, part.view().data}, axis, begin);
        tensors.push_back(part);
        begin += size;
    }
    return call.setOutput(0, sequenceOf(std::move(tensors), x.dtype));
}

Status concatFromSequence(KernelCall& call)
{
    PLIMSOLL_ASSIGN(sequence, inputSequence(call, 0));
    if (sequence->sequence.empty()) return refuse(call, say("kernel.sequence-empty"));
    const bool stacked = intAttribute(call, "new_axis", 0) != 0;
    std::vector<TensorView> parts;
    const std::size_t rank = sequence->sequence.front().shape().size() + (stacked ? 1 : 0);
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), rank));
    for (const HostTensor& tensor : sequence->sequence) {
        TensorView part = tensor.view();
        if (stacked && part.shape.size() + 1 == rank)
            part.shape.insert(part.shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
        parts.push_back(part);
    }
    PLIMSOLL_ASSIGN(shape, joinedShape(call, parts, axis));
    PLIMSOLL_ASSIGN(out, call.output(0, parts.front().dtype, shape));
    copyParts(parts, out, axis);
    return {};
}

/// An optional that holds something is what it holds.
Status getElement(KernelCall& call)
{
    const RuntimeValue& value = call.input(0);
    if (value.kind == Kind::Absent) return refuse(call, say("kernel.optional-empty"));
    if (value.kind != Kind::Tensor) return call.setOutput(0, value);
    return writeReshaped(call, 0, value.tensor, value.tensor.shape);
}

Status optional(KernelCall& call)
{
    const RuntimeValue& value = call.input(0);
    return call.setOutput(0, value.kind == Kind::Tensor ? tensorValue(ownedCopy(value.tensor)) : value);
}

constexpr auto hasElement = [](KernelCall& call) {
    return writeIntegers(call, 0, DType::Bool, {}, {call.input(0).kind == Kind::Absent ? 0 : 1});
};

constexpr auto emptySequence = [](KernelCall& call) {
    return call.setOutput(0, sequenceOf({}, dtypeFromOnnx(intAttribute(call, "dtype", 1))));
};

constexpr KernelEntry SequenceKernels[] = {
    {"", "ConcatFromSequence", concatFromSequence},
    {"", "Optional", optional},
    {"", "OptionalGetElement", getElement},
    {"", "OptionalHasElement", hasElement},
    {"", "SequenceAt", sequenceAt},
    {"", "SequenceConstruct", sequenceConstruct},
    {"", "SequenceEmpty", emptySequence},
    {"", "SequenceErase", sequenceErase},
    {"", "SequenceInsert", sequenceInsert},
    {"", "SequenceLength", sequenceLength},
    {"", "SplitToSequence", splitToSequence},
};

} // namespace

constinit const KernelTable sequenceKernels = SequenceKernels;

} // namespace plimsoll::kernels
