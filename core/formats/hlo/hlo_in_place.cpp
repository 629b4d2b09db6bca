#include "core/formats/hlo/hlo_in_place.h"

#include "core/ops/dialects/hlo_ops.h"
#include "core/ops/dims.h"
#include "core/ops/literal_elements.h"
#include "core/ops/op_schema.h"

#include <algorithm>
#include <array>
#include <map>

namespace plimsoll::hlo {
namespace {

using namespace std::string_view_literals;

/// Result k may lie where operand k does: by CanShareOperandBufferWithUser, and NCCL reduces in place.
constexpr std::array InPairs = {"all-reduce"sv, "all-reduce-start"sv, "scatter"sv, "sort"sv};

/// Calls of libraries that write over an operand (CanShareBufferHint of XLA's backend for GPUs): a product over the
/// matrix that it is added to, a factor over the matrix.
struct LibraryCall
{
    std::string_view target;
    std::size_t operand;
};
constexpr std::array LibraryCalls = {
    LibraryCall {"__cublas$gemm", 2},
    LibraryCall {"__cublas$lt$matmul", 2},
    LibraryCall {"__cusolver$cholesky", 0},
};

bool isRowMajor(const Shape& shape)
{
    if (shape.layout.empty()) return true;
    std::string wanted = "{";
    for (std::size_t axis = shape.type.dims->size(); axis-- > 0;)
        wanted += std::to_string(axis) + (axis > 0 ? "," : "");
    return shape.layout == wanted + "}";
}

bool sameLayout(const Shape& a, const Shape& b)
{
    return a.layout.empty() || b.layout.empty() || a.layout == b.layout;
}

/// The number that a constant holds, where it is one and is known.
std::optional<std::int64_t> numberOf(const Instruction& one)
{
    const auto shape = one.shape.type.shape();
    if (one.opcode != "constant" || !shape || !shape->empty() || !one.data->present()) return std::nullopt;
    const PartialTensor number = readElements(one.shape.type.dtype, *shape, *one.data);
    if (!number.complete() || number.elements.front()->isFloat) return std::nullopt;
    return number.elements.front()->integer;
}

std::vector<const Shape*> operandLeaves(const Computation& computation, const Instruction& instruction)
{
    std::vector<const Shape*> leaves;
    for (const std::size_t operand : instruction.operands) {
        const auto more = leavesOf(computation.instructions[operand].shape);
        leaves.insert(leaves.end(), more.begin(), more.end());
    }
    return leaves;
}

/// Where the leaves of an operand begin among those of all operands.
std::size_t firstLeafOf(const Computation& computation, const Instruction& instruction, std::size_t operand)
{
    std::size_t first = 0;
    for (std::size_t i = 0; i < operand; ++i)
        first += countLeaves(computation.instructions[instruction.operands[i]].shape);
    return first;
}

/// Which elements of an operand an instruction reads. Where elements lie otherwise than in the operand, what keeps its
/// place does not.
AccessMap mapOf(const Computation& body, const Instruction& one, std::size_t operand)
{
    std::vector<const TensorType*> types;
    for (const std::size_t other : one.operands)
        types.push_back(&body.instructions[other].shape.type);
    const Shape& from = body.instructions[one.operands[operand]].shape;
    if (from.kind != Shape::Kind::Array || one.shape.kind != Shape::Kind::Array) return {};
    AccessMap map = accessInXla({one.opcode, one.attributes, types, one.shape.type}, operand);
    const bool rowMajor = isRowMajor(from) && isRowMajor(one.shape);
    const bool moved = one.opcode == "reshape" ? !rowMajor : one.opcode != "bitcast" && !sameLayout(from, one.shape);
    return moved && staysInPlace(map) ? AccessMap {} : map;
}

/// The computation of a fusion: what its parameters become.
class FusedUses
{
public:
    explicit FusedUses(const Computation& body) : m_body(body), m_users(body.instructions.size())
    {
        for (std::size_t i = 0; i < body.instructions.size(); ++i) {
            for (const std::size_t operand : body.instructions[i].operands)
                m_users[operand].push_back(i);
        }
    }

