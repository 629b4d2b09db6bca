#include "core/report/plan_svg.h"
#include "core/report/writers.h"

namespace plimsoll {

std::string writeSvg(const Report& report)
{
    return planSvg(report, SvgInk::Literal);
}

} // namespace plimsoll
