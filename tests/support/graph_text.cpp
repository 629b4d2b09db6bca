#include "tests/support/graph_text.h"
#include "core/facts/english/english.h"

#include "core/graph/graph_builder.h"
#include "core/graph/validate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace plimsoll::test {
namespace {

std::string_view trimmed(std::string_view text)
{
    const auto begin = text.find_first_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Parts of \p text between \p separator, outside brackets, braces and quotes; trimmed, empty ones left out.
std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    int depth = 0;
    bool quoted = false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : separator;
        if (c == '"') quoted = !quoted;
        if (!quoted && (c == '[' || c == '{')) ++depth;
        if (!quoted && (c == ']' || c == '}')) --depth;
        if ((c != separator || depth > 0 || quoted) && i < text.size()) continue;
        if (const auto part = trimmed(text.substr(begin, i - begin)); !part.empty()) parts.push_back(part);
        begin = i + 1;
    }
    return parts;
}

Error bad(std::string message)
{
    return {ErrorCode::BadInput, Message(std::move(message)), {}, {}};
}

template <typename Number>
std::optional<Number> parseNumber(std::string_view text)
{
    Number number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

Result<TensorType> parseType(std::string_view text);

/// "csr:5" or "csr".
Result<TensorType> parseSparse(std::string_view dense, std::string_view kept)
{
    PLIMSOLL_ASSIGN(type, parseType(dense));
    const auto colon = kept.find(':');
    const auto storage = storageTypeFromName(kept.substr(0, colon));
    if (!storage) return bad("not a storage type: " + std::string(kept));
    type.storage = *storage;
    if (colon != std::string_view::npos)
        type.maxStored = parseNumber<std::int64_t>(kept.substr(colon + 1)).value_or(-1);
    return type;
}

Result<TensorType> parseType(std::string_view text)
{
    if (const auto at = text.find('@'); at != std::string_view::npos)
        return parseSparse(text.substr(0, at), text.substr(at + 1));
    const auto open = text.find('[');
    const auto dtype = dtypeFromName(text.substr(0, open));
    if (!dtype || open == std::string_view::npos || text.back() != ']') return bad("not a type: " + std::string(text));
    TensorType type {.dtype = *dtype};
    const std::string_view dims = text.substr(open + 1, text.size() - open - 2);
    if (dims == "...") return type;
    type.dims.emplace();
    for (const std::string_view dim : split(dims, ',')) {
        const auto size = parseNumber<std::int64_t>(dim);
        type.dims->push_back(size ? Dim {*size, {}} : Dim {-1, dim == "?" ? std::string() : std::string(dim)});
    }
    return type;
}

void appendElement(DType dtype, std::string_view text, std::vector<std::byte>& bytes)
{
    const auto push = [&](auto number) {
        const auto* first = reinterpret_cast<const std::byte*>(&number);
        bytes.insert(bytes.end(), first, first + sizeof number);
    };
    const double real = std::strtod(std::string(text).c_str(), nullptr);
    const std::int64_t whole = parseNumber<std::int64_t>(text).value_or(static_cast<std::int64_t>(real));
    if (dtype == DType::Float32) return push(static_cast<float>(real));
    if (dtype == DType::Float64) return push(real);
    const auto* first = reinterpret_cast<const std::byte*>(&whole);
    bytes.insert(bytes.end(), first, first + std::max(1, dtypeBits(dtype) / 8));
}

/// Elements below a byte are not supported here: each takes a whole one, which no type has.
TensorData parseData(DType dtype, const std::vector<std::string_view>& elements)
{
    std::vector<std::byte> bytes;
    for (const std::string_view element : elements)
        appendElement(dtype, element, bytes);
    return {.bytes = std::make_shared<const std::vector<std::byte>>(std::move(bytes))};
}

bool looksReal(std::string_view text)
{
    return text.find_first_of(".en") != std::string_view::npos;
}

Result<Attribute> parseList(std::string_view text)
{
    std::vector<std::int64_t> whole;
    std::vector<double> real;
    std::vector<std::string> strings;
    for (const std::string_view part : split(text.substr(1, text.size() - 2), ',')) {
        if (part.front() == '"')
            strings.emplace_back(part.substr(1, part.size() - 2));
        else if (looksReal(part))
            real.push_back(std::strtod(std::string(part).c_str(), nullptr));
        else
            whole.push_back(parseNumber<std::int64_t>(part).value_or(0));
    }
    if (!strings.empty()) return Attribute(strings);
    return real.empty() ? Attribute(whole) : Attribute(real);
}

Result<Attribute> parseAttribute(std::string_view text)
{
    if (text.empty()) return bad("an attribute has no value");
    if (text.front() == '"') return Attribute(std::string(text.substr(1, text.size() - 2)));
    if (text.front() == '[') return parseList(text);
    if (const auto brace = text.find('{'); brace != std::string_view::npos) {
        PLIMSOLL_ASSIGN(type, parseType(text.substr(0, brace)));
        const auto elements = split(text.substr(brace + 1, text.size() - brace - 2), ',');
        return Attribute(TensorLiteral {type.dtype, type.shape().value_or(Shape()), parseData(type.dtype, elements)});
    }
    if (looksReal(text)) return Attribute(std::strtod(std::string(text).c_str(), nullptr));
    const auto number = parseNumber<std::int64_t>(text);
    if (!number) return bad("not an attribute: " + std::string(text));
    return Attribute(*number);
}

Result<std::vector<AliasTrait>> parseAlias(std::string_view text)
{
    constexpr std::array<std::string_view, 5> Kinds = {"fresh", "in-place", "identity", "view", "mutates"};
    std::vector<AliasTrait> traits;
    for (const std::string_view one : split(text, '+')) {
        const auto parts = split(one, ':');
        const bool fits = parts.size() == 3 || parts.size() == 4;
        const auto kind = fits ? std::find(Kinds.begin(), Kinds.end(), parts[1]) : Kinds.end();
        if (kind == Kinds.end()) return bad("not an alias: " + std::string(one));
        traits.push_back({parseNumber<int>(parts[0]).value_or(0), parseNumber<int>(parts[2]).value_or(0),
                          static_cast<AliasKind>(kind - Kinds.begin()),
                          parts.size() == 4 ? parseNumber<std::int64_t>(parts[3]).value_or(0) : 0});
    }
    return traits;
}

class TextReader
{
public:
    Result<Graph> read(std::string_view text)
    {
        m_builder.graph().file.format = "text";
        m_builder.graph().opsets[""] = 21;
        int number = 0;
        for (std::size_t begin = 0; begin <= text.size();) {
            const auto end = std::min(text.find('\n', begin), text.size());
            const std::string_view line = text.substr(begin, end - begin);
            begin = end + 1;
            ++number;
            const Status status = readLine(trimmed(line.substr(0, line.find('#'))));
            if (status.ok()) continue;
            Error error = status.error();
            error.where = "line " + std::to_string(number);
            return error;
        }
        if (!m_owners.empty()) return bad("a body is not ended");
        return std::move(m_builder).build();
    }

private:
    Status readLine(std::string_view line)
    {
        const auto words = split(line, ' ');
        if (words.empty()) return {};
        const std::string_view first = words[0];
        if (line.find('(') != std::string_view::npos) return readNode(line);
        if (first == "graph" && words.size() == 2) return m_builder.graph().name = words[1], Status();
        if (first == "opset") return readOpset(words);
        if (first == "input" || first == "param" || first == "const" || first == "value") return readValue(words);
        if (first == "body" && words.size() == 2) return openBody(words[1]);
        if (first == "end") return closeBody();
        if (first == "output") return readOutputs(words);
        if (first == "grad") return markGradients(words);
        if (first == "loss" && words.size() == 2) return m_builder.graph().loss = m_builder.find(words[1]), Status();
        return bad("not understood: " + std::string(line));
    }

    Status markGradients(const std::vector<std::string_view>& words)
    {
        for (std::size_t i = 1; i < words.size(); ++i) {
            const ValueId value = m_builder.find(words[i]);
            if (!value.valid()) return bad("there is no value '" + std::string(words[i]) + "'");
            m_builder.graph()[value].requiresGrad = true;
        }
        return {};
    }

    Status readOpset(const std::vector<std::string_view>& words)
    {
        const std::string domain = words.size() == 3 ? std::string(words[1]) : std::string();
        m_builder.graph().opsets[domain] = parseNumber<std::int64_t>(words.back()).value_or(0);
        return {};
    }

    Status readValue(const std::vector<std::string_view>& words)
    {
        if (words.size() < 3) return bad("a name and a type are needed");
        PLIMSOLL_ASSIGN(type, parseType(words[2]));
        if (words[0] == "value") {
            PLIMSOLL_TRY(giveType(words[1], std::move(type)));
            return words.size() > 3 ? giveStrides(words[1], words[3]) : Status();
        }
        if (words[0] == "input") return m_builder.addInput(words[1], std::move(type)), Status();
        TensorData data;
        if (words.size() > 3) data = parseData(type.dtype, {words.begin() + 4, words.end()});
        if (words[0] == "param")
            m_builder.addParameter(words[1], std::move(type), std::move(data));
        else
            m_builder.addConstant(words[1], std::move(type), std::move(data));
        return {};
    }

    Status giveStrides(std::string_view name, std::string_view text)
    {
        constexpr std::string_view Key = "strides=";
        if (!text.starts_with(Key)) return bad("not strides: " + std::string(text));
        PLIMSOLL_ASSIGN(value, parseAttribute(text.substr(Key.size())));
        m_builder.graph()[m_builder.find(name)].at.edit().strides = std::get<std::vector<std::int64_t>>(value);
        return {};
    }

    Status giveType(std::string_view name, TensorType type)
    {
        const ValueId value = m_builder.find(name);
        if (!value.valid()) return bad("no such value: " + std::string(name));
        m_builder.graph()[value].type = std::move(type);
        return {};
    }

    Status openBody(std::string_view name)
    {
        if (!m_last.valid()) return bad("a body needs a node before it");
        m_owners.push_back(m_last);
        m_builder.openBody(m_last, name);
        return {};
    }

    Status closeBody()
    {
        if (m_owners.empty()) return bad("there is no body to end");
        m_builder.closeBody();
        m_last = m_owners.back();
        m_owners.pop_back();
        return {};
    }

    Status readOutputs(const std::vector<std::string_view>& words)
    {
        for (std::size_t i = 1; i < words.size(); ++i) {
            const ValueId value = m_builder.find(words[i]);
            if (!value.valid()) return bad("no such value: " + std::string(words[i]));
            m_builder.addOutput(value);
        }
        return {};
    }

    /// "name: outputs = domain::Op(inputs) attributes"
    Status readNode(std::string_view line)
    {
        const auto equals = line.find('=');
        const auto open = line.find('(');
        const auto close = line.find(')');
        if (equals > open || close == std::string_view::npos) return bad("not a node: " + std::string(line));
        const auto label = line.substr(0, equals).find(':');
        std::string_view op = trimmed(line.substr(equals + 1, open - equals - 1));
        Node node;
        if (label != std::string_view::npos) node.name = trimmed(line.substr(0, label));
        if (const auto colons = op.find("::"); colons != std::string_view::npos) {
            node.domain = op.substr(0, colons);
            op.remove_prefix(colons + 2);
        }
        node.op = op;
        node.from.edit().origin = {"onnx", node.op, {}};
        PLIMSOLL_TRY(readAttributes(line.substr(close + 1), node));
        PLIMSOLL_ASSIGN(inputs, readInputs(line.substr(open + 1, close - open - 1)));
        const auto begin = label == std::string_view::npos ? 0 : label + 1;
        std::vector<std::string> outputs;
        for (const std::string_view name : split(line.substr(begin, equals - begin), ','))
            outputs.emplace_back(name == "_" ? "" : name);
        m_last = m_builder.addNode(std::move(node), std::move(inputs), outputs);
        return {};
    }

    Result<ValueIds> readInputs(std::string_view text) const
    {
        ValueIds inputs;
        for (const std::string_view name : split(text, ',')) {
            inputs.push_back(name == "_" ? ValueId() : m_builder.find(name));
            if (name != "_" && !inputs.back().valid()) return bad("no such value: " + std::string(name));
        }
        return inputs;
    }

    static Status readAttributes(std::string_view text, Node& node)
    {
        for (const std::string_view word : split(text, ' ')) {
            const auto equals = word.find('=');
            if (equals == std::string_view::npos) return bad("not an attribute: " + std::string(word));
            const std::string_view key = word.substr(0, equals);
            if (key == "alias") {
                PLIMSOLL_ASSIGN(traits, parseAlias(word.substr(equals + 1)));
                node.declared.edit().traits = std::move(traits);
                continue;
            }
            PLIMSOLL_ASSIGN(value, parseAttribute(word.substr(equals + 1)));
            if (key == "ignores") {
                for (const std::int64_t input : std::get<std::vector<std::int64_t>>(value))
                    node.declared.edit().ignoredInputs.push_back(static_cast<int>(input));
            } else {
                node.attributes.emplace(key, std::move(value));
            }
        }
        return {};
    }

    GraphBuilder m_builder {"test"};
    std::vector<NodeId> m_owners;
    NodeId m_last;
};

} // namespace

