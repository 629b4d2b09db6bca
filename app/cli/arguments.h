#pragma once

#include "app/cli/exit_status.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace plimsoll::cli {

/// Where the text of an argument goes. A flag sets a bool; a list takes an option as often as it is given.
using ArgumentTarget = std::variant<bool*, std::string*, std::vector<std::string>*, double*, std::optional<double>*,
                                    std::int64_t*, std::optional<std::int64_t>*, std::uint64_t*>;

/// An option, or a positional argument, of a command.
struct Argument
{
    std::string names; ///< "-o,--output", or "GRAPH" for a positional one.
    ArgumentTarget target;
    std::string meaning;
    bool required = false;
    bool showsDefault = false; ///< The help shows what the target holds beforehand.
    bool hidden = false;
    std::string (*fault)(const std::string& text) = nullptr;       ///< What is wrong with a text; empty: nothing.
    std::optional<std::pair<std::int64_t, std::int64_t>> range {}; ///< Of a whole number, both ends included.
};
using Arguments = std::vector<Argument>;

[[nodiscard]] Arguments joined(std::initializer_list<Arguments> parts);

/// A command is data: its arguments point into what \c run reads.
///
///     Command planCommand()
///     {
///         auto options = std::make_shared<PlanOptions>();
///         return {.name = "plan", .meaning = "Plan a graph's memory", .arguments = graphArguments(*options),
///                 .run = [options] { return plan(*options); }};
///     }
///
/// where plan() prints to standard output only. A new command is one file in commands/ and one row of allCommands().
struct Command
{
    std::string name;
    std::string meaning;
    Arguments arguments {};
    std::function<Result<ExitStatus>()> run {}; ///< Empty: one of \c commands has to be named.
    std::string footer {};                      ///< Of its help.
    bool hidden = false;
    std::vector<Command> commands {};
};

/// What is wrong with \p words (without the name of the program), where that is a command or an option that does not
/// exist: "there is no command 'plna'; did you mean 'plan'?". Empty where it is anything else, or nothing.
[[nodiscard]] std::string unknownWord(const std::vector<Command>& commands, const std::vector<std::string>& words);

/// Runs the command that the words name; returns what the process does, also where something threw. Errors, and what is
/// wrong with the words, go to standard error. \p version answers "--version".
[[nodiscard]] int runProgram(const Command& program, const std::string& version, int argc, const char* const* argv);

} // namespace plimsoll::cli
