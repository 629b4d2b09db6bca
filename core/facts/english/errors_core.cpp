#include "core/facts/english/sentences.h"

namespace plimsoll::sentences {
namespace {

constexpr Sentence CoreErrors[] = {
    {"policy.unknown", "There is no policy {0}; there are: {1}."},
    {"dot.cut-off", "The text ends before 'stop'."},
    {"dot.edge", "An edge is not two known boxes and a number."},
    {"dot.node", "A node is not a known box and two numbers."},
    {"dot.points", "An edge has too few points."},
    {"dot.size", "The size of the graph is not three numbers."},
    {"dot.unplaced", "Box {0} was not placed."},
    {"stopped.layout", "The layout was stopped."},
    {"stopped.planning", "Planning was stopped."},
    {"stopped.placement", "Placement was stopped."},
};

} // namespace

std::span<const Sentence> errorsOfCore()
{
    return CoreErrors;
}

} // namespace plimsoll::sentences
