#pragma once

#include "core/formats/files/json_input.h"
#include "core/graph/access_map.h"

#include <nlohmann/json_fwd.hpp>

namespace plimsoll {

/// "access" of a node, by output and input: which elements of the input an element of the output is made of, one map or
/// a list of them. An input that is not named is read anywhere.
///
///     {"0": {"0": "same", "1": [{"axes": [{"from": 0, "start": 1}, "any"]}, "order"], "2": "nothing"}}
///
/// An axis is of the input: "any", or {"from": axis of the output or null, "start": 0, "step": 1}.
[[nodiscard]] Result<std::shared_ptr<const InnerOperations>> readAccess(const JsonPlace& place, std::size_t inputs,
                                                                        std::size_t outputs);
[[nodiscard]] nlohmann::json accessJson(const InnerOperations& inside, std::size_t inputs);

} // namespace plimsoll
