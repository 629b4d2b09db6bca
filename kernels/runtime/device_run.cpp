#include "kernels/runtime/device_run.h"

#include "kernels/runtime/elements.h"

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
        if (output.valid()) add("writes", output, call.world().value(output));
    }
    return text;
}

Error failed(const NodeCall& call, const Device& device, const Error& why)
{
    Error error = why;
    error.message += " (on " + device.name() + "; " + placesText(call) + ")";
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
        return Error {ErrorCode::Unsupported,
                      "'" + call.graph()[id].name + "' does not lie where its elements can be read",
                      {},
                      {}};
    };
    for (std::size_t i = 0; i < call.node().inputs.size(); ++i)
        PLIMSOLL_TRY(check(call.node().inputs[i], call.input(i)));
    return {};
}

std::span<std::byte> room(const TensorView& tensor)
{
    return {tensor.as<std::byte>(), static_cast<std::size_t>(tensor.bytes())};
}

} // namespace

Status runOnDevice(NodeCall& call, Device& device, const Implementation& chosen)
{
    Status status = checkAligned(call);
    if (status.ok()) status = callKernel(call, [&](KernelCall& kernelCall) { return device.run(kernelCall, chosen); });
    if (status.ok()) status = device.finish();
    return status.ok() ? Status {} : Status(failed(call, device, status.error()));
}

Status copyAcross(NodeCall& call)
{
    const RuntimeValue& source = call.input(0);
    if (source.kind != RuntimeValue::Kind::Tensor)
        return Error {ErrorCode::Unsupported, "only tensors are copied between memories", {}, {}};
    const DeviceSpaces& spaces = call.world().spaces();
    Device* const from = spaces.of(call.node().inputs[0]);
    Device* const to = spaces.of(call.node().outputs[0]);
    PLIMSOLL_ASSIGN(target, call.output(0, source.tensor.dtype, source.tensor.shape));
    if (from && to) return Error {ErrorCode::Unsupported, "nothing is copied from one device to another", {}, {}};
    Status status;
    if (to) status = to->copyIn(target.as<std::byte>(), room(source.tensor));
    if (from) status = from->copyOut(room(target), source.tensor.as<const std::byte>());
    if (!from && !to) copyTensor(source.tensor, target);
    Device* const device = to ? to : from;
    return status.ok() ? Status {} : Status(failed(call, *device, status.error()));
}

} // namespace plimsoll::kernels
