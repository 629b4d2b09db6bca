#include "core/plan/constraints.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

constexpr std::array Ids = {"pin", "gradient", "recompute", "apart", "together", "place"};

void add(std::vector<NamePair>& pairs, const Constraint& one)
{
    const NamePair two {one.of, one.other};
    if (std::ranges::find(pairs, two) == pairs.end()) pairs.push_back(two);
}

} // namespace

std::string_view constraintId(ConstraintKind kind)
{
    return Ids[static_cast<std::size_t>(kind)];
}

std::optional<ConstraintKind> constraintKindNamed(std::string_view id)
{
    const auto found = std::ranges::find(Ids, id);
    if (found == Ids.end()) return std::nullopt;
    return static_cast<ConstraintKind>(found - Ids.begin());
}

std::vector<Constraint> listed(const Constraints& constraints)
{
    using enum ConstraintKind;
    std::vector<Constraint> all;
    for (const auto& [node, implementation] : constraints.pins)
        all.push_back({Pin, node, implementation});
    for (const auto& [variable, request] : constraints.gradients)
        all.push_back({Gradient, variable, std::string(gradientRequestName(request))});
    for (const std::string& value : constraints.recomputed)
        all.push_back({Recompute, value});
    for (const auto& [one, other] : constraints.apart)
        all.push_back({Apart, one, other});
    for (const auto& [one, other] : constraints.together)
        all.push_back({Together, one, other});
    for (const auto& [value, offset] : constraints.places)
        all.push_back({Place, value, std::to_string(offset)});
    return all;
}

bool ask(Constraints& constraints, const Constraint& one)
{
    if (one.of.empty() || one.other.empty() != (one.kind == ConstraintKind::Recompute)) return false;
    switch (one.kind) {
    case ConstraintKind::Pin:
        constraints.pins[one.of] = one.other;
        return true;
    case ConstraintKind::Gradient: {
        const auto request = gradientRequestNamed(one.other);
        if (request) constraints.gradients[one.of] = *request;
        return request.has_value();
    }
    case ConstraintKind::Recompute: {
        const bool known = std::ranges::find(constraints.recomputed, one.of) != constraints.recomputed.end();
        if (!known) constraints.recomputed.push_back(one.of);
        return true;
    }
    case ConstraintKind::Apart:
    case ConstraintKind::Together:
        if (one.of != one.other) add(one.kind == ConstraintKind::Apart ? constraints.apart : constraints.together, one);
        return one.of != one.other;
    case ConstraintKind::Place: {
        const auto offset = parseBytes(one.other);
        if (offset) constraints.places[one.of] = *offset;
        return offset.has_value();
    }
    }
    return false;
}

void ask(Constraints& constraints, const Constraints& more)
{
    for (const Constraint& one : listed(more))
        (void)ask(constraints, one); // it was asked once already
}

void takeBack(Constraints& constraints, const Constraint& one)
{
    switch (one.kind) {
    case ConstraintKind::Pin:
        constraints.pins.erase(one.of);
        break;
    case ConstraintKind::Gradient:
        constraints.gradients.erase(one.of);
        break;
    case ConstraintKind::Recompute:
        std::erase(constraints.recomputed, one.of);
        break;
    case ConstraintKind::Apart:
        std::erase(constraints.apart, NamePair {one.of, one.other});
        break;
    case ConstraintKind::Together:
        std::erase(constraints.together, NamePair {one.of, one.other});
        break;
    case ConstraintKind::Place:
        constraints.places.erase(one.of);
        break;
    }
}

} // namespace plimsoll
