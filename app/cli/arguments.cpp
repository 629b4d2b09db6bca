#include "app/cli/arguments.h"

#include "core/base/thrown.h"
#include "core/facts/english/english.h"
#include "core/report/escape.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <sstream>
#include <type_traits>

namespace plimsoll::cli {
namespace {

template <typename T>
CLI::Option* addOption(CLI::App& app, const Argument& argument, T& target)
{
    if constexpr (std::is_same_v<T, bool>) {
        return app.add_flag(argument.names, target, argument.meaning);
    } else {
        CLI::Option* option = app.add_option(argument.names, target, argument.meaning);
        if constexpr (std::is_same_v<T, std::vector<std::string>>) {
            if (argument.names.starts_with('-')) option->take_all()->allow_extra_args(false);
        } else if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t>) {
            if (argument.range)
                option->check(
                    CLI::Range(static_cast<T>(argument.range->first), static_cast<T>(argument.range->second)));
        }
        return option;
    }
}

void addArgument(CLI::App& app, const Argument& argument)
{
    CLI::Option* option = std::visit([&](auto* target) { return addOption(app, argument, *target); }, argument.target);
    if (argument.required) option->required();
    if (argument.showsDefault) option->capture_default_str();
    if (argument.fault) option->check(argument.fault);
    const bool takesText = std::holds_alternative<std::string*>(argument.target) ||
                           std::holds_alternative<std::vector<std::string>*>(argument.target);
    if (takesText) // as of a variable that is not set
        option->check([](const std::string& text) -> std::string {
            return text.empty() ? "it is empty: give a text, or leave it out" : "";
        });
    if (argument.hidden) option->group("");
}

/// \p chosen becomes the innermost command that the words name.
void addCommand(CLI::App& app, const Command& command, const Command*& chosen)
{
    for (const Argument& argument : command.arguments)
        addArgument(app, argument);
    if (!command.footer.empty()) { // behind it stands the one of the whole program
        const std::string inherited = app.get_footer();
        app.footer(inherited.empty() ? command.footer : command.footer + "\n" + inherited);
    }
    if (command.hidden) app.group("");
    if (command.run) app.callback([&command, &chosen] { chosen = &command; });
    if (!command.commands.empty()) app.require_subcommand(1);
    for (const Command& inner : command.commands)
        addCommand(*app.add_subcommand(inner.name, inner.meaning), inner, chosen);
}

void tell(const std::string& fault)
{
    std::cerr << "plimsoll-cli: " << visibleText(fault) << '\n';
}

ExitStatus toldStatus(const Result<ExitStatus>& result)
{
    if (result.ok()) return result.value();
    tell(visibleLine(describe(result.error())));
    return statusOf(result.error().code);
}

/// What is wrong with the words, or the help that they ask for.
ExitStatus answer(CLI::App& app, const CLI::ParseError& error, const Command& program,
                  const std::vector<std::string>& words)
{
    const bool failed = error.get_exit_code() != 0; // --help and --version are thrown, too
    const std::string unknown = failed ? unknownWord(program.commands, words) : "";
    if (unknown.empty()) {
        std::ostringstream fault;
        const int status = app.exit(error, std::cout, fault);
        std::cerr << visibleText(fault.str());
        return status == 0 ? ExitStatus::Fine : ExitStatus::Usage;
    }
    tell(unknown + "\nRun with --help for more information.");
    return ExitStatus::Usage;
}

} // namespace

Arguments joined(std::initializer_list<Arguments> parts)
{
    Arguments all;
    for (const Arguments& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

int runProgram(const Command& program, const std::string& version, int argc, const char* const* argv)
{
    ExitStatus status = ExitStatus::Fine;
    try {
        CLI::App app(program.meaning, program.name);
        if (!version.empty()) app.set_version_flag("--version", version);
        const Command* chosen = nullptr;
        addCommand(app, program, chosen);
        try {
            app.parse(argc, argv);
            if (chosen) status = toldStatus(chosen->run());
        } catch (const CLI::ParseError& error) {
            status = answer(app, error, program, {argv + 1, argv + argc});
        }
    } catch (const std::exception& exception) {
        status = toldStatus(thrown(exception));
    }
    return static_cast<int>(status);
}

} // namespace plimsoll::cli
