#pragma once

#include "core/facts/report.h"

#include <string>
#include <vector>

namespace plimsoll {

/// A table as plain text, before any format escapes it.
struct DocumentTable
{
    struct Column
    {
        std::string title;
        bool number = false; ///< Aligned to the right.
    };
    std::string id; ///< "storages"
    std::string title;
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows;
    std::size_t total = 0; ///< Rows there are; more than rows.size() where the table is cut.
    std::string note;      ///< What else is to be known of it. May be empty.

    /// "Showing 200 of 1,234." where it is cut; empty otherwise.
    [[nodiscard]] std::string cutNote() const;
};

/// One sentence: whether the plan is legal, and how good it is against its bound.
[[nodiscard]] std::string verdictSentence(const Report& report);

[[nodiscard]] DocumentTable totalsTable(const Report& report);
[[nodiscard]] DocumentTable arenasTable(const Report& report);
[[nodiscard]] DocumentTable searchTable(const Report& report); ///< Empty for a plan that was handed in.
[[nodiscard]] DocumentTable searchHistoryTable(const Report& report, std::size_t most); ///< Likewise; the last ones.
[[nodiscard]] DocumentTable peakTable(const Report& report, std::size_t most);          ///< \p most of each kind.
[[nodiscard]] DocumentTable whatIfTable(
    const Report& report); ///< What saves most first; empty unless it was asked for.
[[nodiscard]] DocumentTable holesTable(const Report& report, std::size_t most); ///< The largest first.
[[nodiscard]] DocumentTable findingsTable(const Report& report, std::size_t most);
[[nodiscard]] DocumentTable storagesTable(const Report& report, std::size_t most); ///< Planned ones, biggest first.
[[nodiscard]] DocumentTable valuesTable(const Report& report, std::size_t most);   ///< Biggest first.
[[nodiscard]] DocumentTable decisionCountsTable(const Report& report);
[[nodiscard]] DocumentTable decisionsTable(const Report& report, std::size_t most);
[[nodiscard]] DocumentTable policiesTable(const Report& report);
[[nodiscard]] DocumentTable bindingsTable(const Report& report);
[[nodiscard]] DocumentTable unplannedTable(const Report& report, std::size_t most);
[[nodiscard]] DocumentTable gradientsTable(const Report& report); ///< What was asked of each; empty without a loss.
[[nodiscard]] DocumentTable notesTable(const Report& report);
[[nodiscard]] DocumentTable environmentTable(const Report& report);
[[nodiscard]] DocumentTable runTable(const Report& report);                          ///< Empty where nothing was run.
[[nodiscard]] DocumentTable mismatchesTable(const Report& report, std::size_t most); ///< Likewise.

[[nodiscard]] std::string_view roleName(ValueRole role); ///< "input", "parameter", …

} // namespace plimsoll
