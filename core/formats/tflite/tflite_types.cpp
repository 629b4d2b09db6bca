#include "core/formats/tflite/tflite_types.h"

#include <array>

namespace plimsoll::tflite {
namespace {

constexpr const char* Batch = "batch";
constexpr int Variant = 14;

/// TensorType of the schema, by code. A resource is a handle of 32 bits.
constexpr std::array DTypes = {
    DType::Float32,  DType::Float16, DType::Int32,     DType::UInt8,        DType::Int64,      DType::String,
    DType::Bool,     DType::Int16,   DType::Complex64, DType::Int8,         DType::Float64,    DType::Complex128,
    DType::UInt64,   DType::Int32,   DType::Unknown,   DType::UInt32,       DType::UInt16,     DType::Int4,
    DType::BFloat16, DType::Int2,    DType::UInt4,     DType::Float8E4M3FN, DType::Float8E5M2,
};

/// Whether a batch of another size only has to be filled in: one was written, and nothing else is open.
bool hasOpenBatch(const Tensor& tensor)
{
    for (std::size_t axis = 1; axis < tensor.signature.size(); ++axis) {
        if (tensor.isOpen(axis)) return false;
    }
    return tensor.isOpen(0) && tensor.shape[0] == 1;
}

bool isOpen(const Tensor& tensor)
{
    for (std::size_t axis = 0; axis < tensor.signature.size(); ++axis) {
        if (tensor.isOpen(axis)) return true;
    }
    return false;
}

} // namespace

DType dtypeOf(int type)
{
    const bool known = type >= 0 && static_cast<std::size_t>(type) < DTypes.size();
    return known ? DTypes[static_cast<std::size_t>(type)] : DType::Unknown;
}

TensorType writtenType(const Tensor& tensor)
{
    TensorType type;
    type.dtype = dtypeOf(tensor.type);
    if (tensor.type == Variant) type.kind = TypeKind::Opaque;
    type.dims.emplace();
    for (const std::int64_t size : tensor.shape)
        type.dims->push_back(size < 0 ? Dim {} : Dim {size, {}});
    return type;
}

bool hasOpenBatch(const Subgraph& entry)
{
    bool batch = false;
    for (const int input : entry.inputs) {
        const Tensor& tensor = entry.tensors[static_cast<std::size_t>(input)];
        if (isOpen(tensor) && !hasOpenBatch(tensor)) return false;
        batch = batch || isOpen(tensor);
    }
    return batch;
}

/// An open dimension of one is a symbol: the size in the file is assumed where none is given. A larger one keeps its
/// size.
TensorType inputType(const Tensor& tensor, bool openBatch)
{
    TensorType type = writtenType(tensor);
    for (std::size_t axis = 0; axis < tensor.signature.size(); ++axis) {
        const bool free = tensor.isOpen(axis) && tensor.shape[axis] <= 1;
        if (free) (*type.dims)[axis] = openBatch ? Dim {-1, std::string(Batch)} : Dim {};
    }
    return type;
}

TensorType computedType(const Tensor& tensor, bool openBatch, NamedBuilder& build)
{
    TensorType type = writtenType(tensor);
    bool fixed = false;
    for (std::size_t axis = 0; axis < tensor.signature.size(); ++axis) {
        if (!tensor.isOpen(axis)) continue;
        const bool follows = openBatch && axis == 0 && tensor.shape[0] >= 1;
        if (follows) {
            // "batch", "4*batch": of the size with which the file was written, for a batch of one.
            const std::string times = tensor.shape[0] == 1 ? "" : std::to_string(tensor.shape[0]) + "*";
            (*type.dims)[0] = {-1, times + Batch};
            build.note("note.tflite-batch");
        }
        fixed = fixed || !follows;
    }
    if (fixed) build.note("note.tflite-fixed", 1, {word::Name {tensor.name}});
    return type;
}

} // namespace plimsoll::tflite
