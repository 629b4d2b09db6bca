#pragma once

#include "core/plan/implementation.h"
#include "kernels/checks/trial.h"
#include "kernels/cuda/cuda.h"
#include "kernels/device.h"

namespace plimsoll::kernels {

/// What came of a trial: one kernel, its output in a place of its own or over an input.
struct TrialOutcome
{
    std::string kernel; ///< Name of the implementation.
    std::optional<Implementation::InPlacePair> inPlace;
    double maxError = 0; ///< Against the reference; of numbers that are finite in both.
    double bound = 0;    ///< The absolute part of what is allowed.
    Message wrong;       ///< Empty where all was as it ought to be.
};

/// Runs every offer of the catalogue for the trial's node on \p device and compares it with the reference kernel: in
/// blocks of its own with canaries around each, outputs poisoned first, and once for each pair in place that is
/// offered, with these libraries. Empty where nothing is offered. An Error is one of the trial itself, or of the
/// reference.
[[nodiscard]] Result<std::vector<TrialOutcome>> tryOnDevice(Device& device, const CudaLibraries& libraries,
                                                            const Trial& trial, std::uint64_t seed);

/// The same of a node that stands in a graph, with inputs that are there.
[[nodiscard]] Result<std::vector<TrialOutcome>> tryOnDevice(Device& device, const CudaLibraries& libraries,
                                                            const Trial::Prepared& prepared);

/// The same of some offers.
[[nodiscard]] Result<std::vector<TrialOutcome>> tryOffers(Device& device, const std::vector<Implementation>& offers,
                                                          const Trial::Prepared& prepared);

} // namespace plimsoll::kernels
