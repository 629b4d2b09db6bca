#include "core/base/bytes.h"
#include "core/formats/executorch/executorch_model.h"
#include "core/formats/executorch_generated.h"
#include "core/formats/files/flatbuffer_copies.h"

#include <array>
#include <cstring>
#include <limits>

namespace plimsoll::executorch {
namespace {

constexpr int ExternalData = 1; ///< TensorDataLocation

Error bad(std::string message, std::string where)
{
    return {ErrorCode::BadInput, std::move(message), std::move(where), {}};
}

std::string element(const char* list, std::size_t index)
{
    return std::string(list) + "[" + std::to_string(index) + "]";
}

template <typename T>
std::size_t countOf(const flatbuffers::Vector<T>* list)
{
    return list ? list->size() : 0;
}

/// The header behind the identifier, which says where the flatbuffer ends and the segments begin:
///
///     8  "eh00"   12  its length (4 bytes)   16  bytes of the flatbuffer (8)   24  where segments begin (8)
struct ExtendedHeader
{
    std::uint64_t flatBytes = 0;
    std::uint64_t segments = 0;
};

std::optional<ExtendedHeader> extendedHeader(std::span<const std::byte> bytes)
{
    constexpr std::size_t End = 32;
    if (bytes.size() < End || std::memcmp(bytes.data() + 8, "eh00", 4) != 0) return std::nullopt;
    ExtendedHeader header;
    std::memcpy(&header.flatBytes, bytes.data() + 16, sizeof header.flatBytes);
    std::memcpy(&header.segments, bytes.data() + 24, sizeof header.segments);
    return header;
}

class Parser
{
public:
    Parser(std::span<const std::byte> bytes, const Context& context)
        : m_bytes(bytes), m_context(context), m_header(extendedHeader(bytes)), m_copies(bytes.size())
    {
    }

    Result<Program> run()
    {
        const std::size_t flat =
            m_header ? std::min<std::uint64_t>(m_header->flatBytes, m_bytes.size()) : m_bytes.size();
        flatbuffers::Verifier verifier = flatbufferVerifier(m_bytes.first(flat));
        if (!file::VerifyProgramBuffer(verifier))
            return bad("The ExecuTorch program is damaged or cut short: a table or a list reaches outside the file.",
                       {});
        m_file = file::GetProgram(m_bytes.data());
        m_program.version = m_file->version();
        if (countOf(m_file->methods()) == 0) return bad("The ExecuTorch program has no method.", {});
        for (const file::Method* method : *m_file->methods()) {
            m_place = element("methods", m_program.methods.size());
            PLIMSOLL_TRY(readMethod(*method, m_program.methods.emplace_back()));
        }
        return std::move(m_program);
    }

private:
    Status readMethod(const file::Method& from, Method& to)
    {
        PLIMSOLL_TRY(m_copies.copy(from.name(), to.name));
        m_place += " '" + to.name + "'";
        for (std::size_t i = 0; i < countOf(from.memories()); ++i) {
            const std::int64_t bytes = elementAt(*from.memories(), i);
            if (bytes < 0) return bad("It has a negative size.", m_place + ", " + element("memories", i));
            to.memories.push_back(bytes);
        }
        for (std::size_t i = 0; i < countOf(from.values()); ++i) {
            const file::EValue& value = *from.values()->Get(static_cast<flatbuffers::uoffset_t>(i));
            PLIMSOLL_ASSIGN(read, readValue(value, to, m_place + ", " + element("values", i)));
            to.values.push_back(std::move(read));
        }
        PLIMSOLL_TRY(checkLists(to));
        PLIMSOLL_TRY(readList(from.inputs(), to, m_place + ", inputs", to.inputs));
        PLIMSOLL_TRY(readList(from.outputs(), to, m_place + ", outputs", to.outputs));
        for (std::size_t i = 0; i < countOf(from.chains()); ++i)
            PLIMSOLL_TRY(readChain(from, *from.chains()->Get(static_cast<flatbuffers::uoffset_t>(i)), to));
        return {};
    }

    Result<Value> readValue(const file::EValue& from, const Method& method, const std::string& place)
    {
        PLIMSOLL_TRY(m_copies.spend(sizeof(Value)));
        const file::List* list = from.content_as_TensorList();
        if (!list) list = from.content_as_OptionalTensorList();
        if (list) {
            List numbers;
            PLIMSOLL_TRY(m_copies.copy(list->items(), numbers));
            return Value(std::move(numbers));
        }
        const file::Tensor* tensor = from.content_as_Tensor();
        if (!tensor) return Value(Other());
        PLIMSOLL_ASSIGN(read, readTensor(*tensor, method, place));
        return Value(std::move(read));
    }

