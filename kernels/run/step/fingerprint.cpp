#include "kernels/run/step/fingerprint.h"

#include "core/graph/value_strides.h"
#include "core/ops/op_traits.h"
#include "core/ops/sub_buffers.h"
#include "kernels/run/step/digest.h"
#include "kernels/run/step/element_values.h"
#include "kernels/run/step/strided_values.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace plimsoll::kernels {
namespace {

/// Mixes one attribute into the key, whatever it holds.
struct AttributeDigest
{
    Digest& digest;
    void operator()(std::int64_t number) const { digest.add(static_cast<std::uint64_t>(number)); }
    void operator()(double number) const { digest.add(std::bit_cast<std::uint64_t>(number)); }
    void operator()(const std::string& text) const { digest.add(std::string_view(text)); }
    void operator()(const TensorLiteral& literal) const
    {
        digest.add(static_cast<std::uint64_t>(literal.dtype));
        (*this)(literal.shape);
        if (literal.data.bytes) digest.add(std::span<const std::byte>(*literal.data.bytes));
        if (literal.data.strings) (*this)(*literal.data.strings);
    }
    template <typename T>
    void operator()(const std::vector<T>& list) const
    {
        digest.add(static_cast<std::uint64_t>(list.size()));
        for (const T& item : list)
            (*this)(item);
    }
};

struct Type
{
    DType dtype;
    Shape shape;
};

Type guessedType(const Value& value)
{
    Type type {value.type.dtype == DType::Unknown ? DType::Float32 : value.type.dtype, {}};
    for (const Dim& dim : value.type.dims.value_or(DimList {}))
        type.shape.push_back(dim.known() ? dim.size : 1);
    return type;
}

/// The trait by which an output repeats bytes of an input, if it is declared so.
std::optional<AliasTrait> repeats(const NodeCall& call, NodeId node, std::size_t output)
{
    for (const AliasTrait& trait : aliasTraits(call.graph(), node)) {
        const bool same = trait.kind == AliasKind::Identity || trait.kind == AliasKind::View;
        if (same && trait.output == static_cast<int>(output)) return trait;
    }
    return std::nullopt;
}

Status repeatInput(NodeCall& call, std::size_t output, const AliasTrait& trait)
{
    const RuntimeValue& input = call.input(static_cast<std::size_t>(trait.input));
    const Value& made = call.graph()[call.node().outputs[output]];
    const Type type = guessedType(made);
    const auto bytes = isStrided(made) ? spanBytes(made) : denseBytes(type.dtype, type.shape);
    const bool fits = input.kind == RuntimeValue::Kind::Tensor && input.tensor.dtype != DType::String && bytes &&
                      trait.offsetBytes >= 0 && trait.offsetBytes + *bytes <= input.tensor.bytes();
    if (!fits) {
        return Error {ErrorCode::BadInput, say("run.large-view"), "node '" + call.node().name + "'", {}};
    }
    PLIMSOLL_ASSIGN(view, call.output(output, type.dtype, type.shape));
    if (*bytes > 0)
        std::memmove(view.data, input.tensor.as<std::byte>() + trait.offsetBytes, static_cast<std::size_t>(*bytes));
    return {};
}

/// Bytes of an output that are bytes of an input.
struct MovedBytes
{
    std::int64_t offset = 0; ///< In the output.
    std::vector<std::byte> bytes;
};

/// By the maps of an operator that moves elements: in planned memory they may be there already, and others read them.
std::vector<MovedBytes> movedInto(const NodeCall& call, std::size_t output)
{
    std::vector<MovedBytes> all;
    for (const SubBuffer& part : subBuffers(call.graph(), call.id())) {
        const RuntimeValue& input = call.input(static_cast<std::size_t>(part.input));
        if (part.output != static_cast<int>(output) || input.kind != RuntimeValue::Kind::Tensor) continue;
        const std::int64_t begin = part.inputIsPart ? 0 : part.offsetBytes;
        if (part.bytes > input.tensor.bytes() - begin) continue;
        const std::byte* const from = input.tensor.as<std::byte>() + begin;
        all.push_back({part.inputIsPart ? part.offsetBytes : 0, {from, from + part.bytes}});
    }
    return all;
}

void putInto(const TensorView& output, const std::vector<MovedBytes>& all)
{
    for (const MovedBytes& moved : all) {
        if (moved.offset + std::ssize(moved.bytes) <= output.bytes())
            std::memcpy(output.as<std::byte>() + moved.offset, moved.bytes.data(), moved.bytes.size());
    }
}

} // namespace

