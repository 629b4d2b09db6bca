#include "app/window/screenshot.h"

#include "app/session/workbench.h"
#include "app/window/exporting.h"
#include "app/window/main_window.h"
#include "app/window/panes/plots/helps_pane.h"
#include "app/window/panes/table_pane.h"
#include "app/window/view_table.h"
#include "core/base/outputs.h"
#include "core/facts/english/english.h"
#include "core/report/report_json.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include <cstdio>

namespace plimsoll::app {
namespace {

constexpr int LongestWaitMs = 120'000;
/// What else each policy would cost is worth some patience, but on a large graph it is dozens of plans.
constexpr int LongestWaitForCostsMs = 15'000;

/// Goes on with events until \p done holds for a little while: pictures start their work when they are painted.
template <typename Done>
bool waitUntil(Done done, int longestMs = LongestWaitMs)
{
    QElapsedTimer all;
    all.start();
    int quiet = 0;
    while (quiet < 5 && all.elapsed() < longestMs) {
        QEventLoop loop;
        QTimer::singleShot(20, &loop, &QEventLoop::quit);
        loop.exec();
        quiet = done() ? quiet + 1 : 0;
    }
    return quiet >= 5;
}

/// As the command line's: 1 where a rule is broken.
int statusOf(const Report& report)
{
    return countFindings(report, Severity::Error) > 0 ? 1 : 0;
}

/// As the command line's, too.
int statusOf(const Error& error)
{
    if (error.code == ErrorCode::BadUsage) return 2;
    return error.code == ErrorCode::BadInput ? 3 : 4;
}

/// The view that is asked for, as a picture or a table; neither is of a page or of the inspector.
Status writeView(const Panes& panes, const CommandLine& line, const FilesRead& read)
{
    const QString view = line.view.isEmpty() ? QStringLiteral("plan") : line.view;
    Canvas* canvas = panes.picture(view);
    const TablePane* table = panes.tables.value(view);
    if (!canvas && !(line.picture + line.wholePicture).isEmpty())
        return Error {ErrorCode::BadUsage, say("export.not-picture", view.toStdString()), {}, {}};
    if (!table && !line.table.isEmpty())
        return Error {ErrorCode::BadUsage, say("export.not-table", view.toStdString()), {}, {}};
    for (const auto& [file, part] :
         {std::pair(line.picture, PicturePart::Seen), {line.wholePicture, PicturePart::Whole}})
        if (!file.isEmpty()) PLIMSOLL_TRY(exportPicture(*canvas, file, read, part, themeNow()));
    return line.table.isEmpty() ? Status() : exportRows(rowsOf(table->model()), line.table, read);
}

Status writeAll(MainWindow& window, const Workbench& bench, const CommandLine& line)
{
    const FilesRead read = bench.session.filesRead();
    if (!line.screenshot.isEmpty()) PLIMSOLL_TRY(exportWindow(window, line.screenshot, read));
    PLIMSOLL_TRY(writeView(window.panes(), line, read));
    if (line.json.isEmpty() || !bench.session.report()) return {};
    const auto report = bench.session.reportWithRun();
    if (line.json != QStringLiteral("-")) return exportReport(*report, line.json, read);
    const bool said = std::fputs(writeReportJson(*report).c_str(), stdout) >= 0;
    return said ? Status() : Error {ErrorCode::Unsupported, say("cli.no-output"), {}, {}};
}

} // namespace

int takeScreenshot(MainWindow& window, Workbench& bench, const CommandLine& line)
{
    std::vector<Output> outputs;
    const auto add = [&](const char* option, const QString& file) {
        if (!file.isEmpty()) outputs.push_back({option, file.toStdString()});
    };
    add("--screenshot", line.screenshot);
    add("--picture", line.picture);
    add("--whole-picture", line.wholePicture);
    add("--table", line.table);
    if (!line.json.isEmpty() && line.json != QStringLiteral("-"))
        outputs.push_back({"--json", line.json.toStdString()});
    if (const Status free = checkOutputs(outputs, bench.session.filesRead()); !free.ok()) {
        std::fprintf(stderr, "plimsoll: %s\n", describe(free.error()).c_str());
        return statusOf(free.error());
    }
    window.resize(line.size);
    window.show();
    int status = 0;
    waitUntil([&] { return bench.settled(); });
    if (const auto& error = bench.session.error()) {
        std::fprintf(stderr, "plimsoll: %s\n", describe(*error).c_str());
        status = statusOf(*error);
    }
    window.resize(line.size); // only now are the panes of the page that shows known
    if (bench.session.report()) {
        const bool tall = !line.view.isEmpty() && viewInfo(line.view).tall;
        window.actions().at(tall ? "layout.tables" : "layout.plan")->trigger();
        if (line.view == QStringLiteral("holes")) window.actions().at("view.show-holes")->trigger();
        if (line.view == QStringLiteral("search")) window.actions().at("search.start")->trigger();
        if (line.view == QStringLiteral("run")) window.actions().at("run.start")->trigger();
    }
    if (status == 0 && !line.select.isEmpty() && !window.select(line.select)) {
        std::fprintf(stderr, "plimsoll: there is no value, node, storage or byte '%s'\n", qPrintable(line.select));
        status = 2;
    }
    if (!line.view.isEmpty()) window.showView(line.view);
    QCoreApplication::processEvents();
    window.resize(line.size);
    waitUntil([&] { return window.settled() && !bench.runs() && !bench.search.running(); });
    const bool shown = !(line.screenshot + line.picture + line.wholePicture + line.table).isEmpty();
    if (shown) { // a report has none of these
        waitUntil([&] { return !bench.tradeOffs.running(); });
        waitUntil([&] { return !bench.costs.busy(); }, LongestWaitForCostsMs);
        waitUntil([&] { return !window.panes().helps->running(); }, LongestWaitForCostsMs);
        waitUntil([&] { return window.settled(); });
    }
    if (const Status written = writeAll(window, bench, line); !written.ok()) {
        std::fprintf(stderr, "plimsoll: %s\n", describe(written.error()).c_str());
        return statusOf(written.error());
    }
    return status == 0 && bench.session.report() ? statusOf(*bench.session.report()) : status;
}

} // namespace plimsoll::app
