#pragma once

#include "core/ops/node_facts.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Attributes of MXNet's operators. Files hold every one as a text; typedAttribute() makes a number or a list of it
/// where it reads as one.
namespace plimsoll::mxnet {

/// "(3, 3)" → ints, "(0.1, 2)" → floats, "64" → int, "0.9" → float, "True" → 1. Empty for "None", which is the same as
/// an attribute that is not there. Everything else, "(0, None)" too, stays a text.
[[nodiscard]] std::optional<Attribute> typedAttribute(std::string_view text);

[[nodiscard]] bool flagOf(const Attributes& attributes, std::string_view name, bool fallback);
[[nodiscard]] std::int64_t numberOf(const Attributes& attributes, std::string_view name, std::int64_t fallback);
[[nodiscard]] double realOf(const Attributes& attributes, std::string_view name, double fallback);
[[nodiscard]] std::string textOf(const Attributes& attributes, std::string_view name, std::string_view fallback);

/// A tuple, or one number as a tuple of one. Empty where there is none, or none of whole numbers.
[[nodiscard]] std::optional<std::vector<std::int64_t>> tupleOf(const Attributes& attributes, std::string_view name);

/// A tuple whose elements may be None: "(None, 0)".
using OpenTuple = std::vector<std::optional<std::int64_t>>;
[[nodiscard]] std::optional<OpenTuple> openTupleOf(const Attributes& attributes, std::string_view name);

/// An element type by name ("float32") or by MXNet's number ("0").
[[nodiscard]] DType dtypeOf(const Attributes& attributes, std::string_view name, DType fallback);
[[nodiscard]] DType dtypeFromNumber(std::int64_t number); ///< Unknown for one that MXNet does not have.

} // namespace plimsoll::mxnet
