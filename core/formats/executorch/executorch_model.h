#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/formats/files/file_part.h"
#include "core/formats/reading_room.h"
#include "core/graph/tensor_type.h"

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

/// An ExecuTorch program as its file says it, every number in it checked: what the reader makes a graph of.
namespace plimsoll::executorch {

/// The dialect of the graph, and the domain of what is no operator of a library.
inline constexpr const char* Dialect = "executorch";

/// Where a tensor lies in one of the memories that are planned.
struct Place
{
    std::size_t memory = 1; ///< 0 is that of constants.
    std::int64_t offset = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
};

/// How much of a tensor's shape is known before a run.
enum class Dynamism : std::uint8_t {
    Static,
    Bounded,  ///< Its sizes are the most that they may be; so much is planned.
    Unbounded ///< Allocated by the runtime.
};

struct Tensor
{
    std::string name; ///< Of a weight: "net.linear.bias". Empty for all else.
    TensorType type;
    Dynamism dynamism = Dynamism::Static;
    std::optional<Place> place;   ///< Nothing: a constant, what the caller brings, or what the runtime allocates.
    std::optional<FilePart> data; ///< Of a constant in the file.
    bool initialized = false;     ///< It has a content before the first call: from this file, or from one of weights.
};

using List = std::vector<int>; ///< Numbers among the values; -1 is none.
struct Other
{
}; ///< A number, a text, a list of them: no bytes that are planned.
using Value = std::variant<Other, Tensor, List>;

enum class CallKind : std::uint8_t { Kernel, Delegate, Move, Jump, Free };

struct Call
{
    CallKind kind = CallKind::Free;
    std::string library;    ///< "aten"; of a delegate the dialect.
    std::string op;         ///< "add.out", or what the delegate is called.
    List args;              ///< What is read and written, in the order of the signature; Move: from, to.
    std::size_t target = 0; ///< Jump: the number of the call where it goes on if the condition is false.
};

struct Method
{
    std::string name;
    std::vector<Value> values;
    List inputs;
    List outputs;
    std::vector<Call> calls;
    std::vector<std::int64_t> memories; ///< Bytes of each.
};

struct Program
{
    std::int64_t version = 0;
    std::vector<Method> methods; ///< At least one.
};

/// Checks the file and takes out what is used of it. Errors name the place: "methods[0] 'forward', call 3 'aten::add'".
[[nodiscard]] Result<Program> parseProgram(std::span<const std::byte> bytes, const Context& context, ReadingRoom& room);

/// The element type of a code of PyTorch's ScalarType; Unknown for what has no counterpart.
[[nodiscard]] DType dtypeOf(int scalarType);

} // namespace plimsoll::executorch
