#pragma once

#include "core/formats/hlo/hlo_module.h"
#include "core/formats/hlo/hlo_scanner.h"

namespace plimsoll::hlo {

/// "f32[<=8,4]{1,0:T(8,128)S(5)}", "(s32[], /*index=1*/token[])". Tuples may be nested 64 deep.
[[nodiscard]] Result<Shape> parseShape(Scanner& scanner);

/// "{1, 0}"; nothing where it is none.
[[nodiscard]] std::optional<Path> parsePath(std::string_view text);

/// "{ {1}: (0, {}, may-alias), {0}: (2, {1}) }"; an Error at \p line.
[[nodiscard]] Result<std::vector<Aliasing>> parseAliasing(std::string_view text, std::int64_t line);

/// "{ (0, {}), (3, {1}) }"
[[nodiscard]] Result<std::vector<std::pair<std::int64_t, Path>>> parseDonors(std::string_view text, std::int64_t line);

} // namespace plimsoll::hlo
