#pragma once

#include "core/formats/tflite/tflite_model.h"

#include <optional>

namespace plimsoll::tflite {

/// The element type of a code of the schema; Unknown for those that have no fixed size or are not known here.
[[nodiscard]] DType dtypeOf(int type);

/// With the sizes with which the file was written, whatever is open.
[[nodiscard]] TensorType writtenType(const Tensor& tensor);

/// What the model says of its open dimensions. Where all inputs are open in their first dimension alone, that is the
/// symbol "batch", and first dimensions of other tensors follow from it. All else has the size it was written with.
class OpenDims
{
public:
    OpenDims(const Subgraph& entry);

    /// The type of an input of the whole model; dimensions that it leaves open become symbols.
    [[nodiscard]] TensorType input(const Tensor& tensor) const;
    /// The type of any other tensor.
    [[nodiscard]] TensorType computed(const Tensor& tensor);

    /// Sentences on what was taken for what.
    [[nodiscard]] std::vector<std::string> notes() const;

private:
    bool m_batch = false;
    std::string m_fixed; ///< The first value whose open dimension was taken as it was written.
    std::size_t m_fixedCount = 0;
    std::size_t m_followers = 0; ///< Values whose first dimension follows from "batch".
};

} // namespace plimsoll::tflite
