#include "tests/kernels/run/device_support.h"
#include "core/facts/english/english.h"

#include "core/verify/verifier.h"
#include "kernels/tensor_view.h"
#include "tests/kernels/run/run_support.h"

namespace plimsoll::test {

Report plannedForDevice(const Graph& graph, Catalogue catalogue, Policies policies, std::optional<PlanFile> given)
{
    policies.backend = BackendPolicy::Cuda;
    PlanRequest request;
    request.policies = policies;
    request.catalogue = std::make_shared<const Catalogue>(std::move(catalogue));
    if (given) request.givenPlan = sharedPlan(*std::move(given));
    auto report = analyse(graph, request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

Catalogue randomOffers(const Graph& graph, std::mt19937& random)
{
    Catalogue catalogue;
    for (const Node& node : graph.nodes) {
        if (random() % 2 == 0) continue;
        Implementation offer;
        offer.backend = "cuda";
        offer.name = "map";
        offer.device = "cuda:0";
        offer.scratchpadBytes = static_cast<std::int64_t>(random() % 3) * 40;
        offer.alignment = std::int64_t {1} << (4 + random() % 6);
        offer.inPlaceKnown = random() % 3 == 0;
        catalogue.offers[node.name] = {offer};
    }
    return catalogue;
}

Result<kernels::RunOutcome> runOn(const std::shared_ptr<HostDevice>& device, const Report& report,
                                  kernels::RunRequest request)
{
    request.mode = kernels::RunMode::Numeric;
    if (device) request.devices["cuda:0"] = {device, true};
    return executed(report, {}, std::move(request));
}

Result<kernels::RunOutcome> runSeeded(const std::shared_ptr<HostDevice>& device, const Report& report, unsigned seed)
{
    kernels::RunRequest request;
    request.seed = seed;
    kernels::HostTensor trips(DType::Int64, {});
    *trips.view().as<std::int64_t>() = seed % 4;
    request.inputs[findValue(*report.program.graph, "trips")] = kernels::tensorValue(std::move(trips));
    return runOn(device, report, std::move(request));
}

std::vector<std::string> namesOf(const QStringList& names)
{
    std::vector<std::string> all;
    for (const QString& name : names)
        all.push_back(name.toStdString());
    return all;
}

QString errorsIn(const Report& report)
{
    QString text;
    for (const Finding& finding : verify({report.program, report.program.map}, {})) {
        if (finding.severity == Severity::Error)
            text += QString::fromUtf8(ruleId(finding.rule).data()) + QStringLiteral(": ") +
                    QString::fromStdString(english(finding.message)) + u'\n';
    }
    return text.trimmed();
}

QString faultOf(const Result<kernels::RunOutcome>& outcome)
{
    if (!outcome.ok()) return QString::fromStdString(describe(outcome.error()));
    const auto& all = outcome.value().result.mismatches;
    return all.empty() ? QString()
                       : QString::fromStdString("'" + all.front().value + "': " + english(all.front().note));
}

std::vector<std::string> digestsOf(const Result<kernels::RunOutcome>& outcome)
{
    std::vector<std::string> all;
    for (const RunResult::Output& output : outcome.value().result.outputs)
        all.push_back(output.digest);
    return all;
}

} // namespace plimsoll::test
