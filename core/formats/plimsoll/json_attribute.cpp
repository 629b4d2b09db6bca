#include "core/formats/plimsoll/json_attribute.h"

#include "core/formats/plimsoll/json_tensor.h"

#include <algorithm>

namespace plimsoll {
namespace {

bool isReal(const nlohmann::json& value)
{
    return value.is_number() || value == "nan" || value == "inf" || value == "-inf";
}

Result<TensorLiteral> readLiteral(const JsonPlace& place, const std::filesystem::path& file)
{
    PLIMSOLL_TRY(place.expectObject());
    PLIMSOLL_ASSIGN(type, readTypeFields(place));
    const auto shape = type.shape();
    if (!shape) return place.error(say("graph-json.shape-missing"));
    TensorLiteral literal {type.dtype, *shape, {}};
    PLIMSOLL_SET(literal.data, readDataFields(place, type, file));
    return literal;
}

template <typename Element, typename Read>
Result<Attribute> readList(const JsonPlace& place, Read&& read)
{
    if (!place.value().is_array()) return place.error(say("pt2.list-expected"));
    std::vector<Element> list;
    for (std::size_t i = 0; i < place.value().size(); ++i)
        PLIMSOLL_SET(list.emplace_back(), std::invoke(read, place.at(i)));
    return Attribute(std::move(list));
}

Result<Attribute> readTensors(const JsonPlace& place, const std::filesystem::path& file)
{
    return readList<TensorLiteral>(place, [&](const JsonPlace& element) { return readLiteral(element, file); });
}

template <typename T>
Result<Attribute> asAttribute(Result<T> value)
{
    if (!value.ok()) return value.error();
    return Attribute(std::move(value).value());
}

Result<Attribute> readTyped(const JsonPlace& place, const std::filesystem::path& file)
{
    PLIMSOLL_ASSIGN(type, place.requiredText("type"));
    PLIMSOLL_ASSIGN(value, place.required("value"));
    if (type == "int") return asAttribute(value.integer());
    if (type == "float") return asAttribute(value.number());
    if (type == "string") return asAttribute(value.text());
    if (type == "hex") {
        PLIMSOLL_ASSIGN(digits, value.text());
        auto bytes = fromHex(digits);
        if (!bytes) return value.error(say("graph-json.no-hex"));
        return Attribute(std::move(*bytes));
    }
    if (type == "ints") return readList<std::int64_t>(value, &JsonPlace::integer);
    if (type == "floats") return readList<double>(value, &JsonPlace::number);
    if (type == "strings") return readList<std::string>(value, &JsonPlace::text);
    if (type == "tensors") return readTensors(value, file);
    return place.at("type").error(say("graph-json.attribute-type", word::Name {type}));
}

} // namespace

Result<Attribute> readAttribute(const JsonPlace& place, const std::filesystem::path& file)
{
    const nlohmann::json& value = place.value();
    const auto all = [&](auto&& is) { return std::all_of(value.begin(), value.end(), is); };
    if (value.is_boolean()) return Attribute(std::int64_t {value.get<bool>()});
    if (value.is_number_integer()) return asAttribute(place.integer());
    if (isReal(value)) return asAttribute(place.number());
    if (value.is_string()) return asAttribute(place.text());
    if (value.is_object() && value.contains("type")) return readTyped(place, file);
    if (value.is_object()) return asAttribute(readLiteral(place, file));
    if (!value.is_array()) return place.error(say("graph-json.attribute-kind"));
    if (all([](const auto& e) { return e.is_number_integer(); }))
        return readList<std::int64_t>(place, &JsonPlace::integer);
    if (all(isReal)) return readList<double>(place, &JsonPlace::number);
    if (all([](const auto& e) { return e.is_string(); })) return readList<std::string>(place, &JsonPlace::text);
    if (all([](const auto& e) { return e.is_object(); })) return readTensors(place, file);
    return place.error(say("graph-json.mixed-attribute"));
}

} // namespace plimsoll
