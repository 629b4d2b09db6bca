// What is saved and copied: the report, pictures, tables, facts.
#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/views/canvas.h"
#include "app/window/exporting.h"
#include "app/window/main_window.h"
#include "app/window/panes/fact_view.h"
#include "app/window/panes/inspector_pane.h"
#include "app/window/panes/run_pane.h"
#include "app/window/panes/step_panel.h"
#include "app/window/panes/table_pane.h"
#include "app/window/views/canvas_tabs.h"

#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>

namespace plimsoll::app {
namespace {

/// "CSV (*.csv)" → ".csv"
QString endingOf(const QString& filter)
{
    return filter.section(u'*', -1).chopped(1);
}

} // namespace

void MainWindow::connectExportActions()
{
    m_actions.on("file.export", this, [this] {
        const auto report = m_bench.session.reportWithRun();
        exportTo(tr("Export the report"), reportFilters(),
                 [&](const QString& file) { return exportReport(*report, file, m_bench.session.filesRead()); });
    });
    for (const auto& [id, part] :
         {std::pair("file.picture", PicturePart::Seen), {"file.whole-picture", PicturePart::Whole}}) {
        m_actions.on(id, this, [this, part = part] {
            Canvas* canvas = m_panes.shownPicture();
            exportTo(part == PicturePart::Whole ? tr("Export the whole picture") : tr("Export the picture"),
                     pictureFilters(), [&](const QString& file) {
                         return exportPicture(*canvas, file, m_bench.session.filesRead(), part);
                     });
        });
    }
    m_actions.on("edit.copy-picture", this, [this] {
        const Result<QImage> image = pictureOf(*m_panes.shownPicture(), PicturePart::Seen);
        if (!image.ok()) return say(image.error());
        QGuiApplication::clipboard()->setImage(image.value());
    });
    m_actions.on("file.table", this, [this] {
        withRows([this](const Rows& rows) {
            exportTo(tr("Export the table"), tableFilters(),
                     [&](const QString& file) { return exportRows(rows, file, m_bench.session.filesRead()); });
        });
    });
    m_actions.on("edit.copy-csv", this,
                 [this] { withRows([](const Rows& rows) { copyText(QString::fromStdString(rows.csv())); }); });
    m_actions.on("edit.copy-markdown", this,
                 [this] { withRows([](const Rows& rows) { copyText(QString::fromStdString(rows.markdown())); }); });
    m_actions.on("edit.copy-facts", this, [this] { copyText(m_panes.inspector->asText()); });
    m_actions.on("edit.copy-facts-markdown", this, [this] {
        copyText(QString::fromStdString(rowsOf(m_panes.inspector->view()->facts().shown()).markdown()));
    });
}

void MainWindow::withRows(const std::function<void(const Rows&)>& use)
{
    const QWidget* now = focusWidget();
    for (const FactView* facts : {m_panes.inspector->view(), m_panes.inspector->step()->view()})
        if (now == facts) return use(rowsOf(facts->facts().shown()));
    const auto ofRun = m_panes.run->visibleRegion().isEmpty() ? std::nullopt : m_panes.run->rows();
    const TablePane* table = m_panes.shownTable();
    if (ofRun && (!table || m_panes.run->isAncestorOf(now)))
        use(*ofRun);
    else if (table)
        use(rowsOf(table->model()));
    else
        say({ErrorCode::BadInput, plimsoll::say("export.no-table"), {}, {}});
}

void MainWindow::exportTo(const QString& title, const QString& filters,
                          const std::function<Status(const QString& file)>& write)
{
    QString filter = filters.section(QStringLiteral(";;"), 0, 0);
    const QFileInfo opened(m_bench.session.file());
    const QString name = opened.dir().filePath(opened.completeBaseName() + endingOf(filter));
    QString file = QFileDialog::getSaveFileName(this, title, name, filters, &filter);
    if (file.isEmpty()) return;
    if (QFileInfo(file).suffix().isEmpty()) file += endingOf(filter);
    if (const Status written = write(file); !written.ok()) return say(written.error());
    statusBar()->showMessage(tr("Written: %1").arg(labelText(file)), SaidForMs);
}

} // namespace plimsoll::app
