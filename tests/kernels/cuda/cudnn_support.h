#pragma once

#include "core/facts/report.h"
#include "kernels/checks/device_trial.h"
#include "kernels/run/executor.h"
#include "tests/kernels/cuda/cudnn_stand_in.h"

#include <QString>

#include <map>
#include <set>

/// Tests of what goes through cuDNN have a library in its place.
namespace plimsoll::test {

inline constexpr std::uint64_t CudnnSeed = 20250815;
inline const std::string CudnnStandIn = CUDNN_STAND_IN;

std::unique_ptr<kernels::cuda::LayerLibrary> cudnnStandIn();

/// As long as it is there, the function of that name fails.
class Failing
{
public:
    explicit Failing(const char* function);
    ~Failing();
    Failing(const Failing&) = delete;
    Failing& operator=(const Failing&) = delete;
};

/// What the stand-in was asked last, since the last call of this.
QString lastAsked();

/// Its name begins with "cudnn:".
bool isLibrarys(const std::string& name);

/// What is wrong with any kernel of the trial, and which ones went through the library: "fft", and "activation over 0"
/// where the output lay over input 0.
QString failuresOf(const Result<std::vector<kernels::TrialOutcome>>& outcomes, std::set<std::string>& tried);
QString join(const std::set<std::string>& names);

/// The offers for a trial's node, "name workspace bytes".
QString offersOf(const kernels::Trial& trial, kernels::cuda::LayerLibrary* library);

/// Planned for a device with that library.
Report plannedWith(kernels::cuda::LayerLibrary& library, const Graph& graph,
                   const std::map<std::string, std::string>& pins, Policies policies = {});
/// On an emulated device with a library in one of the files.
Result<kernels::RunOutcome> runWith(const Report& report, const std::vector<std::string>& files);

} // namespace plimsoll::test
