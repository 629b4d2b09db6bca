// The session that is open: saving it, its name, and what earlier windows left.
#include "app/models/window_text.h"
#include "app/session/document/document.h"
#include "app/session/workbench.h"
#include "app/views/live_range_canvas.h"
#include "app/window/main_window.h"
#include "app/window/pages/samples.h"
#include "app/window/pages/start_page.h"
#include "app/window/views/canvas_tabs.h"
#include "core/formats/plimsoll/session_json.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QPlainTextEdit>
#include <QStatusBar>

namespace plimsoll::app {

void MainWindow::connectDocument()
{
    m_document = new Document(m_bench, this);
    m_document->setWindow([this](SavedSession& session) {
        session.remarks = m_panes.remarks->toPlainText().toStdString();
        session.layout = m_docks.save().toStdString();
        const RowChoice& rows = m_panes.pictures->rows().choice();
        session.rows = {
            {rows.pinned.begin(), rows.pinned.end()}, {rows.hidden.begin(), rows.hidden.end()}, rows.byModule};
        session.view = m_panes.pictures->current()->objectName().toStdString();
    });
    connect(m_document, &Document::changed, this, &MainWindow::showName);
    connect(m_document, &Document::said, this, &MainWindow::say);
    connect(m_document, &Document::saved, this, [this](const QString& file) {
        remember(file);
        statusBar()->showMessage(tr("Saved as %1").arg(labelText(file)), SaidForMs);
    });
    connect(&m_panes.pictures->rows(), &LiveRangeCanvas::choiceChanged, m_document, &Document::keepSoon);
    connect(m_panes.remarks, &QPlainTextEdit::textChanged, m_document, &Document::keepSoon);
    connect(&m_bench.session, &Session::closed, m_panes.remarks, &QPlainTextEdit::clear);
    connect(m_document, &Document::restored, this, [this](const SavedSession& session) {
        m_panes.remarks->setPlainText(QString::fromStdString(session.remarks));
        if (!session.layout.empty() && !m_docks.restore(QByteArray::fromStdString(session.layout)))
            say({ErrorCode::BadInput, plimsoll::say("window.broken-layout"), {}, {}});
        const SavedRows& rows = session.rows;
        m_panes.pictures->rows().setChoice(
            {{rows.pinned.begin(), rows.pinned.end()}, {rows.hidden.begin(), rows.hidden.end()}, rows.byModule});
        (void)m_panes.pictures->showView(QString::fromStdString(session.view)); // of a later version: no such view
    });
    connect(&m_bench.session, &Session::closed, this, &MainWindow::refreshLeft);
    connect(m_pages.start, &StartPage::forgetLeftRequested, this, [this] {
        m_document->forgetCopies();
        refreshLeft();
        shareSettings();
    });
    m_actions.on("file.save", this, [this] { saveAs(m_document->file()); });
    m_actions.on("file.save-as", this, [this] { saveAs({}); });
}

void MainWindow::keepSafeIn(const QString& folder)
{
    m_document->keepSafeIn(folder);
    refreshLeft();
}

void MainWindow::refreshLeft()
{
    m_pages.start->setLeft(m_document->copiesLeft());
}

void MainWindow::saveAs(const QString& chosen)
{
    QString file = chosen;
    if (file.isEmpty()) {
        const QFileInfo now(m_document->file().isEmpty() ? m_bench.session.file() : m_document->file());
        const QString name = ownFolder(QStringList(now.filePath()) + m_settings.recentFiles()) + u'/' +
                             now.completeBaseName() + QStringLiteral(".plimsoll");
        file = QFileDialog::getSaveFileName(this, tr("Save the session"), name, tr("Sessions (*.plimsoll)"));
        if (file.isEmpty()) return;
        if (QFileInfo(file).suffix().isEmpty()) file += QStringLiteral(".plimsoll");
    }
    statusBar()->showMessage(tr("Saving %1…").arg(labelText(file)));
    if (const Status begun = m_document->save(file); !begun.ok()) say(begun.error());
}

void MainWindow::showName()
{
    const QString name = labelText(m_document->name()).replace(QStringLiteral("[*]"), QStringLiteral("[*][*]"));
    setWindowTitle(tr("%1[*] — Plimsoll").arg(name));
    setWindowModified(m_document->modified());
}

} // namespace plimsoll::app
