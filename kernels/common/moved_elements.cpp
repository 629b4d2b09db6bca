#include "kernels/common/moved_elements.h"

#include "kernels/common/strides.h"

#include <algorithm>
#include <cstring>

namespace plimsoll::kernels {

void copyRegion(const Region& from, const Region& to, const Shape& shape)
{
    visitElements(from.tensor.dtype, [&]<typename Elements>() {
        const Elements source(from.tensor.data);
        Elements target(to.tensor.data);
        for (RowWalk walk(shape, {from.strides, to.strides}); walk.valid(); walk.advance()) {
            const std::int64_t readAt = from.offset + walk.offset(0);
            const std::int64_t writeAt = to.offset + walk.offset(1);
            for (std::int64_t i = 0; i < walk.count(); ++i) {
                target.set(writeAt + i * walk.step(1), source.get(readAt + i * walk.step(0)));
            }
        }
    });
}

void copyAll(const TensorView& from, const TensorView& to)
{
    if (from.data == to.data) return;
    if (from.dtype == DType::String) {
        std::copy_n(from.as<std::string>(), from.elements(), to.as<std::string>());
    } else if (from.bytes() > 0) {
        std::memmove(to.data, from.data, static_cast<std::size_t>(from.bytes())); // a wrong plan lets them overlap
    }
}

void fillWith(const TensorView& scalar, const TensorView& to)
{
    visitElements(to.dtype, [&]<typename Elements>() {
        const auto element = Elements(scalar.data).get(0);
        Elements target(to.data);
        for (std::int64_t i = 0, n = to.elements(); i < n; ++i)
            target.set(i, element);
    });
}

void fillZero(const TensorView& to)
{
    if (to.dtype == DType::String) {
        std::fill_n(to.as<std::string>(), to.elements(), std::string());
    } else if (to.bytes() > 0) {
        std::memset(to.data, 0, static_cast<std::size_t>(to.bytes()));
    }
}

void copyFrom(const TensorView& from, const TensorView& to, const std::vector<std::int64_t>& source)
{
    visitElements(to.dtype, [&]<typename Elements>() {
        const Elements elements(from.data);
        Elements target(to.data);
        for (std::size_t i = 0; i < source.size(); ++i) {
            if (source[i] >= 0) target.set(static_cast<std::int64_t>(i), elements.get(source[i]));
        }
    });
}

} // namespace plimsoll::kernels
