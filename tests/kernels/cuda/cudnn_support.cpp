#include "tests/kernels/cuda/cudnn_support.h"
#include "core/facts/english/english.h"

#include "core/pipeline/pipeline.h"
#include "tests/kernels/run/device_support.h"
#include "tests/kernels/run/run_support.h"

#include <QStringList>

#include <dlfcn.h>

namespace plimsoll::test {
namespace {

using namespace kernels;

/// A function of the stand-in itself.
template <typename Function>
Function* inStandIn(const char* name)
{
    static void* const file = dlopen(CudnnStandIn.c_str(), RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<Function*>(dlsym(file, name));
}

void fail(const char* function, int code)
{
    inStandIn<decltype(standInFail)>("standInFail")(function, code);
}

} // namespace

std::unique_ptr<cuda::LayerLibrary> cudnnStandIn()
{
    auto opened = cuda::openCudnn({CudnnStandIn});
    if (!opened.ok()) qFatal("%s", describe(opened.error()).c_str());
    return std::move(opened).value();
}

Failing::Failing(const char* function)
{
    fail(function, 5000);
}

Failing::~Failing()
{
    fail("", 0);
}

QString lastAsked()
{
    return QString::fromUtf8(inStandIn<decltype(standInLog)>("standInLog")());
}

bool isLibrarys(const std::string& name)
{
    return name.starts_with("cudnn:");
}

QString failuresOf(const Result<std::vector<TrialOutcome>>& outcomes, std::set<std::string>& tried)
{
    if (!outcomes.ok()) return QString::fromStdString(describe(outcomes.error()));
    QString text;
    for (const TrialOutcome& outcome : outcomes.value()) {
        const std::string place = outcome.inPlace ? " over " + std::to_string(outcome.inPlace->input) : "";
        if (isLibrarys(outcome.kernel)) tried.insert(outcome.kernel + place);
        if (!outcome.wrong.empty())
            text += QString::fromStdString(outcome.kernel + ": " + english(outcome.wrong) + "\n");
    }
    return text;
}

QString join(const std::set<std::string>& names)
{
    QStringList list;
    for (const std::string& name : names)
        list.append(QString::fromStdString(name).mid(6));
    return list.join(u' ');
}

QString offersOf(const Trial& trial, cuda::LayerLibrary* library)
{
    const auto prepared = trial.prepare(CudnnSeed);
    if (!prepared.ok()) return QString::fromStdString(describe(prepared.error()));
    const Catalogue catalogue = describeForCuda(prepared.value().graph, {.cudnn = library}, {});
    QStringList list;
    for (const Implementation& offer : catalogue.offers.at("node"))
        list.append(QStringLiteral("%1 %2").arg(offer.name.c_str()).arg(offer.scratchpadBytes));
    return list.join(QStringLiteral(", "));
}

Report plannedWith(cuda::LayerLibrary& library, const Graph& graph, const std::map<std::string, std::string>& pins,
                   Policies policies)
{
    PlanRequest request;
    request.policies = policies;
    request.policies.backend = BackendPolicy::Cuda;
    const auto inferred = graphToDispatch(graph, request, {});
    if (!inferred.ok()) qFatal("%s", describe(inferred.error()).c_str());
    request.catalogue = std::make_shared<const Catalogue>(describeForCuda(inferred.value(), {.cudnn = &library}, {}));
    request.constraints.pins = {pins.begin(), pins.end()};
    auto report = analyse(graph, request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

Result<RunOutcome> runWith(const Report& report, const std::vector<std::string>& files)
{
    RunRequest request;
    request.mode = RunMode::Numeric;
    request.devices["cuda:0"] = {std::move(emulateCudaDevice(0, files)).value(), true};
    return executed(report, {}, std::move(request));
}

} // namespace plimsoll::test
