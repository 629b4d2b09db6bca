#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll::checks {

/// [--emulated] [--seed N] [--only OP]… [--no-timing] [-o OUT.json]
struct Arguments
{
    bool emulated = false;
    bool timing = true; ///< On a device, where all kernels are tried.
    std::uint64_t seed = 1;
    std::vector<std::string> only; ///< Operators; empty: all.
    std::string output;            ///< Empty: standard output.
    bool help = false;
};
[[nodiscard]] std::string usageText();
[[nodiscard]] Result<Arguments> parseArguments(const std::vector<std::string>& words);

} // namespace plimsoll::checks
