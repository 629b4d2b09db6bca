#include "tests/kernels/onednn/agreement.h"
#include "core/facts/english/english.h"

#include "tests/support/graph_text.h"

#include <QtTest>

namespace plimsoll::test {

Report plannedForOneDnn(std::string_view text, const Choices& choices)
{
    Policies policies;
    policies.backend = BackendPolicy::OneDnn;
    choose(policies, choices);
    return planned(graphFromText(text), policies);
}

void agreesWithReference(const Report& report)
{
    QCOMPARE(countFindings(report, Severity::Error), std::size_t(0));
    kernels::RunRequest request;
    request.mode = kernels::RunMode::Numeric;
    request.reference = true;
    const auto outcome = executed(report, {}, request);
    QVERIFY2(outcome.ok(), outcome.ok() ? "" : describe(outcome.error()).c_str());
    const RunResult& run = outcome.value().result;
    QVERIFY2(run.mismatches.empty(),
             run.mismatches.empty()
                 ? ""
                 : (run.mismatches.front().node + ": " + english(run.mismatches.front().note)).c_str());
    QVERIFY(run.referenceValues > 0);
    QCOMPARE(run.measuredPeakBytes, report.memory.peakBytes);
}

} // namespace plimsoll::test
