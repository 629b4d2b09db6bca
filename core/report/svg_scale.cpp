#include "core/report/svg_scale.h"

#include "core/report/plan_svg.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace plimsoll {
namespace {

struct Role
{
    std::string_view name;
    Rgb Palette::*colour;
};

constexpr std::array<Role, 13> Roles = {{{"background", &Palette::background},
                                         {"panel", &Palette::panel},
                                         {"text", &Palette::text},
                                         {"muted", &Palette::mutedText},
                                         {"grid", &Palette::grid},
                                         {"outline", &Palette::outline},
                                         {"external", &Palette::external},
                                         {"violation", &Palette::violation},
                                         {"warning", &Palette::warning},
                                         {"accent", &Palette::accent},
                                         {"curve", &Palette::curve},
                                         {"curve-fill", &Palette::curveFill},
                                         {"bound", &Palette::bound}}};

std::vector<std::int64_t> multiples(std::int64_t distance, std::int64_t end)
{
    std::vector<std::int64_t> found;
    for (std::int64_t at = 0;; at += distance) {
        found.push_back(at);
        if (at > end - distance) return found;
    }
}

} // namespace

std::string decimal(double number)
{
    if (!std::isfinite(number)) number = 0;
    std::array<char, 64> text {};
    const auto result = std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed, 2);
    std::string written(text.data(), result.ptr);
    while (written.back() == '0')
        written.pop_back();
    if (written.back() == '.') written.pop_back();
    return written == "-0" ? "0" : written;
}

std::vector<std::int64_t> ticks(std::int64_t end, int wanted)
{
    std::int64_t distance = 1;
    for (int turn = 0; end / distance > wanted; turn = (turn + 1) % 3)
        distance = turn == 1 ? distance / 2 * 5 : distance * 2;
    return multiples(distance, end);
}

std::vector<std::int64_t> byteTicks(std::int64_t end, int wanted)
{
    std::int64_t distance = 1;
    while (end / distance > wanted)
        distance *= 2;
    return multiples(distance, end);
}

Rgb roleColour(const Palette& palette, std::string_view role)
{
    if (role.starts_with("on-")) return textOn(roleColour(palette, role.substr(3)));
    for (const Role& known : Roles) {
        if (known.name == role) return palette.*known.colour;
    }
    std::size_t index = 0;
    if (role.starts_with('s')) std::from_chars(role.data() + 1, role.data() + role.size(), index);
    return palette.storages[index % palette.storages.size()];
}

std::string svgStyle(Theme theme)
{
    const Palette& colours = palette(theme);
    std::string css;
    const auto add = [&](const std::string& role) {
        const std::string colour = hex(roleColour(colours, role));
        css += "svg ." + role + "{fill:" + colour + "}svg .l" + role + "{stroke:" + colour + "}";
    };
    for (const Role& role : Roles)
        add(std::string(role.name));
    for (std::size_t i = 0; i < StorageColourCount; ++i) {
        const std::string role = "s" + std::to_string(i);
        css += "svg ." + role + "{fill:" + hex(colours.storages[i]) + ";stroke:" + hex(colours.outline) + "}";
        css += "svg .on-" + role + "{fill:" + hex(textOn(colours.storages[i])) + "}";
    }
    css += "svg .on-external{fill:" + hex(textOn(colours.external)) + "}";
    return css;
}

} // namespace plimsoll
