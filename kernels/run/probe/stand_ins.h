#pragma once

#include "kernels/tensor_view.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace plimsoll::kernels {

/// Aligned stand-ins for tensors that a plan with a small alignment put where their elements cannot be accessed as
/// numbers (a float at an odd address). One stand-in per address, so that what is in place stays in place.
class StandIns
{
public:
    /// The tensor itself where it is aligned for its elements; else a copy of its bytes.
    [[nodiscard]] TensorView reading(const TensorView& tensor);
    /// The same; what is written to it reaches the tensor at commit().
    [[nodiscard]] TensorView writing(const TensorView& tensor);
    void commit();

private:
    struct StandIn
    {
        std::span<std::byte> original;
        std::shared_ptr<std::byte[]> bytes;
        bool written = false;
    };
    StandIn& of(const TensorView& tensor);

    std::vector<StandIn> m_standIns; ///< Hardly ever any, and then a few.
};

} // namespace plimsoll::kernels
