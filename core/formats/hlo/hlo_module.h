#pragma once

#include "core/graph/graph.h"

#include <absl/container/inlined_vector.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// A program of XLA as its file says it, text or protobuf: what hlo_emitter.h makes a graph of.
namespace plimsoll::hlo {

/// The domain and dialect of its operators.
inline constexpr const char* Dialect = "xla";

/// Where a tensor stands in nested tuples: {1, 0}. Empty: no tuple around it.
using Path = std::vector<std::int64_t>;

/// What an instruction makes: a tensor, or tuples of them.
struct Shape
{
    enum class Kind : std::uint8_t { Array, Tuple, Token, Opaque };
    Kind kind = Kind::Array;
    TensorType type;          ///< Of an array.
    std::string layout;       ///< Of an array, as the text has it without memory space: "{1,0:T(8,128)}".
    std::int64_t space = 0;   ///< The number of its memory; 0 is that of the device.
    bool tiled = false;       ///< Its layout has tiles, which may take more bytes than the elements.
    bool bounded = false;     ///< A dimension is an upper bound.
    bool standIn = false;     ///< The element type is not known here: the type has others of the same size.
    std::vector<Shape> parts; ///< Of a tuple.
};

/// The tensors of a shape, from left to right. Tokens are among them: they carry an order, but no bytes.
[[nodiscard]] std::vector<const Shape*> leavesOf(const Shape& shape);
[[nodiscard]] std::size_t countLeaves(const Shape& shape);
/// The leaves of a part: the first, and how many; nothing where there is no such part.
struct LeafRange
{
    std::size_t first = 0;
    std::size_t count = 0;
};
[[nodiscard]] std::optional<LeafRange> leavesAt(const Shape& shape, const Path& path);

/// Output part \c output must lie where part \c path of an operand (of a parameter, for the module) lies, or may.
struct Aliasing
{
    Path output;
    std::int64_t operand = 0;
    Path path;
    friend bool operator==(const Aliasing&, const Aliasing&) = default;
};

struct Instruction
{
    std::string name;
    SharedText opcode;
    Shape shape;
    absl::InlinedVector<std::size_t, 2> operands; ///< In the same computation, each before this one.
    std::int64_t number = 0;                      ///< Of a parameter; of get-tuple-element the index.
    /// Computations of the module. Of while: condition, body; of conditional: the branches, that for true first.
    absl::InlinedVector<std::size_t, 1> called;
    Attributes attributes;                ///< Those that are kept for people to read.
    Rare<std::vector<Aliasing>> aliasing; ///< output_to_operand_aliasing
    Rare<TensorData> data;                ///< Of a constant; absent where the file leaves it out.
    SharedText source;                    ///< "train.py:12"
    SharedText module;     ///< "jit(step)/encoder/layer_0": the op_name of its metadata without its last part
    std::int64_t id = 0;   ///< Of the protobuf form.
    std::int64_t line = 0; ///< Of the text.
};

struct Computation
{
    std::string name;
    std::deque<Instruction> instructions; ///< In an order of execution.
    std::size_t root = 0;
};

struct Module
{
    std::string name;
    std::vector<Computation> computations;
    std::size_t entry = 0;
    bool entryIsMarked = true;     ///< Else it is the only computation.
    bool scheduled = false;        ///< The order of instructions is that of execution, not just a possible one.
    std::vector<Aliasing> aliases; ///< Parameters that are given away for an output.
    std::vector<std::pair<std::int64_t, Path>> donors; ///< Others that are given away.
    Shape entryResult; ///< As entry_computation_layout has it: an empty tuple where the text does not say.
};

/// The element type of that name ("bf16"); bits 0 for one that is not known here. \p standIn: with others of that size.
struct ElementType
{
    std::string_view name;
    int code = 0; ///< PrimitiveType of the protobuf form.
    DType dtype = DType::Unknown;
    int bits = 0;
    bool standIn = false;
};
[[nodiscard]] const ElementType* findElementType(std::string_view name);
[[nodiscard]] const ElementType* findElementType(int code);

/// \p elementBits: that the layout says; 0 where it says nothing, which is a whole byte for smaller elements.
void setElementType(Shape& shape, const ElementType& element, std::int64_t elementBits);

/// Of "jit(step)/encoder/add" what stands in front of the last part.
[[nodiscard]] std::string moduleOf(std::string_view opName);

/// "line 12 'add.3'", "instruction 'add.3'"
[[nodiscard]] std::string placeOf(const Instruction& instruction);

} // namespace plimsoll::hlo
