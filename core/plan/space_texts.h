#pragma once

#include "core/base/result.h"
#include "core/plan/reserved_bytes.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// What is said of memories, by their names: "none", or parts with commas between. What names no memory is of the
/// CPU's.

/// "cpu=512MiB,sram=64KiB": bytes.
using Capacities = std::map<std::string, std::int64_t>;
[[nodiscard]] Result<Capacities> parseCapacity(std::string_view text);
[[nodiscard]] std::string capacityText(const Capacities& capacities);

/// "sram=0+16KiB:boot loader": offset, bytes and whose they are.
using ReservedRegions = std::map<std::string, std::vector<ReservedBytes>>;
[[nodiscard]] Result<ReservedRegions> parseReserved(std::string_view text);
[[nodiscard]] std::string reservedText(const ReservedRegions& reserved);

} // namespace plimsoll
