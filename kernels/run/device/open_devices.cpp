#include "kernels/run/device/open_devices.h"

#include "kernels/backend.h"

#include <charconv>

namespace plimsoll::kernels {
namespace {

/// "cuda:1" → 1; "cuda" is its first.
Result<int> numberOf(const std::string& space)
{
    const auto colon = space.find(':');
    if (colon == std::string::npos) return 0;
    int number = -1;
    const char* const end = space.data() + space.size();
    const auto [rest, error] = std::from_chars(space.data() + colon + 1, end, number);
    if (error == std::errc() && rest == end && number >= 0) return number;
    return Error {ErrorCode::BadInput, say("device.no-number", word::Name {space}), {}, {}};
}

/// What else there is to do, behind the reason why a device cannot be had.
Error orEmulate(Error error)
{
    error.message = say("device.or-emulate", std::move(error.message), Remedy::option("emulate-device"));
    return error;
}

Result<RunDevice> open(const Implementation& chosen, bool emulate)
{
    const Backend* const backend = findBackend(chosen.backend);
    if (!backend || !backend->open)
        return Error {ErrorCode::Unsupported, say("device.no-backend", word::Name {chosen.backend}), {}, {}};
    PLIMSOLL_ASSIGN(number, numberOf(chosen.device));
    Result<std::unique_ptr<Device>> device = emulate ? backend->emulate(number) : backend->open(number);
    if (!device.ok()) return emulate ? device.error() : orEmulate(device.error());
    return RunDevice {std::move(device).value(), emulate};
}

} // namespace

Status checkPreferred(const Policies& policies, bool emulate)
{
    const Backend* const backend = findBackend(policyValue(policies, "backend"));
    if (emulate || !backend || !backend->open || !backend->available) return {};
    const Status available = backend->available();
    return available.ok() ? available : Status(orEmulate(available.error()));
}

Result<RunDevices> openDevices(const PlannedProgram& program, bool emulate)
{
    RunDevices devices;
    for (const Implementation& chosen : program.implementations.chosen()) {
        if (chosen.device.empty() || devices.contains(chosen.device)) continue;
        PLIMSOLL_ASSIGN(device, open(chosen, emulate));
        devices.emplace(chosen.device, std::move(device));
    }
    return devices;
}

} // namespace plimsoll::kernels
