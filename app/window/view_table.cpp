#include "app/window/view_table.h"

#include <QtGlobal>

#include <algorithm>
#include <array>

namespace plimsoll::app {
namespace {

#define T(text) QT_TRANSLATE_NOOP("QObject", text)

// Holes and searches are not tall: they belong under the plan that they are of.
constexpr std::array Views = {
    ViewInfo {"all", ViewPlace::Page},
    ViewInfo {"start", ViewPlace::Page},
    ViewInfo {"problem", ViewPlace::Page},
    ViewInfo {"plan", ViewPlace::Picture},
    ViewInfo {"live", ViewPlace::Picture},
    ViewInfo {"graph", ViewPlace::Picture},
    ViewInfo {"policies", ViewPlace::Left, T("Policies")},
    ViewInfo {"inspector", ViewPlace::Right, T("Inspector")},
    ViewInfo {"findings", ViewPlace::Below, T("Findings"), true},
    ViewInfo {"storages", ViewPlace::Below, T("Storages"), true},
    ViewInfo {"saved", ViewPlace::Below, T("Saved tensors"), true},
    ViewInfo {"values", ViewPlace::Below, T("Values"), true},
    ViewInfo {"nodes", ViewPlace::Below, T("Nodes"), true},
    ViewInfo {"backends", ViewPlace::Below, T("Backends"), true},
    ViewInfo {"holes", ViewPlace::Below, T("Holes")},
    ViewInfo {"changes", ViewPlace::Below, T("Changes")},
    ViewInfo {"search", ViewPlace::Below, T("Search")},
    ViewInfo {"run", ViewPlace::Below, T("Run"), true},
};

#undef T

} // namespace

std::span<const ViewInfo> viewTable()
{
    return Views;
}

const ViewInfo& viewInfo(const QString& id)
{
    const auto* found =
        std::find_if(Views.begin(), Views.end(), [&](const ViewInfo& view) { return QLatin1String(view.id) == id; });
    Q_ASSERT(found != Views.end());
    return *found;
}

QStringList viewIds()
{
    QStringList ids;
    for (const ViewInfo& view : Views)
        ids << QString::fromLatin1(view.id);
    return ids;
}

QStringList viewIds(ViewPlace place)
{
    QStringList ids;
    for (const ViewInfo& view : Views)
        if (view.place == place) ids << QString::fromLatin1(view.id);
    return ids;
}

} // namespace plimsoll::app
