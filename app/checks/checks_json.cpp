#include "app/checks/checks_json.h"

#include "core/facts/english/english.h"
#include "kernels/checks/device_trial.h"
#include "kernels/checks/measurements.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

namespace plimsoll::checks {
namespace {

using kernels::Trial;
using kernels::TrialOutcome;

nlohmann::ordered_json entry(const Trial& trial, bool backward, const TrialOutcome& outcome)
{
    nlohmann::ordered_json json;
    json["op"] = trial.op();
    json["case"] = trial.name();
    json["backward"] = backward;
    json["kernel"] = outcome.kernel;
    json["inPlace"] = outcome.inPlace ? nlohmann::ordered_json(outcome.inPlace->input) : nullptr;
    json["maxError"] = outcome.maxError;
    json["bound"] = outcome.bound;
    json["passed"] = outcome.wrong.empty();
    if (!outcome.wrong.empty()) json["wrong"] = english(outcome.wrong);
    return json;
}

/// What is tried, and with which libraries.
struct Subject
{
    kernels::Device& device;
    kernels::CudaLibraries libraries;
};

/// A trial that cannot be made is one that failed.
std::vector<TrialOutcome> outcomesOf(const Subject& subject, const Trial& trial, std::uint64_t seed)
{
    auto outcomes = kernels::tryOnDevice(subject.device, subject.libraries, trial, seed);
    if (!outcomes.ok()) return {{.wrong = toMessage(outcomes.error())}};
    if (outcomes.value().empty()) return {{.wrong = say("checks.none-offered")}};
    return std::move(outcomes).value();
}

/// Of the operator's backward nodes. Where none is offered, the reference computes them.
std::vector<TrialOutcome> backwardOutcomesOf(const Subject& subject, const Trial& trial, std::uint64_t seed)
{
    const auto backward = trial.prepareBackward(seed);
    if (!backward.ok()) return {{.wrong = toMessage(backward.error())}};
    std::vector<TrialOutcome> all;
    for (const Trial::Prepared& prepared : backward.value()) {
        const auto outcomes = kernels::tryOnDevice(subject.device, subject.libraries, prepared);
        if (!outcomes.ok()) return {{.wrong = toMessage(outcomes.error())}};
        all.insert(all.end(), outcomes.value().begin(), outcomes.value().end());
    }
    return all;
}

nlohmann::ordered_json entry(const kernels::Timing& timing, double copyBytesPerSecond)
{
    nlohmann::ordered_json json;
    const double floorMs = timing.bytes / copyBytesPerSecond * 1000;
    json["case"] = timing.name;
    json["kernel"] = timing.kernel;
    json["ms"] = timing.ms;
    json["floorMs"] = floorMs;
    json["gapMs"] = timing.ms - floorMs;
    json["ofCopyBandwidth"] = floorMs / timing.ms;
    if (timing.operations > 0) json["operationsPerSecond"] = timing.operations / timing.ms * 1000;
    return json;
}

/// Memory after the example of saved tensors is memory before, and more by what save-all keeps.
nlohmann::ordered_json memoryEntry(kernels::Device& device, SavedPolicy saved)
{
    const bool guarded = saved == SavedPolicy::Guarded;
    const auto memory = kernels::measureSavedMemory(device, saved);
    nlohmann::ordered_json json;
    json["case"] = "((x + 2) * m).sum(), m frozen";
    json["saved"] = guarded ? "guarded" : "save-all";
    json["passed"] = memory.ok() && memory.value().afterBytes == memory.value().beforeBytes + (guarded ? 0 : 2560);
    if (!memory.ok()) {
        json["wrong"] = describe(memory.error());
        return json;
    }
    json["beforeBytes"] = memory.value().beforeBytes;
    json["peakBytes"] = memory.value().peakBytes;
    json["afterBytes"] = memory.value().afterBytes;
    return json;
}

/// What a device is measured for beside the checks; a measurement that fails says why in its place.
void addTimings(nlohmann::ordered_json& json, kernels::Device& device)
{
    const auto copies = kernels::measureCopyBytesPerSecond(0);
    const auto timings = kernels::timeKernels(device, 1);
    const auto memory = kernels::timeAllocations();
    if (!copies.ok() || !timings.ok() || !memory.ok()) {
        json["notTimed"] = describe(!copies.ok() ? copies.error() : !timings.ok() ? timings.error() : memory.error());
        return;
    }
    json["copyBytesPerSecond"] = copies.value();
    const auto library = kernels::measureLibraryProduct(0, kernels::ProductSide);
    if (!library.ok()) json["libraryNotTimed"] = describe(library.error());
    for (const kernels::Timing& timing : timings.value()) {
        nlohmann::ordered_json row = entry(timing, copies.value());
        if (library.ok() && timing.isProduct) {
            row["libraryMs"] = library.value();
            row["ofLibrary"] = library.value() / timing.ms;
        }
        json["timings"].push_back(std::move(row));
    }
    for (const kernels::AllocationTiming& way : memory.value())
        json["allocations"].push_back(
            {{"way", way.way}, {"ms", way.ms}, {"askedBytes", way.askedBytes}, {"peakBytes", way.peakBytes}});
}

} // namespace

Outcome runAll(kernels::Device& device, const Arguments& arguments)
{
    Outcome all;
    all.json["schema"] = "plimsoll.device-checks/1";
    all.json["device"] = device.name();
    all.json["seed"] = arguments.seed;
    const auto found = kernels::findCudaLibraries();
    if (!arguments.emulated) {
        for (const auto& [library, version] : found.describe())
            all.json["libraries"][library] = english(version);
    }
    // Where the host stands in for a device, something stands in for cuBLAS.
    const Subject subject {device, arguments.emulated ? kernels::CudaLibraries {.cublas = true} : found.usable()};
    nlohmann::ordered_json& list = all.json["checks"] = nlohmann::ordered_json::array();
    std::set<std::string> operators;
    std::size_t failed = 0;
    for (const Trial& trial : kernels::allTrials()) {
        if (!arguments.only.empty() && std::ranges::find(arguments.only, trial.op()) == arguments.only.end()) continue;
        operators.insert(trial.op());
        for (const bool backward : {false, true}) {
            const auto outcomes = backward ? backwardOutcomesOf(subject, trial, arguments.seed)
                                           : outcomesOf(subject, trial, arguments.seed);
            for (const TrialOutcome& outcome : outcomes) {
                failed += outcome.wrong.empty() ? 0 : 1;
                list.push_back(entry(trial, backward, outcome));
            }
        }
    }
    std::size_t checks = list.size();
    for (const SavedPolicy saved : {SavedPolicy::Guarded, SavedPolicy::SaveAll}) {
        if (!arguments.only.empty()) continue;
        all.json["memory"].push_back(memoryEntry(device, saved));
        failed += all.json["memory"].back()["passed"].get<bool>() ? 0 : 1;
        ++checks;
    }
    if (!arguments.emulated && arguments.timing && arguments.only.empty()) addTimings(all.json, device);
    all.failed = failed > 0;
    all.summary = std::to_string(checks) + " checks of " + std::to_string(operators.size()) + " operators on " +
                  device.name() + ": " + std::to_string(checks - failed) + " passed, " + std::to_string(failed) +
                  " failed";
    return all;
}

} // namespace plimsoll::checks
