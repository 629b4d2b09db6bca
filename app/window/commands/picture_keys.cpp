#include "app/window/commands/action_table.h"

#include <QtGlobal>

#define T(text) QT_TRANSLATE_NOOP("plimsoll", text)

namespace plimsoll::app {
namespace {

constexpr PictureKey PictureKeys[] = {
    {T("Plan, live ranges"), T("W, S"), T("Zoom the steps in and out")},
    {T("Plan, live ranges"), T("Shift+W, Shift+S"), T("Zoom the bytes, or the rows")},
    {T("Plan, live ranges"), T("A, D"), T("Move along the steps")},
    {T("Plan, live ranges"), T("Shift+A, Shift+D"), T("Move along the bytes, or the rows")},
    {T("Plan"), T("Arrows"), T("Select the bar beside, above or below")},
    {T("Plan"), T("B, held"), T("Outlines of the plan before the last change, where it differs")},
    {T("Live ranges"), T("Up, Down"), T("Select the row above or below")},
    {T("Live ranges"), T("PgUp, PgDown"), T("A page of rows up or down")},
    {T("Live ranges"), T("T"), T("Change between a row for each value and one for each storage")},
    {T("Graph"), T("W, S"), T("Zoom in and out")},
    {T("Graph"), T("A, D, Shift+W, Shift+S"), T("Move the picture")},
    {T("Graph"), T("Arrows"), T("Up and down along the edges, left and right within the layer")},
    {T("Graph"), T("+ or Return, −"), T("Open the group that is selected; close the one around")},
    {T("Graph"), T("G"), T("Ask Graphviz for a finer layout")},
    {T("All pictures"), T("[ and ]"), T("Move the step cursor")},
};

} // namespace

std::span<const PictureKey> pictureKeys()
{
    return PictureKeys;
}

} // namespace plimsoll::app