    Result<Tensor> readTensor(const file::Tensor& from, const Method& method, const std::string& place)
    {
        Tensor to;
        Shape sizes;
        PLIMSOLL_TRY(m_copies.copy(from.sizes(), sizes));
        if (!elementCount(sizes))
            return bad("A tensor has a negative size, or more elements than can be counted.", place);
        to.dynamism = from.dynamism() == 2   ? Dynamism::Unbounded
                      : from.dynamism() == 1 ? Dynamism::Bounded
                                             : Dynamism::Static;
        to.type = TensorType::dense(dtypeOf(from.scalar_type()), sizes);
        if (to.dynamism == Dynamism::Unbounded)
            to.type.dims = std::vector<Dim>(sizes.size()); // the rank stays, sizes do not
        const bool external = from.extra() && from.extra()->location() == ExternalData;
        if (from.extra()) PLIMSOLL_TRY(m_copies.copy(from.extra()->name(), to.name));
        to.initialized = external || from.data() > 0;
        if (from.allocation()) {
            PLIMSOLL_ASSIGN(where, readPlace(*from.allocation(), method, place));
            to.place = where;
        } else if (from.data() > 0 && !external) {
            PLIMSOLL_ASSIGN(data, dataOf(from.data(), to.type, place));
            to.data = data;
        }
        return to;
    }