    /// On all ways to the results bytes stay where they are (AreTransitiveUsesElementwiseOrTuple of XLA; its backend
    /// for GPUs follows bitcasts, too). \p reducesFirst: what a reduction reads is read before anything is written.
    [[nodiscard]] bool staysElementwise(std::size_t from, bool reducesFirst) const
    {
        std::vector<bool> seen(m_users.size(), false);
        std::vector<std::size_t> open = {from};
        while (!open.empty()) {
            const std::size_t here = open.back();
            open.pop_back();
            for (const std::size_t user : m_users[here]) {
                if (reducesFirst && m_body.instructions[user].opcode == "reduce") continue;
                if (!isElementwise(user, here)) return false;
                if (!seen[user]) open.push_back(user);
                seen[user] = true;
            }
        }
        return true;
    }

    /// A sum of which the other half is a product of matrices: only there the parameter is read.
    [[nodiscard]] bool isAddedLast(std::size_t from) const
    {
        const Instruction& root = m_body.instructions[m_body.root];
        const bool once = root.opcode == "add" && root.operands.size() == 2 && m_users[from].size() == 1 &&
                          m_users[from].front() == m_body.root && root.operands[0] != root.operands[1];
        if (!once) return false;
        const std::size_t other = root.operands[root.operands[0] == from ? 1 : 0];
        const std::string& opcode = *m_body.instructions[other].opcode;
        return opcode == "dot" || opcode == "convolution";
    }

    /// The parameter that a result updates a slice of; else nothing (HloDataflowAnalysis::GetInPlaceInputOutputPairs).
    [[nodiscard]] std::optional<std::size_t> updatedBy(std::size_t result) const
    {
        result = behindBitcasts(result);
        if (!updates(result)) return std::nullopt;
        while (updates(result))
            result = behindBitcasts(m_body.instructions[result].operands.front());
        return m_body.instructions[result].opcode == "parameter" ? std::optional(result) : std::nullopt;
    }

    [[nodiscard]] std::vector<std::size_t> results() const
    {
        const Instruction& root = m_body.instructions[m_body.root];
        return root.opcode == "tuple" ? std::vector<std::size_t>(root.operands.begin(), root.operands.end())
                                      : std::vector {m_body.root};
    }

private:
    [[nodiscard]] bool isElementwise(std::size_t user, std::size_t operand) const
    {
        const Instruction& one = m_body.instructions[user];
        if (one.opcode == "tuple" || one.opcode == "bitcast") return true;
        for (std::size_t i = 0; i < one.operands.size(); ++i) {
            if (one.operands[i] == operand && !staysInPlace(mapOf(m_body, one, i))) return false;
        }
        return true;
    }
    [[nodiscard]] bool updates(std::size_t at) const
    {
        const Instruction& one = m_body.instructions[at];
        return (one.opcode == "dynamic-update-slice" || one.opcode == "scatter") && !one.operands.empty();
    }
    [[nodiscard]] std::size_t behindBitcasts(std::size_t at) const
    {
        while (m_body.instructions[at].opcode == "bitcast" && !m_body.instructions[at].operands.empty())
            at = m_body.instructions[at].operands.front();
        return at;
    }

