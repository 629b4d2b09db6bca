#include "core/formats/hlo/hlo_proto_module.h"
#include "core/formats/bad_input.h"

#include "core/base/shared_words.h"
#include "core/base/short_text.h"
#include "core/formats/files/utf8.h"
#include "core/formats/hlo.pb.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace plimsoll::hlo {
namespace {

constexpr std::size_t LongestAttribute = 200;

template <typename Numbers>
Path pathFrom(const Numbers& numbers)
{
    return Path(numbers.begin(), numbers.end());
}

template <typename Numbers>
std::string joined(const Numbers& numbers)
{
    std::string text;
    for (const std::int64_t number : numbers)
        text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}

Result<Shape> shapeFrom(const file::ShapeProto& from, const std::string& place)
{
    Shape shape;
    if (from.element_type() == file::BUFFER && from.tuple_shapes_size() == 1)
        return shapeFrom(from.tuple_shapes(0), place);
    if (from.element_type() == file::TUPLE) {
        shape.kind = Shape::Kind::Tuple;
        for (const file::ShapeProto& part : from.tuple_shapes()) {
            PLIMSOLL_SET(shape.parts.emplace_back(), shapeFrom(part, place));
        }
        return shape;
    }
    if (from.element_type() == file::TOKEN) shape.kind = Shape::Kind::Token;
    if (from.element_type() == file::OPAQUE_TYPE) shape.kind = Shape::Kind::Opaque;
    if (shape.kind != Shape::Kind::Array) return shape;
    const ElementType* element = findElementType(static_cast<int>(from.element_type()));
    if (!element) return badInput(say("hlo.element-type", word::Number {static_cast<int>(from.element_type())}), place);
    shape.type.dims.emplace();
    for (int i = 0; i < from.dimensions_size(); ++i) {
        const bool open = i < from.is_dynamic_dimension_size() && from.is_dynamic_dimension(i);
        const std::int64_t size = from.dimensions(i);
        shape.type.dims->push_back(size < 0 ? Dim {} : Dim {size, {}});
        shape.bounded = shape.bounded || (open && size >= 0);
    }
    if (from.has_layout()) {
        // As the text has it: "{1,0:T(8,128)}".
        shape.layout = "{" + joined(from.layout().minor_to_major());
        if (from.layout().tiles_size() > 0) shape.layout += ":T";
        for (const file::TileProto& tile : from.layout().tiles())
            shape.layout += "(" + joined(tile.dimensions()) + ")";
        shape.layout += "}";
        shape.space = from.layout().memory_space();
        shape.tiled = from.layout().tiles_size() > 0;
    }
    setElementType(shape, *element, from.layout().element_size_in_bits());
    return shape;
}

void keep(Instruction& one, const char* key, const std::string& text)
{
    if (!text.empty()) one.attributes.emplace(key, shortMiddle(text, LongestAttribute));
}

/// As the text has it: "{[0:3:1], [2:8:2]}".
std::string sliceText(const file::HloInstructionProto& from)
{
    std::string text;
    for (const auto& axis : from.slice_dimensions())
        text += fmt::format("{}[{}:{}:{}]", text.empty() ? "" : ", ", axis.start(), axis.limit(), axis.stride());
    return text.empty() ? text : "{" + text + "}";
}

/// "1_1_0x0_2_0": in front, behind and between, by axis.
std::string paddingText(const file::HloInstructionProto& from)
{
    std::string text;
    for (const auto& axis : from.padding_config().dimensions())
        text += fmt::format("{}{}_{}_{}", text.empty() ? "" : "x", axis.edge_padding_low(), axis.edge_padding_high(),
                            axis.interior_padding());
    return text;
}

Status checkText(const std::string& text, const std::string& place)
{
    if (isUtf8(text)) return {};
    return badInput(say("protobuf.not-utf8"), place);
}

class ModuleReader
{
public:
    explicit ModuleReader(const file::HloModuleProto& from) : m_from(from) {}

