#pragma once

#include "tests/support/planned.h"

namespace plimsoll::test {

/// a and c are read by n3; a is written first.
inline constexpr std::string_view Diamond = "graph diamond\ninput x float32[16]\nn0: a = Neg(x)\nn1: b = Tanh(x)\n"
                                            "n2: c = Sin(b)\nn3: d = Add(a, c)\noutput d\n";

/// The diamond with c at that offset: over a below 64, over b from there on.
[[nodiscard]] inline PlanRequest diamondPlan(std::int64_t offsetOfC)
{
    PlanFile plan;
    plan.arenas = {{.bytes = 256}};
    using Places = std::initializer_list<std::pair<const char*, std::int64_t>>;
    for (const auto& [name, offset] : Places {{"a", 0}, {"b", 64}, {"c", offsetOfC}, {"d", 192}})
        plan.entries.push_back({name, ArenaId(0), offset, 64});
    PlanRequest request;
    request.givenPlan = sharedPlan(std::move(plan));
    return request;
}

/// What a run of it would find, where c lies over a.
[[nodiscard]] inline RunResult::Mismatch spoiledDiamond()
{
    RunResult::Mismatch mismatch;
    mismatch.value = "a";
    mismatch.node = "n3";
    mismatch.step = 3;
    mismatch.note = Message("8 of 16 elements differ");
    mismatch.overwrittenBy = "c";
    mismatch.overwrittenStep = 2;
    return mismatch;
}

} // namespace plimsoll::test
