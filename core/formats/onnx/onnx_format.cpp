#include "core/formats/formats.h"
#include "core/formats/onnx/onnx_reader.h"

namespace plimsoll {

const Format OnnxFormat {
    .id = "onnx",
    .title = "ONNX",
    .name = "ONNX model",
    .plural = "formats.onnx",
    .extensions = "onnx pb",
    .mediaType = "application/x-onnx",
    .howToGet = "`torch.onnx.export(model, args, \"model.onnx\")`, or any file of a model zoo. Weights are not read "
                "before a run needs them.",
    .runs = "kernels",
    .takesRest = true,
    .recognise =
        [](const FormatInput& input) {
            return input.content.kind == ContentKind::Binary && input.content.known.name.empty();
        },
    .read = graphAlone<readOnnx>,
};

} // namespace plimsoll
