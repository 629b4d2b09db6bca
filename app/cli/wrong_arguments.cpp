#include "app/cli/wrong_arguments.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <numeric>

namespace plimsoll::cli {
namespace {

/// How many letters have to be put in, left out, changed or swapped with the next to make one of the other.
std::size_t distance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::vector<std::size_t> next(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t {0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        next[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) next[j] = std::min(next[j], before[j - 2] + 1);
        }
        before.swap(row);
        row.swap(next);
    }
    return row.back();
}

/// "; did you mean 'plan'?", or nothing where none of \p known is near.
std::string suggestion(const std::string& word, const std::vector<std::string>& known)
{
    constexpr std::size_t Longest = 40;
    if (word.size() > Longest) return {};
    std::string best;
    std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string& one : known) {
        const bool begun = word.size() >= 4 && (one.starts_with(word) || word.starts_with(one));
        const std::size_t now = begun ? 1 : distance(word, one);
        if (now >= least) continue;
        least = now;
        best = one;
    }
    return best.empty() ? best : "; did you mean '" + best + "'?";
}

std::string listed(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string unknownCommand(const CLI::App& program, const std::string& word)
{
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
        if (!command->get_group().empty()) names.push_back(command->get_name());
    }
    const std::string near = suggestion(word, names);
    return "there is no command '" + word + "'" + (near.empty() ? "; there are " + listed(names) : near);
}

std::string unknownOption(const CLI::App& command, const std::string& word)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_group().empty()) continue;
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    }
    return "'" + command.get_name() + "' has no option '" + word + "'" + suggestion(word, names);
}

const CLI::App* findCommand(const CLI::App& program, const std::string& name)
{
    const auto found = program.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; });
    return found.empty() ? nullptr : found.front();
}

} // namespace

std::string unknownWord(const CLI::App& program, const std::vector<std::string>& arguments)
{
    if (arguments.empty() || arguments.front().starts_with('-')) return {};
    const CLI::App* command = findCommand(program, arguments.front());
    if (!command) return unknownCommand(program, arguments.front());
    for (const std::string& argument : arguments) {
        if (argument == "--") return {};
        const std::string name = argument.substr(0, argument.find('='));
        if (name.starts_with("--") && !command->get_option_no_throw(name)) return unknownOption(*command, name);
    }
    return {};
}

} // namespace plimsoll::cli
