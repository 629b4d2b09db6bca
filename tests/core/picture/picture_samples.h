#pragma once

#include "core/facts/report.h"
#include "core/picture/storage_colours.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace plimsoll::test {

/// One value and where it lies. Rows that name the same storage share it.
struct Row
{
    std::string name;
    Interval steps;
    std::int64_t bytes = 0;
    std::int64_t offset = 0;
    int storage = -1; ///< -1: one of its own.
    AliasKind sharedAs = AliasKind::Fresh;
    bool external = false;
};

/// A report with one node per step; the value of a row is the output of the node at its first step, and is read by the
/// node at its last. One arena "cpu" as high as the rows are.
[[nodiscard]] Report reportOf(const std::vector<Row>& rows);

/// \p count bars of which most are short, placed by first fit. The same seed gives the same report.
[[nodiscard]] Report randomReport(std::size_t count, std::uint32_t seed);

/// As the window has them.
[[nodiscard]] inline std::shared_ptr<const StorageColours> coloursOf(const Report& report)
{
    return std::make_shared<const StorageColours>(colourStorages(report.program));
}

} // namespace plimsoll::test
