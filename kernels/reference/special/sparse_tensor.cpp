#include "kernels/reference/special/sparse_tensor.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace plimsoll::kernels {
namespace {

constexpr std::size_t NumberBytes = sizeof(std::int64_t);

std::vector<std::int64_t> readNumbers(const TensorView& block, std::int64_t offset, std::int64_t count)
{
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
    if (count > 0) std::memcpy(numbers.data(), block.as<std::byte>() + offset, numbers.size() * NumberBytes);
    return numbers;
}

void writeNumbers(const std::vector<std::int64_t>& numbers, const TensorView& block, std::int64_t offset)
{
    if (!numbers.empty()) std::memcpy(block.as<std::byte>() + offset, numbers.data(), numbers.size() * NumberBytes);
}

/// Each larger than the one before, from 0 up to below \p limit.
bool rises(const std::int64_t* begin, const std::int64_t* end, std::int64_t limit)
{
    if (begin == end) return true;
    const auto notAbove = [](std::int64_t a, std::int64_t b) { return b <= a; };
    return *begin >= 0 && end[-1] < limit && std::adjacent_find(begin, end, notAbove) == end;
}

bool isOrderly(const SparseContent& content)
{
    const std::int64_t* index = content.index.data();
    if (content.storage == StorageType::RowSparse) return rises(index, index + content.kept(), content.shape.front());
    for (std::size_t row = 0; row + 1 < content.ends.size(); ++row) {
        if (!rises(index + content.ends[row], index + content.ends[row + 1], content.shape[1])) return false;
    }
    return true;
}

bool isZero(const std::byte* element, std::size_t size, bool hasSign)
{
    for (std::size_t i = 0; i < size; ++i) {
        const bool isSignByte = hasSign && i + 1 == size;
        const std::byte rest = isSignByte ? element[i] & std::byte {0x7F} : element[i];
        if (rest != std::byte {0}) return false;
    }
    return true;
}

} // namespace

std::size_t SparseContent::slotBytes() const
{
    const auto parts = sparseParts(storage, dtype, shape, 0);
    return static_cast<std::size_t>((parts ? parts->unit : 1) * (dtypeBits(dtype) / 8));
}

std::vector<std::int64_t> placesOf(const SparseContent& content)
{
    std::vector<std::int64_t> places = content.index;
    for (std::size_t row = 0; row + 1 < content.ends.size(); ++row) {
        for (std::int64_t i = content.ends[row]; i < content.ends[row + 1]; ++i)
            places[static_cast<std::size_t>(i)] += static_cast<std::int64_t>(row) * content.shape[1];
    }
    return places;
}

SparseContent withPlaces(const SparseContent& like, const std::vector<std::int64_t>& places)
{
    SparseContent made {like.storage, like.dtype, like.shape, {}, places, {}};
    if (like.storage != StorageType::Csr) return made;
    made.ends.assign(like.ends.size(), 0);
    for (std::int64_t& place : made.index) {
        ++made.ends[static_cast<std::size_t>(place / like.shape[1]) + 1];
        place %= like.shape[1];
    }
    std::partial_sum(made.ends.begin(), made.ends.end(), made.ends.begin());
    return made;
}

std::optional<SparseContent> readSparse(const TensorView& block, const TensorType& type)
{
    const auto shape = type.shape();
    const auto parts = shape && block.dtype == type.dtype
                           ? sparsePartsIn(block.elements(), type.storage, type.dtype, *shape)
                           : std::nullopt;
    if (!parts) return std::nullopt;
    SparseContent content {type.storage, type.dtype, *shape, {}, {}, {}};
    std::vector<std::int64_t> counts = readNumbers(block, 0, parts->index / static_cast<std::int64_t>(NumberBytes));
    const std::int64_t kept = counts.back();
    if (kept < 0 || kept > parts->room) return std::nullopt;
    if (type.storage == StorageType::Csr) {
        // Where rows begin and end: from 0, never back; the last, kept, has room.
        if (counts.front() != 0 || !std::is_sorted(counts.begin(), counts.end())) return std::nullopt;
        content.ends = std::move(counts);
    }
    content.index = readNumbers(block, parts->index, kept);
    if (!isOrderly(content)) return std::nullopt;
    const std::byte* values = block.as<std::byte>() + parts->values;
    content.values.assign(values, values + static_cast<std::size_t>(kept) * content.slotBytes());
    return content;
}

