// What the user sets about the window itself, and help: keys, layouts, themes, filters, manual, diagnostics.
#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/views/graph/graph_canvas.h"
#include "app/window/commands/shortcuts.h"
#include "app/window/help/diagnostics.h"
#include "app/window/help/dialogs.h"
#include "app/window/help/log.h"
#include "app/window/help/manual_window.h"
#include "app/window/help/shortcut_sheet.h"
#include "app/window/help/tour.h"
#include "app/window/language.h"
#include "app/window/look/icons.h"
#include "app/window/main_window.h"
#include "app/window/named_menu.h"
#include "app/window/pages/problem_page.h"
#include "app/window/pages/start_page.h"
#include "app/window/pane_walk.h"
#include "app/window/panes/bytes_pane.h"
#include "app/window/panes/content_picture.h"
#include "app/window/panes/plots/plot_pane.h"
#include "app/window/panes/table_pane.h"
#include "app/window/tabs/documents.h"
#include "app/window/views/canvas_tabs.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTableView>
#include <QToolButton>

namespace plimsoll::app {
namespace {

/// A star beside a filter, with the filters that are kept under that name.
QToolButton* makeFilterMenu(QLineEdit* field, const QString& id, const Settings& settings)
{
    auto* star = new QToolButton(field->parentWidget());
    star->setObjectName(id + QStringLiteral("View:filters"));
    star->setIcon(icon(QStringLiteral("star")));
    star->setAutoRaise(true);
    star->setPopupMode(QToolButton::InstantPopup);
    star->setAccessibleName(TablePane::tr("Kept: %1").arg(field->accessibleName()));
    star->setToolTip(TablePane::tr("Filters that are kept by name, for this view"));
    auto* menu = new QMenu(star);
    const NamedThings filters {QStringLiteral("filters/") + id, TablePane::tr("Keep the filter"),
                               [field] { return field->text().isEmpty() ? QVariant() : QVariant(field->text()); },
                               [field](const QVariant& text) { field->setText(text.toString()); }};
    QAction* keep = menu->addAction(TablePane::tr("&Keep this filter as…"));
    QObject::connect(keep, &QAction::triggered, star,
                     [star, &settings, filters] { saveNamed(star, settings, filters); });
    QObject::connect(menu, &QMenu::aboutToShow, star, [menu, keep, field, &settings, filters] {
        keep->setEnabled(!field->text().isEmpty());
        addNamed(*menu, settings, filters);
    });
    star->setMenu(menu);
    return star;
}

} // namespace

void MainWindow::connectSettingsActions()
{
    applyKeys(m_actions, m_settings.named(QStringLiteral("shortcuts")));
    connectThemes();
    connectMotion();
    connectLanguages();
    connectNumbers();
    for (TablePane* table : m_panes.tables)
        table->addBesideFilter(
            makeFilterMenu(table->filterField(), table->view()->objectName().chopped(4), m_settings)); // "View"
    auto* graph = static_cast<GraphCanvas*>(m_panes.pictures->canvas(QStringLiteral("graph")));
    graph->addBesideFilter(makeFilterMenu(graph->filterField(), QStringLiteral("graph"), m_settings));
    auto* walk = new PaneWalk(*this);
    m_actions.on("go.next-pane", walk, [walk] { walk->go(1); });
    m_actions.on("go.previous-pane", walk, [walk] { walk->go(-1); });
    connectLayouts();
}

/// Those of this page are as they are; the other pages show what it has changed.
void MainWindow::shareSettings()
{
    if (m_others) m_others->shareSettings();
}

void MainWindow::takeSettings()
{
    applyKeys(m_actions, m_settings.named(QStringLiteral("shortcuts")));
    showTheme();
    m_actions.at("view.reduced-motion")->setChecked(m_settings.reducedMotion());
    showLanguage();
    m_actions.at("view.exact-bytes")->setChecked(numberForm().exactBytes);
    m_actions.at("view.decimal-addresses")->setChecked(numberForm().decimalAddresses);
    refreshRecent();
    refreshLeft();
}

/// A page beside others looks as they do already.
void MainWindow::connectThemes()
{
    for (const ThemeChoice theme : ThemeChoices) {
        m_actions.on((QByteArray("view.") + themeName(theme).toLatin1()).constData(), this, [this, theme] {
            m_settings.setTheme(theme);
            setTheme(theme);
        });
    }
    m_others ? showTheme() : setTheme(m_settings.theme());
}

void MainWindow::connectMotion()
{
    QAction* still = m_actions.at("view.reduced-motion");
    const auto move = [this](bool reduced) {
        setAnimated(!reduced);
        static_cast<GraphCanvas*>(m_panes.pictures->canvas(QStringLiteral("graph")))->setAnimated(!reduced);
    };
    still->setChecked(m_settings.reducedMotion());
    move(still->isChecked());
    connect(still, &QAction::toggled, this, [this, move](bool reduced) {
        m_settings.setReducedMotion(reduced);
        move(reduced);
        shareSettings();
    });
}

void MainWindow::showLanguage()
{
    for (const char* language : Languages)
        m_actions.at(QStringLiteral("language.") + QLatin1String(language))
            ->setChecked(m_settings.language() == QLatin1String(language));
}

void MainWindow::connectLanguages()
{
    showLanguage();
    for (const char* language : Languages) {
        m_actions.on((QByteArray("language.") + language).constData(), this, [this, language] {
            m_settings.setLanguage(QString::fromLatin1(language));
            showLanguage();
            shareSettings();
            statusBar()->showMessage(tr("The window speaks it from the next start on."), SaidForMs);
        });
    }
}

void MainWindow::connectNumbers()
{
    QAction* exact = m_actions.at("view.exact-bytes");
    QAction* decimal = m_actions.at("view.decimal-addresses");
    setNumberForm(m_settings.numberForm());
    exact->setChecked(numberForm().exactBytes);
    decimal->setChecked(numberForm().decimalAddresses);
    for (const QAction* action : {exact, decimal})
        connect(action, &QAction::toggled, this, [this, exact, decimal] {
            const NumberForm form {exact->isChecked(), decimal->isChecked()};
            const bool chosenHere = form != numberForm();
            if (chosenHere) m_settings.setNumberForm(form);
            setNumberForm(form);
            QEvent reworded(QEvent::LanguageChange); // goes to all that is in the window
            QCoreApplication::sendEvent(this, &reworded);
            if (chosenHere) shareSettings();
        });
}

void MainWindow::connectLayouts()
{
    m_actions.on("layout.plan", this, [this] { m_docks.apply(Docks::Preset::Plan); });
    m_actions.on("layout.picture", this, [this] { m_docks.apply(Docks::Preset::Picture); });
    m_actions.on("layout.tables", this, [this] { m_docks.apply(Docks::Preset::Tables); });
    m_actions.on("layout.reset", this, [this] { m_docks.apply(Docks::Preset::Plan); });
    const auto withViews = [this](const char* action, const QStringList& views) {
        m_actions.on(action, this, [this, views] {
            m_docks.apply(Docks::Preset::Plan);
            for (const QString& view : views)
                showView(view);
        });
    };
    withViews("layout.graph", {QStringLiteral("graph"), QStringLiteral("nodes")});
    withViews("layout.compare", {QStringLiteral("plan"), QStringLiteral("changes")});
    withViews("layout.debug", {QStringLiteral("plan"), QStringLiteral("bytes"), QStringLiteral("run")});
    const NamedThings layouts {QStringLiteral("layouts/v%1").arg(Settings::LayoutVersion), tr("Save layout"),
                               [this] { return QVariant(m_docks.save()); },
                               [this](const QVariant& state) {
                                   if (m_docks.restore(state.toByteArray())) return;
                                   m_docks.apply(Docks::Preset::Plan);
                                   say({ErrorCode::BadInput, plimsoll::say("window.broken-layout"), {}, {}});
                               }};
    m_actions.on("layout.save", this, [this, layouts] { saveNamed(this, m_settings, layouts); });
    connect(m_menus.layouts, &QMenu::aboutToShow, this, [this, layouts] {
        addNamed(*m_menus.layouts, m_settings, layouts);
        for (QAction* entry : m_menus.layouts->actions())
            if (entry->property("named").toBool()) entry->setEnabled(m_actions.at("layout.save")->isEnabled());
    });
}

void MainWindow::connectHelpActions()
{
    m_actions.on("help.tour", this, [this] { startTour(*this, m_bench); });
    m_actions.on("help.shortcuts", this, [this] {
        auto* sheet = new ShortcutSheet(m_actions, m_settings, this);
        connect(sheet, &QDialog::finished, this, &MainWindow::shareSettings);
        sheet->show();
    });
    if (m_settings.keepsLog()) m_said.log->keepIn(logFile());
    m_actions.on("help.log", this, [this] { showLog(this, *m_said.log, m_settings); });
    m_actions.on("help.about", this, [this] { showAbout(this); });
    m_actions.on("help.manual", this, [this, manual = static_cast<ManualWindow*>(nullptr)]() mutable {
        if (!manual) manual = new ManualWindow(this);
        const auto report = m_bench.session.report();
        const int finding = m_bench.selection.focus().finding;
        const QString view = focusedView();
        const bool ofFinding =
            view == QStringLiteral("findings") || view == QStringLiteral("inspector") || m_panes.pictures->canvas(view);
        manual->showPage(report && finding >= 0 && ofFinding
                             ? QStringLiteral("rules.html#") + toQString(ruleId(report->verdict.findings[finding].rule))
                             : manualPageOf(view));
    });
    for (const bool names : {false, true})
        m_actions.on(names ? "help.diagnostics-names" : "help.diagnostics", this, [this, names] {
            QApplication::clipboard()->setText(diagnosticsText(m_bench, *m_said.log, names));
            statusBar()->showMessage(tr("The diagnostics are on the clipboard."), SaidForMs);
        });
}

QString MainWindow::focusedView() const
{
    const QWidget* now = focusWidget();
    for (const QString& id : m_docks.ids())
        if (now && m_docks.at(id)->isAncestorOf(now)) return id;
    if (m_pages.all->currentWidget() == m_pages.start) return QStringLiteral("start");
    if (m_pages.all->currentWidget() == m_pages.problem) return QStringLiteral("problem");
    return m_panes.pictures->current()->objectName();
}

void MainWindow::setTheme(ThemeChoice theme)
{
    applyTheme(theme);
    showTheme();
    shareSettings();
}

void MainWindow::showTheme()
{
    m_panes.pictures->setTheme(themeNow());
    m_panes.bytes->picture()->setTheme(themeNow());
    for (const PlotPane* pane : m_panes.plots)
        pane->setTheme(themeNow());
    for (const ThemeChoice each : ThemeChoices)
        m_actions.at(QStringLiteral("view.") + themeName(each))->setChecked(each == themeChosen());
}

} // namespace plimsoll::app
