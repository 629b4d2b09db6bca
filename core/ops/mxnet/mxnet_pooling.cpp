#include "core/ops/mxnet/mxnet_families.h"

namespace plimsoll::mxnet {

namespace {

struct Pool
{
    std::vector<std::int64_t> kernel;
    std::vector<std::int64_t> stride;
    std::vector<std::int64_t> pad;
    std::string convention;
};

Result<Pool> readPool(const NodeFacts& facts, std::size_t axes)
{
    Pool pool;
    PLIMSOLL_ASSIGN(kernel, tupleOfLength(facts, "kernel", axes, 0));
    PLIMSOLL_ASSIGN(stride, tupleOfLength(facts, "stride", axes, 1));
    PLIMSOLL_ASSIGN(pad, tupleOfLength(facts, "pad", axes, 0));
    pool = {std::move(kernel), std::move(stride), std::move(pad), facts.textAttribute("pooling_convention", "valid")};
    if (pool.convention != "valid" && pool.convention != "full" && pool.convention != "same")
        return facts.error("The attribute pooling_convention is '" + pool.convention +
                           "'; it must be valid, full or same.");
    for (std::size_t i = 0; i < axes; ++i) {
        if (pool.kernel[i] < 1 || pool.stride[i] < 1 || pool.pad[i] < 0)
            return facts.error("kernel and stride must be at least 1, and pad at least 0.");
    }
    return pool;
}

/// Windows along one axis: valid rounds down, full rounds up (the last window may begin in the padding), same gives
/// one for each stride begun.
std::optional<std::int64_t> windowsOf(const Pool& pool, std::size_t axis, std::int64_t size)
{
    if (size < 0) return UnknownSize;
    const SafeInt stride = pool.stride[axis];
    if (pool.convention == "same") return SafeInt(size).ceilDiv(stride).get();
    const SafeInt room = SafeInt(size) + SafeInt(pool.pad[axis]) * 2 - pool.kernel[axis];
    if (!room.get() || *room.get() < 0) return std::nullopt;
    return ((pool.convention == "full" ? room.ceilDiv(stride) : room.floorDiv(stride)) + 1).get();
}

Status inferPooling(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    const auto kernel = tuple(facts, "kernel");
    const bool global = flag(facts, "global_pool", false);
    if (!dims && kernel && !kernel->empty()) dims = Dims(kernel->size() + 2, UnknownSize);
    if (!dims) {
        facts.set(0, facts.dtype(0), std::nullopt);
        return {};
    }
    if (dims->size() < 3) return facts.error("Its data is " + describe(facts.type(0)) + "; it needs spatial axes.");
    const std::size_t axes = dims->size() - 2;
    const std::size_t first = channelAxis(facts, dims->size()) == 1 ? 2 : 1;
    if (global) {
        for (std::size_t i = 0; i < axes; ++i)
            (*dims)[first + i] = 1;
    } else {
        PLIMSOLL_ASSIGN(pool, readPool(facts, axes));
        for (std::size_t i = 0; i < axes; ++i) {
            const auto windows = windowsOf(pool, i, (*dims)[first + i]);
            if (!windows) return facts.error("The kernel does not fit into " + describe(facts.type(0)) + ".");
            (*dims)[first + i] = *windows;
        }
    }
    facts.set(0, facts.dtype(0), dims);
    facts.set(1, DType::Int32, dims); // oneDNN builds: where each maximum was
    return {};
}

Status inferQuantizedPooling(NodeFacts& facts)
{
    PLIMSOLL_TRY(inferPooling(facts));
    facts.set(1, DType::Float32, Dims {1});
    facts.set(2, DType::Float32, Dims {1});
    return {};
}

/// X [N,C,H,W] and regions [R,5]: [R,C,height,width], and where each maximum was.
Status inferRegions(NodeFacts& facts)
{
    PLIMSOLL_ASSIGN(size, tupleOfLength(facts, "pooled_size", 2, 1));
    const auto x = facts.dims(0);
    const auto regions = facts.dims(1);
    const Dims dims = {regions && !regions->empty() ? regions->front() : UnknownSize,
                       x && x->size() > 1 ? (*x)[1] : UnknownSize, size[0], size[1]};
    facts.set(0, facts.dtype(0), dims);
    facts.set(1, facts.dtype(0), dims);
    return {};
}

Status inferAdaptive(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    const auto size = tuple(facts, "output_size");
    if (dims && dims->size() == 4) {
        (*dims)[2] = size && !size->empty() ? size->front() : 1;
        (*dims)[3] = size && !size->empty() ? size->back() : 1;
    }
    facts.set(0, facts.dtype(0), dims);
    return {};
}

constexpr OpSchema Schemas[] = {
    {.op = "Pooling", .signature = "any -> 2", .infer = inferPooling, .cheap = true},
    {.op = "ROIPooling", .signature = "any any -> 2", .infer = inferRegions},
    {.op = "_contrib_AdaptiveAvgPooling2D", .signature = "any", .infer = inferAdaptive},
    {.op = "_contrib_ROIAlign", .signature = "any any", .infer = inferRegions},
    {.op = "_contrib_quantized_pooling", .signature = "any any any -> 3", .infer = inferQuantizedPooling},
};

} // namespace

std::span<const OpSchema> poolingSchemas()
{
    return Schemas;
}

} // namespace plimsoll::mxnet
