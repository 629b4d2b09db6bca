#pragma once

#include "core/facts/report.h"
#include "core/plan/suppression.h"

#include <span>
#include <string>

namespace plimsoll {

/// What is told of one plan to programs that gather the results of tools.
struct SarifResults
{
    const Report& report;
    std::string file;                  ///< That was judged, as it was named; "-": standard input.
    std::span<const Finding> findings; ///< Of the report, those to be told.
    std::span<const Message> failures; ///< Of gates, with what each measured.
    bool isNew = false;                ///< They are what an earlier report has not.
    std::span<const Suppression> suppressions {};
};

/// SARIF 2.1.0 (OASIS): each finding at the file, with the names of its values and nodes, and the lines of the program
/// that it is about, where the file tells them.
[[nodiscard]] std::string writeSarif(const SarifResults& results);

} // namespace plimsoll
