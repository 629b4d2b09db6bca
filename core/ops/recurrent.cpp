#include "core/ops/families.h"

namespace plimsoll::ops {

namespace {

std::int64_t hiddenSize(const NodeFacts& facts)
{
    const std::int64_t given = facts.attribute("hidden_size", UnknownSize);
    if (given >= 0) return given;
    const auto recurrence = facts.dims(2); // R: [directions, gates × hidden, hidden]
    return recurrence && recurrence->size() == 3 ? recurrence->back() : UnknownSize;
}

/// X is [steps, batch, input], or [batch, steps, input] under layout 1. The outputs are all states, and the last ones.
Status inferRecurrent(NodeFacts& facts)
{
    const auto x = facts.dims(0);
    if (x && x->size() != 3) return facts.error("The input " + describe(facts.type(0)) + " needs three dimensions.");
    const bool batchFirst = facts.attribute("layout", 0) != 0;
    const std::int64_t first = x ? (*x)[0] : UnknownSize;
    const std::int64_t second = x ? (*x)[1] : UnknownSize;
    const std::int64_t steps = batchFirst ? second : first;
    const std::int64_t batch = batchFirst ? first : second;
    const std::int64_t directions = facts.textAttribute("direction", "forward") == "bidirectional" ? 2 : 1;
    const std::int64_t hidden = hiddenSize(facts);
    facts.set(0, facts.dtype(0),
              batchFirst ? Dims {batch, steps, directions, hidden} : Dims {steps, directions, batch, hidden});
    const Dims last = batchFirst ? Dims {batch, directions, hidden} : Dims {directions, batch, hidden};
    facts.set(1, facts.dtype(0), last);
    facts.set(2, facts.dtype(0), last);
    return {};
}

const OpSchema Schemas[] = {
    {.op = "GRU", .infer = inferRecurrent},
    {.op = "LSTM", .infer = inferRecurrent},
    {.op = "RNN", .infer = inferRecurrent},
};

} // namespace

std::span<const OpSchema> recurrentSchemas()
{
    return Schemas;
}

} // namespace plimsoll::ops