    Result<Module> run()
    {
        m_module.name = m_from.name();
        PLIMSOLL_TRY(checkText(m_module.name, "hlo_module"));
        if (m_from.computations_size() == 0) return badInput(say("hlo.no-computations"), "hlo_module");
        for (const auto& computation : m_from.computations()) {
            if (!m_computations.emplace(computation.id(), m_computations.size()).second)
                return badInput(say("hlo.computation-number-twice", word::Number {computation.id()}), "hlo_module");
        }
        for (const auto& computation : m_from.computations())
            PLIMSOLL_TRY(readComputation(computation));
        m_module.scheduled = m_from.has_schedule() && m_from.schedule().sequences_size() > 0;
        PLIMSOLL_TRY(findEntry());
        for (const auto& entry : m_from.input_output_alias().entries())
            m_module.aliases.push_back({pathFrom(entry.output_shape_index()), entry.parameter_number(),
                                        pathFrom(entry.parameter_shape_index())});
        for (const auto& entry : m_from.buffer_donor().entries())
            m_module.donors.emplace_back(entry.parameter_number(), pathFrom(entry.parameter_shape_index()));
        return std::move(m_module);
    }

private:
    Status findEntry()
    {
        const auto byName =
            std::find_if(m_module.computations.begin(), m_module.computations.end(),
                         [&](const Computation& one) { return one.name == m_from.entry_computation_name(); });
        const auto byId = m_computations.find(m_from.entry_computation_id());
        if (byName != m_module.computations.end())
            m_module.entry = static_cast<std::size_t>(byName - m_module.computations.begin());
        else if (byId != m_computations.end())
            m_module.entry = byId->second;
        else
            return badInput(say("hlo.no-entry-computation"), "hlo_module");
        return {};
    }

    Status readComputation(const file::HloComputationProto& from)
    {
        const std::string place = "computation '" + from.name() + "'";
        PLIMSOLL_TRY(checkText(from.name(), "hlo_module"));
        if (from.instructions_size() == 0) return badInput(say("hlo.no-instructions"), place);
        PLIMSOLL_ASSIGN(order, orderOf(from, place));
        Computation computation {from.name(), {}, 0};
        std::unordered_map<std::int64_t, std::size_t> known;
        for (const int index : order) {
            PLIMSOLL_ASSIGN(one, readInstruction(from.instructions(index), known, place));
            known.emplace(one.id, computation.instructions.size());
            computation.instructions.push_back(std::move(one));
        }
        const auto root = known.find(from.root_id());
        if (root == known.end()) return badInput(say("hlo.no-root"), place);
        computation.root = root->second;
        m_module.computations.push_back(std::move(computation));
        return {};
    }

    /// As they are listed, or as they are scheduled: each once.
    [[nodiscard]] Result<std::vector<int>> orderOf(const file::HloComputationProto& from,
                                                   const std::string& place) const
    {
        std::unordered_map<std::int64_t, int> byId;
        std::vector<int> order;
        for (int i = 0; i < from.instructions_size(); ++i) {
            order.push_back(i);
            if (!byId.emplace(from.instructions(i).id(), i).second)
                return badInput(say("hlo.instruction-number-twice", word::Number {from.instructions(i).id()}), place);
        }
        const auto sequence = m_from.schedule().sequences().find(from.id());
        if (sequence == m_from.schedule().sequences().end()) return order;
        order.clear();
        for (const std::int64_t id : sequence->second.instruction_ids()) {
            const auto found = byId.find(id);
            if (found == byId.end()) return badInput(say("hlo.schedule-instruction", word::Number {id}), place);
            order.push_back(found->second);
            byId.erase(found);
        }
        if (byId.empty()) return order;
        return badInput(say("hlo.schedule-incomplete"), place);
    }

