#include "core/formats/plimsoll/json_attribute.h"

#include "core/formats/plimsoll/json_tensor.h"

#include <algorithm>

namespace plimsoll {
namespace {

bool isNonFinite(const nlohmann::json& value)
{
    return value == "nan" || value == "inf" || value == "-inf";
}

bool isReal(const nlohmann::json& value)
{
    return value.is_number() || isNonFinite(value);
}

Result<TensorLiteral> readLiteral(const JsonPlace& place, const std::filesystem::path& file)
{
    PLIMSOLL_TRY(place.expectObject());
    PLIMSOLL_ASSIGN(type, readTypeFields(place));
    const auto shape = type.shape();
    if (!shape) return place.error("A tensor needs a \"shape\" of known sizes.");
    PLIMSOLL_ASSIGN(data, readDataFields(place, type, file));
    return TensorLiteral {type.dtype, *shape, std::move(data)};
}

template <typename Element, typename Read>
Result<Attribute> readList(const JsonPlace& place, Read&& read)
{
    if (!place.value().is_array()) return place.error("A list is expected here.");
    std::vector<Element> list;
    for (std::size_t i = 0; i < place.value().size(); ++i) {
        auto element = read(place.at(i));
        if (!element.ok()) return element.error();
        list.push_back(std::move(element).value());
    }
    return Attribute(std::move(list));
}

Result<Attribute> readInts(const JsonPlace& place)
{
    return readList<std::int64_t>(place, [](const JsonPlace& p) { return p.integer(); });
}

Result<Attribute> readFloats(const JsonPlace& place)
{
    return readList<double>(place, [](const JsonPlace& p) { return p.number(); });
}

Result<Attribute> readStrings(const JsonPlace& place)
{
    return readList<std::string>(place, [](const JsonPlace& p) { return p.text(); });
}

Result<Attribute> readTensors(const JsonPlace& place, const std::filesystem::path& file)
{
    return readList<TensorLiteral>(place, [&](const JsonPlace& p) { return readLiteral(p, file); });
}

template <typename T>
Result<Attribute> asAttribute(Result<T> value)
{
    if (!value.ok()) return value.error();
    return Attribute(std::move(value).value());
}

Result<Attribute> readHexText(const JsonPlace& place)
{
    PLIMSOLL_ASSIGN(digits, place.text());
    auto bytes = fromHex(digits);
    if (!bytes) return place.error("Pairs of hexadecimal digits are expected here.");
    return Attribute(std::move(*bytes));
}

Result<Attribute> readTyped(const JsonPlace& place, const std::filesystem::path& file)
{
    PLIMSOLL_ASSIGN(type, place.requiredText("type"));
    if (!place.has("value")) return place.error("\"value\" is missing.");
    const JsonPlace value = place.at("value");
    if (type == "int") return asAttribute(value.integer());
    if (type == "float") return asAttribute(value.number());
    if (type == "string") return asAttribute(value.text());
    if (type == "hex") return readHexText(value);
    if (type == "ints") return readInts(value);
    if (type == "floats") return readFloats(value);
    if (type == "strings") return readStrings(value);
    if (type == "tensors") return readTensors(value, file);
    return place.at("type").error("The type '" + type +
                                  "' is not one of int, float, string, hex, ints, floats, strings, tensors.");
}

Result<Attribute> readPlainList(const JsonPlace& place, const std::filesystem::path& file)
{
    const nlohmann::json& list = place.value();
    const auto all = [&](auto&& is) { return std::all_of(list.begin(), list.end(), is); };
    if (all([](const auto& e) { return e.is_number_integer(); })) return readInts(place);
    if (all(isReal)) return readFloats(place);
    if (all([](const auto& e) { return e.is_string(); })) return readStrings(place);
    if (all([](const auto& e) { return e.is_object(); })) return readTensors(place, file);
    return place.error("The elements of an attribute are all numbers, all texts or all tensors.");
}

} // namespace

Result<Attribute> readAttribute(const JsonPlace& place, const std::filesystem::path& file)
{
    const nlohmann::json& value = place.value();
    if (value.is_boolean()) return Attribute(std::int64_t {value.get<bool>()});
    if (value.is_number_integer()) return asAttribute(place.integer());
    if (isReal(value)) return asAttribute(place.number());
    if (value.is_string()) return asAttribute(place.text());
    if (value.is_array()) return readPlainList(place, file);
    if (value.is_object() && value.contains("type")) return readTyped(place, file);
    if (value.is_object()) return asAttribute(readLiteral(place, file));
    return place.error("An attribute is a number, a text, a list or a tensor.");
}

} // namespace plimsoll
