#include "tests/kernels/run/run_support.h"
#include "core/facts/english/english.h"

#include "kernels/run/catalogue.h"
#include "kernels/run/device/open_devices.h"
#include "kernels/run/step/element_values.h"
#include "kernels/tensor_view.h"
#include "tests/support/graph_text.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace plimsoll::test {
namespace {

template <typename T>
T valueOrAbort(Result<T> result)
{
    if (!result.ok()) {
        std::fprintf(stderr, "%s\n", describe(result.error()).c_str());
        std::abort();
    }
    return std::move(result).value();
}

} // namespace

Report planned(const Graph& graph, const Policies& policies)
{
    PlanRequest request;
    request.policies = policies;
    if (policies.backend != BackendPolicy::Reference) {
        request.catalogue = std::make_shared<const Catalogue>(valueOrAbort(kernels::describeBackends(graph, {}, {})));
    }
    return valueOrAbort(analyse(graph, request, {}));
}

Report plannedForReference(std::string_view text)
{
    Policies policies;
    policies.backend = BackendPolicy::Reference;
    return planned(graphFromText(text), policies);
}

Result<kernels::RunOutcome> executed(const Report& report, const Numbers& inputs, kernels::RunRequest request)
{
    for (const auto& [name, numbers] : inputs) {
        const ValueId value = findValue(*report.program.graph, name);
        kernels::HostTensor tensor(DType::Float32, report.program.graph->values[value.index()].type.shape().value());
        std::memcpy(tensor.view().data, numbers.data(), numbers.size() * sizeof(float));
        request.inputs[value] = kernels::tensorValue(std::move(tensor));
    }
    Result<kernels::RunDevices> devices(request.devices);
    if (request.devices.empty()) devices = kernels::openDevices(report.program, false);
    if (devices.ok()) request.devices = std::move(devices).value();
    request.saved = report.training.saved;
    request.findings = report.verdict.findings;
    kernels::RunObserver silent;
    return kernels::execute(report.program, request, silent, {});
}

std::vector<double> numbersOf(const kernels::RuntimeValue& value)
{
    std::vector<double> numbers;
    for (std::int64_t i = 0; i < value.tensor.elements(); ++i)
        numbers.push_back(kernels::readElement(value.tensor, i));
    return numbers;
}

void moveValue(Report& report, std::string_view value, std::int64_t offset)
{
    const ValueId id = findValue(*report.program.graph, value);
    report.program.map.values[id.index()].offset = offset;
    report.program.storages[report.program.values[id.index()].storage.index()].offset = offset;
}

} // namespace plimsoll::test
