#pragma once

#include <cstdint>
#include <linux/filter.h>
#include <vector>

namespace plimsoll {

/// What a process has no business with; the letter on the channel is its number.
enum class Attempt : std::uint8_t { Network, Program, Process, OtherProcess, System };

enum class Inmate : std::uint8_t { Kernels, Devices, Program };

/// Empty where the system filters no calls.
[[nodiscard]] std::vector<sock_filter> callFilter(Inmate inmate);
[[nodiscard]] bool filtersCalls();

/// Which it was, of the number of a call that ends a process.
[[nodiscard]] Attempt attemptOf(int call) noexcept;

} // namespace plimsoll
