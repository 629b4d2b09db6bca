#pragma once

#include "core/graph/tensor_type.h"

#include <string_view>
#include <vector>

namespace plimsoll::kernels::onednn {

/// Weights of recurrent cells as oneDNN reads them, in [directions, gates, out, in]: the inputs before the gates. An
/// LSTM's gates change places, too, which is no matter of layout alone.
inline constexpr std::string_view CellWeights = "adbc";
inline constexpr std::string_view LstmWeights = "adbc+lstm";

/// oneDNN's gates by their place among ONNX's: ONNX has input, output, forget, candidate for LSTM.
[[nodiscard]] std::vector<std::size_t> gateOrder(std::int64_t gates);

/// From ONNX's [directions, gates, out, in].
void permuteGates(const float* from, const Shape& shape, float* to);

} // namespace plimsoll::kernels::onednn
