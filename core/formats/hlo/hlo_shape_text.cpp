#include "core/formats/hlo/hlo_shape_text.h"
#include "core/formats/bad_input.h"

#include <charconv>

namespace plimsoll::hlo {
namespace {

constexpr int DeepestTuple = 64;

std::optional<std::int64_t> numberIn(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), number);
    return trouble == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// The number of "S(5)", by its letter: of the memory, of the bits of an element. \p begin: where it stands.
std::optional<std::int64_t> layoutNumber(std::string_view layout, char letter, std::size_t* begin = nullptr)
{
    const std::string pattern = {letter, '('};
    const std::size_t at = layout.find(pattern);
    if (at == std::string_view::npos) return std::nullopt;
    const std::size_t close = layout.find(')', at);
    if (close == std::string_view::npos) return std::nullopt;
    if (begin) *begin = at;
    return numberIn(layout.substr(at + 2, close - at - 2));
}

Result<Dim> parseDim(Scanner& scanner, Shape& shape)
{
    if (scanner.accept('?')) return Dim {};
    if (scanner.accept('<')) shape.bounded = scanner.accept('=');
    const auto size = scanner.integer();
    if (!size || *size < 0) return scanner.error(say("hlo.dimension"));
    return Dim {*size, {}};
}

Result<Shape> parseArray(Scanner& scanner)
{
    Shape shape;
    const std::string_view name = scanner.word();
    const ElementType* element = findElementType(name);
    if (name == "token") shape.kind = Shape::Kind::Token;
    if (name == "opaque") shape.kind = Shape::Kind::Opaque;
    if (!element && shape.kind == Shape::Kind::Array)
        return scanner.error(say("hlo.unknown-type", word::Name {std::string(name)}));
    if (!scanner.accept('[')) return scanner.error(say("hlo.dimensions-missing", name));
    shape.type.dims.emplace();
    if (!scanner.accept(']')) {
        do {
            PLIMSOLL_ASSIGN(dim, parseDim(scanner, shape));
            shape.type.dims->push_back(std::move(dim));
        } while (scanner.accept(','));
        if (!scanner.accept(']')) return scanner.error(say("hlo.dimensions-not-closed"));
    }
    std::int64_t bits = 0;
    if (scanner.layoutFollows()) {
        PLIMSOLL_ASSIGN(layout, scanner.bracketed());
        // "{1,0:T(8,128)E(4)S(5)}": what stands behind the colon are marks of one letter each.
        std::size_t begin = 0;
        shape.layout = layout;
        shape.space = layoutNumber(layout, 'S', &begin).value_or(0);
        if (shape.space != 0) {
            shape.layout.erase(begin, layout.find(')', begin) + 1 - begin);
            if (shape.layout.ends_with(":}")) shape.layout.erase(shape.layout.size() - 2, 1);
        }
        shape.tiled = layout.find("T(") != std::string_view::npos;
        bits = layoutNumber(layout, 'E').value_or(0);
    }
    if (element) setElementType(shape, *element, bits);
    return shape;
}

Result<Shape> parseNested(Scanner& scanner, int depth)
{
    const bool buffer = scanner.accept("b"); // a buffer that is written in place: "b(f32[4])"
    if (!scanner.accept('(')) return parseArray(scanner);
    if (depth == DeepestTuple) return scanner.error(say("hlo.tuples-too-deep", word::Number {DeepestTuple}));
    Shape tuple;
    tuple.kind = Shape::Kind::Tuple;
    if (scanner.accept(')')) return tuple;
    do {
        PLIMSOLL_SET(tuple.parts.emplace_back(), parseNested(scanner, depth + 1));
    } while (scanner.accept(','));
    if (!scanner.accept(')')) return scanner.error(say("hlo.tuple-not-closed"));
    return buffer ? std::move(tuple.parts.front()) : std::move(tuple);
}

Error noAliasing(std::int64_t line)
{
    return badInput(say("hlo.no-aliasing", word::Name {"{ {0}: (1, {}) }"}), "line " + std::to_string(line));
}

/// "(0, {1}, may-alias)"
bool parseTarget(std::string_view text, std::int64_t& operand, Path& path)
{
    const auto parts = splitList(inner(text));
    const auto number = parts.empty() ? std::nullopt : numberIn(parts.front());
    const auto place = parts.size() > 1 ? parsePath(parts[1]) : Path();
    if (!number || !place) return false;
    operand = *number;
    path = *place;
    return true;
}

} // namespace

Result<Shape> parseShape(Scanner& scanner)
{
    return parseNested(scanner, 0);
}

std::optional<Path> parsePath(std::string_view text)
{
    Path path;
    if (!text.starts_with('{') || !text.ends_with('}')) return std::nullopt;
    for (const std::string_view part : splitList(inner(text))) {
        const auto number = numberIn(part);
        if (!number) return std::nullopt;
        path.push_back(*number);
    }
    return path;
}

Result<std::vector<Aliasing>> parseAliasing(std::string_view text, std::int64_t line)
{
    std::vector<Aliasing> list;
    for (const std::string_view entry : splitList(inner(text))) {
        const std::size_t colon = entry.find(':');
        if (colon == std::string_view::npos) return noAliasing(line);
        Aliasing aliasing;
        const auto output = parsePath(trimmed(entry.substr(0, colon)));
        if (!output || !parseTarget(trimmed(entry.substr(colon + 1)), aliasing.operand, aliasing.path))
            return noAliasing(line);
        aliasing.output = *output;
        list.push_back(std::move(aliasing));
    }
    return list;
}

Result<std::vector<std::pair<std::int64_t, Path>>> parseDonors(std::string_view text, std::int64_t line)
{
    std::vector<std::pair<std::int64_t, Path>> donors;
    for (const std::string_view entry : splitList(inner(text))) {
        auto& donor = donors.emplace_back();
        if (!parseTarget(entry, donor.first, donor.second)) return noAliasing(line);
    }
    return donors;
}

} // namespace plimsoll::hlo
