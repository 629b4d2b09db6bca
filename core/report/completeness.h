#pragma once

#include "core/report/report.h"

#include <string>

namespace plimsoll {

/// What a plan leaves out: "253 of 416 values have no size (the file gives no shape for 'data')". The reason is that of
/// the first. Empty where every value has a size.
[[nodiscard]] std::string incompleteText(const Report& report);

/// What whoever plans could still say of a value, so that it has a size. How he says it (an option, a field) is known
/// to those who show the report.
enum class Lacking { Nothing, InputShape, Bound };
[[nodiscard]] Lacking lackingOf(const Graph& graph, ValueId value);

/// Of a plan that leaves values out, the first value of which something is lacking, inputs first: the types of
/// parameters follow from theirs. An invalid one where there is none.
[[nodiscard]] ValueId firstLacking(const Report& report);

} // namespace plimsoll
