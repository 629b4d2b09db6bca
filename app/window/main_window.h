#pragma once

#include "app/session/session.h"
#include "app/window/commands/action_set.h"
#include "app/window/docks.h"
#include "app/window/menus.h"
#include "app/window/panes.h"
#include "app/window/settings.h"
#include "core/base/result.h"
#include "core/facts/focus.h"

#include <QMainWindow>

class QLabel;
class QMimeData;
class QStackedWidget;

namespace plimsoll::app {

class ComparedStrip;
class Document;
class Documents;
class Finder;
class Log;
class OpeningPage;
class ProblemPage;
class StartPage;
class Workbench;
struct Rows;

/// Puts the pieces together: pages, pictures, docks, actions. What they do is theirs.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// \p others: it is a page beside others, and no window.
    MainWindow(Workbench& bench, const Settings& settings, Documents* others = nullptr, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// A graph, or a session. The others are of the command line.
    void open(const QString& file, const Choices& choices = initialChoices(), const QString& plan = {});
    /// From now on edits are kept in that folder, and what a window that was killed left there is offered.
    void keepSafeIn(const QString& folder);
    void remember(const QString& file); ///< Among the recent files, if it is one.
    /// Before it is shown for the first time, on a screen that has less room.
    void fitInto(QSize room);
    /// Opens what a drop or a paste brought: a file, a path, or the text of a graph.
    bool openMime(const QMimeData& mime);
    /// Any id of --view. False for one that does not exist.
    bool showView(const QString& id);
    /// Selects a value, node or storage ("s12") by name, or bytes ("0x36000"), and shows the facts. False when there is
    /// none.
    bool select(const QString& name);
    void setTheme(ThemeChoice theme);
    /// Reading, planning, catalogue and pictures have come to rest.
    [[nodiscard]] bool settled() const;
    [[nodiscard]] const ActionSet& actions() const { return m_actions; }
    [[nodiscard]] const Panes& panes() const { return m_panes; }
    [[nodiscard]] Log& log() const { return *m_said.log; }
    [[nodiscard]] Workbench& bench() const { return m_bench; }
    [[nodiscard]] const Document& document() const { return *m_document; }

    /// As a page: whether it is the one that is shown, and the only one.
    void setFront(bool front);
    void setAlone(bool alone);
    void takeSettings(); ///< Another page has changed some.
    void keepLayout();   ///< Of its panes, and where its window is.

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    static constexpr int SaidForMs = 15000;

    void build();
    void connectSession();
    void connectPages();
    void connectFileActions();
    void connectDocument();
    void connectExportActions();
    void connectGoActions();
    void connectStopActions();
    void connectViewActions();
    void connectGraphActions();
    void connectGraphChoices();
    void connectRows();
    void connectSelectionActions();
    void connectMends();
    void connectPlanEdits();
    void editPlan(const std::function<Result<PlanFile>(PlanFile plan, const Report& report)>& edit,
                  const QString& what);
    void moveInPlan(const Focus& what, std::int64_t offset);
    void putIntoBytes();
    void runBefore();
    void refreshPlanEdits();
    void listEdits();
    void fitDevice();
    void sayEdit();
    void placeAnew();
    void askWhy();
    void suppressFinding();
    void connectSettingsActions();
    void connectLanguages();
    void connectNumbers();
    void connectMotion();
    void connectThemes();
    void showTheme();
    void showLanguage();
    void shareSettings();
    void connectLayouts();
    void connectHelpActions();

    void openSample(const QString& name, const QString& file);
    /// Here, or in another page where something is open here. The page it is in.
    MainWindow& openBeside(const QString& file, const Choices& choices = initialChoices(), const QString& plan = {});
    void openTogether(QStringList files); ///< A plan is judged; two graphs may be compared.
    void openOther(const QString& graph);
    void chooseFile();
    void saveAs(const QString& file); ///< Empty: asks for one.
    void showName();
    void refreshLeft();
    void choosePlan();
    void exportTo(const QString& title, const QString& filters,
                  const std::function<Status(const QString& file)>& write);
    void withRows(const std::function<void(const Rows&)>& use); ///< Of the pane that is shown; else it is said.
    void say(const Error& error); ///< In the status bar, never as a box: what is open stays as it is.
    void focusView(const QString& id);
    [[nodiscard]] QString focusedView() const; ///< That has the keyboard: a pane, a picture, a page.
    void showPage(QWidget* page);
    void showReport();
    void showCompared();
    void refreshActions();
    void refreshSelectionActions();
    void popUpSelectionMenu(QPoint screen, const QList<QAction*>& own);
    void listStops();
    void markStops(); ///< In the plan.
    void refreshRecent();
    void forgetRecent();
    void refreshStep();
    void findingBy(int by);
    void differenceBy(int by);
    void showFinding(int finding); ///< Picks it, and frames it in the picture.

    Workbench& m_bench;
    const Settings& m_settings;
    Documents* m_others; ///< Null: a window by itself.
    ActionSet m_actions;
    Docks m_docks;
    Panes m_panes;
    struct
    {
        QStackedWidget* all;
        StartPage* start;
        ProblemPage* problem;
        OpeningPage* opening;
    } m_pages;
    FilledLater m_menus;
    Document* m_document = nullptr;
    struct
    {
        QLabel* step;
        QLabel* notice;
        ComparedStrip* compared;
        Log* log;
    } m_said;
    Finder* m_finder;
};

} // namespace plimsoll::app
