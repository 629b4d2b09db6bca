#pragma once

#include "core/base/result.h"
#include "core/facts/compare/value_matches.h"
#include "core/facts/report.h"

#include <optional>
#include <string>

namespace plimsoll {

/// Said by hand: what the first plan calls so is what the second calls otherwise. Names of values, "scratch:NODE", or
/// "s12", a storage.
struct SaidMatch
{
    std::string first;
    std::string second;

    friend bool operator==(const SaidMatch&, const SaidMatch&) = default;
};

/// What of one plan is what of another one.
struct PlanMatches
{
    ValueMatches values;
    std::size_t byHand = 0;                                ///< Of values or of storages.
    std::vector<std::pair<StorageId, StorageId>> storages; ///< Said by hand, those of values that were, too.
    std::optional<Error> wrong; ///< The first of what was said that cannot be meant, at "first=second"; it is left out.
};

/// Whether the plan has something that is called so.
[[nodiscard]] bool isNamed(const Report& report, std::string_view name);

/// Two values are matched as values, which brings those with them that are made of them; else the two storages are.
[[nodiscard]] PlanMatches matchPlans(const Report& before, const Report& after, std::span<const SaidMatch> said = {});

/// Two names as a match may be said of them, in either order: one is known to the first plan alone, the other to the
/// second alone.
[[nodiscard]] std::optional<SaidMatch> sayable(const Report& before, const Report& after, const std::string& one,
                                               const std::string& other);

} // namespace plimsoll
