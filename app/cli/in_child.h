#pragma once

#include "core/base/message.h"
#include "core/sandbox/sandbox.h"

#include <functional>
#include <optional>
#include <string>

namespace plimsoll::cli {

/// What a child process left behind.
struct ChildAnswer
{
    std::optional<std::string> text; ///< What it was to find out; nothing: it had no answer, or did not come so far.
    int signal = 0;                  ///< That ended it; 0: it ended by itself.
    Message attempt {};              ///< What it tried and may not, where that ended it.
};

/// Lets a copy of this process compute a text. It is shut in, takes no more memory than is free, ten minutes of a
/// processor at most, and dies with this one. \p sandbox is called there. Nothing where there can be no child.
[[nodiscard]] std::optional<ChildAnswer> answerOfChild(const std::function<std::optional<std::string>()>& compute,
                                                       const std::function<Sandbox()>& sandbox);

} // namespace plimsoll::cli
