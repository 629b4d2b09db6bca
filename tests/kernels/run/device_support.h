#pragma once

#include "core/pipeline/pipeline.h"
#include "kernels/run/executor.h"
#include "tests/kernels/run/host_device.h"

#include <QStringList>

#include <random>

namespace plimsoll::test {

/// Plans, or judges \p given, with the policy backend=cuda and the offers of \p catalogue. Aborts the test program on
/// an error.
[[nodiscard]] Report plannedForDevice(const Graph& graph, Catalogue catalogue, Policies policies = {},
                                      std::optional<PlanFile> given = {});

/// Every node with an offer of the device or without, as the seed has it: with a scratchpad or none, some alignment,
/// and in place as the operator allows it or not at all.
[[nodiscard]] Catalogue randomOffers(const Graph& graph, std::mt19937& random);

/// Runs every node by its kernel. Without a device, on the CPU.
[[nodiscard]] Result<kernels::RunOutcome> runOn(const std::shared_ptr<HostDevice>& device, const Report& report,
                                                kernels::RunRequest request = {});
/// Inputs drawn from the seed; a random graph's loops make \p seed modulo 4 trips.
[[nodiscard]] Result<kernels::RunOutcome> runSeeded(const std::shared_ptr<HostDevice>& device, const Report& report,
                                                    unsigned seed);

[[nodiscard]] std::vector<std::string> namesOf(const QStringList& names);

/// Errors that the judge finds, "wrong-space: Node …", a line each.
[[nodiscard]] QString errorsIn(const Report& report);
/// The run's own error, or its first mismatch, "'p': 3 of 8 elements differ…"; empty where all is equal.
[[nodiscard]] QString faultOf(const Result<kernels::RunOutcome>& outcome);
[[nodiscard]] std::vector<std::string> digestsOf(const Result<kernels::RunOutcome>& outcome);

} // namespace plimsoll::test
