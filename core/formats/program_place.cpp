#include "core/formats/program_place.h"

#include <algorithm>
#include <ranges>

namespace plimsoll {

std::string placeInStack(std::string_view stack, std::string_view type)
{
    constexpr std::string_view File = "File \"";
    constexpr std::string_view Line = "\", line ";
    constexpr std::string_view In = ", in ";
    const std::size_t file = stack.rfind(File);
    const std::size_t end = file == std::string_view::npos ? file : stack.find(Line, file);
    if (end == std::string_view::npos) return {};
    const std::size_t line = end + Line.size();
    const std::size_t last = std::min(stack.find_first_not_of("0123456789", line), stack.size());
    std::string place(stack.substr(file + File.size(), end - file - File.size()));
    place.append(":").append(stack.substr(line, last - line));
    if (!stack.substr(last).starts_with(In)) return place;
    std::string_view function = stack.substr(last + In.size());
    function = function.substr(0, function.find_first_of("\r\n"));
    place += " in ";
    if (function == "forward" && !type.empty()) place.append(type).append(".");
    return place.append(function);
}

std::string ownClass(std::span<const std::string> classes)
{
    for (const std::string& one : classes | std::views::reverse)
        if (!one.starts_with("torch.") && !one.starts_with("aten.")) return one.substr(one.rfind('.') + 1);
    return {};
}

std::string modulePath(std::string_view expression)
{
    std::string path(expression);
    if (path.starts_with("L['")) path.erase(0, std::min(path.find(']'), path.size() - 1) + 1);
    std::erase_if(path, [](char c) { return c == ']' || c == '\'' || c == '"'; });
    std::ranges::replace(path, '[', '.');
    return path.erase(0, std::min(path.find_first_not_of('.'), path.size()));
}

} // namespace plimsoll
