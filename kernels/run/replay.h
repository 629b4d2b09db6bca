#pragma once

#include "kernels/run/executor.h"
#include "kernels/run/step/compare.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace plimsoll::kernels {

/// A folder of ONNX's backend-test shape: model.* and test_data_set_N/{input,output}_K.{pb,npy}.
struct ReplayCase
{
    std::string name;
    std::filesystem::path folder;
    std::filesystem::path model;
};

enum class Verdict : std::uint8_t { Passed, Failed, Skipped };

struct ReplayResult
{
    Verdict verdict = Verdict::Passed;
    Message reason; ///< Why it failed or was skipped.
};

/// The cases in \p folder: itself where it has a model, else every folder below it that has one, by name.
[[nodiscard]] Result<std::vector<ReplayCase>> findCases(const std::filesystem::path& folder);

/// Runs all data sets of a case under a plan made for the shapes of its inputs, beside the oracle, and compares the
/// outputs as ONNX does. Skipped where an operator has no kernel or there is no data set; failed where
/// a data set lacks an input or an output.
struct ReplaySettings
{
    /// What is run of a graph whose inputs have these shapes, by name.
    struct Plan
    {
        PlannedProgram program;
        Message fault; ///< The first rule that it breaks, as a sentence; empty where it breaks none.
    };
    std::function<Result<Graph>(const std::filesystem::path&)> load; ///< Of any format.
    std::function<Result<Plan>(const Graph&, const std::map<std::string, Shape>&, const Context&)> plan;
    Tolerance tolerance;
    bool emulateDevice = false; ///< See openDevices().
    /// A case may take, by the option "time-limit".
    double seconds = std::numeric_limits<double>::infinity();
};
[[nodiscard]] ReplayResult replayCase(const ReplayCase& test, const ReplaySettings& settings, const Context& context);

} // namespace plimsoll::kernels
