#include "kernels/run/test_data.h"

#include "core/formats/files/tensor_file.h"
#include "kernels/run/memory/external_values.h"
#include "kernels/run/step/element_values.h"

namespace plimsoll::kernels {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> findFile(const fs::path& folder, const std::string& stem)
{
    for (const char* extension : {".pb", ".npy"}) {
        std::error_code ignored;
        fs::path path = folder / (stem + extension);
        if (fs::is_regular_file(path, ignored)) return path;
    }
    return std::nullopt;
}

} // namespace

Result<RuntimeValue> readRuntimeValue(const fs::path& path, const TensorType& type)
{
    PLIMSOLL_ASSIGN(file, readTensorFile(path, type.kind));
    RuntimeValue value;
    if (!file.present) return value;
    if (file.kind != TypeKind::Sequence) {
        if (file.tensors.empty()) return Error {ErrorCode::BadInput, say("data.no-tensor"), {}, path.string()};
        const TensorLiteral& tensor = file.tensors.front();
        const bool isBits = type.dtype == DType::BFloat16 && tensor.dtype == DType::UInt16;
        return loadTensor(isBits ? DType::BFloat16 : tensor.dtype, tensor.shape, tensor.data, path.string());
    }
    value.kind = RuntimeValue::Kind::Sequence;
    for (const TensorLiteral& tensor : file.tensors) {
        PLIMSOLL_ASSIGN(element, loadTensor(tensor.dtype, tensor.shape, tensor.data, path.string()));
        value.sequence.push_back(cloneTensor(element.tensor));
        value.sequenceDtype = tensor.dtype;
    }
    return value;
}

Result<std::map<ValueId, RuntimeValue>> readInputs(const Graph& graph, const fs::path& folder)
{
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        const bool file = fs::exists(folder, ignored);
        return Error {ErrorCode::BadInput, say(file ? "replay.file-no-folder" : "data.no-folder"), {}, folder.string()};
    }
    std::map<ValueId, RuntimeValue> inputs;
    const std::vector<ValueId>& names = graph.top().inputs;
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto path = findFile(folder, "input_" + std::to_string(i));
        const std::string& name = graph[names[i]].name;
        if (!path && !name.empty() && name.find('/') == std::string::npos) path = findFile(folder, name);
        if (!path) continue;
        PLIMSOLL_ASSIGN(value, readRuntimeValue(*path, graph[names[i]].type));
        inputs.emplace(names[i], std::move(value));
    }
    return inputs;
}

Status readFurtherInputs(const Graph& graph, const fs::path& folder, std::map<ValueId, RuntimeValue>& inputs)
{
    for (const ValueId input : graph.top().inputs) {
        const std::string& name = graph[input].name;
        const bool file = !name.empty() && name.find('/') == std::string::npos && !inputs.contains(input);
        const auto path = file ? findFile(folder, name) : std::nullopt;
        if (!path) continue;
        PLIMSOLL_ASSIGN(value, readRuntimeValue(*path, graph[input].type));
        inputs.emplace(input, std::move(value));
    }
    return {};
}

Result<std::vector<std::optional<RuntimeValue>>> readOutputs(const Graph& graph, const fs::path& folder)
{
    std::vector<std::optional<RuntimeValue>> outputs;
    const std::vector<ValueId>& names = graph.top().outputs;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto path = findFile(folder, "output_" + std::to_string(i));
        outputs.emplace_back();
        if (!path) continue;
        PLIMSOLL_ASSIGN(value, readRuntimeValue(*path, graph[names[i]].type));
        outputs.back() = std::move(value);
    }
    return outputs;
}

std::map<std::string, Shape> shapesOf(const Graph& graph, const std::map<ValueId, RuntimeValue>& inputs)
{
    std::map<std::string, Shape> shapes;
    for (const auto& [id, value] : inputs) {
        const bool isTensor = value.kind == RuntimeValue::Kind::Tensor && graph[id].type.kind == TypeKind::Tensor;
        if (isTensor && graph[id].role == ValueRole::Input) shapes.emplace(graph[id].name, value.tensor.shape);
    }
    return shapes;
}

void adoptShapes(Graph& graph, const std::map<ValueId, RuntimeValue>& inputs)
{
    for (const auto& [id, value] : inputs) {
        TensorType& type = graph[id].type;
        if (value.kind != RuntimeValue::Kind::Tensor || type.kind != TypeKind::Tensor || !type.dims) continue;
        bool contradicts = type.dims->size() != value.tensor.shape.size();
        for (std::size_t i = 0; !contradicts && i < type.dims->size(); ++i) {
            contradicts = (*type.dims)[i].known() && (*type.dims)[i].size != value.tensor.shape[i];
        }
        if (contradicts) type = TensorType::dense(type.dtype, value.tensor.shape);
    }
}

} // namespace plimsoll::kernels
