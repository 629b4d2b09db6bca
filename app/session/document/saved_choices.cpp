#include "app/session/document/saved_choices.h"

#include "app/session/session.h"
#include "core/base/fnv_digest.h"
#include "core/base/output_file.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/formats/plimsoll/session_graph.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace plimsoll::app {
namespace {

using Plans = std::vector<std::shared_ptr<const PlanFile>>;

/// Null of one that could not be read.
Plans plansOf(const SavedSession& session)
{
    Plans plans;
    for (const auto& saved : session.plans) {
        if (!saved) {
            plans.push_back(nullptr);
            continue;
        }
        PlanFile plan = *saved;
        const QString name = QString::fromStdString(plan.file).section(u'#', 0, 0);
        const bool json = name.endsWith(QStringLiteral(".json"));
        plan.file = cachedFile(planJsonText(plan), json ? name : QStringLiteral("plan.json")).toStdString();
        plans.push_back(std::make_shared<const PlanFile>(std::move(plan)));
    }
    return plans;
}

Choices choicesOf(const SessionChoices& saved, const Plans& plans, std::vector<Message>& unread)
{
    Choices choices = initialChoices();
    for (Message& refused : takePolicies(saved.policies, choices.policies, choices.named))
        if (std::ranges::find(unread, refused) == unread.end()) unread.push_back(std::move(refused));
    choices.shapes = {saved.dims, saved.shapes, saved.maxStored};
    if (saved.plan && *saved.plan < plans.size()) choices.givenPlan = plans[*saved.plan];
    return choices;
}

} // namespace

void saveHistory(const PlanHistory& history, SavedSession& session)
{
    Plans plans;
    for (const Choices& choices : history.states()) {
        SessionChoices& saved = session.history.emplace_back();
        for (const std::string& id : choices.named)
            saved.policies[id] = policyValue(choices.policies, id);
        saved.dims = choices.shapes.dims;
        saved.shapes = choices.shapes.shapes;
        saved.maxStored = choices.shapes.maxStored;
        if (!choices.givenPlan) continue;
        const auto known = std::ranges::find(plans, choices.givenPlan);
        saved.plan = static_cast<std::size_t>(known - plans.begin());
        if (known == plans.end()) plans.push_back(choices.givenPlan);
    }
    session.position = history.position();
    for (const auto& plan : plans)
        session.plans.emplace_back(*plan);
}

PlanHistory savedHistory(const SavedSession& session, std::vector<Message>& unread)
{
    const Plans plans = plansOf(session);
    std::vector<Choices> states;
    for (const SessionChoices& saved : session.history)
        states.push_back(choicesOf(saved, plans, unread));
    if (states.empty()) states.push_back(initialChoices());
    const std::size_t position = std::min(session.position, states.size() - 1);
    return {std::move(states), position};
}

QString cachedFile(const std::string& bytes, const QString& name)
{
    Digest digest;
    digest.add(std::string_view(bytes));
    const QDir folder(QDir(QStandardPaths::writableLocation(QStandardPaths::CacheLocation))
                          .filePath(QStringLiteral("sessions/") + QString::fromStdString(digest.hex())));
    QString plain = QFileInfo(name).fileName();
    if (plain.isEmpty() || plain == QStringLiteral(".") || plain == QStringLiteral(".."))
        plain = QStringLiteral("graph");
    const QString file = folder.filePath(plain);
    const bool kept = folder.mkpath(QStringLiteral(".")) && writeFile(file.toStdString(), bytes).ok();
    return kept ? file : QString();
}

} // namespace plimsoll::app
