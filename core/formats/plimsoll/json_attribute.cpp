#include "core/formats/plimsoll/json_attribute.h"

#include "core/formats/plimsoll/json_tensor.h"

#include <functional>

namespace plimsoll {
namespace {

bool isReal(const JsonPlace& place)
{
    return place.isNumber() || place.word() == "nan" || place.word() == "inf" || place.word() == "-inf";
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
    std::vector<Element> list;
    PLIMSOLL_TRY(place.forEachElement([&](const JsonPlace& element) -> Status {
        PLIMSOLL_SET(list.emplace_back(), std::invoke(read, element));
        return {};
    }));
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
    if (place.isBoolean()) return Attribute(place.boolean().value() ? std::int64_t {1} : 0);
    if (place.isWhole()) return asAttribute(place.integer());
    if (isReal(place)) return asAttribute(place.number());
    if (place.isText()) return asAttribute(place.text());
    if (place.isObject() && place.has("type")) return readTyped(place, file);
    if (place.isObject()) return asAttribute(readLiteral(place, file));
    if (!place.isList()) return place.error(say("graph-json.attribute-kind"));
    if (place.allElements(&JsonPlace::isWhole)) return readList<std::int64_t>(place, &JsonPlace::integer);
    if (place.allElements(isReal)) return readList<double>(place, &JsonPlace::number);
    if (place.allElements(&JsonPlace::isText)) return readList<std::string>(place, &JsonPlace::text);
    if (place.allElements(&JsonPlace::isObject)) return readTensors(place, file);
    return place.error(say("graph-json.mixed-attribute"));
}

} // namespace plimsoll
