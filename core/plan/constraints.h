#pragma once

#include "core/graph/gradient_request.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll {

/// Two values, by their names.
using NamePair = std::pair<std::string, std::string>;

/// What is asked of single nodes and values, by their names, beside the policies.
struct Constraints
{
    std::map<std::string, std::string> pins {};          ///< Node → the implementation it must have, see dispatch.h.
    std::map<std::string, GradientRequest> gradients {}; ///< Variable → what becomes of its gradient. Null: frozen.
    std::vector<std::string> recomputed {};              ///< Values that backward computes anew, whatever it costs.
    std::vector<NamePair> apart {};                      ///< They have no byte in common, at no time.
    std::vector<NamePair> together {};                   ///< The second begins at the address of the first.
    std::map<std::string, std::int64_t> places {};       ///< Value → its offset in its arena, in bytes.

    [[nodiscard]] bool empty() const { return *this == Constraints(); }
    friend bool operator==(const Constraints&, const Constraints&) = default;
};

enum class ConstraintKind : std::uint8_t { Pin, Gradient, Recompute, Apart, Together, Place };
[[nodiscard]] std::string_view constraintId(ConstraintKind kind); ///< "pin": as options and files say it.
[[nodiscard]] std::optional<ConstraintKind> constraintKindNamed(std::string_view id);

/// One of them as text.
struct Constraint
{
    ConstraintKind kind = ConstraintKind::Apart;
    std::string of; ///< A node or value.
    std::string
        other {}; ///< A value, an implementation, an offset ("4096", "0x1000", "4KiB"), "null"; of Recompute empty.

    friend bool operator==(const Constraint&, const Constraint&) = default;
};

/// By kind, then by name; of pairs in the order in which they were asked for.
[[nodiscard]] std::vector<Constraint> listed(const Constraints& constraints);
/// Asks for it, in place of what was asked of the same; a pair beside the others. False where the text means nothing.
[[nodiscard]] bool ask(Constraints& constraints, const Constraint& one);
void ask(Constraints& constraints, const Constraints& more); ///< \p more goes before what was asked of the same.
void takeBack(Constraints& constraints, const Constraint& one);

} // namespace plimsoll
