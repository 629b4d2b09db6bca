#include "core/facts/words/run_sentences.h"

#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/facts/english/english.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

constexpr std::size_t ShownElements = 8;
constexpr std::size_t ShownLoops = 3;
constexpr std::size_t ShownContents = 16;

/// Names handles so that two are never called the same.
class Names
{
public:
    explicit Names(const WriteProbe& probe)
    {
        for (const ProbeWrite& write : probe.writes)
            ++m_count[write.handle.value];
    }

    [[nodiscard]] std::string of(const HandleName& handle) const
    {
        const auto found = m_count.find(handle.value);
        const std::string quoted = "'" + handle.value + "'";
        if (found == m_count.end() || found->second < 2) return quoted;
        return quoted + " (" + (handle.output ? "output " : "input ") + std::to_string(handle.index) + ")";
    }

private:
    std::map<std::string, int> m_count;
};

/// "a", "a and b", "a, b and c"
std::string listed(const std::vector<std::string>& parts)
{
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
        text += parts[i];
    }
    return text;
}

std::string changesText(const ProbeWrite& write, const Names& names)
{
    std::vector<std::string> parts;
    for (const ProbeWrite::Change& change : write.changed) {
        parts.push_back(names.of(change.handle) + " (" + formatBytes(change.bytes) +
                        (change.predicted ? ")" : ", against the plan)"));
    }
    return listed(parts);
}

std::string unchangedText(const ProbeWrite& write, const Names& names)
{
    std::vector<std::string> parts;
    for (const HandleName& handle : write.unchanged)
        parts.push_back(names.of(handle));
    return parts.empty() ? "" : "; " + listed(parts) + " did not change, although the plan says so";
}

std::string sentence(const ProbeWrite& write, const Names& names)
{
    const std::string changes = changesText(write, names);
    const std::string start = "writing " + names.of(write.handle);
    std::string text;
    switch (write.outcome) {
    case ProbeWrite::Outcome::Refused:
        text = start + " is refused: " + english(write.reason);
        break;
    case ProbeWrite::Outcome::Skipped:
        text = names.of(write.handle) + " is not written: " + english(write.reason);
        break;
    case ProbeWrite::Outcome::Detached:
        text = start + " detached it: " + formatBytes(write.detachedBytes) + " more";
        break;
    case ProbeWrite::Outcome::Written:
        return start + " changed " + (changes.empty() ? "nothing else" : changes) + unchangedText(write, names);
    }
    if (!changes.empty()) text += "; it changed " + changes;
    return text + unchangedText(write, names);
}

} // namespace

std::vector<std::string> probeSentences(const WriteProbe& probe)
{
    if (probe.writes.empty()) return {"there is nothing to write"};
    const Names names(probe);
    std::vector<std::string> sentences;
    for (const ProbeWrite& write : probe.writes)
        sentences.push_back(sentence(write, names));
    for (const ProbeWrite::Content& content : probe.writes.back().after) {
        const std::size_t elements = content.elements.size();
        if (probe.writes.size() > ShownContents || elements == 0 || elements > ShownElements) continue;
        sentences.push_back("in the end " + names.of(content.handle) +
                            fmt::format(" reads {}", fmt::join(content.elements, " ")));
    }
    if (probe.detachedBytes() > 0) {
        sentences.push_back("the outputs held " + formatBytes(probe.liveBytes) + ", and hold " +
                            formatBytes(probe.writes.back().liveBytes) + " after the writes");
    }
    for (const WriteProbe::Stale& stale : probe.stale)
        sentences.push_back("a second run did not refresh " + names.of(stale.handle) + ": " + english(stale.note));
    if (probe.stale.empty() && probe.refreshedOutputs > 0)
        sentences.emplace_back("a second run refreshed every output");
    if (!probe.between) return sentences;
    for (const ProbeWrite& write : probe.between->writes) {
        if (write.outcome != ProbeWrite::Outcome::Written)
            sentences.push_back("before the backward graph, " + sentence(write, names));
    }
    std::vector<std::string> changed;
    for (const WriteProbe::Stale& gradient : probe.between->changed)
        changed.push_back("'" + gradient.handle.value + "'");
    sentences.push_back("writing outputs between forward and backward changed " +
                        (changed.empty() ? "no gradient" : listed(changed)) +
                        (changed.empty() || probe.between->expected ? "" : ", against the plan"));
    return sentences;
}

std::vector<std::string> scopeSentences(const RunResult& run)
{
    std::vector<std::string> sentences;
    if (!run.cut.loops.empty()) {
        std::vector<std::string> loops;
        for (std::size_t i = 0; i < std::min(ShownLoops, run.cut.loops.size()); ++i) {
            const RunResult::Cut::Loop& loop = run.cut.loops[i];
            loops.push_back("'" + loop.node + "' after " +
                            plural(static_cast<std::size_t>(loop.iterations), "iteration"));
        }
        if (loops.size() < run.cut.loops.size())
            loops.push_back(plural(run.cut.loops.size() - loops.size(), "other loop"));
        sentences.push_back("The run was cut: loops may execute " + formatCount(run.cut.limit) +
                            " nodes together (--max-trips); " + listed(loops) + " did not end within that.");
    }
    if (run.ranNodes < run.nodes) {
        sentences.push_back("Ran " + formatCount(run.ranNodes) + " of " + formatCount(run.nodes) +
                            " nodes: the others are in loops and branches that these inputs do not enter.");
    }
    return sentences;
}

std::vector<std::string> replaySentences(const RunResult& run)
{
    std::vector<std::string> sentences;
    if (!run.replayed) return sentences;
    for (const WriteProbe::Stale& output : *run.replayed)
        sentences.push_back("'" + output.handle.value +
                            "' of the first replay was changed by the second: " + english(output.note));
    if (sentences.empty()) sentences.emplace_back("the second replay changed no output of the first");
    return sentences;
}

} // namespace plimsoll
