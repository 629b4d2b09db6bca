#include "core/facts/words/run_sentences.h"

#include "core/base/bytes.h"
#include "core/facts/english/english.h"

#include <fmt/format.h>

#include <algorithm>

namespace plimsoll {
namespace {

std::string msText(double ms)
{
    return fmt::format("{:.3g} ms", ms);
}

std::string countOf(std::int64_t count, const std::string& one, const std::string& several)
{
    return formatCount(count) + " " + (count == 1 ? one : several);
}

/// Planned bytes and what was held for them, side by side.
std::string heldSentence(const RunResult::Held& held)
{
    return held.space + " held " + formatBytes(held.peakBytes()) + " at most: " + formatBytes(held.arenaBytes) +
           " for arenas of " + formatBytes(held.plannedBytes) + " planned (the rest is guard zones and rounding), " +
           formatBytes(held.otherBytes()) + " copied there ahead of the run or not planned, " +
           formatBytes(held.ownBytes) + " of its own; beside it the oracle held " + formatBytes(held.oracleBytes);
}

} // namespace

std::vector<std::string> deviceSentences(const RunResult& run)
{
    std::vector<std::string> sentences;
    for (const RunResult::Held& held : run.held)
        sentences.push_back(heldSentence(held));
    for (const RunResult::Copies& copies : run.copies)
        sentences.push_back(countOf(copies.count, "copy", "copies") + " from " + copies.from + " to " + copies.to +
                            ": " + formatBytes(copies.bytes) + " in " + msText(copies.ms));
    if (!run.launched) return sentences;
    const RunResult::Launched& launched = *run.launched;
    const std::int64_t graphs = std::max<std::int64_t>(1, launched.stretches);
    const std::string stretches =
        launched.stretches > 1 ? " in " + formatCount(launched.stretches) + " stretches" : std::string();
    if (launched.times > 0)
        sentences.push_back("launched " + countOf(launched.times, "time", "times") + stretches +
                            " without a wait between nodes: " + msText(launched.eagerMs) + " at best");
    if (launched.replays > 0)
        sentences.push_back("captured as " + countOf(graphs, "graph", "graphs") + " in " + msText(launched.captureMs) +
                            " and replayed " + countOf(launched.replays, "time", "times") + ": " +
                            msText(launched.replayMs) + " at best");
    if (!launched.why.empty()) sentences.push_back(english(launched.why));
    return sentences;
}

} // namespace plimsoll
