#include "core/base/bytes.h"
#include "core/report/run_result.h"

#include <cstdio>

namespace plimsoll {
namespace {

std::string msText(double ms)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g ms", ms);
    return text;
}

std::string countOf(std::int64_t count, const std::string& one, const std::string& several)
{
    return formatCount(count) + " " + (count == 1 ? one : several);
}

} // namespace

std::vector<std::string> deviceSentences(const RunResult& run)
{
    std::vector<std::string> sentences;
    for (const RunResult::Copies& copies : run.copies)
        sentences.push_back(countOf(copies.count, "copy", "copies") + " from " + copies.from + " to " + copies.to +
                            ": " + formatBytes(copies.bytes) + " in " + msText(copies.ms));
    if (!run.launched) return sentences;
    const RunResult::Launched& launched = *run.launched;
    if (launched.times > 0)
        sentences.push_back("launched " + countOf(launched.times, "time", "times") +
                            " without a wait between nodes: " + msText(launched.eagerMs) + " at best");
    if (launched.replays > 0)
        sentences.push_back("captured as a graph in " + msText(launched.captureMs) + " and replayed " +
                            countOf(launched.replays, "time", "times") + ": " + msText(launched.replayMs) + " at best");
    if (!launched.why.empty()) sentences.push_back(launched.why);
    return sentences;
}

} // namespace plimsoll
