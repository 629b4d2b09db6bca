#include "core/formats/torch/exported_program.h"

#include "core/formats/program_place.h"

#include <algorithm>
#include <array>

namespace plimsoll::fx {
namespace {

using Kind = Expression::Kind;

/// By the number of ScalarType in PyTorch's export schema.
constexpr std::array<std::string_view, 14> DTypes = {"",    "u8",  "i8",  "i16", "i32",  "i64", "f16",
                                                     "f32", "f64", "c32", "c64", "c128", "b8",  "bf16"};
constexpr std::array<std::string_view, 5> LaterDTypes = {"u16", "f8e4m3fn", "f8e5m2", "f8e4m3fnuz", "f8e5m2fnuz"};
constexpr std::int64_t FirstLater = 28;

/// The only field of a union, {"as_int": 3}: its name and where it stands.
Result<std::pair<std::string, JsonPlace>> alternative(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    if (place.size() != 1) return place.error(say("pt2.no-kind"));
    const std::string kind(place.keyAt(0));
    return std::pair {kind, place.at(kind.c_str())};
}

Result<Expression> argument(const JsonPlace& place);

Result<Expression> named(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    PLIMSOLL_ASSIGN(name, place.requiredText("name"));
    return makeExpression(Kind::Name, std::move(name));
}

Result<Expression> number(const JsonPlace& place)
{
    Expression made = makeInteger(0);
    if (place.isBoolean()) {
        made.kind = Kind::Boolean;
        made.integer = place.boolean().value() ? 1 : 0;
    } else if (place.isWhole()) {
        PLIMSOLL_SET(made.integer, place.integer());
    } else {
        made.kind = Kind::Real;
        PLIMSOLL_SET(made.real, place.number());
    }
    return made;
}

/// A size that is a number or the name of a value: {"as_name": "sym_size"}.
Result<Expression> symbolic(const JsonPlace& place)
{
    PLIMSOLL_ASSIGN(kind, alternative(place));
    if (kind.first != "as_name") return number(kind.second);
    PLIMSOLL_ASSIGN(name, kind.second.text());
    return makeExpression(Kind::Name, std::move(name));
}

template <typename ReadItem>
Result<Expression> listOf(const JsonPlace& place, ReadItem readItem)
{
    Expression list = makeExpression(Kind::List);
    PLIMSOLL_TRY(place.forEachElement([&](const JsonPlace& item) -> Status {
        PLIMSOLL_SET(list.items.emplace_back(), readItem(item));
        return {};
    }));
    return list;
}

Result<Expression> text(const JsonPlace& place)
{
    PLIMSOLL_ASSIGN(content, place.text());
    return makeExpression(Kind::Text, std::move(content));
}

Result<Expression> scalarType(const JsonPlace& place)
{
    PLIMSOLL_ASSIGN(code, place.integer());
    return makeExpression(Kind::Text, "dtype " + std::to_string(code));
}

/// How an argument is read, by the name of its kind.
struct ArgumentKind
{
    std::string_view name;
    Result<Expression> (*read)(const JsonPlace&);
};

constexpr ArgumentKind ArgumentKinds[] = {
    {"as_tensor", named},
    {"as_int", number},
    {"as_float", number},
    {"as_bool", number},
    {"as_string", text},
    {"as_sym_int", symbolic},
    {"as_sym_bool", symbolic},
    {"as_sym_float", symbolic},
    {"as_scalar_type", scalarType},
    {"as_tensors", [](const JsonPlace& place) { return listOf(place, named); }},
    {"as_ints", [](const JsonPlace& place) { return listOf(place, number); }},
    {"as_floats", [](const JsonPlace& place) { return listOf(place, number); }},
    {"as_bools", [](const JsonPlace& place) { return listOf(place, number); }},
    {"as_strings", [](const JsonPlace& place) { return listOf(place, text); }},
    {"as_sym_ints", [](const JsonPlace& place) { return listOf(place, symbolic); }},
    {"as_optional_tensors", [](const JsonPlace& place) { return listOf(place, argument); }},
};

Result<Expression> argument(const JsonPlace& place)
{
    PLIMSOLL_ASSIGN(kind, alternative(place));
    const auto* row = std::ranges::find(ArgumentKinds, kind.first, &ArgumentKind::name);
    if (row != std::end(ArgumentKinds)) return row->read(kind.second);
    if (kind.first == "as_none") return makeExpression(Kind::None);
    return makeExpression(Kind::Text, kind.second.json());
}

/// Arguments that ATen takes by their name only, for files that do not say the kind.
bool byName(std::string_view name)
{
    constexpr std::string_view Names[] = {"alpha",         "beta",      "dtype",        "layout",
                                          "device",        "out",       "approximate",  "pin_memory",
                                          "memory_format", "generator", "rounding_mode"};
    return std::find(std::begin(Names), std::end(Names), name) != std::end(Names);
}

struct ModulePlace
{
    std::string path; ///< "blocks.0"; empty of the model itself.
    std::string type; ///< "Block": whose code it is.
};

/// The last of "L__self__,,models.GPT;L__s___b_0,L['s'].b[0],models.Block": keys, paths and classes.
ModulePlace innermost(const std::string& modules)
{
    std::string path;
    std::vector<std::string> classes;
    for (std::size_t begin = 0, end = 0; end < modules.size(); begin = end + 1) {
        end = std::min(modules.find(';', begin), modules.size());
        const std::string one = modules.substr(begin, end - begin);
        const std::size_t key = std::min(one.find(','), one.size());
        const std::size_t type = one.rfind(',');
        if (type == std::string::npos || type == key) continue;
        path = one.substr(key + 1, type - key - 1);
        classes.push_back(one.substr(type + 1));
    }
    return {modulePath(path), ownClass(classes)};
}

class ProgramReader
{
public:
    explicit ProgramReader(ReadingRoom& room) : m_room(room) {}

