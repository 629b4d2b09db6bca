#include "core/ops/mxnet/mxnet_families.h"

#include <algorithm>

namespace plimsoll::mxnet {

namespace {

/// The codes of MXNet's Reshape: 0 copies a size, -1 is what is left, -2 copies all that follow, -3 multiplies two,
/// -4 splits one into the two numbers behind it. With the attribute reverse all of them are read from the end, -4 too.
class ReshapeCodes
{
public:
    ReshapeCodes(const NodeFacts& facts, Dims from, std::vector<std::int64_t> codes)
        : m_facts(facts), m_from(std::move(from)), m_codes(std::move(codes))
    {
    }

    Result<Dims> run()
    {
        for (; m_code < m_codes.size(); ++m_code)
            PLIMSOLL_TRY(apply(m_codes[m_code]));
        return std::move(m_dims);
    }
    [[nodiscard]] std::optional<std::size_t> rest() const { return m_rest; } ///< The axis of -1.

private:
    Status apply(std::int64_t code)
    {
        switch (code) {
        case 0:
            return copy();
        case -1:
            return remember();
        case -2:
            while (m_next < m_from.size())
                PLIMSOLL_TRY(copy());
            return {};
        case -3:
            return merge();
        case -4:
            return split();
        default:
            if (code < 0) return m_facts.error(say("ops.attribute-shape-holds", word::Number {code}));
            m_dims.push_back(code);
            ++m_next;
            return {};
        }
    }

    Result<std::int64_t> take()
    {
        if (m_next >= m_from.size()) return m_facts.error(say("ops.attribute-shape-asks", describe(m_facts.type(0))));
        return m_from[m_next++];
    }

    Status copy()
    {
        PLIMSOLL_ASSIGN(size, take());
        m_dims.push_back(size);
        return {};
    }

    Status remember()
    {
        if (m_rest) return m_facts.error(say("ops.attribute-shape-holds-1"));
        m_rest = m_dims.size();
        m_dims.push_back(UnknownSize);
        ++m_next;
        return {};
    }

    Status merge()
    {
        PLIMSOLL_ASSIGN(first, take());
        PLIMSOLL_ASSIGN(second, take());
        m_dims.push_back(product(first, second));
        return {};
    }

    Status split()
    {
        PLIMSOLL_ASSIGN(size, take());
        if (m_code + 2 >= m_codes.size()) return m_facts.error(say("ops.attribute-shape-ends"));
        std::int64_t a = m_codes[++m_code];
        std::int64_t b = m_codes[++m_code];
        const bool valid = (a > 0 || a == -1) && (b > 0 || b == -1) && (a > 0 || b > 0);
        if (!valid) return m_facts.error(say("ops.two-numbers-behind"));
        if (a == -1) a = size < 0 ? UnknownSize : size / b;
        if (b == -1) b = size < 0 ? UnknownSize : size / a;
        if (size >= 0 && product(a, b) != size) return m_facts.error(say("ops.4-splits-into", word::Number {size}));
        m_dims.push_back(a);
        m_dims.push_back(b);
        return {};
    }

    const NodeFacts& m_facts;
    Dims m_from;
    std::vector<std::int64_t> m_codes;
    Dims m_dims;
    std::size_t m_next = 0; ///< Of m_from.
    std::size_t m_code = 0;
    std::optional<std::size_t> m_rest;
};

/// Gives the axis of -1 what is left of the elements, and checks that they fit.
Status fit(const NodeFacts& facts, const Dims& from, std::optional<std::size_t> rest, Dims& dims)
{
    const std::int64_t have = product(from, 0, from.size());
    if (have < 0) return {};
    Dims others = dims;
    if (rest) others[*rest] = 1;
    const std::int64_t need = product(others, 0, others.size());
    if (need < 0) return {};
    if (rest && need > 0 && have % need == 0) {
        dims[*rest] = have / need;
        return {};
    }
    if (!rest && need == have) return {};
    return facts.error(
        say("ops.do-fit-into", describe(facts.type(0)), word::Number {have}, describe(tensorOf(DType::Unknown, dims))));
}

/// The size that old files (target_shape) and new ones (shape) ask for.
std::optional<std::vector<std::int64_t>> wantedShape(const NodeFacts& facts)
{
    auto shape = tuple(facts, "shape");
    if (shape && !shape->empty()) return shape;
    auto target = tuple(facts, "target_shape");
    if (!target || target->empty()) return shape;
    const bool keepsHighest = flag(facts, "keep_highest", false);
    std::replace(target->begin() + (keepsHighest ? 1 : 0), target->end(), std::int64_t {0}, std::int64_t {-1});
    if (keepsHighest) target->front() = 0;
    return target;
}

Status inferReshape(NodeFacts& facts)
{
    const auto from = facts.dims(0);
    auto codes = wantedShape(facts);
    if (!codes) return facts.error(say("ops.attribute-shape-missing"));
    if (!from) {
        const bool plain = std::ranges::all_of(*codes, [](std::int64_t code) { return code > 0; });
        return facts.give(facts.dtype(0), plain ? std::optional<Dims>(*codes) : dimsOf(facts.wanted(0)));
    }
    Dims source = *from;
    const bool reversed = flag(facts, "reverse", false);
    if (reversed) {
        std::ranges::reverse(source);
        std::ranges::reverse(*codes);
    }
    ReshapeCodes reshape(facts, source, *codes);
    PLIMSOLL_ASSIGN(dims, reshape.run());
    PLIMSOLL_TRY(fit(facts, source, reshape.rest(), dims));
    if (reversed) std::ranges::reverse(dims);
    return facts.give(facts.dtype(0), dims);
}

constexpr OpSchema view(OpSchema row)
{
    row.inPlace = First;
    row.identity = true;
    row.counterpart.reshapes = true;
    return row;
}

constexpr OpSchema MxnetReshapeSchemas[] = {
    view({.op = "Flatten", .signature = "any", .infer = inferLike, .counterpart = {"Flatten"}}),
    view({.op = "Reshape", .signature = "any", .infer = inferReshape, .counterpart = {"Identity"}}),
    view({.op = "expand_dims", .signature = "any", .infer = inferLike, .counterpart = {"Unsqueeze", "axes=axis|0"}}),
    {.op = "squeeze", // registered without in-place options
     .signature = "any",
     .infer = inferLike,
     .counterpart = {.op = "Squeeze", .attributes = "axes=axis", .reshapes = true}},
};

} // namespace

constinit const OpFamily mxnetReshapeOperators {"mxnet", MxnetReshapeSchemas};

} // namespace plimsoll::mxnet