Result<Graph> parseGraphText(std::string_view text)
{
    return TextReader().read(text);
}

Graph graphFromText(std::string_view text)
{
    auto graph = parseGraphText(text);
    if (!graph.ok()) {
        std::fprintf(stderr, "graphFromText: %s\nin:\n%.*s\n", describe(graph.error()).c_str(),
                     static_cast<int>(text.size()), text.data());
        std::abort();
    }
    return std::move(graph).value();
}

namespace samples {

const std::string_view TwoOutputsOneStorage = R"(
    graph two-outputs
    input x float32[4]
    n0: xc = Identity(x)
    n1: a = Identity(xc)
    n2: b = Identity(xc)
    output a b
)";

const std::string_view Residual = R"(
    graph residual
    input x float32[1,8,16,16]
    param w1 float32[8,8,3,3]
    param w2 float32[8,8,3,3]
    conv1: c1 = Conv(x, w1) pads=[1,1,1,1] kernel_shape=[3,3]
    relu1: r1 = Relu(c1)
    conv2: c2 = Conv(r1, w2) pads=[1,1,1,1] kernel_shape=[3,3]
    add: s = Add(c2, x)
    relu2: y = Relu(s)
    output y
)";

const std::string_view Branches = R"(
    graph branches
    input c bool[]
    input x float32[64]
    pre: p = Relu(x)
    choose: y = If(c)
    body then_branch
      t1: u = Neg(p)
      t2: v = Exp(u)
      output v
    end
    body else_branch
      e1: w = Add(p, x)
      output w
    end
    post: z = Add(y, p)
    output z
)";

const std::string_view CarriedLoop = R"(
    graph carried-loop
    input x float32[8]
    param w float32[8]
    const trips int64[] = 3
    const go bool[] = 1
    loop: last, all = Loop(trips, go, x)
    body body
      input i int64[]
      input cond bool[]
      input s float32[8]
      keep: cond_out = Identity(cond)
      step: s_out = Mul(s, w)
      copy: row = Identity(s_out)
      output cond_out s_out row
    end
    output last all
)";

const std::string_view Chain = R"(
    graph chain
    input x float32[256]
    n0: a = Relu(x)
    n1: b = Exp(a)
    n2: c = Neg(b)
    n3: d = Tanh(c)
    output d
)";

} // namespace samples
} // namespace plimsoll::test
