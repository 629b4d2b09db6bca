#include "core/facts/words/run_sentences.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

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

    [[nodiscard]] Argument of(const HandleName& handle) const
    {
        const auto found = m_count.find(handle.value);
        const word::Name name {handle.value};
        if (found == m_count.end() || found->second < 2) return name;
        return say(handle.output ? "write.output" : "write.input", name, word::Number {handle.index});
    }

private:
    std::map<std::string, int> m_count;
};

Message changesOf(const ProbeWrite& write, const Names& names)
{
    if (write.changed.empty()) return {};
    return say("text", allOf(write.changed, [&](const ProbeWrite::Change& change) {
                   return say(change.predicted ? "write.change" : "write.surprise", names.of(change.handle),
                              word::Size {change.bytes});
               }));
}

Message sentence(const ProbeWrite& write, const Names& names)
{
    const Argument handle = names.of(write.handle);
    const Message changes = changesOf(write, names);
    Message unchanged;
    if (!write.unchanged.empty()) {
        const auto nameOf = [&](const HandleName& one) { return names.of(one); };
        unchanged = say("write.unchanged", allOf(write.unchanged, nameOf));
    }
    if (write.outcome == ProbeWrite::Outcome::Written)
        return say("write.written", handle, changes.empty() ? say("write.nothing-else") : changes, unchanged);
    const Message also = changes.empty() ? Message() : say("write.also", changes);
    switch (write.outcome) {
    case ProbeWrite::Outcome::Refused:
        return say("write.refused", handle, write.reason, also, unchanged);
    case ProbeWrite::Outcome::Skipped:
        return say("write.skipped", handle, write.reason, also, unchanged);
    case ProbeWrite::Outcome::Detached:
    case ProbeWrite::Outcome::Written:
        break;
    }
    return say("write.detached", handle, word::Size {write.detachedBytes}, also, unchanged);
}

} // namespace

std::vector<Message> probeSentences(const WriteProbe& probe)
{
    if (probe.writes.empty()) return {say("write.none")};
    const Names names(probe);
    std::vector<Message> sentences;
    for (const ProbeWrite& write : probe.writes)
        sentences.push_back(sentence(write, names));
    for (const ProbeWrite::Content& content : probe.writes.back().after) {
        const std::size_t elements = content.elements.size();
        if (probe.writes.size() > ShownContents || elements == 0 || elements > ShownElements) continue;
        sentences.push_back(
            say("write.content", names.of(content.handle), fmt::format("{}", fmt::join(content.elements, " "))));
    }
    if (probe.detachedBytes() > 0)
        sentences.push_back(
            say("write.held", word::Size {probe.liveBytes}, word::Size {probe.writes.back().liveBytes}));
    for (const WriteProbe::Stale& stale : probe.stale)
        sentences.push_back(say("write.stale", names.of(stale.handle), stale.note));
    if (probe.stale.empty() && probe.refreshedOutputs > 0) sentences.push_back(say("write.refreshed"));
    if (!probe.between) return sentences;
    for (const ProbeWrite& write : probe.between->writes) {
        if (write.outcome != ProbeWrite::Outcome::Written)
            sentences.push_back(say("write.before-backward", sentence(write, names)));
    }
    const auto& changed = probe.between->changed;
    const auto nameOf = [](const WriteProbe::Stale& gradient) { return word::Name {gradient.handle.value}; };
    if (changed.empty())
        sentences.push_back(say("write.no-gradient"));
    else
        sentences.push_back(
            say(probe.between->expected ? "write.gradients" : "write.gradients-surprise", allOf(changed, nameOf)));
    return sentences;
}

