#include "core/facts/english/sentences.h"

namespace plimsoll::sentences {
namespace {

constexpr Sentence AppErrors[] = {
    {"cli.crashed", "plimsoll-cli crashed"},
    {"cli.crashed-saying", "plimsoll-cli crashed; it said: {0}"},
    {"cli.missing", "The program plimsoll-cli cannot be started; it belongs beside the application."},
    {"cli.status", "plimsoll-cli ended with status {0}"},
    {"export.no-format", "The file cannot be written: the ending says the format; there are {0}."},
    {"export.too-large", "The file cannot be written: the picture is too large."},
    {"usage.dim", "--dim wants a size of 0 or more, not '{0}'"},
    {"usage.largest-picture", "--size goes up to 16384x16384"},
    {"usage.max-stored", "--max-stored wants a number of 0 or more, not '{0}'"},
    {"usage.no-option", "there is no option '{0}'; see --help"},
    {"usage.no-value", "{0} wants a value after it"},
    {"usage.pair", "{0} wants name=value, not '{1}'"},
    {"usage.picture-size", "--size wants WxH such as 1400x900, not '{0}'"},
    {"usage.plan-alone", "--plan '{0}' is judged with a graph, and no FILE is given"},
    {"usage.shape", "--shape wants sizes such as 1x3x224x224, not '{0}'"},
    {"usage.theme", "--theme is light, dark or system, not '{0}'"},
    {"usage.two-answers", "{0} is given '{1}' and '{2}'; only one of them can hold"},
    {"usage.two-files", "one file at a time: '{0}' and '{1}'"},
    {"usage.view", "there is no view '{0}'; there are: {1}"},
    {"window.no-sample", "The sample cannot be copied to the cache folder."},
    {"window.nothing-pasted", "There is neither a file nor the text of a graph in it."},
    {"cli.no-catalogue", "The answer of plimsoll-cli is no catalogue: {0}"},
};

} // namespace

std::span<const Sentence> errorsOfApp()
{
    return AppErrors;
}

} // namespace plimsoll::sentences
