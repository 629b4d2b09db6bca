#include "core/formats/onnx/onnx_value_file.h"

#include "core/formats/onnx/onnx_tensor.h"

#include <limits>

namespace plimsoll::onnx {
namespace {

constexpr std::int64_t TensorElement = 1;   ///< SequenceProto.DataType and OptionalProto.DataType
constexpr std::int64_t SequenceElement = 3; ///< OptionalProto.DataType

Status appendTensor(const WireField& field, TensorFile& file)
{
    PLIMSOLL_ASSIGN(message, messageIn(field));
    PLIMSOLL_ASSIGN(tensor, readTensor(message, {}));
    file.tensors.push_back(std::move(tensor.literal));
    return {};
}

Error nested(const WireField& field)
{
    return wireError(say("onnx.nested-value"), field.payload.offset);
}

Status readSequence(WireBytes message, TensorFile& file)
{
    file.kind = TypeKind::Sequence;
    return forEachField(message, [&](const WireField& field) -> Status {
        if (field.number == 1) return readText(field, file.name);
        if (field.number == 3) return appendTensor(field, file);
        if (field.number >= 4) return nested(field);
        return {};
    });
}

Status readOptional(WireBytes message, TensorFile& file)
{
    std::int64_t element = 0;
    file.present = false;
    const Status status = forEachField(message, [&](const WireField& field) -> Status {
        const int number = field.number;
        if (number == 1) return readText(field, file.name);
        if (number == 2) return read(field, element);
        if (number != 3 && number != 5) return nested(field);
        file.present = true;
        if (number == 3) return appendTensor(field, file);
        return parseMessage(field, [&](WireBytes inner) { return readSequence(inner, file); });
    });
    if (element == SequenceElement) file.kind = TypeKind::Sequence;
    if (status.ok() && element > TensorElement && element != SequenceElement)
        return wireError(say("onnx.optional-of-other"), 0);
    return status;
}

} // namespace

Result<TensorFile> readValueFile(std::span<const std::byte> bytes, TypeKind kind)
{
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        return wireError(say("onnx.value-too-large"), 0);
    TensorFile file;
    const WireBytes message {bytes, 0};
    if (kind == TypeKind::Opaque) return wireError(say("onnx.opaque-value"), 0);
    if (kind == TypeKind::Sequence) PLIMSOLL_TRY(readSequence(message, file));
    if (kind == TypeKind::Optional) PLIMSOLL_TRY(readOptional(message, file));
    if (kind != TypeKind::Tensor) return file;
    PLIMSOLL_ASSIGN(tensor, readTensor(message, {}));
    if (tensor.literal.dtype == DType::Unknown) return wireError(say("onnx.no-tensor"), 0);
    file.name = std::move(tensor.name);
    file.tensors.push_back(std::move(tensor.literal));
    return file;
}

} // namespace plimsoll::onnx