    Result<ExportedProgram> run(const JsonPlace& place)
    {
        if (!place.has("graph_module")) return place.error(say("pt2.no-graph-module"));
        const JsonPlace module = place.at("graph_module");
        PLIMSOLL_TRY(module.expectObject());
        PLIMSOLL_ASSIGN(graph, module.required("graph"));
        PLIMSOLL_TRY(graph.expectObject());
        PLIMSOLL_TRY(graph.forEachField("tensor_values", [&](const std::string& name, const JsonPlace& meta) -> Status {
            PLIMSOLL_SET(m_types[name], printedTypeOf(meta));
            return {};
        }));
        PLIMSOLL_TRY(graph.forEachField("sym_int_values", [&](const std::string& name, const JsonPlace&) -> Status {
            return m_types[name] = "Sym(" + name + ")", Status();
        }));
        if (module.has("signature")) PLIMSOLL_TRY(signature(module.at("signature")));
        PLIMSOLL_TRY(graph.forEach("inputs", [&](const JsonPlace& item) -> Status {
            PLIMSOLL_ASSIGN(value, argument(item));
            if (!value.is(Kind::Name)) return {};
            PLIMSOLL_TRY(define(value.text, item));
            m_program.graph.inputs.push_back(declared(value.text));
            return {};
        }));
        PLIMSOLL_TRY(graph.forEach("nodes", [&](const JsonPlace& item) { return node(item); }));
        PLIMSOLL_TRY(graph.readList("outputs", m_program.graph.results, argument));
        m_program.graph.name = "graph";
        return std::move(m_program);
    }

private:
    /// Calls \p onName with what each of the specifications calls by one of \p keys.
    template <typename OnName>
    static Status forEachName(const JsonPlace& place, const char* specs, std::array<const char*, 3> keys,
                              OnName&& onName)
    {
        return place.forEach(specs, [&](const JsonPlace& item) -> Status {
            PLIMSOLL_ASSIGN(kind, alternative(item));
            for (const char* key : keys) {
                if (!kind.second.isObject() || !kind.second.has(key)) continue;
                PLIMSOLL_ASSIGN(called, kind.second.requiredText(key));
                PLIMSOLL_TRY(onName(kind.first, kind.second, std::move(called)));
            }
            return {};
        });
    }

    Status signature(const JsonPlace& place)
    {
        PLIMSOLL_TRY(forEachName(place, "input_specs", {"parameter_name", "buffer_name", "tensor_constant_name"},
                                 [&](const std::string&, const JsonPlace& spec, std::string called) -> Status {
                                     PLIMSOLL_ASSIGN(arg, spec.required("arg"));
                                     PLIMSOLL_ASSIGN(name, named(arg));
                                     m_program.weights[name.text] = std::move(called);
                                     return {};
                                 }));
        return forEachName(place, "output_specs", {"buffer_name", "user_input_name", "parameter_name"},
                           [&](const std::string& kind, const JsonPlace&, std::string called) -> Status {
                               if (kind.find("mutation") != std::string::npos)
                                   m_program.mutated.push_back(std::move(called));
                               return {};
                           });
    }

    [[nodiscard]] Declared declared(const std::string& name) const
    {
        Declared made;
        made.name = name;
        const auto type = m_types.find(name);
        if (type != m_types.end()) made.annotation = type->second;
        if (m_program.weights.contains(name)) made.comment = "ParamAOTInput";
        return made;
    }

    Status define(const std::string& name, const JsonPlace& place)
    {
        if (!m_defined.emplace(name, place.path()).second)
            return place.error(say("pt2.computed-twice", word::Name {name}, m_defined.at(name)));
        return {};
    }

