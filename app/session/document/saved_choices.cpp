#include "app/session/document/saved_choices.h"

#include "app/session/session.h"
#include "core/formats/plimsoll/session_graph.h"

#include <algorithm>

namespace plimsoll::app {
namespace {

SavedSession withPlansOf(const std::string& graphFile, SavedSession session)
{
    for (SavedPlan& saved : session.plans) {
        if (!saved.plan || !saved.ofGraph) continue;
        PlanFile plan = *saved.plan;
        plan.file = graphFile;
        saved.plan = sharedPlan(std::move(plan));
    }
    return session;
}

Choices restoredChoices(const SessionChoices& saved, const SavedSession& session, std::vector<Message>& unread)
{
    Choices choices = initialChoices();
    for (Message& refused : takePolicies(saved.policies, choices.policies, choices.named))
        if (std::ranges::find(unread, refused) == unread.end()) unread.push_back(std::move(refused));
    choices.shapes = {saved.dims, saved.shapes, saved.maxStored};
    choices.constraints = saved.constraints;
    if (const SavedPlan* judged = judgedBy(session, saved)) choices.givenPlan = judged->plan;
    return choices;
}

std::map<QString, std::vector<SaidMatch>> sameIn(const SavedEdit& saved, const SavedSession& session,
                                                 const std::filesystem::path& file)
{
    std::map<QString, std::vector<SaidMatch>> same;
    std::vector<std::string> gone; // said where it is compared with
    for (const SavedPairs& pairs : saved.same) {
        if (pairs.comparison >= session.comparisons.size()) continue;
        auto& all = same[comparedFile(session.comparisons[pairs.comparison], file, gone)];
        for (const auto& [first, second] : pairs.pairs)
            all.push_back({first, second});
    }
    return same;
}

SessionChoices choicesIn(const Choices& choices, const std::string& graphFile, SavedSession& session)
{
    SessionChoices saved;
    for (const std::string& id : choices.named)
        saved.policies[id] = policyValue(choices.policies, id);
    saved.dims = choices.shapes.dims;
    saved.shapes = choices.shapes.shapes;
    saved.maxStored = choices.shapes.maxStored;
    saved.constraints = choices.constraints;
    const auto& plan = choices.givenPlan;
    if (!plan) return saved;
    const auto known = std::ranges::find(session.plans, plan, &SavedPlan::plan);
    saved.plan = static_cast<std::size_t>(known - session.plans.begin());
    if (known == session.plans.end()) session.plans.push_back({plan, !plan->file.empty() && plan->file == graphFile});
    return saved;
}

} // namespace

std::size_t comparisonIn(SavedSession& session, const QString& compared, const std::filesystem::path& file)
{
    GraphReference place = referenceTo(compared.toStdString(), file);
    place.bytes = -1; // whatever it has then
    const auto known = std::ranges::find_if(session.comparisons, [&](const GraphReference& one) {
        return one.absolute == place.absolute && one.graph == place.graph;
    });
    const auto at = static_cast<std::size_t>(known - session.comparisons.begin());
    if (known == session.comparisons.end()) session.comparisons.push_back(std::move(place));
    return at;
}

QString comparedFile(const GraphReference& saved, const std::filesystem::path& file, std::vector<std::string>& gone)
{
    std::vector<std::string> tried;
    const std::filesystem::path found = findFile(saved, file, tried);
    if (found.empty()) gone = std::move(tried);
    const QString path = QString::fromStdString(found.empty() ? saved.absolute : found.string());
    return saved.graph.empty() ? path : path + u'#' + QString::fromStdString(saved.graph);
}

void saveHistory(const PlanHistory& history, const std::string& graphFile, const std::filesystem::path& file,
                 SavedSession& session)
{
    session.suppressions = history.current().said.suppressions;
    session.bookmarks = history.current().said.bookmarks;
    session.groups = history.current().said.groups;
    for (const Edit& edit : history.edits()) {
        SavedEdit& saved = session.history.emplace_back();
        saved.choices = choicesIn(edit.choices, graphFile, session);
        saved.what = edit.what.toStdString();
        saved.peakBytes = edit.peakBytes;
        if (session.history.size() > 1) saved.back = static_cast<std::int64_t>(session.history.size() - 1 - edit.from);
        if (edit.said.suppressions != session.suppressions) saved.suppressions = edit.said.suppressions;
        if (edit.said.bookmarks != session.bookmarks) saved.bookmarks = edit.said.bookmarks;
        if (edit.said.groups != session.groups) saved.groups = edit.said.groups;
        for (const auto& [compared, same] : edit.said.same) {
            if (compared.isEmpty()) continue; // of a plan that is not kept
            SavedPairs& pairs = saved.same.emplace_back(SavedPairs {comparisonIn(session, compared, file)});
            for (const SaidMatch& match : same)
                pairs.pairs.emplace_back(match.first, match.second);
        }
    }
    session.position = history.position();
}

PlanHistory savedHistory(const SavedSession& session, const std::string& graphFile, const std::filesystem::path& file,
                         std::vector<Message>& unread)
{
    const SavedSession here = withPlansOf(graphFile, session);
    std::vector<Edit> edits;
    for (const SavedEdit& saved : here.history)
        edits.push_back(
            {restoredChoices(saved.choices, here, unread),
             {saved.suppressions.value_or(session.suppressions), saved.bookmarks.value_or(session.bookmarks),
              saved.groups.value_or(session.groups), sameIn(saved, session, file)},
             QString::fromStdString(saved.what),
             saved.peakBytes,
             edits.size() - std::min(edits.size(), static_cast<std::size_t>(saved.back))});
    if (edits.empty())
        edits.push_back({initialChoices(), {session.suppressions, session.bookmarks, session.groups, {}}});
    const std::size_t position = std::min(session.position, edits.size() - 1);
    return {std::move(edits), position};
}

} // namespace plimsoll::app