    Result<Instruction> readInstruction(const file::HloInstructionProto& from,
                                        const std::unordered_map<std::int64_t, std::size_t>& known,
                                        const std::string& place)
    {
        Instruction one;
        one.name = from.name().empty() ? from.opcode() + "." + std::to_string(from.id()) : from.name();
        one.opcode = m_words[from.opcode()];
        one.id = from.id();
        PLIMSOLL_TRY(checkText(one.name + from.opcode() + from.metadata().op_name() + from.metadata().source_file() +
                                   from.custom_call_target(),
                               place));
        PLIMSOLL_SET(one.shape, shapeFrom(from.shape(), placeOf(one)));
        one.number = one.opcode == "parameter" ? from.parameter_number() : from.tuple_index();
        for (const std::int64_t id : from.operand_ids()) {
            const auto operand = known.find(id);
            if (operand == known.end())
                return badInput(say("hlo.no-instruction-number", word::Number {id}), placeOf(one));
            one.operands.push_back(operand->second);
        }
        // A while lists its body first.
        for (const std::int64_t id : from.called_computation_ids()) {
            const auto called = m_computations.find(id);
            if (called == m_computations.end())
                return badInput(say("hlo.no-computation-number", word::Number {id}), placeOf(one));
            one.called.push_back(called->second);
        }
        if (one.opcode == "while") std::reverse(one.called.begin(), one.called.end());
        for (const auto& alias : from.output_operand_aliasing())
            one.aliasing.edit().push_back(
                {pathFrom(alias.output_shape_index()), alias.operand_index(), pathFrom(alias.operand_shape_index())});
        keep(one, "kind", from.fusion_kind());
        keep(one, "custom_call_target", from.custom_call_target());
        keep(one, "op_name", from.metadata().op_name());
        one.module = m_words[moduleOf(from.metadata().op_name())];
        if (from.dimensions_size() > 0) keep(one, "dimensions", "{" + joined(from.dimensions()) + "}");
        keep(one, "slice", sliceText(from));
        keep(one, "padding", paddingText(from));
        std::string source = shortMiddle(from.metadata().source_file(), LongestAttribute);
        if (!source.empty() && from.metadata().source_line() > 0)
            source += ":" + std::to_string(from.metadata().source_line());
        one.source = m_words[source];
        return one;
    }

    const file::HloModuleProto& m_from;
    Module m_module;
    SharedWords m_words;
    std::unordered_map<std::int64_t, std::size_t> m_computations; ///< By id.
};

} // namespace

Result<Module> moduleFrom(const file::HloModuleProto& from)
{
    return ModuleReader(from).run();
}

Result<Assignment> assignmentFrom(const file::BufferAssignmentProto& from)
{
    Assignment assignment;
    std::unordered_map<std::int64_t, std::size_t> byId;
    for (const auto& buffer : from.logical_buffers()) {
        byId.emplace(buffer.id(), assignment.buffers.size());
        const Location made {buffer.defined_at().instruction_id(), pathFrom(buffer.defined_at().shape_index())};
        assignment.buffers.push_back({buffer.id(), buffer.size(), buffer.color(), {made}});
    }
    for (const auto& alias : from.buffer_aliases()) {
        const auto source = byId.find(alias.source_buffer_id());
        if (source == byId.end())
            return badInput(say("hlo.no-logical-buffer", word::Number {alias.source_buffer_id()}),
                            "buffer_assignment.buffer_aliases");
        assignment.buffers[source->second].locations.push_back(
            {alias.location().instruction_id(), pathFrom(alias.location().shape_index())});
    }
    for (const auto& one : from.buffer_allocations()) {
        Allocation allocation {one.index(),
                               one.size(),
                               one.color(),
                               one.is_constant(),
                               one.is_thread_local(),
                               one.maybe_live_out(),
                               one.is_entry_computation_parameter(),
                               one.parameter_number(),
                               pathFrom(one.parameter_shape_index()),
                               {}};
        for (const auto& assigned : one.assigned()) {
            if (!byId.contains(assigned.logical_buffer_id()))
                return badInput(say("hlo.no-logical-buffer", word::Number {assigned.logical_buffer_id()}),
                                "buffer_assignment.buffer_allocations[" + std::to_string(one.index()) + "]");
            allocation.assigned.push_back({assigned.logical_buffer_id(), assigned.offset(), assigned.size()});
        }
        assignment.allocations.push_back(std::move(allocation));
    }
    return assignment;
}

} // namespace plimsoll::hlo
