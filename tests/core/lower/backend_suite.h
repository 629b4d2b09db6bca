#pragma once

#include "core/lower/types/infer_types.h"

#include <filesystem>
#include <string>
#include <vector>

namespace plimsoll::test {

/// What inference is told about a model besides its operators.
enum class Given {
    DeclaredTypes, ///< What the file says.
    Nothing,       ///< The types of outputs and intermediates are taken away.
    InputBytes,    ///< The same, but the shipped inputs are constants, so that shape arithmetic on them is evaluated.
};

/// What came of comparing the inferred types of a model's outputs with the outputs shipped beside it.
struct Agreement
{
    int models = 0;
    int agree = 0;                        ///< Outputs.
    int unknown = 0;                      ///< Outputs whose size inference leaves open (or that are no tensors).
    int contents = 0;                     ///< Outputs whose elements were known and are the shipped ones.
    std::vector<std::string> disagree;    ///< "model: output: inferred, shipped"
    std::vector<std::string> notInferred; ///< "model: error"
    std::vector<std::string> open;        ///< "model: output: reason"
};

/// Every folder below \p root that holds a model.onnx and a test_data_set_0. Inputs take the shapes of the shipped
/// ones.
[[nodiscard]] Agreement compareWithShippedOutputs(const std::filesystem::path& root, Given given);

} // namespace plimsoll::test
