#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// What is wrong with \p arguments (without the name of the program), where that is a command or an option that does
/// not exist: "there is no command 'plna'; did you mean 'plan'?". Empty where it is anything else, or nothing.
[[nodiscard]] std::string unknownWord(const CLI::App& program, const std::vector<std::string>& arguments);

} // namespace plimsoll::cli
