#include "core/graph/gradient_request.h"

namespace plimsoll {

std::string_view gradientRequestName(GradientRequest request)
{
    switch (request) {
    case GradientRequest::Add:
        return "add";
    case GradientRequest::Null:
        return "null";
    case GradientRequest::Write:
        break;
    }
    return "write";
}

std::optional<GradientRequest> gradientRequestNamed(std::string_view name)
{
    for (const GradientRequest request : {GradientRequest::Write, GradientRequest::Add, GradientRequest::Null}) {
        if (gradientRequestName(request) == name) return request;
    }
    return std::nullopt;
}

} // namespace plimsoll
