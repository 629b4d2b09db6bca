#pragma once

#include "core/formats/bad_input.h"
#include "core/graph/tensor_type.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::fx {

/// What PyTorch prints about a value: "f32[8, 10][10, 1]cuda:0", "Sym(s0)".
struct PrintedType
{
    TensorType type; ///< Of a Sym: an int64 scalar.
    std::optional<DimList> strides;
    std::string device; ///< "cuda:0"; empty for "cpu" and where nothing is said.
    bool isSymbol = false;
    bool isTensor = false; ///< False also where the text says nothing about the value.
};

/// An Error is a sentence: the text looks like a type and is none.
[[nodiscard]] Result<PrintedType> readPrintedType(std::string_view text);

/// "torch.float32" or "f32"; empty for a type that there is no name for.
[[nodiscard]] std::optional<DType> dtypeOf(std::string_view name);

/// Whether elements lie in the order of the shape. Sizes that are not known are taken to fit.
[[nodiscard]] bool isRowMajor(const PrintedType& type);

} // namespace plimsoll::fx