    const Computation& m_body;
    std::vector<std::vector<std::size_t>> m_users;
};

bool sameShape(const Shape& a, const Shape& b)
{
    return a.kind == Shape::Kind::Array && b.kind == Shape::Kind::Array && a.type == b.type && sameLayout(a, b);
}

bool sameBytes(const Shape& a, const Shape& b)
{
    return a.kind == Shape::Kind::Array && b.kind == Shape::Kind::Array && a.type.bytes() &&
           a.type.bytes() == b.type.bytes() && dtypeBits(a.type.dtype) == dtypeBits(b.type.dtype);
}

/// Only tensors are told apart: a fusion that takes or makes nested tuples shares nothing.
void addFusion(const Module& module, const Computation& computation, const Instruction& fusion,
               std::vector<AliasTrait>& traits)
{
    const auto kind = fusion.attributes.find("kind");
    const std::string* name = kind == fusion.attributes.end() ? nullptr : std::get_if<std::string>(&kind->second);
    const bool loop = name && (*name == "kLoop" || *name == "kInput");
    const FusedUses uses(module.computations[fusion.called.front()]);
    const std::deque<Instruction>& fused = module.computations[fusion.called.front()].instructions;
    const std::vector<const Shape*> leaves = leavesOf(fusion.shape);
    const std::vector<std::size_t> results = uses.results();
    if (results.size() != leaves.size()) return;
    for (std::size_t i = 0; i < fused.size(); ++i) {
        const auto operand = static_cast<std::size_t>(fused[i].number);
        const bool read = fused[i].opcode == "parameter" && operand < fusion.operands.size();
        if (!read || fused[i].shape.kind != Shape::Kind::Array) continue;
        const auto input = static_cast<int>(firstLeafOf(computation, fusion, operand));
        const bool elementwise =
            loop ? uses.staysElementwise(i, *name == "kInput") : name && *name == "kOutput" && uses.isAddedLast(i);
        for (std::size_t k = 0; k < results.size(); ++k) {
            if (uses.updatedBy(results[k]) == i || (elementwise && sameBytes(*leaves[k], fused[i].shape)))
                traits.push_back({static_cast<int>(k), input, AliasKind::MayBeInPlace, 0});
        }
    }
}

void addDeclared(const Computation& computation, const Instruction& one, std::vector<AliasTrait>& traits)
{
    for (const Aliasing& aliasing : *one.aliasing) {
        const auto operand = static_cast<std::size_t>(aliasing.operand);
        if (aliasing.operand < 0 || operand >= one.operands.size()) continue;
        const auto from = leavesAt(computation.instructions[one.operands[operand]].shape, aliasing.path);
        const auto to = leavesAt(one.shape, aliasing.output);
        if (!from || !to || from->count != to->count) continue;
        const std::size_t first = firstLeafOf(computation, one, operand) + from->first;
        for (std::size_t i = 0; i < to->count; ++i)
            traits.push_back(
                {static_cast<int>(to->first + i), static_cast<int>(first + i), AliasKind::MayBeInPlace, 0});
    }
}

void addPairs(const Computation& computation, const Instruction& one, std::vector<AliasTrait>& traits)
{
    const auto from = operandLeaves(computation, one);
    const auto to = leavesOf(one.shape);
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
        if (sameShape(*from[i], *to[i]))
            traits.push_back({static_cast<int>(i), static_cast<int>(i), AliasKind::MayBeInPlace, 0});
    }
}

void addLibraryCall(const Computation& computation, const Instruction& one, std::vector<AliasTrait>& traits)
{
    const auto target = one.attributes.find("custom_call_target");
    const std::string* name = target == one.attributes.end() ? nullptr : std::get_if<std::string>(&target->second);
    const auto* known = std::find_if(LibraryCalls.begin(), LibraryCalls.end(),
                                     [&](const LibraryCall& call) { return name && call.target == *name; });
    const auto from = operandLeaves(computation, one);
    const auto to = leavesOf(one.shape);
    if (known == LibraryCalls.end() || known->operand >= from.size() || to.empty()) return;
    if (sameShape(*from[known->operand], *to.front()))
        traits.push_back({0, static_cast<int>(known->operand), AliasKind::MayBeInPlace, 0});
}

/// Whether elements lie otherwise in the result than in an operand of the same dimensions, or of the same order.
bool movesElements(const Computation& computation, const Instruction& one)
{
    if (one.shape.kind != Shape::Kind::Array || !one.shape.type.dims) return false;
    for (const Shape* operand : operandLeaves(computation, one)) {
        if (operand->kind != Shape::Kind::Array || !operand->type.dims) continue;
        if (one.opcode == "reshape" && !(isRowMajor(*operand) && isRowMajor(one.shape))) return true;
        if (operand->type.dims == one.shape.type.dims && !sameLayout(*operand, one.shape)) return true;
    }
    return false;
}

/// Whether it joins or cuts tensors that do not lie row by row, as its map has them.
bool partsLieElsewhere(const Computation& computation, const Instruction& one)
{
    const OpSchema* schema = findSchema("xla", one.opcode);
    if (!schema || !schema->moves || one.shape.kind != Shape::Kind::Array) return false;
    const auto otherwise = [](const Shape* shape) { return shape->kind == Shape::Kind::Array && !isRowMajor(*shape); };
    return otherwise(&one.shape) || std::ranges::any_of(operandLeaves(computation, one), otherwise);
}

/// Starts of slices that only a run knows, by instruction and by how far they may go.
using Starts = std::map<std::pair<std::size_t, std::int64_t>, std::size_t>;

/// Which start an index operand is, clamped so that the slice lies inside: a number where it is a constant.
void resolveStarts(const Computation& body, const Instruction& one, Starts& starts, AccessMap& map)
{
    const bool updates = one.opcode == "dynamic-update-slice";
    if (updates && one.operands.size() < 2) return;
    const auto whole = dimsOf(updates ? one.shape.type : body.instructions[one.operands.front()].shape.type);
    const auto slice = dimsOf(updates ? body.instructions[one.operands[1]].shape.type : one.shape.type);
    for (std::size_t a = 0; a < map.axes.size(); ++a) {
        std::map<std::size_t, std::int64_t> moved;
        for (const auto& [operand, times] : map.axes[a].moved) {
            if (operand >= one.operands.size()) {
                map = {};
                return;
            }
            const std::int64_t most = (*whole)[a] - (*slice)[a];
            const auto number = numberOf(body.instructions[one.operands[operand]]);
            if (number)
                map.axes[a].start += times * std::clamp<std::int64_t>(*number, 0, most);
            else
                moved[starts.try_emplace({one.operands[operand], most}, starts.size()).first->second] += times;
        }
        map.axes[a].moved = std::move(moved);
    }
}

} // namespace

