#include "kernels/onednn/integer_sums.h"

#include <algorithm>
#include <cstring>

namespace plimsoll::kernels::onednn {
namespace {

struct Trial
{
    bool exact = false;
    std::string implementation;
};

/// The largest products there are, as many as fill a register.
Trial tryProducts(const dnnl::engine& engine)
{
    using Type = dnnl::memory::data_type;
    constexpr std::int64_t Size = 64;
    const auto square = [](Type type) { return dnnl::memory::desc({Size, Size}, type, dnnl::memory::dims {Size, 1}); };
    dnnl::memory left(square(Type::u8), engine);
    dnnl::memory right(square(Type::s8), engine);
    dnnl::memory target(square(Type::s32), engine);
    std::memset(left.get_data_handle(), 255, Size * Size);
    std::memset(right.get_data_handle(), 127, Size * Size);
    const dnnl::matmul::primitive_desc description({left.get_desc(), right.get_desc(), target.get_desc()}, engine);
    dnnl::stream stream(engine);
    dnnl::matmul(description)
        .execute(stream, {{DNNL_ARG_SRC, left}, {DNNL_ARG_WEIGHTS, right}, {DNNL_ARG_DST, target}});
    stream.wait();
    const auto* const sums = static_cast<const std::int32_t*>(target.get_data_handle());
    const bool exact = std::all_of(sums, sums + Size * Size, [](std::int32_t sum) { return sum == Size * 255 * 127; });
    return {exact, description.impl_info_str()};
}

/// A process has one instruction set.
const Trial& trial(const dnnl::engine& engine)
{
    static const Trial Tried = [&]() -> Trial {
        try {
            return tryProducts(engine);
        } catch (const dnnl::error&) {
            return {};
        }
    }();
    return Tried;
}

} // namespace

bool addsBytesExactly(const dnnl::engine& engine)
{
    return trial(engine).exact;
}

Message integerText(const dnnl::engine& engine)
{
    const Trial& tried = trial(engine);
    if (tried.implementation.empty()) return say("onednn.no-instructions");
    return say(tried.exact ? "onednn.yes" : "onednn.small-weights", tried.implementation);
}

WeightSums weightSums(const NodeView& node, std::size_t weights, Work work)
{
    const Shape shape = node.input(weights).value_or(Shape {});
    const std::int64_t all = elementCount(shape).value_or(0);
    if (shape.empty() || all == 0) return {};
    const bool isMatrix = work == Work::Columns;
    const auto columns = static_cast<std::size_t>(isMatrix && shape.size() > 1 ? shape.back() : 1);
    const auto rows =
        static_cast<std::size_t>(isMatrix ? shape[shape.size() > 1 ? shape.size() - 2 : 0] : all / shape.front());
    const auto products = static_cast<double>(rows);
    const std::span<const std::byte> bytes = node.knownBytes(weights);
    constexpr double Most = 128;
    if (bytes.size() != static_cast<std::size_t>(all)) return {products, Most, Most * products};
    // One matrix after the other; filters are matrices of one column each.
    WeightSums sums {products, 0, 0};
    for (std::size_t matrix = 0; matrix < bytes.size(); matrix += rows * columns) {
        std::vector<double> column(columns, 0);
        for (std::size_t i = 0; i < rows * columns; ++i) {
            const double magnitude = std::abs(static_cast<double>(static_cast<std::int8_t>(bytes[matrix + i])));
            sums.magnitude = std::max(sums.magnitude, magnitude);
            column[i % columns] += magnitude;
        }
        sums.sum = std::max(sums.sum, *std::max_element(column.begin(), column.end()));
    }
    return sums;
}

} // namespace plimsoll::kernels::onednn
