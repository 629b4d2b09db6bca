#include "core/ops/mxnet/mxnet_attributes.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace plimsoll::mxnet {

namespace {

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view Space = " \t\r\n";
    const auto begin = text.find_first_not_of(Space);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(Space) - begin + 1);
}

template <typename Number>
std::optional<Number> parsed(std::string_view text)
{
    Number number {};
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return number;
}

/// "3" and, as Python 2 writes it, "3L".
std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    if (text.ends_with('L')) text.remove_suffix(1);
    return parsed<std::int64_t>(text);
}

/// The elements of "(1, 2)" or "[1, 2]"; empty where the text is no flat list.
std::optional<std::vector<std::string_view>> elementsOf(std::string_view text)
{
    const bool bracketed = text.size() >= 2 &&
                           ((text.front() == '(' && text.back() == ')') || (text.front() == '[' && text.back() == ']'));
    if (!bracketed) return std::nullopt;
    text = trimmed(text.substr(1, text.size() - 2));
    std::vector<std::string_view> elements;
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        elements.push_back(trimmed(text.substr(0, comma)));
        text = trimmed(text.substr(std::min(comma + 1, text.size())));
    }
    return elements;
}

template <typename Number, typename Parse>
std::optional<Attribute> listOf(const std::vector<std::string_view>& elements, Parse&& parse)
{
    std::vector<Number> numbers;
    for (const std::string_view element : elements) {
        const auto number = parse(element);
        if (!number) return std::nullopt;
        numbers.push_back(*number);
    }
    return Attribute(std::move(numbers));
}

const Attribute* find(const Attributes& attributes, std::string_view name)
{
    const auto found = attributes.find(name);
    return found == attributes.end() ? nullptr : &found->second;
}

constexpr std::array ByNumber = {DType::Float32, DType::Float64, DType::Float16, DType::UInt8, DType::Int32,
                                 DType::Int8,    DType::Int64,   DType::Bool,    DType::Int16, DType::UInt16,
                                 DType::UInt32,  DType::UInt64,  DType::BFloat16};

} // namespace

std::optional<Attribute> typedAttribute(std::string_view text)
{
    const std::string_view word = trimmed(text);
    if (word == "None") return std::nullopt;
    if (word == "True" || word == "true") return Attribute(std::int64_t {1});
    if (word == "False" || word == "false") return Attribute(std::int64_t {0});
    if (const auto number = wholeNumber(word)) return Attribute(*number);
    if (const auto number = parsed<double>(word)) return Attribute(*number);
    if (const auto elements = elementsOf(word)) {
        if (auto list = listOf<std::int64_t>(*elements, wholeNumber)) return list;
        if (auto list = listOf<double>(*elements, parsed<double>)) return list;
    }
    return Attribute(std::string(text));
}

bool flagOf(const Attributes& attributes, std::string_view name, bool fallback)
{
    return numberOf(attributes, name, fallback ? 1 : 0) != 0;
}

std::int64_t numberOf(const Attributes& attributes, std::string_view name, std::int64_t fallback)
{
    const Attribute* attribute = find(attributes, name);
    const auto* number = attribute ? std::get_if<std::int64_t>(attribute) : nullptr;
    return number ? *number : fallback;
}

double realOf(const Attributes& attributes, std::string_view name, double fallback)
{
    const Attribute* attribute = find(attributes, name);
    if (!attribute) return fallback;
    if (const auto* number = std::get_if<double>(attribute)) return *number;
    const auto* number = std::get_if<std::int64_t>(attribute);
    return number ? static_cast<double>(*number) : fallback;
}

std::string textOf(const Attributes& attributes, std::string_view name, std::string_view fallback)
{
    const Attribute* attribute = find(attributes, name);
    const auto* text = attribute ? std::get_if<std::string>(attribute) : nullptr;
    return text ? *text : std::string(fallback);
}

std::optional<std::vector<std::int64_t>> tupleOf(const Attributes& attributes, std::string_view name)
{
    const Attribute* attribute = find(attributes, name);
    if (!attribute) return std::nullopt;
    if (const auto* number = std::get_if<std::int64_t>(attribute)) return std::vector {*number};
    const auto* numbers = std::get_if<std::vector<std::int64_t>>(attribute);
    return numbers ? std::optional(*numbers) : std::nullopt;
}

std::optional<OpenTuple> openTupleOf(const Attributes& attributes, std::string_view name)
{
    if (const auto tuple = tupleOf(attributes, name)) return OpenTuple(tuple->begin(), tuple->end());
    const std::string text = textOf(attributes, name, "");
    const auto elements = elementsOf(trimmed(text));
    if (!elements) return std::nullopt;
    OpenTuple tuple;
    for (const std::string_view element : *elements) {
        const auto number = wholeNumber(element);
        if (!number && element != "None") return std::nullopt;
        tuple.push_back(number);
    }
    return tuple;
}

DType dtypeOf(const Attributes& attributes, std::string_view name, DType fallback)
{
    const Attribute* attribute = find(attributes, name);
    if (!attribute) return fallback;
    if (const auto* number = std::get_if<std::int64_t>(attribute)) return dtypeFromNumber(*number);
    const auto* text = std::get_if<std::string>(attribute);
    return text ? dtypeFromName(*text).value_or(DType::Unknown) : fallback;
}

DType dtypeFromNumber(std::int64_t number)
{
    const bool known = number >= 0 && number < static_cast<std::int64_t>(ByNumber.size());
    return known ? ByNumber[static_cast<std::size_t>(number)] : DType::Unknown;
}

} // namespace plimsoll::mxnet
