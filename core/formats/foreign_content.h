#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

/// What a file is that other tools around the same models write and that holds no graph, in sentences that say what can
/// be read instead: "This is a trace of PyTorch's profiler…". Empty for all others. Only the beginning is looked at.
[[nodiscard]] std::string foreignContent(std::string_view bytes);

} // namespace plimsoll