    static Result<Place> readPlace(const file::Allocation& from, const Method& method, const std::string& place)
    {
        const std::uint64_t offset = (std::uint64_t {from.offset_high()} << 32U) | from.offset_low();
        if (offset > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return bad("A tensor lies beyond what any memory can have.", place);
        if (from.memory() == 0 || from.memory() >= method.memories.size())
            return bad("A tensor lies in memory " + std::to_string(from.memory()) +
                           "; those that are planned are 1 to " +
                           std::to_string(std::max<std::size_t>(method.memories.size(), 1) - 1) + ".",
                       place);
        return Place {from.memory(), static_cast<std::int64_t>(offset)};
    }

    /// In the flatbuffer, or in a segment behind it.
    Result<FilePart> dataOf(std::size_t number, const TensorType& type, const std::string& place) const
    {
        const auto bytes = static_cast<std::uint64_t>(type.bytes().value_or(0));
        const std::string what = "Constant " + std::to_string(number);
        if (countOf(m_file->constants()) > 0) {
            if (number >= m_file->constants()->size())
                return bad(what + " is not among the " + formatCount(m_file->constants()->size()) + " of the file.",
                           place);
            const auto* storage = m_file->constants()->Get(static_cast<flatbuffers::uoffset_t>(number))->storage();
            const auto* first = reinterpret_cast<const std::byte*>(storage ? storage->data() : nullptr);
            if (countOf(storage) < bytes) return tooShort(what, countOf(storage), bytes, place);
            return partAt(static_cast<std::uint64_t>(first ? first - m_bytes.data() : 0), bytes);
        }
        const file::Offsets* table = m_file->constant_segment();
        if (!table || number >= countOf(table->offsets()) || table->segment() >= countOf(m_file->segments()))
            return bad(what + " is in no segment of the file.", place);
        const file::Segment& segment = *m_file->segments()->Get(table->segment());
        const std::uint64_t offset = elementAt(*table->offsets(), number);
        const std::uint64_t begin = m_header ? m_header->segments : 0;
        const bool inside = begin <= m_bytes.size() && segment.offset() <= m_bytes.size() - begin &&
                            segment.size() <= m_bytes.size() - begin - segment.offset();
        if (!inside) return bad("The segment of the constants reaches beyond the end of the file.", place);
        if (offset > segment.size() || segment.size() - offset < bytes)
            return tooShort(what, offset > segment.size() ? 0 : segment.size() - offset, bytes, place);
        return partAt(begin + segment.offset() + offset, bytes);
    }

    [[nodiscard]] FilePart partAt(std::uint64_t offset, std::uint64_t bytes) const
    {
        return {m_bytes.subspan(offset, bytes), static_cast<std::int64_t>(offset)};
    }

    static Error tooShort(const std::string& what, std::uint64_t has, std::uint64_t needs, const std::string& place)
    {
        return bad(what + " takes " + formatCount(static_cast<std::int64_t>(needs)) + " bytes; its buffer has " +
                       formatCount(static_cast<std::int64_t>(has)) + ".",
                   place);
    }

    static Status checkNumbers(const List& list, const Method& in, int least, const std::string& place)
    {
        for (const int number : list) {
            if (number >= least && number < static_cast<std::int64_t>(in.values.size())) continue;
            return bad("It lists value " + std::to_string(number) + "; there are " +
                           formatCount(static_cast<std::int64_t>(in.values.size())) + ".",
                       place);
        }
        return {};
    }

    /// Lists of tensors stand among the values, and may name later ones.
    Status checkLists(const Method& method) const
    {
        for (std::size_t i = 0; i < method.values.size(); ++i) {
            if (const auto* list = std::get_if<List>(&method.values[i]))
                PLIMSOLL_TRY(checkNumbers(*list, method, -1, m_place + ", " + element("values", i)));
        }
        return {};
    }

    Status readList(const flatbuffers::Vector<std::int32_t>* from, const Method& method, const std::string& place,
                    List& to)
    {
        PLIMSOLL_TRY(m_copies.copy(from, to));
        return checkNumbers(to, method, 0, place);
    }

    Status readChain(const file::Method& method, const file::Chain& chain, Method& to)
    {
        const std::size_t first = to.calls.size();
        for (std::size_t i = 0; i < countOf(chain.instructions()); ++i) {
            if (m_context.stopped()) return Error {ErrorCode::Stopped, "Stopped while reading.", {}, {}};
            const std::string place = m_place + ", " + element("calls", to.calls.size());
            PLIMSOLL_TRY(m_copies.spend(sizeof(Call)));
            const file::Instruction& from = *chain.instructions()->Get(static_cast<flatbuffers::uoffset_t>(i));
            PLIMSOLL_TRY(readCall(method, from, to, place));
            Call& call = to.calls.back();
            call.target += call.kind == CallKind::Jump ? first : 0;
        }
        return {};
    }

    Status readCall(const file::Method& method, const file::Instruction& from, Method& to, const std::string& place)
    {
        Call call;
        if (const auto* kernel = from.content_as_Kernel()) {
            call.kind = CallKind::Kernel;
            if (kernel->callee() < 0 || static_cast<std::size_t>(kernel->callee()) >= countOf(method.operators()))
                return bad("It calls operator " + std::to_string(kernel->callee()) + "; there are " +
                               std::to_string(countOf(method.operators())) + ".",
                           place);
            PLIMSOLL_TRY(
                nameKernel(*method.operators()->Get(static_cast<flatbuffers::uoffset_t>(kernel->callee())), call));
            PLIMSOLL_TRY(readList(kernel->args(), to, place + " '" + call.op + "'", call.args));
        } else if (const auto* delegate = from.content_as_Delegate()) {
            call.kind = CallKind::Delegate;
            call.library = Dialect;
            if (delegate->callee() < 0 || static_cast<std::size_t>(delegate->callee()) >= countOf(method.delegates()))
                return bad("It calls delegate " + std::to_string(delegate->callee()) + "; there are " +
                               std::to_string(countOf(method.delegates())) + ".",
                           place);
            PLIMSOLL_TRY(m_copies.copy(
                method.delegates()->Get(static_cast<flatbuffers::uoffset_t>(delegate->callee()))->id(), call.op));
            if (call.op.empty()) call.op = "delegate";
            PLIMSOLL_TRY(readList(delegate->args(), to, place + " '" + call.op + "'", call.args));
        } else if (const auto* move = from.content_as_Move()) {
            call.kind = CallKind::Move;
            call.args = {move->from(), move->to()};
            PLIMSOLL_TRY(checkNumbers(call.args, to, 0, place));
        } else if (const auto* jump = from.content_as_JumpFalse()) {
            call.kind = CallKind::Jump;
            if (jump->destination() < 0) return bad("It goes on at a negative number.", place);
            call.target = static_cast<std::size_t>(jump->destination());
        }
        to.calls.push_back(std::move(call));
        return {};
    }

    /// "aten::add" with the overload "out" is "add.out" of "aten".
    Status nameKernel(const file::Operator& from, Call& call)
    {
        std::string name;
        std::string overload;
        PLIMSOLL_TRY(m_copies.copy(from.name(), name));
        PLIMSOLL_TRY(m_copies.copy(from.overload(), overload));
        const std::size_t colons = name.find("::");
        call.library = colons == std::string::npos ? Dialect : name.substr(0, colons);
        call.op = colons == std::string::npos ? name : name.substr(colons + 2);
        if (call.op.empty()) call.op = "operator";
        if (!overload.empty()) call.op += "." + overload;
        return {};
    }

    std::span<const std::byte> m_bytes;
    const Context& m_context;
    std::optional<ExtendedHeader> m_header;
    FlatbufferCopies m_copies;
    const file::Program* m_file = nullptr;
    std::string m_place; ///< The method that is being read.
    Program m_program;
};

} // namespace

Result<Program> parseProgram(std::span<const std::byte> bytes, const Context& context)
{
    return Parser(bytes, context).run();
}

std::string placeOf(const Program& program, std::size_t method, std::size_t call)
{
    const Method& in = program.methods[method];
    const Call& made = in.calls[call];
    return element("methods", method) + " '" + in.name + "', " + element("calls", call) + " '" + made.library +
           "::" + made.op + "'";
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
