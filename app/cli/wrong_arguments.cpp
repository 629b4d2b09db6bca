#include "app/cli/arguments.h"

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

std::string unknownOption(const Command& command, const std::string& word)
{
    std::vector<std::string> names = {"--help"};
    for (const Argument& argument : command.arguments) {
        const std::size_t begin = argument.names.find("--"); // of "-o,--output"; positional ones have none
        const std::string name = begin == std::string::npos ? std::string() : argument.names.substr(begin);
        if (name == word) return {};
        if (!name.empty() && !argument.hidden) names.push_back(name);
    }
    return word == names.front() ? std::string()
                                 : "'" + command.name + "' has no option '" + word + "'" + suggestion(word, names);
}

} // namespace

std::string unknownWord(const std::vector<Command>& commands, const std::vector<std::string>& words)
{
    if (words.empty() || words.front().starts_with('-')) return {};
    const auto command = std::ranges::find(commands, words.front(), &Command::name);
    if (command == commands.end()) {
        std::vector<std::string> names;
        for (const Command& one : commands) {
            if (!one.hidden) names.push_back(one.name);
        }
        const std::string near = suggestion(words.front(), names);
        return "there is no command '" + words.front() + "'" + (near.empty() ? "; there are " + listed(names) : near);
    }
    for (const std::string& word : words) {
        if (word == "--") return {};
        const std::string unknown =
            word.starts_with("--") ? unknownOption(*command, word.substr(0, word.find('='))) : std::string();
        if (!unknown.empty()) return unknown;
    }
    return {};
}

} // namespace plimsoll::cli
