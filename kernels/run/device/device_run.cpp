#include "kernels/run/device/device_run.h"

#include "kernels/run/step/element_values.h"

#include <cstdio>

namespace plimsoll::kernels {
namespace {

std::string addressText(const TensorView& tensor)
{
    char text[32];
    std::snprintf(text, sizeof text, "%p", tensor.data);
    return text;
}

word::List placesOf(const NodeCall& call)
{
    word::List places;
    const auto add = [&](std::string_view sentence, ValueId id, const RuntimeValue& value) {
        if (!id.valid() || value.kind != RuntimeValue::Kind::Tensor) return;
        places.items.emplace_back(say(sentence, word::Name {call.graph()[id].name}, addressText(value.tensor),
                                      word::Number {value.tensor.bytes()}));
    };
    for (std::size_t i = 0; i < call.node().inputs.size(); ++i)
        add("device.reads", call.node().inputs[i], call.input(i));
    for (const ValueId output : call.node().outputs) {
        if (output.valid()) add("device.writes", output, call.memory().value(output));
    }
    return places;
}

Error failed(const NodeCall& call, const Device& device, const Error& why)
{
    Error error = why;
    error.message = say("device.failed", std::move(error.message), device.name(), placesOf(call));
    if (error.where.empty()) error.where = "node '" + call.node().name + "' (" + qualifiedOp(call.node()) + ")";
    return error;
}

constexpr std::int32_t BeginEvent = 0;
constexpr std::int32_t EndEvent = 1;

/// Work of a device between two events of it, waited for.
template <typename Work>
Status timedOn(Device& device, NodeCall& call, const Work& work)
{
    DeviceStreams* const streams = device.streams();
    if (streams) PLIMSOLL_TRY(streams->record(BeginEvent));
    PLIMSOLL_TRY(work());
    if (streams) PLIMSOLL_TRY(streams->record(EndEvent));
    PLIMSOLL_TRY(device.finish());
    if (!streams) return {};
    PLIMSOLL_ASSIGN(ms, streams->msBetween(BeginEvent, EndEvent));
    call.noteTime(ms);
    return {};
}

/// A copy from one memory to another: what lies where, and whose they are; nullptr is the host.
struct Crossing
{
    Device* from = nullptr;
    Device* to = nullptr;
    TensorView source;
    TensorView target;
};

Result<Crossing> crossingOf(NodeCall& call)
{
    const RuntimeValue& source = call.input(0);
    if (source.kind != RuntimeValue::Kind::Tensor)
        return Error {ErrorCode::Unsupported, say("device.no-tensor"), {}, {}};
    const DeviceSpaces& spaces = call.memory().spaces();
    PLIMSOLL_ASSIGN(target, call.output(0, source.tensor.dtype, source.tensor.shape));
    return Crossing {spaces.of(call.node().inputs[0]), spaces.of(call.node().outputs[0]), source.tensor, target};
}

Status cross(const Crossing& way)
{
    const auto* const source = way.source.as<std::byte>();
    auto* const target = way.target.as<std::byte>();
    if (!way.to) return way.from->copyOut(way.target.byteSpan(), source);
    if (!way.from) return way.to->copyIn(target, way.source.byteSpan());
    PLIMSOLL_ASSIGN(done, way.to->copyPeer(target, *way.from, source, way.source.bytes()));
    if (done) return {};
    std::vector<std::byte> onHost(static_cast<std::size_t>(way.source.bytes()));
    PLIMSOLL_TRY(way.from->copyOut(onHost, source));
    return way.to->copyIn(target, onHost);
}

} // namespace

Status launchOnDevice(NodeCall& call, Device& device, const Implementation& chosen)
{
    for (std::size_t i = 0; i < call.node().inputs.size(); ++i) {
        // A kernel takes elements as they are: what a small alignment puts between two of them would be a fault.
        const RuntimeValue& value = call.input(i);
        const int bytes = value.kind == RuntimeValue::Kind::Tensor ? dtypeBits(value.tensor.dtype) / 8 : 1;
        const auto address = reinterpret_cast<std::uintptr_t>(value.tensor.data);
        if (bytes < 2 || address % static_cast<unsigned>(std::min(bytes, 8)) == 0) continue;
        const word::Name name {call.graph()[call.node().inputs[i]].name};
        return failed(call, device, Error {ErrorCode::Unsupported, say("device.unaligned", name), {}, {}});
    }
    const Status status = callKernel(call, [&](KernelCall& kernelCall) { return device.run(kernelCall, chosen); });
    return status.ok() ? Status {} : Status(failed(call, device, status.error()));
}

Status runOnDevice(NodeCall& call, Device& device, const Implementation& chosen)
{
    Status launched;
    const Status status = timedOn(device, call, [&] { return launched = launchOnDevice(call, device, chosen); });
    if (status.ok() || !launched.ok()) return status;
    return failed(call, device, status.error());
}

Status copyAcross(NodeCall& call)
{
    PLIMSOLL_ASSIGN(way, crossingOf(call));
    Device* const device = way.to ? way.to : way.from;
    if (!device) {
        copyTensor(way.source, way.target);
        return {};
    }
    const Status status = timedOn(*device, call, [&] { return cross(way); });
    return status.ok() ? Status {} : Status(failed(call, *device, status.error()));
}

Status launchCopy(NodeCall& call)
{
    PLIMSOLL_ASSIGN(way, crossingOf(call));
    Device& device = way.to ? *way.to : *way.from;
    const Status status =
        device.streams()->copy(way.target.as<std::byte>(), way.source.as<std::byte>(), way.source.bytes());
    return status.ok() ? Status {} : Status(failed(call, device, status.error()));
}

} // namespace plimsoll::kernels
