#pragma once

#include "core/base/progress.h"
#include "core/formats/hlo/hlo_module.h"
#include "core/formats/reading_room.h"

namespace plimsoll::hlo {

/// The text of one program among those of a file.
struct ModuleText
{
    std::string name; ///< Unique in the file: "jit_f", "jit_f-2".
    std::string_view text;
    std::int64_t line = 1; ///< Of the file, where it begins.
};

/// Every line that begins with "HloModule" begins one; a text that begins with "ENTRY" is one.
[[nodiscard]] std::vector<ModuleText> findModules(std::string_view text);

/// Reads one. The only computation needs no ENTRY. What it calls may stand before or behind it; errors say the line.
/// Takes what the module takes out of \p room.
[[nodiscard]] Result<Module> parseModule(const ModuleText& module, const Context& context, ReadingRoom& room);

} // namespace plimsoll::hlo