std::shared_ptr<const InnerOperations> innerOperations(const Module& module, const Computation& computation,
                                                       const Instruction& fusion)
{
    if (fusion.opcode != "fusion" || fusion.called.size() != 1) return nullptr;
    const Computation& body = module.computations[fusion.called.front()];
    const auto kind = fusion.attributes.find("kind");
    const bool reducesFirst = kind != fusion.attributes.end() && kind->second == Attribute("kInput");
    auto inside = std::make_shared<InnerOperations>();
    Starts starts;
    for (const Instruction& one : body.instructions) {
        std::vector<InnerOperand>& operands = inside->operands.emplace_back();
        const auto number = static_cast<std::size_t>(one.number);
        if (one.opcode == "parameter" && number < fusion.operands.size()) {
            const std::size_t first = firstLeafOf(computation, fusion, number);
            const bool tensor = one.shape.kind == Shape::Kind::Array && one.shape.type.dims;
            for (std::size_t leaf = 0; leaf < countLeaves(one.shape); ++leaf)
                operands.push_back(
                    {false, first + leaf, tensor ? sameIndex(one.shape.type.dims->size()) : AccessMap {}});
        }
        for (std::size_t i = 0; i < one.operands.size(); ++i) {
            AccessMap map = mapOf(body, one, i);
            if (map.kind == AccessMap::Kind::Axes) resolveStarts(body, one, starts, map);
            operands.push_back({true, one.operands[i], std::move(map), reducesFirst && one.opcode == "reduce"});
        }
    }
    inside->results = FusedUses(body).results();
    return inside;
}

std::optional<std::vector<AliasTrait>> inPlaceTraits(const Module& module, const Computation& computation,
                                                     const Instruction& instruction)
{
    std::vector<AliasTrait> traits;
    addDeclared(computation, instruction, traits);
    if (instruction.opcode == "fusion" && instruction.called.size() == 1)
        addFusion(module, computation, instruction, traits);
    else if (std::find(InPairs.begin(), InPairs.end(), instruction.opcode) != InPairs.end())
        addPairs(computation, instruction, traits);
    else if (instruction.opcode == "custom-call" && traits.empty())
        addLibraryCall(computation, instruction, traits);
    else if (instruction.opcode != "bitcast" && movesElements(computation, instruction))
        return traits;
    else if (partsLieElsewhere(computation, instruction))
        return traits;
    if (traits.empty()) return std::nullopt;
    return traits;
}

} // namespace plimsoll::hlo
