#pragma once

#include <QList>
#include <QMap>
#include <QString>

#include <functional>
#include <memory>

class QPlainTextEdit;

namespace plimsoll {
struct Report;
}

namespace plimsoll::app {

class BytesPane;
class Canvas;
class CanvasTabs;
class Docks;
class HelpsPane;
class InspectorPane;
class JobRunner;
class PlotPane;
class PoliciesPane;
class RunPane;
class SearchPane;
class Session;
class SummaryStrip;
class TablePane;
class Workbench;
struct Compared;

/// Every pane of a document. Made once; each knows the session or the selection, none knows another.
struct Panes
{
    JobRunner* worker = nullptr; ///< What tables and pictures need does not wait behind plans.
    CanvasTabs* pictures = nullptr;
    SummaryStrip* summary = nullptr;
    QMap<QString, TablePane*> tables; ///< By the id of what they show.
    SearchPane* search = nullptr;
    QMap<QString, PlotPane*> plots; ///< By the id of their view; search and helps are two of them.
    HelpsPane* helps = nullptr;
    RunPane* run = nullptr;
    BytesPane* bytes = nullptr;
    QPlainTextEdit* remarks = nullptr; ///< What the user writes.
    PoliciesPane* policies = nullptr;
    InspectorPane* inspector = nullptr;

    /// The one that has the keyboard, else one that is seen; null while none is.
    [[nodiscard]] TablePane* shownTable() const;
    /// The one that has the keyboard, else the one in the middle.
    [[nodiscard]] Canvas* shownPicture() const;
    [[nodiscard]] QList<Canvas*> picturesBelow() const;
    [[nodiscard]] Canvas* picture(const QString& view) const; ///< Null of a view that has none.
    void setReport(const Session& session) const;             ///< Of a session that is closed: none.
    /// The report stays.
    void setCompared(std::shared_ptr<const Report> report, const Compared& compared) const;
    void setRun(const Session& session) const; ///< What it measured; none: it was not run.
};

/// Makes the panes and puts all but the pictures and the summary into docks.
[[nodiscard]] Panes makePanes(Workbench& bench, Docks& docks);

} // namespace plimsoll::app