    static Status addArgument(const JsonPlace& place, Expression& call)
    {
        PLIMSOLL_TRY(place.expectObject());
        PLIMSOLL_ASSIGN(name, place.textOr("name", {}));
        PLIMSOLL_ASSIGN(arg, place.required("arg"));
        PLIMSOLL_ASSIGN(value, argument(arg));
        PLIMSOLL_ASSIGN(kind, place.integerOr("kind", byName(name) ? 2 : 1));
        if (kind == 2 && !name.empty())
            call.keywords.push_back({std::move(name), std::move(value)});
        else
            call.items.push_back(std::move(value));
        return {};
    }

    Status node(const JsonPlace& place)
    {
        PLIMSOLL_TRY(place.expectObject());
        Statement made;
        made.place = place.path();
        PLIMSOLL_ASSIGN(target, place.requiredText("target"));
        made.value = makeExpression(Kind::Call, std::move(target));
        PLIMSOLL_TRY(place.forEach("inputs", [&](const JsonPlace& item) { return addArgument(item, made.value); }));
        PLIMSOLL_TRY(place.forEach("outputs", [&](const JsonPlace& item) -> Status {
            PLIMSOLL_ASSIGN(value, argument(item));
            return outputs(value, item, made);
        }));
        if (place.has("metadata")) {
            PLIMSOLL_ASSIGN(stack, place.at("metadata").textOr("stack_trace", {}));
            PLIMSOLL_ASSIGN(modules, place.at("metadata").textOr("nn_module_stack", {}));
            const ModulePlace inner = innermost(modules);
            made.source = placeInStack(stack, inner.type);
            made.module = inner.path;
        }
        m_room.take(roomOf(made));
        if (m_room.isFull()) return place.error(ReadingRoom::refusal());
        m_program.graph.statements.push_back(std::move(made));
        return {};
    }

    Status outputs(const Expression& value, const JsonPlace& place, Statement& made)
    {
        for (const Expression& item : value.items)
            PLIMSOLL_TRY(outputs(item, place, made));
        if (value.is(Kind::List)) return {};
        if (value.is(Kind::Name)) PLIMSOLL_TRY(define(value.text, place));
        made.targets.push_back(value.is(Kind::Name) ? declared(value.text) : Declared());
        return {};
    }

    ReadingRoom& m_room;
    ExportedProgram m_program;
    std::map<std::string, std::string> m_types;   ///< As they are printed, by name.
    std::map<std::string, std::string> m_defined; ///< Name → where it is computed.
};

Result<std::string> sizes(const JsonPlace& meta, const char* key)
{
    std::string text = "[";
    PLIMSOLL_TRY(meta.forEach(key, [&](const JsonPlace& item) -> Status {
        PLIMSOLL_ASSIGN(kind, alternative(item));
        if (text.size() > 1) text += ", ";
        if (kind.first == "as_int") {
            PLIMSOLL_ASSIGN(size, kind.second.integer());
            text += std::to_string(size);
            return {};
        }
        PLIMSOLL_TRY(kind.second.expectObject());
        PLIMSOLL_ASSIGN(expression, kind.second.requiredText("expr_str"));
        text += expression;
        return {};
    }));
    return text + "]";
}

} // namespace

Result<std::string> printedTypeOf(const JsonPlace& meta)
{
    PLIMSOLL_TRY(meta.expectObject());
    PLIMSOLL_ASSIGN(code, meta.requiredInteger("dtype"));
    const bool early = code > 0 && code < static_cast<std::int64_t>(DTypes.size());
    const bool later = code >= FirstLater && code < FirstLater + static_cast<std::int64_t>(LaterDTypes.size());
    if (!early && !later) return meta.at("dtype").error(say("pt2.unknown-dtype", word::Number(code)));
    PLIMSOLL_ASSIGN(shape, sizes(meta, "sizes"));
    PLIMSOLL_ASSIGN(strides, sizes(meta, "strides"));
    std::string text(early ? DTypes[static_cast<std::size_t>(code)]
                           : LaterDTypes[static_cast<std::size_t>(code - FirstLater)]);
    text += shape + (meta.has("strides") ? strides : std::string());
    if (!meta.has("device")) return text;
    const JsonPlace device = meta.at("device");
    PLIMSOLL_TRY(device.expectObject());
    PLIMSOLL_ASSIGN(type, device.textOr("type", "cpu"));
    text += type;
    if (!device.has("index")) return text;
    PLIMSOLL_ASSIGN(index, device.at("index").integer());
    return text + ":" + std::to_string(index);
}

Result<ExportedProgram> readExportedProgram(const JsonPlace& place, ReadingRoom& room)
{
    PLIMSOLL_TRY(place.expectObject());
    return ProgramReader(room).run(place);
}

} // namespace plimsoll::fx
