#pragma once

#include <span>
#include <string>
#include <string_view>

namespace plimsoll {

/// Where in a program a node was written, from what PyTorch notes of it: the innermost place of a stack trace, a method
/// forward with its class \p type. "model.py:12 in Block.forward"; empty where the text is no stack trace.
[[nodiscard]] std::string placeInStack(std::string_view stack, std::string_view type);

/// Of the classes of nested modules the innermost that is not PyTorch's own, whose frames a stack trace leaves out,
/// too: of "models.Net", "models.Block" and "torch.nn.modules.linear.Linear" it is "Block".
[[nodiscard]] std::string ownClass(std::span<const std::string> classes);

/// A module by its path in the model: "L['self'].blocks[0].attention" is "blocks.0.attention".
[[nodiscard]] std::string modulePath(std::string_view expression);

} // namespace plimsoll
