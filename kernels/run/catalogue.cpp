#include "kernels/run/catalogue.h"

#include "kernels/backend.h"
#include "kernels/run/step/reference_times.h"

#include <algorithm>
#include <iterator>

namespace plimsoll::kernels {
namespace {

void append(Catalogue& all, Catalogue part)
{
    for (auto& [node, offers] : part.offers)
        std::ranges::move(offers, std::back_inserter(all.offers[node]));
    all.reorders.merge(part.reorders);
    all.environment.merge(part.environment);
}

/// A part of the whole in [begin, end].
Context partOf(const Context& whole, double begin, double end)
{
    if (!whole.progress) return whole;
    return {whole.stop, [&whole, begin, end](std::string_view stage, double done) {
                whole.report(stage, begin + (end - begin) * done);
            }};
}

} // namespace

void askBackend(const Backend& backend, const Graph& graph, const BackendQuestion& question, const Context& context,
                Catalogue& all)
{
    const std::string name(backend.name);
    const Status here = backend.available ? backend.available() : Status {};
    // The reason is known before the answer: a backend that cannot run may have nothing to say.
    const bool timed = !question.measure || backend.measures;
    const bool asked =
        backend.describe && ((here.ok() && timed) || (backend.describesAnywhere && question.named.contains(name)));
    if (asked) append(all, backend.describe(graph, question.measure, context));
    if (!asked && here.ok() && backend.describe) all.environment[name] = say("catalogue.not-measured");
    if (!asked && !here.ok() && !backend.describesAnywhere) all.environment[name] = say("catalogue.absent");
    if (!here.ok() && (asked || !backend.describesAnywhere)) all.absent[name] = here.error().message;
}

Result<Catalogue> describeBackends(const Graph& graph, const InferenceRequest& shapes, const Context& context,
                                   const BackendQuestion& question)
{
    PLIMSOLL_ASSIGN(inferred, inferTypes(graph, shapes, context));
    return describeInferred(inferred, context, question);
}

Result<Catalogue> describeInferred(const InferredGraph& inferred, const Context& context,
                                   const BackendQuestion& question)
{
    Catalogue all;
    const Context asking = partOf(context, 0, question.measure ? 0.5 : 1);
    for (const Backend& backend : backends())
        askBackend(backend, inferred.graph, question, asking, all);
    if (question.measure) measureReference(inferred, all, partOf(context, 0.5, 1));
    if (context.stopped()) return Error {ErrorCode::Stopped, say("offers.stopped"), {}, {}};
    return all;
}

BackendQuestion questionFor(const Policies& policies, const std::map<std::string, std::string>& pins)
{
    BackendQuestion question;
    const std::string preferred = policyValue(policies, "backend");
    for (const std::string& name : backendsDescribedAnywhere()) {
        if (!pins.empty() || preferred == name) question.named.insert(name);
    }
    return question;
}

std::set<std::string, std::less<>> backendsDescribedAnywhere()
{
    std::set<std::string, std::less<>> names;
    for (const Backend& backend : backends()) {
        if (backend.describesAnywhere) names.emplace(backend.name);
    }
    return names;
}

} // namespace plimsoll::kernels
