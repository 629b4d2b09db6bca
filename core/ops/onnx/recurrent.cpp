#include "core/ops/onnx/op_families.h"
#include "core/ops/rules/parameters.h"
#include "core/ops/rules/shape_search.h"
#include "core/ops/safe_int.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

/// Sizes that inputs and outputs of a recurrent layer are made of; UnknownSize where nothing says them.
struct Layer
{
    std::int64_t gates = 1;
    std::int64_t directions = 1;
    std::int64_t hidden = UnknownSize;
    std::int64_t input = UnknownSize;
    std::int64_t steps = UnknownSize;
    std::int64_t batch = UnknownSize;
    bool batchFirst = false;
};

/// X is [steps, batch, input], or [batch, steps, input] under layout 1.
Result<Layer> readLayer(const NodeFacts& facts, std::int64_t gates)
{
    const auto x = facts.dims(0);
    if (x && x->size() != 3) return facts.error(say("ops.input-needs-three", describe(facts.type(0))));
    Layer layer;
    layer.gates = gates;
    layer.batchFirst = facts.attribute("layout", 0) != 0;
    layer.directions = facts.textAttribute("direction", "forward") == "bidirectional" ? 2 : 1;
    const auto recurrence = facts.dims(2); // R: [directions, gates × hidden, hidden]
    layer.hidden = facts.attribute("hidden_size", UnknownSize);
    if (layer.hidden < 0) layer.hidden = recurrence && recurrence->size() == 3 ? recurrence->back() : UnknownSize;
    if (!x) return layer;
    layer.steps = (*x)[layer.batchFirst ? 1 : 0];
    layer.batch = (*x)[layer.batchFirst ? 0 : 1];
    layer.input = (*x)[2];
    return layer;
}

std::int64_t product(std::initializer_list<std::int64_t> sizes)
{
    SafeInt all = 1;
    for (const std::int64_t size : sizes) {
        if (size < 0) return UnknownSize;
        all = all * size;
    }
    return all.get().value_or(UnknownSize);
}

Message layerText(const NodeFacts& facts, const Layer& layer)
{
    return say("ops.layer", facts.textAttribute("direction", "forward"), word::Number {layer.hidden});
}

Status checkWeights(const NodeFacts& facts, const Layer& layer, std::size_t position, std::int64_t columns)
{
    const auto dims = facts.dims(position);
    const Dims wanted {layer.directions, product({layer.gates, layer.hidden}), columns};
    if (!dims) return {};
    bool fits = dims->size() == wanted.size();
    for (std::size_t axis = 0; fits && axis < wanted.size(); ++axis)
        fits = sameSize((*dims)[axis], wanted[axis]).has_value();
    if (fits) return {};
    return facts.error(say("ops.weights-input-ask", describe(facts.type(position)), word::Number {position},
                           describe(tensorOf(facts.dtype(position), wanted)), layerText(facts, layer)));
}

Status checkInputs(const NodeFacts& facts, const Layer& layer)
{
    const std::int64_t hidden = facts.attribute("hidden_size", 1);
    if (hidden < 1) return facts.error(say("ops.attribute-hidden-size-least", word::Number {hidden}));
    PLIMSOLL_TRY(checkWeights(facts, layer, 1, layer.input));
    PLIMSOLL_TRY(checkWeights(facts, layer, 2, layer.hidden));
    const Message because = say("ops.layer-asks", layerText(facts, layer));
    const std::int64_t states = product({layer.directions, layer.batch, layer.hidden});
    PLIMSOLL_TRY(checkNumbers(facts, 3, product({layer.directions, 2, layer.gates, layer.hidden}), because));
    PLIMSOLL_TRY(checkNumbers(facts, 4, layer.batch, say("ops.one-a-sequence")));
    PLIMSOLL_TRY(checkNumbers(facts, 5, states, because));
    if (layer.gates != 4) return {};
    PLIMSOLL_TRY(checkNumbers(facts, 6, states, because));
    return checkNumbers(facts, 7, product({layer.directions, 3, layer.hidden}), because);
}

/// Two functions for each direction of a GRU, three of an LSTM, one of a plain layer.
Status checkActivations(const NodeFacts& facts, const Layer& layer)
{
    static constexpr std::string_view Known[] = {"Relu",      "Tanh",     "Sigmoid",        "Affine",
                                                 "LeakyRelu", "Elu",      "ScaledTanh",     "HardSigmoid",
                                                 "Softsign",  "Softplus", "ThresholdedRelu"};
    const auto* given = findAttribute<std::vector<std::string>>(facts.node(), "activations");
    if (!given || given->empty()) return {};
    for (const std::string& name : *given) {
        if (std::ranges::find(Known, name) == std::end(Known))
            return facts.error(say("ops.attribute-activations-names", word::Name {name.substr(0, 40)}));
    }
    const std::int64_t wanted = layer.directions * (layer.gates == 4 ? 3 : layer.gates == 3 ? 2 : 1);
    if (static_cast<std::int64_t>(given->size()) >= wanted) return {};
    return facts.error(
        say("ops.attribute-activations-names-needed", word::Number {given->size()}, word::Number {wanted}));
}

/// The outputs are all states, and the last ones.
Status inferRecurrent(NodeFacts& facts, std::int64_t gates)
{
    PLIMSOLL_ASSIGN(layer, readLayer(facts, gates));
    PLIMSOLL_TRY(checkInputs(facts, layer));
    PLIMSOLL_TRY(checkActivations(facts, layer));
    facts.set(0, facts.dtype(0),
              layer.batchFirst ? Dims {layer.batch, layer.steps, layer.directions, layer.hidden}
                               : Dims {layer.steps, layer.directions, layer.batch, layer.hidden});
    const Dims last = layer.batchFirst ? Dims {layer.batch, layer.directions, layer.hidden}
                                       : Dims {layer.directions, layer.batch, layer.hidden};
    facts.set(1, facts.dtype(0), last);
    facts.set(2, facts.dtype(0), last);
    return {};
}

/// Of a recurrent network: every sequence is as long as there is room.
void sequenceLengths(ShapeSearch& search)
{
    const auto dims = search.dims(0);
    if (dims && !dims->empty() && dims->front() >= 0) search.wantAll(4, dims->front());
}

constexpr OpSchema RecurrentSchemas[] = {
    {.op = "GRU",
     .signature = "float:T float:T float:T float:T? int? float:T? -> 2",
     .infer = [](NodeFacts& facts) { return inferRecurrent(facts, 3); },
     .grows = AllInputs,
     .contents = sequenceLengths,
     .choices = {choices::Direction, {"layout", "0|1"}}},
    {.op = "LSTM",
     .signature = "float:T float:T float:T float:T? int? float:T? float:T? float:T? -> 3",
     .infer = [](NodeFacts& facts) { return inferRecurrent(facts, 4); },
     .grows = AllInputs,
     .contents = sequenceLengths,
     .choices = {choices::Direction, {"layout", "0|1"}}},
    {.op = "RNN",
     .signature = "float:T float:T float:T float:T? int? float:T? -> 2",
     .infer = [](NodeFacts& facts) { return inferRecurrent(facts, 1); },
     .grows = AllInputs,
     .contents = sequenceLengths,
     .choices = {choices::Direction, {"layout", "0|1"}}},
};

} // namespace

constinit const OpFamily recurrentOperators {"", RecurrentSchemas};

} // namespace plimsoll::ops