std::uint64_t fingerprintKey(const NodeCall& call)
{
    const Node& node = call.node();
    Digest digest;
    digest.add(std::string_view(node.domain));
    digest.add(std::string_view(node.op));
    for (const auto& [name, attribute] : node.attributes) {
        digest.add(std::string_view(name));
        std::visit(AttributeDigest {digest}, attribute);
    }
    const NodeId id = call.id();
    for (std::size_t i = 0; i < call.inputCount(); ++i) {
        const RuntimeValue& input = call.input(i);
        if (input.kind != RuntimeValue::Kind::Tensor || readsContent(call.graph(), id, static_cast<int>(i))) {
            const ValueId read = node.inputs[i];
            digest.add(read.valid() ? ownElements(call.graph()[read], input) : input);
            continue;
        }
        digest.add(static_cast<std::uint64_t>(input.tensor.dtype));
        for (const std::int64_t size : input.tensor.shape)
            digest.add(static_cast<std::uint64_t>(size));
    }
    return digest.value();
}

Status fingerprintValue(Memory& memory, ValueId value, std::uint64_t key)
{
    const Value& info = memory.graph()[value];
    const Type type = guessedType(info);
    if (info.type.kind == TypeKind::Tensor) {
        PLIMSOLL_ASSIGN(view, memory.produce(value, type.dtype, type.shape));
        if (!isStrided(info)) {
            fillFromSeed(view, key);
            return {};
        }
        const RuntimeValue own = ownElements(info, {RuntimeValue::Kind::Tensor, view, {}, DType::Unknown, nullptr});
        fillFromSeed(own.tensor, key);
        putElements(info, own.tensor, view);
        return {};
    }
    RuntimeValue sequence;
    if (info.type.kind == TypeKind::Sequence) {
        PLIMSOLL_ASSIGN(element, allocateTensor(type.dtype, type.shape));
        fillFromSeed(element.view(), key);
        sequence.kind = RuntimeValue::Kind::Sequence;
        sequence.sequenceDtype = type.dtype;
        sequence.sequence.push_back(std::move(element));
    }
    memory.set(value, std::move(sequence));
    return {};
}

Status fingerprintNode(NodeCall& call)
{
    const std::uint64_t key = fingerprintKey(call);
    const Node& node = call.node();
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (!call.wantsOutput(i)) continue;
        if (const auto trait = repeats(call, call.id(), i)) {
            PLIMSOLL_TRY(repeatInput(call, i, *trait));
            continue;
        }
        Digest digest(key);
        digest.add(static_cast<std::uint64_t>(i));
        const std::vector<MovedBytes> moved = movedInto(call, i); // before its bytes are written over
        PLIMSOLL_TRY(fingerprintValue(call.memory(), node.outputs[i], digest.value()));
        if (!moved.empty()) putInto(call.memory().value(node.outputs[i]).tensor, moved);
        call.noteWritten(i);
    }
    return call.finish();
}

bool typeIsGuessed(const Value& value)
{
    if (value.type.dtype == DType::Unknown || !value.type.dims) return true;
    for (const Dim& dim : *value.type.dims) {
        if (!dim.known()) return true;
    }
    return false;
}

std::string guessOf(const Value& value)
{
    const TensorType& type = value.type;
    std::string guess;
    const auto add = [&](const char* what) { guess += (guess.empty() ? "" : " and ") + std::string(what); };
    if (type.dtype == DType::Unknown) add("float32");
    if (!type.dims) {
        add("a scalar");
    } else if (std::any_of(type.dims->begin(), type.dims->end(), [](const Dim& dim) { return !dim.known(); })) {
        add("1 for each unknown size");
    }
    return "for '" + value.name + "' (" + describe(type) + ") " + guess + " was assumed";
}

} // namespace plimsoll::kernels
