#include "core/pipeline/stages.h"

#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/formats/terms.h"
#include "core/lower/choose/check_catalogue.h"
#include "core/lower/choose/sparse_dispatch.h"
#include "core/lower/choose/sparse_offers.h"

#include <algorithm>

namespace plimsoll::pipeline {
namespace {

using Pins = std::map<std::string, std::string>;

/// What a plan says of an implementation goes before what this machine has: the plan was made with it. What an offer
/// asks of a weight that is prepared ahead is no layout of an input, though the report of a plan shows it as one.
std::vector<Implementation> offersFor(const std::string& node, const std::string& name, const PlanRequest& request,
                                      const Catalogue* here)
{
    const auto among = [&](const std::map<std::string, std::vector<Implementation>>& offers) {
        std::vector<Implementation> named;
        if (const auto found = offers.find(node); found != offers.end())
            std::ranges::copy_if(found->second, std::back_inserter(named),
                                 [&](const Implementation& offer) { return pinMeans(name, offer); });
        for (Implementation& offer : named) {
            for (const Implementation::Prepared& weight : offer.prepared) {
                const auto input = static_cast<std::size_t>(weight.input);
                if (input < offer.inputLayouts.size()) offer.inputLayouts[input] = PlainLayout;
            }
        }
        return named;
    };
    std::vector<Implementation> own;
    if (request.givenPlan) own = among(request.givenPlan->offers);
    return own.empty() && here ? among(here->offers) : own;
}

/// Under which an implementation is admitted that was chosen before: the plan at hand says what it was.
Policies policiesOf(const PlanFile& plan, Policies policies)
{
    const bool device = std::ranges::any_of(plan.offers, [](const auto& node) {
        return std::ranges::any_of(node.second, [](const Implementation& offer) { return !offer.device.empty(); });
    });
    policies.backend = device ? BackendPolicy::Cuda : BackendPolicy::Auto;
    policies.fusion = FusionPolicy::On;
    policies.padding = PaddingPolicy::On;
    policies.inplace = InplacePolicy::On;
    policies.sparse = SparsePolicy::Native;
    return policies;
}

/// Of the whole path, choosing is the part from 0.35 to 0.4.
Context partOf(const Context& whole)
{
    if (!whole.progress) return whole;
    return {whole.stop, [&whole](std::string_view stage, double done) { whole.report(stage, 0.35 + 0.05 * done); }};
}

} // namespace

bool namesImplementations(const PlanRequest& request)
{
    return request.givenPlan && request.givenPlan->implementations;
}

Offered offeredFor(const PlanRequest& request, std::shared_ptr<const Catalogue> here)
{
    const bool named = namesImplementations(request);
    if (!named && request.policies.backend != BackendPolicy::Captured)
        return {std::move(here), request.constraints.pins, request.policies, false};
    Catalogue offers;
    if (here && (named || !request.constraints.pins.empty())) offers.environment = here->environment;
    if (named) offers.file = request.givenPlan->file;
    Pins pins = request.constraints.pins;
    for (const auto& [node, name] : request.constraints.pins)
        offers.offers[node] = offersFor(node, name, request, here.get());
    for (const auto& [node, name] : named ? *request.givenPlan->implementations : Pins {}) {
        if (pins.contains(node)) continue;
        std::vector<Implementation> own = offersFor(node, name, request, here.get());
        if (own.empty() && name != ReferenceBackend) continue; // a note says so
        pins[node] = name;
        if (!own.empty()) offers.offers[node] = std::move(own);
    }
    return {std::make_shared<const Catalogue>(std::move(offers)), std::move(pins),
            named ? policiesOf(*request.givenPlan, request.policies) : request.policies, true};
}

Result<Dispatch> chooseImplementations(Graph graph, const Offered& offered, const PlanRequest& request,
                                       const std::vector<SavedReport>& saved, const DecisionLog& log,
                                       const Context& context)
{
    const Catalogue none;
    const Catalogue& catalogue = offered.catalogue ? *offered.catalogue : none;
    PLIMSOLL_TRY(checkCatalogue(catalogue, graph));
    DispatchRequest choice {catalogue, offered.policies, offered.pins};
    choice.onlyPinned = offered.onlyPinned;
    if (request.givenPlan) choice.withoutBytes = &request.givenPlan->fused;
    SparseDispatch stored = dispatchSparse(std::move(graph), choice, log);
    PLIMSOLL_ASSIGN(way, chooseWay(stored.graph, choice, request, saved, partOf(context)));
    choice.way = way ? &*way : nullptr;
    Result<Dispatch> dispatched = dispatch(std::move(stored.graph), choice, log, partOf(context));
    if (dispatched.ok()) {
        dispatched.value().fallbacks = std::move(stored.fallbacks);
        return dispatched;
    }
    const Error& error = dispatched.error();
    const bool plansFault =
        error.code == ErrorCode::BadUsage && namesImplementations(request) && request.constraints.pins.empty();
    if (!plansFault) return error;
    return Error {ErrorCode::BadInput, error.message, "implementations", request.givenPlan->file};
}

Result<std::vector<PricedWay>> priceWays(Graph graph, const Offered& offered, const PlanRequest& request,
                                         const std::vector<SavedReport>& saved, const Context& context)
{
    const Catalogue none;
    const Catalogue& catalogue = offered.catalogue ? *offered.catalogue : none;
    PLIMSOLL_TRY(checkCatalogue(catalogue, graph));
    DispatchRequest choice {catalogue, offered.policies, offered.pins};
    choice.onlyPinned = offered.onlyPinned;
    const SparseDispatch stored = dispatchSparse(std::move(graph), choice, {});
    return priceAllWays(stored.graph, choice, request, saved, context);
}

Message whatBackendsNeed(const Graph& graph, const PlanRequest& request, std::shared_ptr<const Catalogue> here,
                         const Context& context)
{
    const bool own = request.givenPlan && !namesImplementations(request);
    if (!own || request.policies.backend != BackendPolicy::Captured || !here || here->offers.empty()) return {};
    PlanRequest ours;
    ours.policies = request.policies;
    ours.policies.backend = BackendPolicy::Auto;
    const Result<Dispatch> made =
        chooseImplementations(graph, {std::move(here), {}, ours.policies, false}, ours, {}, {}, {context.stop, {}});
    if (!made.ok()) return {};
    std::int64_t scratch = 0;
    std::int64_t moved = 0;
    std::int64_t movedBytes = 0;
    const Graph& chosen = made.value().graph;
    for (std::size_t node = 0; node < chosen.nodes.size(); ++node) { // what no tensor of the graph is
        const Node& info = chosen.nodes[node];
        scratch = std::max(scratch, made.value().implementations[NodeId(node)].scratchpadBytes);
        if (chosen.decided[NodeId(node)].ahead || !(isReorder(info) || isSpaceCopy(info))) continue;
        ++moved;
        movedBytes += chosen[info.outputs.front()].type.bytes().value_or(0);
    }
    if (scratch == 0 && moved == 0) return {};
    const Message rooms = scratch > 0 ? say("note.scratchpads", scratch) : Message();
    const Message copies = moved > 0 ? say("note.reordered", moved, movedBytes) : Message();
    const bool both = scratch > 0 && moved > 0;
    return say("note.needs",
               both          ? say("and", rooms, copies)
               : scratch > 0 ? rooms
                             : copies,
               Remedy::toggle("backend", "auto"));
}

} // namespace plimsoll::pipeline

namespace plimsoll {

bool asksBackends(const Graph& graph, const Policies& policies, const PlanFile* given)
{
    const BackendPolicy backend = policies.backend;
    if (!given) return backend != BackendPolicy::Reference && backend != BackendPolicy::Captured;
    if (given->implementations) return !describesAll(*given);
    if (backend == BackendPolicy::Captured) return termsOf(graph).backend != BackendPolicy::Captured;
    return backend != BackendPolicy::Reference;
}

} // namespace plimsoll
