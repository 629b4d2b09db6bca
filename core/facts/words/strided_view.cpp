#include "core/facts/words/strided_view.h"

#include "core/graph/value_strides.h"

namespace plimsoll {

Message stridesText(const Value& value)
{
    const auto view = stridedView(value);
    return view ? say("strides", describe(view->strides), view->spanBytes) : Message();
}

} // namespace plimsoll
