#include "core/lower/gradient/gradient_requests.h"

namespace plimsoll {
namespace {

Status name(Graph& graph, const std::string& variable, GradientRequest request)
{
    const ValueId id = findValue(graph, variable);
    const bool source = id.valid() && graph[id].body == TopBody &&
                        (graph[id].role == ValueRole::Input || graph[id].role == ValueRole::Parameter);
    const DType dtype = source ? graph[id].type.dtype : DType::Unknown;
    if (!source || (dtype != DType::Unknown && !isFloatingPoint(dtype)))
        return Error {ErrorCode::BadUsage, say("gradient.not-a-variable", word::Name {variable}), {}, {}};
    graph[id].gradientRequest = request;
    graph[id].requiresGrad = request != GradientRequest::Null;
    return {};
}

} // namespace

Status settleGradientRequests(Graph& graph, const std::map<std::string, GradientRequest>& named,
                              GradientRequest otherwise)
{
    for (const auto& [variable, request] : named)
        PLIMSOLL_TRY(name(graph, variable, request));
    for (Value& value : graph.values) {
        if (!value.requiresGrad || value.producer.valid()) continue;
        if (!value.gradientRequest) value.gradientRequest = otherwise;
        value.requiresGrad = *value.gradientRequest != GradientRequest::Null;
    }
    return {};
}

} // namespace plimsoll
