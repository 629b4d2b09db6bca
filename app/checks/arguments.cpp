#include "app/checks/arguments.h"

#include <charconv>

namespace plimsoll::checks {
namespace {

Error wrongUsage(const std::string& message)
{
    return {ErrorCode::BadUsage,
            message + "; usage: plimsoll-device-checks [--emulated] [--seed N] [--only OP] [--no-timing] [-o OUT.json]",
            {},
            {}};
}

} // namespace

Result<Arguments> parseArguments(const std::vector<std::string>& words)
{
    Arguments arguments;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--emulated" || word == "--no-timing") {
            (word == "--emulated" ? arguments.emulated : arguments.timing) = word == "--emulated";
            continue;
        }
        if (word != "--seed" && word != "--only" && word != "-o") return wrongUsage("unknown argument " + word);
        if (++i == words.size()) return wrongUsage(word + " needs something behind it");
        const std::string& value = words[i];
        if (word == "--only") arguments.only = value;
        if (word == "-o") arguments.output = value;
        if (word != "--seed") continue;
        const auto read = std::from_chars(value.data(), value.data() + value.size(), arguments.seed);
        if (read.ec != std::errc() || read.ptr != value.data() + value.size()) return wrongUsage(value + " is no seed");
    }
    return arguments;
}

} // namespace plimsoll::checks
