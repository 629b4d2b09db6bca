#include "core/ops/mxnet/mxnet_families.h"

namespace plimsoll::mxnet {

namespace {

/// The attributes of a convolution, filled up with their defaults. All have as many numbers as the kernel.
struct Filter
{
    std::vector<std::int64_t> kernel;
    std::vector<std::int64_t> stride;
    std::vector<std::int64_t> dilate;
    std::vector<std::int64_t> pad;
    std::int64_t filters = 0;
    std::int64_t groups = 1;
    std::size_t firstSpatial = 2; ///< 1 where the channels are last.
    std::size_t channels = 1;
};

Result<Filter> readFilter(const NodeFacts& facts)
{
    const auto kernel = tuple(facts, "kernel");
    if (!kernel || kernel->empty()) return facts.error("The attribute kernel is missing.");
    Filter filter;
    filter.kernel = *kernel;
    PLIMSOLL_ASSIGN(stride, tupleOfLength(facts, "stride", kernel->size(), 1));
    PLIMSOLL_ASSIGN(dilate, tupleOfLength(facts, "dilate", kernel->size(), 1));
    PLIMSOLL_ASSIGN(pad, tupleOfLength(facts, "pad", kernel->size(), 0));
    filter.stride = std::move(stride);
    filter.dilate = std::move(dilate);
    filter.pad = std::move(pad);
    filter.filters = facts.attribute("num_filter", 0);
    filter.groups = facts.attribute("num_group", 1);
    filter.channels = channelAxis(facts, kernel->size() + 2);
    filter.firstSpatial = filter.channels == 1 ? 2 : 1;
    for (std::size_t i = 0; i < kernel->size(); ++i) {
        if (filter.kernel[i] < 1 || filter.stride[i] < 1 || filter.dilate[i] < 1 || filter.pad[i] < 0)
            return facts.error("kernel, stride and dilate must be at least 1, and pad at least 0.");
    }
    if (filter.filters < 1 || filter.groups < 1 || filter.filters % filter.groups != 0)
        return facts.error("num_filter is " + std::to_string(filter.filters) + " and num_group " +
                           std::to_string(filter.groups) +
                           "; they must be positive, and the first a multiple of the "
                           "second.");
    return filter;
}

/// The data's shape: its own, or one of unknown sizes.
Result<Dims> dataOf(const NodeFacts& facts, std::size_t rank)
{
    const auto dims = facts.dims(0);
    if (!dims) return Dims(rank, UnknownSize);
    if (dims->size() == rank) return *dims;
    return facts.error("Its data is " + describe(facts.type(0)) + "; with this kernel it must have " +
                       std::to_string(rank) + " dimensions.");
}

/// \p first, the kernel and \p inner in the order of the layout.
Dims weightsOf(const Filter& filter, std::int64_t first, std::int64_t inner)
{
    Dims weights = {first};
    if (filter.channels == 1) weights.push_back(inner);
    weights.insert(weights.end(), filter.kernel.begin(), filter.kernel.end());
    if (filter.channels != 1) weights.push_back(inner);
    return weights;
}

Status checkGroups(const NodeFacts& facts, std::int64_t channels, std::int64_t groups)
{
    if (channels < 0 || channels % groups == 0) return {};
    return facts.error("Its data has " + std::to_string(channels) + " channels, which " + std::to_string(groups) +
                       " groups cannot share.");
}

Status inferConvolution(NodeFacts& facts)
{
    return inferConvolutionAs(facts, facts.dtype(0));
}

Status inferFullyConnected(NodeFacts& facts)
{
    return inferFullyConnectedAs(facts, facts.dtype(0));
}

bool hasBias(const NodeFacts& facts)
{
    return !flag(facts, "no_bias", false);
}

Status inferDeconvolution(NodeFacts& facts)
{
    PLIMSOLL_ASSIGN(filter, readFilter(facts));
    PLIMSOLL_ASSIGN(dims, dataOf(facts, filter.kernel.size() + 2));
    PLIMSOLL_ASSIGN(adjust, tupleOfLength(facts, "adj", filter.kernel.size(), 0));
    PLIMSOLL_ASSIGN(target, tupleOfLength(facts, "target_shape", filter.kernel.size(), 0));
    const std::int64_t channels = dims[filter.channels];
    PLIMSOLL_TRY(checkGroups(facts, channels, filter.groups));
    dims[filter.channels] = filter.filters;
    for (std::size_t i = 0; i < filter.kernel.size(); ++i) {
        std::int64_t& size = dims[filter.firstSpatial + i];
        if (target[i] > 0) size = target[i];
        if (target[i] > 0 || size < 0) continue;
        const SafeInt reach = (SafeInt(filter.kernel[i]) - 1) * filter.dilate[i] + 1;
        size = known((SafeInt(size) - 1) * filter.stride[i] + reach - SafeInt(filter.pad[i]) * 2 + adjust[i]);
        if (size < 0) return facts.error("The kernel does not fit " + describe(facts.type(0)) + ".");
    }
    facts.set(0, facts.dtype(0), dims);
    facts.require(1, facts.dtype(0), weightsOf(filter, channels, filter.filters / filter.groups));
    facts.require(2, facts.dtype(0), Dims {filter.filters});
    return {};
}

/// Parameters and statistics of half floats are kept as floats.
DType statisticsType(DType data)
{
    return data == DType::Float16 || data == DType::BFloat16 ? DType::Float32 : data;
}

Status inferBatchNorm(NodeFacts& facts)
{
    const auto dims = facts.dims(0) ? facts.dims(0) : dimsOf(facts.wanted(0));
    const DType dtype = statisticsType(facts.dtype(0));
    facts.set(0, facts.dtype(0), dims);
    facts.require(0, DType::Unknown, dims);
    std::optional<Dims> channels;
    if (dims) {
        PLIMSOLL_ASSIGN(axis, axisAttribute(facts, "axis", 1, dims->size()));
        channels = Dims {(*dims)[axis]};
    }
    facts.set(1, dtype, channels);
    facts.set(2, dtype, channels);
    for (std::size_t i = 1; i < 5; ++i)
        facts.require(i, dtype, channels);
    return {};
}

/// LayerNorm: statistics keep the axes that are not normalised.
Status inferLayerNorm(NodeFacts& facts)
{
    const auto dims = facts.dims(0) ? facts.dims(0) : dimsOf(facts.wanted(0));
    facts.set(0, facts.dtype(0), dims);
    std::optional<Dims> width;
    std::optional<Dims> statistics = dims;
    if (dims) {
        PLIMSOLL_ASSIGN(axis, axisAttribute(facts, "axis", -1, dims->size()));
        width = Dims {(*dims)[axis]};
        (*statistics)[axis] = 1;
    }
    facts.set(1, facts.dtype(0), statistics);
    facts.set(2, facts.dtype(0), statistics);
    facts.require(1, facts.dtype(0), width);
    facts.require(2, facts.dtype(0), width);
    return {};
}

/// InstanceNorm and (with num_groups) GroupNorm: statistics of each picture and channel or group.
Status inferGroupNorm(NodeFacts& facts)
{
    const auto dims = facts.dims(0);
    if (dims && dims->size() < 2) return facts.error("Its data needs at least two dimensions.");
    const std::int64_t channels = dims ? (*dims)[1] : UnknownSize;
    const bool grouped = facts.node().op == "GroupNorm";
    const std::int64_t groups = grouped ? facts.attribute("num_groups", 1) : channels;
    facts.set(0, facts.dtype(0), dims);
    const auto statistics = dims ? std::optional(Dims {(*dims)[0], groups}) : std::nullopt;
    facts.set(1, facts.dtype(0), statistics);
    facts.set(2, facts.dtype(0), statistics);
    facts.require(1, facts.dtype(0), Dims {channels});
    facts.require(2, facts.dtype(0), Dims {channels});
    return {};
}

Status inferLocalNorm(NodeFacts& facts)
{
    facts.setType(0, facts.type(0));
    facts.setType(1, facts.type(0));
    return {};
}

/// The second output holds the norms: of each picture, of each place, or of each channel.
Status inferL2Norm(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    facts.setType(0, facts.type(0));
    if (dims && dims->size() < 2) return facts.error("Its data needs at least two dimensions.");
    const std::string mode = facts.textAttribute("mode", "instance");
    if (dims && mode == "instance") dims->resize(1);
    if (dims && mode == "channel") (*dims)[1] = 1;
    for (std::size_t axis = 2; dims && mode == "spatial" && axis < dims->size(); ++axis)
        (*dims)[axis] = 1;
    facts.set(1, facts.dtype(0), dims);
    return {};
}

Status inferEmbedding(NodeFacts& facts)
{
    const Attributes& attributes = facts.node().attributes;
    const DType dtype = dtypeOf(attributes, "dtype", DType::Float32);
    const std::int64_t width = numberOf(attributes, "output_dim", UnknownSize);
    auto dims = facts.dims(0);
    if (dims) dims->push_back(width);
    facts.set(0, dtype, dims);
    facts.require(1, dtype, Dims {numberOf(attributes, "input_dim", UnknownSize), width});
    return {};
}

constexpr OpSchema Schemas[] = {
    {.op = "BatchNorm",
     .signature = "any any* -> 3",
     .infer = inferBatchNorm,
     .pure = false}, // writes its moving averages while training
    {.op = "Convolution", .signature = "any any any?", .infer = inferConvolution},
    {.op = "Deconvolution", .signature = "any any any?", .infer = inferDeconvolution},
    {.op = "Embedding", .signature = "any any", .infer = inferEmbedding},
    {.op = "FullyConnected", .signature = "any any any?", .infer = inferFullyConnected},
    {.op = "GroupNorm", .signature = "any any any -> 3", .infer = inferGroupNorm, .cheap = true},
    {.op = "InstanceNorm", .signature = "any any any -> 3", .infer = inferGroupNorm, .cheap = true},
    {.op = "L2Normalization", .signature = "any -> 2", .infer = inferL2Norm},
    {.op = "LRN", .signature = "any -> 2", .infer = inferLocalNorm, .cheap = true},
    {.op = "LayerNorm", .signature = "any any any -> 3", .infer = inferLayerNorm, .cheap = true},
};

} // namespace

Status inferConvolutionAs(NodeFacts& facts, DType parameters)
{
    PLIMSOLL_ASSIGN(filter, readFilter(facts));
    PLIMSOLL_ASSIGN(dims, dataOf(facts, filter.kernel.size() + 2));
    const std::int64_t channels = dims[filter.channels];
    PLIMSOLL_TRY(checkGroups(facts, channels, filter.groups));
    dims[filter.channels] = filter.filters;
    for (std::size_t i = 0; i < filter.kernel.size(); ++i) {
        std::int64_t& size = dims[filter.firstSpatial + i];
        if (size < 0) continue;
        const SafeInt reach = (SafeInt(filter.kernel[i]) - 1) * filter.dilate[i] + 1;
        const SafeInt room = SafeInt(size) + SafeInt(filter.pad[i]) * 2 - reach;
        if (!room.get() || *room.get() < 0)
            return facts.error("The kernel does not fit into " + describe(facts.type(0)) + ".");
        size = known(room.floorDiv(filter.stride[i]) + 1);
    }
    facts.set(0, facts.dtype(0), dims);
    const std::int64_t inner = channels < 0 ? UnknownSize : channels / filter.groups;
    facts.require(1, parameters, weightsOf(filter, filter.filters, inner));
    if (hasBias(facts)) facts.require(2, parameters, Dims {filter.filters});
    return {};
}

Status inferFullyConnectedAs(NodeFacts& facts, DType parameters)
{
    const std::int64_t hidden = facts.attribute("num_hidden", 0);
    if (hidden < 1) return facts.error("The attribute num_hidden must be at least 1.");
    auto dims = facts.dims(0);
    const bool flat = flag(facts, "flatten", true);
    if (dims && dims->empty()) return facts.error("Its data has no dimensions.");
    std::int64_t width = UnknownSize;
    if (dims && flat) {
        width = product(*dims, 1, dims->size());
        dims->resize(1);
        dims->push_back(hidden);
    } else if (dims) {
        width = dims->back();
        dims->back() = hidden;
    } else if (flat) {
        dims = Dims {UnknownSize, hidden};
    }
    facts.set(0, facts.dtype(0), dims);
    facts.require(1, parameters, Dims {hidden, width});
    if (hasBias(facts)) facts.require(2, parameters, Dims {hidden});
    return {};
}

std::span<const OpSchema> layerSchemas()
{
    return Schemas;
}

} // namespace plimsoll::mxnet