std::vector<Message> scopeSentences(const RunResult& run)
{
    std::vector<Message> sentences;
    if (!run.cut.loops.empty()) {
        const std::span shown(run.cut.loops.data(), std::min(ShownLoops, run.cut.loops.size()));
        word::List loops = allOf(shown, [](const RunResult::Cut::Loop& loop) {
            return say("ran.cut-loop", word::Name {loop.node}, loop.iterations);
        });
        if (shown.size() < run.cut.loops.size())
            loops.items.emplace_back(say("ran.other-loops", run.cut.loops.size() - shown.size()));
        sentences.push_back(say("ran.cut", run.cut.limit, Remedy::option("max-trips"), std::move(loops)));
    }
    if (run.ranNodes < run.nodes) sentences.push_back(say("ran.not-all", run.ranNodes, run.nodes));
    if (run.forced && run.forced->open > 0) sentences.push_back(say("ran.forced-open", run.forced->open));
    if (run.forced && !run.forced->why.empty()) sentences.push_back(run.forced->why);
    return sentences;
}

Message forcedSentence(const RunResult& run)
{
    return run.forced && run.forced->runs > 0 ? say("ran.forced", run.forced->runs, run.forced->nodes) : Message();
}

Message mismatchText(const RunResult::Mismatch& mismatch)
{
    const word::Name value {mismatch.value};
    if (mismatch.node.empty()) return say("bisect.mismatch", value, word::Number {mismatch.step}, mismatch.note);
    return say("bisect.mismatch-node", value, word::Name {mismatch.node}, word::Number {mismatch.step}, mismatch.note);
}

Message watchedSentence(const RunResult& run)
{
    if (!run.watched) return {};
    const std::int64_t touched = run.watched->touchedZones;
    return say("ran.watched", word::Size {run.watched->poisonedBytes}, run.watched->zones,
               touched == 0 ? say("ran.zones-whole") : say("ran.zones-touched", touched));
}

Message comparedSentence(const RunResult& run)
{
    if (run.comparedValues == 0 && run.mismatches.empty()) return say("ran.nothing-compared");
    const bool whole = run.ranNodes == run.nodes;
    const auto follow = std::ranges::count_if(run.mismatches, &RunResult::Mismatch::follows);
    const Message outcome = run.mismatches.empty() ? say(whole ? "ran.all-equal" : "ran.equal-where-run")
                            : follow == 0          ? say("ran.differ", run.mismatches.size())
                                                   : say("ran.faults", std::ssize(run.mismatches) - follow, follow);
    return say("ran.compared", run.comparedValues, word::Size {run.comparedBytes}, outcome);
}

std::vector<Message> replaySentences(const RunResult& run)
{
    std::vector<Message> sentences;
    if (!run.replayed) return sentences;
    for (const WriteProbe::Stale& output : *run.replayed)
        sentences.push_back(say("ran.replay-changed", word::Name {output.handle.value}, output.note));
    if (sentences.empty()) sentences.push_back(say("ran.replay-same"));
    return sentences;
}

std::vector<Message> deviceSentences(const RunResult& run)
{
    const auto ms = [](double time) { return std::isnan(time) ? std::string("—") : fmt::format("{:.3g} ms", time); };
    std::vector<Message> sentences;
    for (const RunResult::Held& held : run.held) {
        sentences.push_back(say("ran.held", held.space, word::Size {held.peakBytes()}, word::Size {held.arenaBytes},
                                word::Size {held.plannedBytes}, word::Size {held.otherBytes()},
                                word::Size {held.ownBytes}, word::Size {held.oracleBytes}));
        if (held.driverBytes) sentences.push_back(say("ran.driver", held.space, word::Size {*held.driverBytes}));
    }
    for (const RunResult::Copies& copies : run.copies)
        sentences.push_back(
            say("ran.copies", copies.count, copies.from, copies.to, word::Size {copies.bytes}, ms(copies.ms)));
    if (!run.launched) return sentences;
    const RunResult::Launched& launched = *run.launched;
    const std::int64_t graphs = std::max<std::int64_t>(1, launched.stretches);
    if (launched.times > 0)
        sentences.push_back(say("ran.launched", launched.times,
                                launched.stretches > 1 ? say("ran.stretches", launched.stretches) : Message(),
                                ms(launched.eagerMs)));
    if (launched.replays > 0)
        sentences.push_back(
            say("ran.replayed", graphs, ms(launched.captureMs), launched.replays, ms(launched.replayMs)));
    if (!launched.why.empty()) sentences.push_back(launched.why);
    return sentences;
}

} // namespace plimsoll
