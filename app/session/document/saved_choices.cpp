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
        saved.plan = std::make_shared<const PlanFile>(std::move(plan));
    }
    return session;
}

Choices choicesOf(const SessionChoices& saved, const SavedSession& session, std::vector<Message>& unread)
{
    Choices choices = initialChoices();
    for (Message& refused : takePolicies(saved.policies, choices.policies, choices.named))
        if (std::ranges::find(unread, refused) == unread.end()) unread.push_back(std::move(refused));
    choices.shapes = {saved.dims, saved.shapes, saved.maxStored};
    if (const SavedPlan* judged = session.judged(saved)) choices.givenPlan = judged->plan;
    return choices;
}

SessionChoices choicesIn(const Choices& choices, const std::string& graphFile, SavedSession& session)
{
    SessionChoices saved;
    for (const std::string& id : choices.named)
        saved.policies[id] = policyValue(choices.policies, id);
    saved.dims = choices.shapes.dims;
    saved.shapes = choices.shapes.shapes;
    saved.maxStored = choices.shapes.maxStored;
    const auto& plan = choices.givenPlan;
    if (!plan) return saved;
    const auto known = std::ranges::find(session.plans, plan, &SavedPlan::plan);
    saved.plan = static_cast<std::size_t>(known - session.plans.begin());
    if (known == session.plans.end())
        session.plans.push_back({plan, !plan->file.empty() && plan->file == graphFile});
    return saved;
}

} // namespace

void saveHistory(const PlanHistory& history, const std::string& graphFile, SavedSession& session)
{
    session.suppressions = history.current().said.suppressions;
    for (const Edit& edit : history.edits()) {
        SavedEdit& saved = session.history.emplace_back();
        saved.choices = choicesIn(edit.choices, graphFile, session);
        saved.what = edit.what.toStdString();
        saved.peakBytes = edit.peakBytes;
        if (edit.said.suppressions != session.suppressions) saved.suppressions = edit.said.suppressions;
    }
    session.position = history.position();
}

PlanHistory savedHistory(const SavedSession& session, const std::string& graphFile, std::vector<Message>& unread)
{
    const SavedSession here = withPlansOf(graphFile, session);
    std::vector<Edit> edits;
    for (const SavedEdit& saved : here.history)
        edits.push_back({choicesOf(saved.choices, here, unread),
                         {saved.suppressions.value_or(session.suppressions), {}},
                         QString::fromStdString(saved.what),
                         saved.peakBytes});
    if (edits.empty()) edits.push_back({initialChoices(), {session.suppressions, {}}});
    const std::size_t position = std::min(session.position, edits.size() - 1);
    return {std::move(edits), position};
}

} // namespace plimsoll::app
