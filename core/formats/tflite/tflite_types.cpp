#include "core/formats/tflite/tflite_types.h"

#include "core/base/plural.h"

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

/// "batch", "4*batch": of the size with which the file was written, for a batch of one.
std::string timesBatch(std::int64_t size)
{
    return size == 1 ? Batch : std::to_string(size) + "*" + Batch;
}

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

OpenDims::OpenDims(const Subgraph& entry)
{
    bool others = false;
    for (const int input : entry.inputs) {
        const Tensor& tensor = entry.tensors[static_cast<std::size_t>(input)];
        m_batch = m_batch || hasOpenBatch(tensor);
        others = others || (isOpen(tensor) && !hasOpenBatch(tensor));
    }
    m_batch = m_batch && !others;
}

/// An open dimension of one is a symbol: what is assumed where nobody says its size is what the file has. A larger one
/// keeps its size.
TensorType OpenDims::input(const Tensor& tensor) const
{
    TensorType type = writtenType(tensor);
    for (std::size_t axis = 0; axis < tensor.signature.size(); ++axis) {
        const bool free = tensor.isOpen(axis) && tensor.shape[axis] <= 1;
        if (free) (*type.dims)[axis] = m_batch ? Dim {-1, Batch} : Dim {};
    }
    return type;
}

TensorType OpenDims::computed(const Tensor& tensor)
{
    TensorType type = writtenType(tensor);
    bool fixed = false;
    for (std::size_t axis = 0; axis < tensor.signature.size(); ++axis) {
        if (!tensor.isOpen(axis)) continue;
        const bool follows = m_batch && axis == 0 && tensor.shape[0] >= 1;
        if (follows) {
            (*type.dims)[0] = {-1, timesBatch(tensor.shape[0])};
            ++m_followers;
        }
        fixed = fixed || !follows;
    }
    if (fixed && m_fixedCount++ == 0) m_fixed = tensor.name;
    return type;
}

std::vector<std::string> OpenDims::notes() const
{
    std::vector<std::string> notes;
    if (m_batch && m_followers > 0)
        notes.push_back("The model leaves its batch open, and does not say what follows from it: the first dimensions "
                        "of " +
                        countText(m_followers) + " values that are open as well are taken to grow with 'batch'.");
    if (m_fixedCount > 0)
        notes.push_back("Dimensions of " + plural(m_fixedCount, "value") + " ('" + m_fixed +
                        "' is the first) are known at run time only; they are planned with the sizes with which the "
                        "file was written, whatever the inputs.");
    return notes;
}

} // namespace plimsoll::tflite
