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
    choices.constraints = saved.constraints;
    if (const SavedPlan* judged = session.judged(saved)) choices.givenPlan = judged->plan;
    return choices;
}

} // namespace

void saveHistory(const PlanHistory& history, const std::string& graphFile, SavedSession& session)
{
    for (const Choices& choices : history.states()) {
        SessionChoices& saved = session.history.emplace_back();
        for (const std::string& id : choices.named)
            saved.policies[id] = policyValue(choices.policies, id);
        saved.dims = choices.shapes.dims;
        saved.shapes = choices.shapes.shapes;
        saved.maxStored = choices.shapes.maxStored;
        saved.constraints = choices.constraints;
        const auto& plan = choices.givenPlan;
        if (!plan) continue;
        const auto known = std::ranges::find(session.plans, plan, &SavedPlan::plan);
        saved.plan = static_cast<std::size_t>(known - session.plans.begin());
        if (known == session.plans.end())
            session.plans.push_back({plan, !plan->file.empty() && plan->file == graphFile});
    }
    session.position = history.position();
}

PlanHistory savedHistory(const SavedSession& session, const std::string& graphFile, std::vector<Message>& unread)
{
    const SavedSession here = withPlansOf(graphFile, session);
    std::vector<Choices> states;
    for (const SessionChoices& saved : here.history)
        states.push_back(choicesOf(saved, here, unread));
    if (states.empty()) states.push_back(initialChoices());
    const std::size_t position = std::min(session.position, states.size() - 1);
    return {std::move(states), position};
}

} // namespace plimsoll::app
