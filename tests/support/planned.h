#pragma once

#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"

#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QtGlobal>

namespace plimsoll::test {

/// The report of a graph as text; ends the test where it cannot be planned.
[[nodiscard]] inline Report planned(std::string_view text, const PlanRequest& request = {})
{
    Result<Report> report = analyse(graphFromText(text), request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

/// The same under "policy=value policy=value".
[[nodiscard]] inline Report planned(std::string_view text, std::string_view choices)
{
    PlanRequest request;
    chooseFromText(request.policies, choices);
    return planned(text, request);
}

} // namespace plimsoll::test
