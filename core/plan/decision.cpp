#include "core/plan/decision.h"

#include <array>
#include <utility>

namespace plimsoll {
namespace {

constexpr std::array Kinds = {
    std::pair {DecisionKind::Alias, std::string_view("alias")},
    std::pair {DecisionKind::Identity, std::string_view("identity")},
    std::pair {DecisionKind::InPlace, std::string_view("in-place")},
    std::pair {DecisionKind::HandOver, std::string_view("hand-over")},
    std::pair {DecisionKind::PassThrough, std::string_view("pass-through")},
    std::pair {DecisionKind::Copy, std::string_view("copy")},
    std::pair {DecisionKind::Unplanned, std::string_view("unplanned")},
    std::pair {DecisionKind::Fold, std::string_view("fold")},
    std::pair {DecisionKind::Merge, std::string_view("cse")},
    std::pair {DecisionKind::Unroll, std::string_view("unroll")},
    std::pair {DecisionKind::Save, std::string_view("save")},
    std::pair {DecisionKind::Recompute, std::string_view("recompute")},
    std::pair {DecisionKind::Donation, std::string_view("donation")},
    std::pair {DecisionKind::StorageType, std::string_view("storage")},
    std::pair {DecisionKind::Implementation, std::string_view("implementation")},
    std::pair {DecisionKind::Fusion, std::string_view("fusion")},
    std::pair {DecisionKind::Placement, std::string_view("placement")},
};

static_assert(
    [] {
        for (std::size_t i = 0; i < Kinds.size(); ++i) {
            if (static_cast<std::size_t>(Kinds[i].first) != i) return false;
        }
        return true;
    }(),
    "rows stand in the order of the enumeration");

} // namespace

std::string_view decisionKindId(DecisionKind kind)
{
    return Kinds[static_cast<std::size_t>(kind)].second;
}

} // namespace plimsoll
