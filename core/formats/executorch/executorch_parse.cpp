#include "core/formats/bad_input.h"
#include "core/formats/executorch/executorch_model.h"
#include "core/formats/executorch_generated.h"
#include "core/formats/files/flatbuffer_copies.h"
#include "core/formats/files/flatbuffer_damage.h"

#include <array>
#include <cstring>
#include <limits>

namespace plimsoll::executorch {
namespace {

constexpr int ExternalData = 1; ///< TensorDataLocation

/// The header behind the identifier, which says where the flatbuffer ends and the segments begin:
///
///     8  "eh00"   12  its length (4 bytes)   16  bytes of the flatbuffer (8)   24  where segments begin (8)
struct ExtendedHeader
{
    std::uint64_t flatBytes = 0;
    std::uint64_t segments = 0;
};

/// A file while it is read.
struct ProgramBytes
{
    std::span<const std::byte> all;
    FlatbufferCopies copies;
    std::optional<ExtendedHeader> header {};
    const file::Program* program = nullptr;

    [[nodiscard]] FilePart part(std::uint64_t offset, std::uint64_t size) const
    {
        return {all.subspan(offset, size), static_cast<std::int64_t>(offset)};
    }
};

std::string damagedPart(std::span<const std::byte> bytes)
{
    using Damage = FlatbufferDamage;
    const Damage damage(bytes);
    const Damage::Table* program = damage.root();
    if (!program) return "byte 0";
    const auto ofMethod = [&](const Damage::Table& method) {
        return Damage::first({damage.in<file::EValue>(method, file::Method::VT_VALUES, "values"),
                              damage.in<file::Chain>(method, file::Method::VT_CHAINS, "chains"),
                              damage.in<file::Operator>(method, file::Method::VT_OPERATORS, "operators"),
                              damage.in<file::Backend>(method, file::Method::VT_DELEGATES, "delegates")});
    };
    return Damage::first({damage.in<file::Method>(*program, file::Program::VT_METHODS, "methods", ofMethod),
                          damage.in<file::Buffer>(*program, file::Program::VT_CONSTANTS, "constants"),
                          damage.in<file::Segment>(*program, file::Program::VT_SEGMENTS, "segments"), "top level"});
}

Status open(ProgramBytes& bytes)
{
    constexpr std::size_t End = 32;
    std::uint64_t flat = bytes.all.size();
    if (bytes.all.size() >= End && std::memcmp(bytes.all.data() + 8, "eh00", 4) == 0) {
        ExtendedHeader& header = bytes.header.emplace();
        std::memcpy(&header.flatBytes, bytes.all.data() + 16, sizeof header.flatBytes);
        std::memcpy(&header.segments, bytes.all.data() + 24, sizeof header.segments);
        flat = std::min(flat, header.flatBytes);
    }
    flatbuffers::Verifier verifier = flatbufferVerifier(bytes.all.first(flat));
    if (!file::VerifyProgramBuffer(verifier))
        return badInput(say("executorch.damaged"), damagedPart(bytes.all.first(flat)));
    bytes.program = file::GetProgram(bytes.all.data());
    if (countOf(bytes.program->methods()) == 0) return badInput(say("executorch.no-methods"));
    return {};
}

Error tooShort(std::size_t number, std::uint64_t has, std::uint64_t needs, const std::string& place)
{
    return badInput(say("executorch.constant-bytes", word::Number {number}, needs, has), place);
}

/// A constant: in the flatbuffer, or in a segment behind it.
Result<FilePart> constant(const ProgramBytes& bytes, std::size_t number, std::uint64_t size, const std::string& place)
{
    const file::Program& program = *bytes.program;
    if (const std::size_t count = countOf(program.constants()); count > 0) {
        if (number >= count) return badInput(say("executorch.no-constant", word::Number {number}, count), place);
        const auto* storage = elementOf(*program.constants(), number).storage();
        const auto* first = reinterpret_cast<const std::byte*>(storage ? storage->data() : nullptr);
        if (countOf(storage) < size) return tooShort(number, countOf(storage), size, place);
        return bytes.part(static_cast<std::uint64_t>(first ? first - bytes.all.data() : 0), size);
    }
    const file::Offsets* table = program.constant_segment();
    if (!table || number >= countOf(table->offsets()) || table->segment() >= countOf(program.segments()))
        return badInput(say("executorch.no-segment", word::Number {number}), place);
    const file::Segment& segment = elementOf(*program.segments(), table->segment());
    const std::uint64_t offset = elementAt(*table->offsets(), number);
    const std::uint64_t begin = bytes.header ? bytes.header->segments : 0;
    const bool inside = begin <= bytes.all.size() && segment.offset() <= bytes.all.size() - begin &&
                        segment.size() <= bytes.all.size() - begin - segment.offset();
    if (!inside) return badInput(say("executorch.segment-beyond-end"), place);
    if (offset > segment.size() || segment.size() - offset < size)
        return tooShort(number, offset > segment.size() ? 0 : segment.size() - offset, size, place);
    return bytes.part(begin + segment.offset() + offset, size);
}

Result<Place> placeFrom(const file::Allocation& from, const Method& method, const std::string& place)
{
    const std::uint64_t offset = (std::uint64_t {from.offset_high()} << 32U) | from.offset_low();
    if (offset > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return badInput(say("executorch.beyond-memory"), place);
    if (from.memory() == 0 || from.memory() >= method.memories.size())
        return badInput(say("executorch.no-memory", word::Number {from.memory()},
                            word::Number {std::max<std::size_t>(method.memories.size(), 1) - 1}),
                        place);
    return Place {from.memory(), static_cast<std::int64_t>(offset)};
}

Result<Value> valueFrom(const file::EValue& from, const Method& method, ProgramBytes& bytes, const std::string& place)
{
    PLIMSOLL_TRY(bytes.copies.spend(sizeof(Value)));
    const file::List* list = from.content_as_TensorList();
    if (!list) list = from.content_as_OptionalTensorList();
    if (list) {
        List numbers;
        PLIMSOLL_TRY(bytes.copies.copy(list->items(), numbers));
        return Value(std::move(numbers));
    }
    const file::Tensor* tensor = from.content_as_Tensor();
    if (!tensor) return Value(Other());
    Tensor to;
    Shape sizes;
    PLIMSOLL_TRY(bytes.copies.copy(tensor->sizes(), sizes));
    if (!elementCount(sizes)) return badInput(say("executorch.tensor-size"), place);
    to.dynamism = tensor->dynamism() == 2   ? Dynamism::Unbounded
                  : tensor->dynamism() == 1 ? Dynamism::Bounded
                                            : Dynamism::Static;
    to.type = TensorType::dense(dtypeOf(tensor->scalar_type()), sizes);
    if (to.dynamism == Dynamism::Unbounded) to.type.dims = DimList(sizes.size()); // the rank stays
    const bool external = tensor->extra() && tensor->extra()->location() == ExternalData;
    if (tensor->extra()) PLIMSOLL_TRY(bytes.copies.copy(tensor->extra()->name(), to.name));
    to.initialized = external || tensor->data() > 0;
    if (tensor->allocation()) {
        PLIMSOLL_SET(to.place, placeFrom(*tensor->allocation(), method, place));
    } else if (tensor->data() > 0 && !external) {
        const auto size = static_cast<std::uint64_t>(to.type.bytes().value_or(0));
        PLIMSOLL_SET(to.data, constant(bytes, tensor->data(), size, place));
    }
    return Value(std::move(to));
}

Status checkNumbers(const List& list, const Method& in, int least, const std::string& place)
{
    for (const int number : list) {
        if (number >= least && number < static_cast<std::int64_t>(in.values.size())) continue;
        return badInput(say("executorch.no-value", word::Number {number}, in.values.size()), place);
    }
    return {};
}

Status readList(const flatbuffers::Vector<std::int32_t>* from, const Method& method, ProgramBytes& bytes,
                const std::string& place, List& to)
{
    PLIMSOLL_TRY(bytes.copies.copy(from, to));
    return checkNumbers(to, method, 0, place);
}

/// What a kernel or a delegate calls, by its number in a list of the method.
template <typename T>
Result<const T*> callee(const flatbuffers::Vector<flatbuffers::Offset<T>>* list, std::int32_t number,
                        std::string_view none, const std::string& place)
{
    if (number >= 0 && static_cast<std::size_t>(number) < countOf(list))
        return &elementOf(*list, static_cast<std::size_t>(number));
    return badInput(say(none, word::Number {number}, word::Number {countOf(list)}), place);
}

/// \p to has its values; \p first is the number of its call to which targets of jumps are relative.
Result<Call> callFrom(const file::Instruction& from, const file::Method& method, const Method& to, ProgramBytes& bytes,
                      std::size_t first, const std::string& place)
{
    Call call;
    if (const auto* kernel = from.content_as_Kernel()) {
        call.kind = CallKind::Kernel;
        PLIMSOLL_ASSIGN(op, callee(method.operators(), kernel->callee(), "executorch.no-operator", place));
        // "aten::add" with the overload "out" is "add.out" of "aten".
        std::string name;
        std::string overload;
        PLIMSOLL_TRY(bytes.copies.copy(op->name(), name));
        PLIMSOLL_TRY(bytes.copies.copy(op->overload(), overload));
        const std::size_t colons = name.find("::");
        call.library = colons == std::string::npos ? Dialect : name.substr(0, colons);
        call.op = colons == std::string::npos ? name : name.substr(colons + 2);
        if (call.op.empty()) call.op = "operator";
        if (!overload.empty()) call.op += "." + overload;
        PLIMSOLL_TRY(readList(kernel->args(), to, bytes, place + " '" + call.op + "'", call.args));
    } else if (const auto* delegate = from.content_as_Delegate()) {
        call.kind = CallKind::Delegate;
        call.library = Dialect;
        PLIMSOLL_ASSIGN(called, callee(method.delegates(), delegate->callee(), "executorch.no-delegate", place));
        PLIMSOLL_TRY(bytes.copies.copy(called->id(), call.op));
        if (call.op.empty()) call.op = "delegate";
        PLIMSOLL_TRY(readList(delegate->args(), to, bytes, place + " '" + call.op + "'", call.args));
    } else if (const auto* move = from.content_as_Move()) {
        call.kind = CallKind::Move;
        call.args = {move->from(), move->to()};
        PLIMSOLL_TRY(checkNumbers(call.args, to, 0, place));
    } else if (const auto* jump = from.content_as_JumpFalse()) {
        call.kind = CallKind::Jump;
        if (jump->destination() < 0) return badInput(say("executorch.negative-target"), place);
        call.target = first + static_cast<std::size_t>(jump->destination());
    }
    return call;
}

Status readMethod(const file::Method& from, ProgramBytes& bytes, std::string place, const Context& context, Method& to)
{
    PLIMSOLL_TRY(bytes.copies.copy(from.name(), to.name));
    place += " '" + to.name + "', ";
    for (std::size_t i = 0; i < countOf(from.memories()); ++i) {
        to.memories.push_back(elementAt(*from.memories(), i));
        if (to.memories.back() < 0)
            return badInput(say("executorch.negative-size"), place + elementPlace("memories", i));
    }
    for (std::size_t i = 0; i < countOf(from.values()); ++i) {
        PLIMSOLL_SET(to.values.emplace_back(),
                     valueFrom(elementOf(*from.values(), i), to, bytes, place + elementPlace("values", i)));
    }
    for (std::size_t i = 0; i < to.values.size(); ++i) { // lists stand among the values, and may name later ones
        if (const auto* list = std::get_if<List>(&to.values[i]))
            PLIMSOLL_TRY(checkNumbers(*list, to, -1, place + elementPlace("values", i)));
    }
    PLIMSOLL_TRY(readList(from.inputs(), to, bytes, place + "inputs", to.inputs));
    PLIMSOLL_TRY(readList(from.outputs(), to, bytes, place + "outputs", to.outputs));
    for (std::size_t c = 0; c < countOf(from.chains()); ++c) {
        const auto* instructions = elementOf(*from.chains(), c).instructions();
        const std::size_t first = to.calls.size();
        for (std::size_t i = 0; i < countOf(instructions); ++i) {
            PLIMSOLL_TRY(checkStopped(context));
            PLIMSOLL_TRY(bytes.copies.spend(sizeof(Call)));
            const std::string where = place + elementPlace("calls", to.calls.size());
            PLIMSOLL_SET(to.calls.emplace_back(), callFrom(elementOf(*instructions, i), from, to, bytes, first, where));
        }
    }
    return {};
}

} // namespace

Result<Program> parseProgram(std::span<const std::byte> all, const Context& context, ReadingRoom& room)
{
    ProgramBytes bytes {all, FlatbufferCopies(room)};
    PLIMSOLL_TRY(open(bytes));
    Program program;
    program.version = bytes.program->version();
    for (const file::Method* method : *bytes.program->methods()) {
        std::string place = elementPlace("methods", program.methods.size());
        PLIMSOLL_TRY(readMethod(*method, bytes, std::move(place), context, program.methods.emplace_back()));
    }
    return program;
}

DType dtypeOf(int scalarType)
{
    constexpr std::array Types = {
        DType::UInt8,          DType::Int8,           DType::Int16,   DType::Int32,      DType::Int64,
        DType::Float16,        DType::Float32,        DType::Float64, DType::Unknown,    DType::Complex64,
        DType::Complex128,     DType::Bool,           DType::Int8,    DType::UInt8,      DType::Int32,
        DType::BFloat16,       DType::UInt8,          DType::UInt8,   DType::Unknown,    DType::Unknown,
        DType::Unknown,        DType::Unknown,        DType::Unknown, DType::Float8E5M2, DType::Float8E4M3FN,
        DType::Float8E5M2FNUZ, DType::Float8E4M3FNUZ, DType::UInt16,  DType::UInt32,     DType::UInt64,
    };
    const bool known = scalarType >= 0 && static_cast<std::size_t>(scalarType) < Types.size();
    return known ? Types[static_cast<std::size_t>(scalarType)] : DType::Unknown;
}

} // namespace plimsoll::executorch