Result<SparseParts> partsFor(const TensorType& type, std::int64_t kept)
{
    const auto shape = type.shape();
    const auto parts = shape ? sparseParts(type.storage, type.dtype, *shape, type.maxStored < 0 ? kept : type.maxStored)
                             : std::nullopt;
    if (!parts) return Error {ErrorCode::BadInput, say("memory.no-size", describe(type)), {}, {}};
    if (kept <= parts->room) return *parts;
    return Error {ErrorCode::BadInput,
                  say(type.storage == StorageType::Csr ? "sparse.no-room-elements" : "sparse.no-room-rows",
                      word::Number {kept}, describe(type), word::Number {parts->room}, Remedy::option("max-stored")),
                  {},
                  {}};
}

void writeSparse(const SparseContent& content, const SparseParts& parts, const TensorView& block)
{
    if (block.bytes() > 0) std::memset(block.data, 0, static_cast<std::size_t>(block.bytes()));
    writeNumbers(content.storage == StorageType::Csr ? content.ends : std::vector {content.kept()}, block, 0);
    writeNumbers(content.index, block, parts.index);
    if (!content.values.empty())
        std::memcpy(block.as<std::byte>() + parts.values, content.values.data(), content.values.size());
}

SparseContent compress(const TensorView& dense, StorageType storage)
{
    SparseContent content {storage, dense.dtype, dense.shape, {}, {}, {}};
    const bool hasSignBit = dense.dtype == DType::Float64 || dense.dtype == DType::Float32 ||
                            dense.dtype == DType::Float16 || dense.dtype == DType::BFloat16;
    const auto element = static_cast<std::size_t>(dtypeBits(dense.dtype) / 8);
    const std::size_t slot = content.slotBytes();
    const bool isCsr = storage == StorageType::Csr;
    const std::int64_t rows = dense.shape.front();
    const std::int64_t perRow = isCsr ? dense.shape[1] : 1;
    const std::byte* at = dense.as<std::byte>();
    if (isCsr) content.ends.push_back(0);
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t i = 0; i < perRow; ++i, at += slot) {
            bool zero = true;
            for (std::size_t e = 0; zero && e < slot; e += element)
                zero = isZero(at + e, element, hasSignBit);
            if (zero) continue;
            content.index.push_back(isCsr ? i : row);
            content.values.insert(content.values.end(), at, at + slot);
        }
        if (isCsr) content.ends.push_back(content.kept());
    }
    return content;
}

void expand(const SparseContent& content, const TensorView& dense)
{
    if (dense.bytes() > 0) std::memset(dense.data, 0, static_cast<std::size_t>(dense.bytes()));
    const std::size_t slot = content.slotBytes();
    const bool isCsr = content.storage == StorageType::Csr;
    const auto place = [&](std::size_t row, std::int64_t index) {
        return isCsr ? row * static_cast<std::size_t>(content.shape[1]) + static_cast<std::size_t>(index)
                     : static_cast<std::size_t>(index);
    };
    std::size_t row = 0;
    for (std::size_t i = 0; i < content.index.size(); ++i) {
        while (isCsr && content.ends[row + 1] <= static_cast<std::int64_t>(i))
            ++row;
        std::memcpy(dense.as<std::byte>() + place(row, content.index[i]) * slot, content.values.data() + i * slot,
                    slot);
    }
}

} // namespace plimsoll::kernels
