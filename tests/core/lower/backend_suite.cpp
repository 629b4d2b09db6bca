#include "backend_suite.h"

#include "core/facts/english/english.h"
#include "core/formats/files/tensor_file.h"
#include "core/formats/read_graph.h"
#include "core/ops/literal_elements.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::test {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> modelFolders(const fs::path& root)
{
    std::vector<fs::path> folders;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        const fs::path folder = entry.path().parent_path();
        if (entry.path().filename() == "model.onnx" && fs::exists(folder / "test_data_set_0"))
            folders.push_back(folder);
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

InferenceRequest shapesOf(const Graph& graph, const fs::path& data)
{
    InferenceRequest request;
    const auto& inputs = graph[TopBody].inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Value& input = graph[inputs[i]];
        const auto file = readTensorFile(data / ("input_" + std::to_string(i) + ".pb"), input.type.kind);
        if (input.type.kind != TypeKind::Tensor || input.type.shape() || !file.ok() || file.value().tensors.size() != 1)
            continue;
        request.shapes[input.name] = file.value().tensors.front().shape;
    }
    return request;
}

/// So that nothing is known of a tensor but what follows from the operators.
Graph withoutDeclaredTypes(Graph graph)
{
    for (Value& value : graph.values) {
        const bool inferred = value.role == ValueRole::Intermediate ||
                              (value.role == ValueRole::BodyInput && value.type.kind == TypeKind::Tensor);
        if (inferred && value.type.kind == TypeKind::Tensor) value.type = {};
    }
    return graph;
}

void makeInputsConstant(Graph& graph, const fs::path& data)
{
    const auto inputs = graph[TopBody].inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        Value& input = graph[inputs[i]];
        const auto file = readTensorFile(data / ("input_" + std::to_string(i) + ".pb"), input.type.kind);
        if (input.type.kind != TypeKind::Tensor || !file.ok() || file.value().tensors.size() != 1) continue;
        const TensorLiteral& tensor = file.value().tensors.front();
        if (tensor.dtype != input.type.dtype || tensor.shape != input.type.shape()) continue;
        input.role = ValueRole::Constant;
        input.data = tensor.data;
    }
}

/// Bit for bit; not a number is one, whatever its bits.
bool sameElements(const PartialTensor& known, const TensorLiteral& shipped)
{
    const PartialTensor wanted = readElements(shipped.dtype, shipped.shape, shipped.data);
    for (std::size_t i = 0; i < known.elements.size(); ++i) {
        const Scalar a = *known.elements[i];
        const Scalar b = wanted.elements[i].value_or(Scalar {});
        if (!(a == b) && !(std::isnan(a.asReal()) && std::isnan(b.asReal()))) return false;
    }
    return true;
}

/// The suite ships bfloat16 as its bits.
bool isSameType(DType inferred, DType shipped)
{
    return inferred == shipped || (inferred == DType::BFloat16 && shipped == DType::UInt16);
}

void compareOutput(const InferredGraph& inferred, ValueId output, const fs::path& file, const std::string& model,
                   Agreement& result)
{
    const Value& value = inferred.graph[output];
    const auto shipped = readTensorFile(file, value.type.kind);
    if (!shipped.ok() || shipped.value().kind != TypeKind::Tensor || shipped.value().tensors.size() != 1) return;
    const TensorLiteral& tensor = shipped.value().tensors.front();
    const auto shape = value.type.shape();
    const std::string place = model + ": " + value.name + ": ";
    const bool typeDiffers = value.type.dtype != DType::Unknown && !isSameType(value.type.dtype, tensor.dtype);
    if (typeDiffers || (shape && *shape != tensor.shape)) {
        result.disagree.push_back(place + describe(value.type) + ", shipped " +
                                  describe(TensorType::dense(tensor.dtype, tensor.shape)));
    } else if (shape && value.type.dtype != DType::Unknown) {
        ++result.agree;
        const PartialTensor& content = inferred.contents[output.index()];
        if (!content.complete() || value.type.dtype != tensor.dtype) return;
        ++result.contents;
        if (!sameElements(content, tensor)) result.disagree.push_back(place + "the elements differ");
    } else {
        ++result.unknown;
        result.open.push_back(place + describe(value.type) + " because " +
                              english(inferred.unknownBecause[output.index()]));
    }
}

} // namespace

Agreement compareWithShippedOutputs(const fs::path& root, Given given)
{
    Agreement result;
    for (const fs::path& folder : modelFolders(root)) {
        const std::string model = folder.filename().string();
        const fs::path data = folder / "test_data_set_0";
        ++result.models;
        auto graph = readGraph(folder / "model.onnx", {});
        if (!graph.ok()) {
            result.notInferred.push_back(model + ": " + describe(graph.error()));
            continue;
        }
        if (given != Given::DeclaredTypes) graph = withoutDeclaredTypes(graph.value());
        InferenceRequest request = shapesOf(graph.value(), data);
        if (given == Given::InputBytes) makeInputsConstant(graph.value(), data);
        const auto inferred = inferTypes(graph.value(), request, {});
        if (!inferred.ok()) {
            result.notInferred.push_back(model + ": " + describe(inferred.error()));
            continue;
        }
        const auto& outputs = inferred.value().graph[TopBody].outputs;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            compareOutput(inferred.value(), outputs[i], data / ("output_" + std::to_string(i) + ".pb"), model, result);
        }
    }
    return result;
}

} // namespace plimsoll::test
