#include "core/plan/saved_tensor.h"

#include <array>

namespace plimsoll {

std::string_view savingReasonId(SavingReason reason)
{
    static constexpr std::array<std::string_view, 12> ids = {"needed",
                                                             "output",
                                                             "unguardable: list argument",
                                                             "unguardable: backward operator",
                                                             "unguardable: only one derivative",
                                                             "unguardable: not a plain tensor",
                                                             "unguardable: used by several formulas",
                                                             "unguardable: joint formula",
                                                             "save-all",
                                                             "setting",
                                                             "recomputed from",
                                                             "captured"};
    return ids[static_cast<std::size_t>(reason)];
}

std::string_view donationId(Donation donation)
{
    static constexpr std::array<std::string_view, 6> ids = {"possible",     "donated",       "is an input",
                                                            "is an output", "is a gradient", "is retained"};
    return ids[static_cast<std::size_t>(donation)];
}

} // namespace plimsoll
