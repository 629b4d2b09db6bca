#include "kernels/reference/reorder.h"

#include "kernels/common/call_tools.h"

#include <cstring>

namespace plimsoll::kernels {
namespace {

/// By axis and index along it: what it adds to an element's place. The axes of a layout do not meet.
using Places = std::vector<std::vector<std::size_t>>;

Places placesOf(const Layout& layout, const Shape& shape)
{
    const Shape padded = paddedShape(layout, shape).value_or(shape);
    const std::vector<std::int64_t> strides = blockStrides(layout, padded);
    Places places(shape.size());
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        for (std::int64_t index = 0; index < shape[axis]; ++index) {
            std::int64_t rest = index;
            std::int64_t inside = 0;
            std::int64_t step = 1; // elements from one index inside a block to the next
            for (auto block = layout.blocks.rbegin(); block != layout.blocks.rend(); ++block) {
                if (block->axis == axis) {
                    inside += rest % block->size * step;
                    rest /= block->size;
                }
                step *= block->size;
            }
            places[axis].push_back(static_cast<std::size_t>(rest * strides[axis] + inside));
        }
    }
    return places;
}

/// Counts through all indexes of a shape, the last axis fastest. False after the last.
bool advance(std::vector<std::size_t>& index, const Shape& shape)
{
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        if (++index[axis] < static_cast<std::size_t>(shape[axis])) return true;
        index[axis] = 0;
    }
    return false;
}

std::size_t placeOf(const Places& places, const std::vector<std::size_t>& index)
{
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis)
        place += places[axis][index[axis]];
    return place;
}

} // namespace

void reorderElements(const LaidOut& from, const LaidOut& to, const Shape& shape, std::size_t elementSize)
{
    const auto room = elementCount(paddedShape(to.layout, shape).value_or(shape)).value_or(0);
    std::memset(to.data, 0, static_cast<std::size_t>(room) * elementSize);
    if (elementCount(shape).value_or(0) == 0) return;
    const Places source = placesOf(from.layout, shape);
    const Places target = placesOf(to.layout, shape);
    std::vector<std::size_t> index(shape.size(), 0);
    do {
        std::memcpy(to.data + placeOf(target, index) * elementSize, from.data + placeOf(source, index) * elementSize,
                    elementSize);
    } while (advance(index, shape));
}

Status reorder(KernelCall& call)
{
    PLIMSOLL_ASSIGN(source, inputTensor(call, 0));
    const Node& node = call.node();
    const auto logical = call.graph()[node.inputs[0]].type.shape();
    if (!logical) return refuse(call, say("kernel.unknown-shape"));
    const Shape shape = attributeOr<Shape>(node, "readAs", *logical);
    const auto from = layoutFromName(attributeOr<std::string>(node, "from", std::string(PlainLayout)), shape.size());
    const auto to = layoutFromName(attributeOr<std::string>(node, "to", std::string(PlainLayout)), shape.size());
    if (!from || !to || elementCount(shape) != elementCount(*logical)) return refuse(call, say("kernel.no-layout"));
    const auto needed = layoutBytes(*from, source.dtype, shape);
    const auto wanted = layoutBytes(*to, source.dtype, shape);
    if (!needed || source.bytes() < *needed) return refuse(call, say("kernel.input-below-layout"));
    PLIMSOLL_ASSIGN(target, call.output(0, source.dtype, *logical));
    if (!wanted || target.bytes() < *wanted) return refuse(call, say("kernel.small-output"));
    reorderElements({source.as<std::byte>(), *from}, {target.as<std::byte>(), *to}, shape,
                    static_cast<std::size_t>(dtypeBits(source.dtype) / 8));
    return {};
}

} // namespace plimsoll::kernels
