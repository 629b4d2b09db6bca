#include "app/window/view_table.h"

#include "core/facts/tables.h"

#include <QtGlobal>

#include <algorithm>
#include <vector>

namespace plimsoll::app {
namespace {

/// Tables stand below the pictures. Holes and changes are not tall: they belong under the plan that they are of.
std::vector<ViewInfo> allViews()
{
    std::vector<ViewInfo> views = {{"all", ViewPlace::Page},
                                   {"start", ViewPlace::Page},
                                   {"problem", ViewPlace::Page},
                                   {"plan", ViewPlace::Picture},
                                   {"live", ViewPlace::Picture},
                                   {"graph", ViewPlace::Picture},
                                   {"policies", ViewPlace::Left, "Policies"},
                                   {"inspector", ViewPlace::Right, "Inspector"}};
    for (const TableUse& use : TableUses) {
        const FactTable& table = use.table();
        if (!use.pane.label.empty())
            views.push_back({table.id.data(), ViewPlace::Below, table.title.data(), use.pane.tall, use.pane.closed});
    }
    views.push_back({"search", ViewPlace::Below, "Search"});
    views.push_back({"run", ViewPlace::Below, "Run", true});
    views.push_back({"bytes", ViewPlace::Below, "Bytes", true, true});
    views.push_back({"remarks", ViewPlace::Below, "Remarks", false, true});
    return views;
}

} // namespace

std::span<const ViewInfo> viewTable()
{
    static const std::vector<ViewInfo> views = allViews();
    return views;
}

const ViewInfo& viewInfo(const QString& id)
{
    const auto found =
        std::ranges::find_if(viewTable(), [&](const ViewInfo& view) { return QLatin1String(view.id) == id; });
    Q_ASSERT(found != viewTable().end());
    return *found;
}

QStringList viewIds(std::optional<ViewPlace> place)
{
    QStringList ids;
    for (const ViewInfo& view : viewTable())
        if (!place || view.place == *place) ids << QString::fromLatin1(view.id);
    return ids;
}

} // namespace plimsoll::app
