#pragma once

#include <filesystem>
#include <vector>

namespace plimsoll {

/// 0: no Landlock here.
[[nodiscard]] int landlockVersion();

/// A ruleset of Landlock, as an open descriptor: nothing but reading below \p paths, and executing where \p programs
/// run. What does not exist is left out. -1 where there is no Landlock.
[[nodiscard]] int fileRules(const std::vector<std::filesystem::path>& paths, bool programs);

/// For this thread, and what it starts.
void obeyFileRules(int rules) noexcept;

} // namespace plimsoll
