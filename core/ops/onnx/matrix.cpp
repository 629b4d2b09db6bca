#include "core/ops/onnx/op_families.h"
#include "core/ops/sparse_tables.h"

#include <algorithm>
#include <map>

namespace plimsoll::ops {

namespace {

/// numpy's matmul: vectors get a dimension of 1 that goes again. Empty after a contradiction.
std::optional<Dims> product(Dims a, Dims b)
{
    if (a.empty() || b.empty()) return std::nullopt;
    const bool leftVector = a.size() == 1;
    const bool rightVector = b.size() == 1;
    if (leftVector) a.insert(a.begin(), 1);
    if (rightVector) b.push_back(1);
    if (!sameSize(a.back(), b[b.size() - 2])) return std::nullopt;
    auto dims = broadcast(Dims(a.begin(), a.end() - 2), Dims(b.begin(), b.end() - 2));
    if (!dims) return std::nullopt;
    if (!leftVector) dims->push_back(a[a.size() - 2]);
    if (!rightVector) dims->push_back(b.back());
    return dims;
}

Status setProduct(NodeFacts& facts, DType dtype, std::size_t left, std::size_t right)
{
    const auto a = facts.dims(left);
    const auto b = facts.dims(right);
    if (!a || !b) return facts.give(dtype, std::nullopt);
    const auto dims = product(*a, *b);
    if (!dims)
        return facts.error(say("ops.cannot-multiplied", describe(facts.type(left)), describe(facts.type(right))));
    return facts.give(dtype, dims);
}

Status inferGemm(NodeFacts& facts)
{
    auto a = facts.dims(0);
    auto b = facts.dims(1);
    if (!a || !b) return facts.give(facts.dtype(0), Dims {UnknownSize, UnknownSize});
    if (a->size() != 2 || b->size() != 2)
        return facts.error(say("ops.operands-two-matrices", describe(facts.type(0)), describe(facts.type(1))));
    if (facts.attribute("transA", 0) != 0) std::swap((*a)[0], (*a)[1]);
    if (facts.attribute("transB", 0) != 0) std::swap((*b)[0], (*b)[1]);
    if (!sameSize((*a)[1], (*b)[0]))
        return facts.error(say("ops.cannot-multiplied", describe(facts.type(0)), describe(facts.type(1))));
    return facts.give(facts.dtype(0), Dims {(*a)[0], (*b)[1]});
}

/// "ij,jk->ik" cut into terms without blanks. The text after the arrow is empty where there is no arrow.
struct Equation
{
    std::vector<std::string> inputs;
    std::optional<std::string> output;
};

Equation parseEquation(std::string text)
{
    Equation equation;
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    if (const auto arrow = text.find("->"); arrow != std::string::npos) {
        equation.output = text.substr(arrow + 2);
        text.resize(arrow);
    }
    equation.inputs.emplace_back();
    for (const char c : text) {
        if (c == ',') {
            equation.inputs.emplace_back();
        } else {
            equation.inputs.back() += c;
        }
    }
    return equation;
}

/// Sizes by letter, and what the dots stand for.
struct Labels
{
    std::map<char, std::int64_t> sizes;
    std::map<char, int> uses;
    Dims dots;
};

constexpr std::string_view Dots = "...";

bool readTerm(const std::string& term, const Dims& dims, Labels& labels)
{
    const auto dots = term.find(Dots);
    const std::size_t letters = term.size() - (dots == std::string::npos ? 0 : Dots.size());
    if (dims.size() < letters || (dots == std::string::npos && dims.size() != letters)) return false;
    const std::size_t hidden = dims.size() - letters;
    std::size_t axis = 0;
    for (std::size_t i = 0; i < term.size(); ++i) {
        if (i == dots) {
            const auto begin = dims.begin() + static_cast<std::ptrdiff_t>(axis);
            const auto common = broadcast(labels.dots, Dims(begin, begin + static_cast<std::ptrdiff_t>(hidden)));
            if (!common) return false;
            labels.dots = *common;
            axis += hidden;
            i += Dots.size() - 1;
            continue;
        }
        const auto [place, added] = labels.sizes.emplace(term[i], dims[axis]);
        const auto size = broadcastSize(place->second, dims[axis]);
        if (!size) return false;
        place->second = *size;
        ++labels.uses[term[i]];
        ++axis;
    }
    return true;
}

Status inferEinsum(NodeFacts& facts)
{
    const Equation equation = parseEquation(facts.textAttribute("equation", ""));
    Labels labels;
    if (equation.inputs.size() != facts.inputCount()) return facts.error(say("ops.equation-another-number"));
    for (std::size_t i = 0; i < facts.inputCount(); ++i) {
        const auto dims = facts.dims(i);
        if (!dims) return facts.give(facts.dtype(0), std::nullopt);
        if (!readTerm(equation.inputs[i], *dims, labels)) {
            return facts.error(say("ops.term-equation-does", word::Name {equation.inputs[i]}, describe(facts.type(i))));
        }
    }
    std::string output = equation.output.value_or(std::string(Dots));
    if (!equation.output) {
        for (const auto& [letter, uses] : labels.uses)
            output += uses == 1 ? std::string(1, letter) : "";
    }
    Dims dims;
    for (std::size_t i = 0; i < output.size(); ++i) {
        if (output.compare(i, Dots.size(), Dots) == 0) {
            dims.insert(dims.end(), labels.dots.begin(), labels.dots.end());
            i += Dots.size() - 1;
        } else if (labels.sizes.contains(output[i])) {
            dims.push_back(labels.sizes[output[i]]);
        } else {
            return facts.error(say("ops.equation-wants-input", word::Name {output.substr(i, 1)}));
        }
    }
    return facts.give(facts.dtype(0), dims);
}

Status inferDet(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    if (dims && dims->size() < 2) return facts.error(say("ops.no-matrix", describe(facts.type(0))));
    if (dims) dims->resize(dims->size() - 2);
    return facts.give(facts.dtype(0), dims);
}

constexpr OpSchema MatrixSchemas[] = {
    {.op = "Det", .signature = "float", .infer = inferDet, .grows = AllInputs},
    {.op = "Einsum", .signature = "number:T+", .infer = inferEinsum, .grows = AllInputs},
    {.op = "Gemm",
     .signature = "number:T number:T number:T?",
     .infer = inferGemm,
     .grows = AllInputs,
     .derivative = R"(
        (mat1, mat2, self) = aten::addmm
          mat1: attr(alpha, 1) * turned(matmul(g, transpose(turned(mat2, attr(transB, 0)))), attr(transA, 0))
          mat2: attr(alpha, 1) * turned(matmul(transpose(turned(mat1, attr(transA, 0))), g), attr(transB, 0))
          self: attr(beta, 1) * g)",
     .derivative2019 = R"(
        (mat1, mat2, self) = aten::addmm
          mat1: with(attr(alpha, 1) * turned(matmul(g, transpose(turned(mat2, attr(transB, 0)))), attr(transA, 0)), held(mat1))
          mat2: attr(alpha, 1) * turned(matmul(transpose(turned(mat1, attr(transA, 0))), g), attr(transB, 0))
          self: attr(beta, 1) * g)"},
    {.op = "MatMul",
     .signature = "number:T number:T",
     .infer = [](NodeFacts& facts) { return setProduct(facts, facts.dtype(0), 0, 1); },
     .grows = AllInputs,
     .storages = storages::Matrix,
     .derivative = R"(
        (self, other) when ranks 2 2 = aten::mm
          self: matmul(g, transpose(other))
          other: matmul(transpose(self), g)
        (self, other) when ranks 3 3 = aten::bmm
          self: matmul(g, transpose(other))
          other: matmul(transpose(self), g)
        (self, vec) when ranks 2 1 = aten::mv
          self: column(g) * vec
          vec: matmul(transpose(self), g)
        (self, tensor) when ranks 1 1 = aten::dot
          self: g * tensor
          tensor: g * self
        (self, other)
          self: matmul_left(g, other)
          other: matmul_right(self, g))",
     .derivative2019 = R"(
        (self, other) when ranks 2 2 = aten::mm
          self: with(matmul(g, transpose(other)), held(self))
          other: matmul(transpose(self), g))"},
    {.op = "MatMulInteger",
     .signature = "byte byte byte? byte?",
     .infer = [](NodeFacts& facts) { return setProduct(facts, DType::Int32, 0, 1); },
     .grows = AllInputs},
    // a, its scale and zero point, b, its scale and zero point, scale and zero point of the result.
    {.op = "QLinearMatMul",
     .signature = "small:T float small:T small:U float small:U float small",
     .infer = [](NodeFacts& facts) { return setProduct(facts, facts.dtype(7), 0, 3); },
     .grows = AllInputs},
};

} // namespace

constinit const OpFamily matrixOperators {"", MatrixSchemas};

} // namespace plimsoll::ops
