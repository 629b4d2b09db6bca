#include "kernels/run/device/device_run.h"

#include "kernels/run/step/element_values.h"

#include <cstdio>

namespace plimsoll::kernels {
namespace {

std::string addressText(const TensorView& tensor)
{
    char text[64];
    std::snprintf(text, sizeof text, "%p, %lld bytes", tensor.data, static_cast<long long>(tensor.bytes()));
    return text;
}

std::string placesText(const NodeCall& call)
{
    std::string text;
    const auto add = [&](const char* verb, ValueId id, const RuntimeValue& value) {
        if (!id.valid() || value.kind != RuntimeValue::Kind::Tensor) return;
        text += (text.empty() ? "" : ", ") + std::string(verb) + " '" + call.graph()[id].name + "' at " +
                addressText(value.tensor);
    };
    for (std::size_t i = 0; i < call.node().inputs.size(); ++i)
        add("reads", call.node().inputs[i], call.input(i));
    for (const ValueId output : call.node().outputs) {
        if (output.valid()) add("writes", output, call.memory().value(output));
    }
    return text;
}

Error failed(const NodeCall& call, const Device& device, const Error& why)
{
    Error error = why;
    error.message = say("device.failed", std::move(error.message), device.name(), placesText(call));
    if (error.where.empty()) error.where = "node '" + call.node().name + "' (" + qualifiedOp(call.node()) + ")";
    return error;
}

/// A kernel takes elements as they are: what a plan with a small alignment puts between two of them would be a fault.
Status checkAligned(const NodeCall& call)
{
    const auto check = [&](ValueId id, const RuntimeValue& value) -> Status {
        const auto address = reinterpret_cast<std::uintptr_t>(value.tensor.data);
        const int bytes = value.kind == RuntimeValue::Kind::Tensor ? dtypeBits(value.tensor.dtype) / 8 : 1;
        if (bytes < 2 || address % static_cast<unsigned>(std::min(bytes, 8)) == 0) return {};
        return Error {ErrorCode::Unsupported, say("device.unaligned", word::Name {call.graph()[id].name}), {}, {}};
    };
    for (std::size_t i = 0; i < call.node().inputs.size(); ++i)
        PLIMSOLL_TRY(check(call.node().inputs[i], call.input(i)));
    return {};
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

Status copyBetween(Device& from, Device& to, const TensorView& source, const TensorView& target)
{
    PLIMSOLL_ASSIGN(done, to.copyPeer(target.as<std::byte>(), from, source.as<std::byte>(), source.bytes()));
    if (done) return {};
    std::vector<std::byte> onHost(static_cast<std::size_t>(source.bytes()));
    PLIMSOLL_TRY(from.copyOut(onHost, source.as<std::byte>()));
    return to.copyIn(target.as<std::byte>(), onHost);
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
    if (way.from && way.to) return copyBetween(*way.from, *way.to, way.source, way.target);
    if (way.to) return way.to->copyIn(way.target.as<std::byte>(), way.source.byteSpan());
    return way.from->copyOut(way.target.byteSpan(), way.source.as<const std::byte>());
}

} // namespace

Status launchOnDevice(NodeCall& call, Device& device, const Implementation& chosen)
{
    Status status = checkAligned(call);
    if (status.ok()) status = callKernel(call, [&](KernelCall& kernelCall) { return device.run(kernelCall, chosen); });
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
