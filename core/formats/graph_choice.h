#pragma once

#include "core/base/result.h"
#include "core/formats/format.h"

namespace plimsoll {

/// The sentence \p none says that no graph of the file is called \p wanted, and what there is.
[[nodiscard]] Error noGraph(const std::vector<std::string>& names, std::string_view wanted, std::string_view none);

/// Which of the graphs of a file \p wanted names; the first where it is empty. \p none: as noGraph() takes it.
[[nodiscard]] Result<std::size_t> chooseGraph(const std::vector<std::string>& names, std::string_view wanted,
                                              std::string_view none);

/// Where there are several, lists them, and the sentence \p several says which one this is and how others are opened.
void noteOthers(FormatContent& content, const std::vector<std::string>& names, std::size_t chosen,
                std::string_view several);

/// "x", and "x-2" for the next of that name, or a higher number where one has that name of its own.
void numberRepeated(std::vector<std::string>& names);

} // namespace plimsoll
