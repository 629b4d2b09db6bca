#pragma once

#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace plimsoll {

struct Catalogue;

/// A message as data: {"id": "run.seed", "arguments": [7, {"name": "x"}, {"policy": "dce", "value": "on"}]}.
/// What it says to another process of this program: that one words it for its own user.
[[nodiscard]] nlohmann::ordered_json messageJson(const Message& message);
[[nodiscard]] nlohmann::ordered_json messageJson(const std::vector<Message>& messages); ///< An array.
/// Nothing for what messageJson() does not write, or where no table has such a sentence.
[[nodiscard]] std::optional<Message> readMessage(const nlohmann::ordered_json& json);

/// Where there is room for a text alone: what is text already as it is, a sentence as its JSON.
[[nodiscard]] std::string messageText(const Message& message);
[[nodiscard]] Message readMessageText(const std::string& text); ///< What is no sentence stays the text that it is.
void readMessageTexts(Catalogue& catalogue);                    ///< The same of all that it says of the machine.

/// {"code": "unsupported", "message": {…}, "where": "node 'a'", "file": "a.onnx"}
[[nodiscard]] nlohmann::ordered_json errorJson(const Error& error);
[[nodiscard]] std::optional<Error> readError(const nlohmann::ordered_json& json);

} // namespace plimsoll
