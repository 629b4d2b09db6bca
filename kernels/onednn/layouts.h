#pragma once

#include "core/plan/layout.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <optional>
#include <string>

namespace plimsoll::kernels::onednn {

/// As oneDNN calls it; undef where it has no such type.
[[nodiscard]] dnnl::memory::data_type typeOf(DType dtype);

/// A tensor of \p shape in the layout of that name. Behind the name may stand what weights of integers carry beside
/// their elements, each with the axes that it has a number for: "ABcd4b16a4b+s8s8(a)+zero(a)". Empty for a name that
/// means nothing there.
[[nodiscard]] std::optional<dnnl::memory::desc> descriptionOf(const std::string& layout, const Shape& shape,
                                                              dnnl::memory::data_type type);

/// What the plan calls a layout that oneDNN has chosen. Empty where the plan has no name for it: Winograd's weights,
/// rows with gaps, and weights that are halved so that sums of their products fit into 16 bits.
[[nodiscard]] std::optional<std::string> nameOf(const dnnl::memory::desc& description, bool asImage);

/// Whether a layout of that name carries more than elements: only weights that are prepared ahead can.
[[nodiscard]] bool carriesMore(std::string_view layout);

} // namespace plimsoll::kernels::onednn
