#pragma once

#include "core/plan/layout.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <optional>
#include <string>

namespace plimsoll::kernels::onednn {

/// float32 or bfloat16.
[[nodiscard]] dnnl::memory::data_type typeOf(DType dtype);

/// A tensor of \p shape in the layout of that name. Empty for a name that means nothing there.
[[nodiscard]] std::optional<dnnl::memory::desc> descriptionOf(const std::string& layout, const Shape& shape,
                                                              dnnl::memory::data_type type);

/// What the plan calls a layout that oneDNN has chosen. Empty where the plan has no name for it: Winograd's weights,
/// rows with gaps, what carries more than elements.
[[nodiscard]] std::optional<std::string> nameOf(const dnnl::memory::desc& description, bool asImage);

} // namespace plimsoll::kernels::onednn
