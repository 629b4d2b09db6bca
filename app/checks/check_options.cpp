#include "app/checks/check_options.h"

#include <charconv>
#include <string_view>

namespace plimsoll::checks {
namespace {

constexpr std::string_view Usage =
    "usage: plimsoll-device-checks [--emulated] [--seed N] [--only OP]... [--no-timing] [-o OUT.json]";

Error wrongUsage(Message message)
{
    return {ErrorCode::BadUsage, say("clauses", std::move(message), Usage), {}, {}};
}

} // namespace

std::string usageText()
{
    return std::string(Usage) +
           "\n\nTries every kernel of the first CUDA device, backward ones too, on random tensors, "
           "compares it with the reference, and times it.\n"
           "Measured: copies within the device; kernels beside the floor that their bytes have at "
           "that speed;\nproducts beside cuBLAS by itself; a network's memory as one arena and by "
           "two allocators.\nA summary in words goes to standard error.\n\n"
           "  --emulated   the same kernels as loops on the host, where there is no device\n"
           "  --seed N     of the tensors; 1 otherwise\n"
           "  --only OP    kernels of this operator; may be repeated\n"
           "  --no-timing  compare only\n"
           "  -o OUT.json  write the results there instead of to standard output\n\n"
           "Exit status: 0 fine, 1 a kernel is wrong, 2 wrong usage, 4 there is no device.\n";
}

Result<Arguments> parseArguments(const std::vector<std::string>& words)
{
    Arguments arguments;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--emulated" || word == "--no-timing") {
            (word == "--emulated" ? arguments.emulated : arguments.timing) = word == "--emulated";
            continue;
        }
        if (word == "--help" || word == "-h") {
            arguments.help = true;
            continue;
        }
        if (word != "--seed" && word != "--only" && word != "-o") return wrongUsage(say("checks.unknown", word));
        if (++i == words.size()) return wrongUsage(say("checks.no-value", word));
        const std::string& value = words[i];
        if (word == "--only") arguments.only.push_back(value);
        if (word == "-o") arguments.output = value;
        if (word != "--seed") continue;
        const auto read = std::from_chars(value.data(), value.data() + value.size(), arguments.seed);
        if (read.ec != std::errc() || read.ptr != value.data() + value.size())
            return wrongUsage(say("checks.no-seed", value));
    }
    return arguments;
}

} // namespace plimsoll::checks
