#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/formats/files/file_part.h"
#include "core/formats/reading_room.h"
#include "core/graph/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// A TensorFlow Lite model as its file says it, every number in it checked: what the reader makes a graph of.
namespace plimsoll::tflite {

/// The domain and dialect of its operators.
inline constexpr const char* Dialect = "tflite";

struct Tensor
{
    std::string name;
    int type = 0;            ///< Of the schema's TensorType.
    Shape shape;             ///< With which the file was written; -1 where not even that is known.
    Shape signature;         ///< The same with -1 where the model takes any size. Empty: as the shape.
    std::size_t buffer = 0;  ///< Among the buffers; 0 is always empty.
    bool isVariable = false; ///< State: it keeps its content between runs.
    bool isSparse = false;   ///< A constant whose bytes are kept compressed.

    [[nodiscard]] bool isOpen(std::size_t axis) const { return axis < signature.size() && signature[axis] < 0; }
};

/// What a node's subgraphs are to it.
enum class Flow : std::uint8_t { None, If, While, Once, Call, Composite };

struct Operator
{
    std::string name; ///< "CONV_2D", or the code of a custom operator.
    bool custom = false;
    std::int64_t version = 1;
    std::vector<int> inputs;            ///< Tensors; -1 is an absent one.
    std::vector<int> outputs;           ///< The same.
    Flow flow = Flow::None;             ///< Unlike None, all subgraphs below are there.
    std::vector<std::size_t> subgraphs; ///< If: then, else. While: condition, body.
    std::string composite;              ///< Of a composite: what it stands for, "odml.group_norm".
};

struct Subgraph
{
    std::string name;
    std::vector<Tensor> tensors;
    std::vector<int> inputs;
    std::vector<int> outputs;
    std::vector<Operator> operators; ///< In order of execution.
};

/// An entry point.
struct Signature
{
    std::string key; ///< "serving_default"
    std::size_t subgraph = 0;
};

struct Model
{
    std::int64_t version = 0;
    std::vector<Subgraph> subgraphs; ///< At least one.
    std::vector<FilePart> buffers;
    std::vector<Signature> signatures;
    std::optional<FilePart> plan; ///< The metadata OfflineMemoryAllocation.
    bool compiledByVela = false;  ///< Arm's compiler for NPUs.

    [[nodiscard]] FilePart bytesOf(const Tensor& tensor) const
    {
        return tensor.buffer < buffers.size() ? buffers[tensor.buffer] : FilePart {};
    }
};

/// Checks the file and takes out what is used of it. Errors name the place: "subgraphs[0].operators[3] 'ADD'".
[[nodiscard]] Result<Model> parseModel(std::span<const std::byte> bytes, const Context& context, ReadingRoom& room);

/// "subgraphs[0].operators[3] 'ADD'"
[[nodiscard]] std::string placeOf(std::size_t subgraph, std::size_t number, const Operator& op);

/// The name of a builtin operator by its code in the schema: "ADD", or "BUILTIN_999" for one that is not known here.
[[nodiscard]] std::string builtinName(int code);

} // namespace plimsoll::tflite
