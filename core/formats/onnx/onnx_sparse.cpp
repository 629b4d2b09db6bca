#include "core/formats/onnx/onnx_sparse.h"

#include "core/base/bytes.h"
#include "core/formats/files/file_part.h"
#include "core/formats/files/tensor_data.h"

#include <cstring>

namespace plimsoll::onnx {
namespace {

struct SparseFields
{
    std::optional<Tensor> values;
    std::optional<Tensor> indices;
    Shape shape;
};

Error bad(const std::string& name, Message message, std::int64_t offset)
{
    return badInput(std::move(message), "sparse tensor '" + name + "' at byte " + std::to_string(offset));
}

Status readField(const WireField& field, const Source& source, SparseFields& out)
{
    if (field.number == 3) return append(field, out.shape);
    if (field.number != 1 && field.number != 2) return {};
    PLIMSOLL_ASSIGN(message, messageIn(field));
    PLIMSOLL_SET((field.number == 1 ? out.values : out.indices), readTensor(message, source));
    return {};
}

/// Row-major positions of what is listed, from a list of them or from a row of coordinates for each.
class Positions
{
public:
    Positions(const Shape& shape, std::int64_t count, const TensorLiteral& indices)
        : m_shape(shape), m_count(count), m_linear(indices.shape.size() == 1)
    {
    }

    /// The positions; what is wrong with them is in \p why.
    [[nodiscard]] std::vector<std::int64_t> read(const std::vector<std::byte>& bytes, std::int64_t elements,
                                                 Message& why) const
    {
        std::vector<std::int64_t> numbers(bytes.size() / sizeof(std::int64_t));
        if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(std::int64_t));
        std::vector<std::int64_t> positions = m_linear ? std::move(numbers) : joined(numbers, why);
        for (std::size_t i = 0; why.empty() && i < positions.size(); ++i) {
            if (positions[i] < 0 || positions[i] >= elements)
                why = say("onnx.sparse-outside", word::Number(positions[i]), describe(m_shape));
            else if (i > 0 && positions[i] <= positions[i - 1])
                why = say(positions[i] == positions[i - 1] ? "onnx.sparse-repeated" : "onnx.sparse-late",
                          word::Number(i));
        }
        return positions;
    }

private:
    [[nodiscard]] std::vector<std::int64_t> joined(const std::vector<std::int64_t>& numbers, Message& why) const
    {
        std::vector<std::int64_t> positions(static_cast<std::size_t>(m_count), 0);
        const std::size_t rank = m_shape.size();
        for (std::size_t i = 0; i < positions.size() * rank; ++i) {
            const std::int64_t size = m_shape[i % rank];
            if (numbers[i] < 0 || numbers[i] >= size) {
                why = say("onnx.sparse-index", word::Number(numbers[i]), word::Number(i % rank), describe(m_shape));
                return {};
            }
            positions[i / rank] = positions[i / rank] * size + numbers[i]; // below the number of elements
        }
        return positions;
    }

    const Shape& m_shape;
    std::int64_t m_count;
    bool m_linear;
};

TensorData spread(const std::vector<std::byte>& values, const std::vector<std::int64_t>& positions, std::size_t width,
                  std::int64_t bytes)
{
    std::vector<std::byte> dense(static_cast<std::size_t>(bytes), std::byte {0});
    for (std::size_t i = 0; i < positions.size(); ++i)
        std::memcpy(dense.data() + static_cast<std::size_t>(positions[i]) * width, values.data() + i * width, width);
    return dataOf(std::move(dense));
}

/// What can be said without looking at the numbers; empty where it is all right.
Message whyNot(const SparseFields& fields)
{
    if (!fields.values || fields.values->literal.shape.size() != 1) return say("onnx.sparse-no-list");
    const TensorLiteral& values = fields.values->literal;
    if (values.dtype == DType::String || dtypeBits(values.dtype) < 8)
        return say("onnx.sparse-type", dtypeName(values.dtype));
    if (!elementCount(fields.shape)) return say("data.no-size", describe(fields.shape));
    if (!fields.indices) return values.shape.front() == 0 ? Message() : say("onnx.sparse-no-indices");
    if (fields.indices->literal.dtype != DType::Int64)
        return say("onnx.sparse-index-type", dtypeName(fields.indices->literal.dtype));
    return {};
}

} // namespace

Result<Tensor> readSparseTensor(WireBytes message, const Source& source, ReadingRoom& room)
{
    SparseFields fields;
    PLIMSOLL_TRY(forEachField(message, [&](const WireField& field) { return readField(field, source, fields); }));
    const std::string name = fields.values ? fields.values->name : "";
    if (Message why = whyNot(fields); !why.empty()) return bad(name, std::move(why), message.offset);
    const TensorLiteral& values = fields.values->literal;
    if (!fields.indices) fields.indices = Tensor {{}, {DType::Int64, {0}, {.bytes = values.data.bytes}}, {}};
    const TensorLiteral& indices = fields.indices->literal;
    const Positions positions(fields.shape, values.shape.front(), indices);
    const Shape linear = {values.shape.front()};
    const Shape rows = {values.shape.front(), static_cast<std::int64_t>(fields.shape.size())};
    if (indices.shape != linear && indices.shape != rows)
        return bad(name, say("onnx.sparse-indices-shape", describe(indices.shape), describe(linear), describe(rows)),
                   message.offset);
    Tensor tensor {name, {values.dtype, fields.shape, {}}, values.shape.front()};
    if (!values.data.present() || !indices.data.present()) return tensor; // stripped: a type without data
    const auto bytes = denseBytes(values.dtype, fields.shape);
    const auto left = static_cast<std::int64_t>(room.left());
    if (!bytes || *bytes > left)
        return bad(name,
                   say("onnx.sparse-too-large", describe(fields.shape),
                       bytes ? say("bytes", *bytes) : say("bytes.too-many"), left),
                   message.offset);
    PLIMSOLL_ASSIGN(listed, loadBytes(indices));
    PLIMSOLL_ASSIGN(numbers, loadBytes(values));
    Message why;
    const std::vector<std::int64_t> at = positions.read(listed, *elementCount(fields.shape), why);
    if (!why.empty()) return bad(name, std::move(why), message.offset);
    room.take(static_cast<std::size_t>(*bytes));
    tensor.literal.data = spread(numbers, at, static_cast<std::size_t>(dtypeBits(values.dtype) / 8), *bytes);
    return tensor;
}

} // namespace plimsoll::onnx
