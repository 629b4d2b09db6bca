#include "core/formats/hlo/hlo_module.h"

#include <algorithm>
#include <array>

namespace plimsoll::hlo {
namespace {

/// XLA's PrimitiveType. Those that have no counterpart here are planned as others of the same size.
constexpr std::array Elements = {
    ElementType {"pred", 1, DType::Bool, 8},
    ElementType {"s1", 30, DType::Unknown, 1},
    ElementType {"s2", 26, DType::Int2, 2},
    ElementType {"s4", 21, DType::Int4, 4},
    ElementType {"s8", 2, DType::Int8, 8},
    ElementType {"s16", 3, DType::Int16, 16},
    ElementType {"s32", 4, DType::Int32, 32},
    ElementType {"s64", 5, DType::Int64, 64},
    ElementType {"u1", 31, DType::Unknown, 1},
    ElementType {"u2", 27, DType::UInt2, 2},
    ElementType {"u4", 22, DType::UInt4, 4},
    ElementType {"u8", 6, DType::UInt8, 8},
    ElementType {"u16", 7, DType::UInt16, 16},
    ElementType {"u32", 8, DType::UInt32, 32},
    ElementType {"u64", 9, DType::UInt64, 64},
    ElementType {"f16", 10, DType::Float16, 16},
    ElementType {"bf16", 16, DType::BFloat16, 16},
    ElementType {"f32", 11, DType::Float32, 32},
    ElementType {"f64", 12, DType::Float64, 64},
    ElementType {"c64", 15, DType::Complex64, 64},
    ElementType {"c128", 18, DType::Complex128, 128},
    ElementType {"f8e5m2", 19, DType::Float8E5M2, 8},
    ElementType {"f8e4m3", 28, DType::UInt8, 8, true},
    ElementType {"f8e4m3fn", 20, DType::Float8E4M3FN, 8},
    ElementType {"f8e4m3b11fnuz", 23, DType::UInt8, 8, true},
    ElementType {"f8e3m4", 29, DType::UInt8, 8, true},
    ElementType {"f8e5m2fnuz", 24, DType::Float8E5M2FNUZ, 8},
    ElementType {"f8e4m3fnuz", 25, DType::Float8E4M3FNUZ, 8},
    ElementType {"f4e2m1fn", 32, DType::Float4E2M1, 4},
    ElementType {"f8e8m0fnu", 33, DType::Float8E8M0, 8},
};

void collectLeaves(const Shape& shape, std::vector<const Shape*>& leaves)
{
    if (shape.kind != Shape::Kind::Tuple) return leaves.push_back(&shape);
    for (const Shape& part : shape.parts)
        collectLeaves(part, leaves);
}

} // namespace

std::vector<const Shape*> leavesOf(const Shape& shape)
{
    std::vector<const Shape*> leaves;
    collectLeaves(shape, leaves);
    return leaves;
}

std::size_t countLeaves(const Shape& shape)
{
    if (shape.kind != Shape::Kind::Tuple) return 1;
    std::size_t count = 0;
    for (const Shape& part : shape.parts)
        count += countLeaves(part);
    return count;
}

std::optional<LeafRange> leavesAt(const Shape& shape, const Path& path)
{
    LeafRange range;
    const Shape* here = &shape;
    for (const std::int64_t index : path) {
        const bool there =
            here->kind == Shape::Kind::Tuple && index >= 0 && static_cast<std::size_t>(index) < here->parts.size();
        if (!there) return std::nullopt;
        for (std::size_t i = 0; i < static_cast<std::size_t>(index); ++i)
            range.first += countLeaves(here->parts[i]);
        here = &here->parts[static_cast<std::size_t>(index)];
    }
    range.count = countLeaves(*here);
    return range;
}

const ElementType* findElementType(std::string_view name)
{
    const auto* found = std::find_if(Elements.begin(), Elements.end(),
                                     [&](const ElementType& element) { return element.name == name; });
    return found == Elements.end() ? nullptr : found;
}

const ElementType* findElementType(int code)
{
    const auto* found = std::find_if(Elements.begin(), Elements.end(),
                                     [&](const ElementType& element) { return element.code == code; });
    return found == Elements.end() ? nullptr : found;
}

void setElementType(Shape& shape, const ElementType& element, std::int64_t elementBits)
{
    shape.type.dtype = element.dtype;
    shape.standIn = element.standIn;
    if (element.bits >= 8 || elementBits == element.bits) return;
    // XLA keeps elements below a byte one to a byte, unless the layout says that they are packed.
    shape.standIn = true;
    shape.type.dtype = element.name.front() == 's' ? DType::Int8 : DType::UInt8;
}

std::string moduleOf(std::string_view opName)
{
    const std::size_t last = opName.rfind('/');
    return std::string(opName.substr(0, last == std::string_view::npos ? 0 : last));
}

std::string placeOf(const Instruction& instruction)
{
    const std::string name = "'" + instruction.name + "'";
    return instruction.line > 0 ? "line " + std::to_string(instruction.line) + " " + name : "instruction " + name;
}

} // namespace plimsoll::hlo
