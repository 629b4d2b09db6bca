#pragma once

#include "app/session/workbench.h"
#include "app/window/commands/searches.h"
#include "app/window/main_window.h"
#include "app/window/panes.h"
#include "app/window/panes/policies_pane.h"
#include "tests/app/support/no_warnings.h"

#include <QTest>

namespace plimsoll::test {

/// A window that has nothing of an earlier one. What a machine's backends offer is no part of it.
struct OpenWindow
{
    app::Settings settings {false};
    app::Workbench bench;
    app::MainWindow window;

    explicit OpenWindow(app::Engine engine = app::Engine()) : bench(std::move(engine)), window(bench, settings)
    {
        bench.session.setAsksForOffers(false);
    }
    [[nodiscard]] bool ready()
    {
        return QTest::qWaitFor([this] { return bench.session.report() && window.settled(); }, 20000);
    }
    /// Unfolds the values of a policy, by the mouse.
    void openPolicy(const char* id)
    {
        auto* header = child<QWidget>((QByteArray(id) + ":header").constData());
        window.panes().policies->ensureWidgetVisible(header);
        QTest::mouseClick(header, Qt::LeftButton);
        QTest::qWait(0); // until what was unfolded has its place
    }
    template <typename Widget>
    [[nodiscard]] Widget* child(const char* name) const
    {
        return window.findChild<Widget*>(QString::fromLatin1(name));
    }
};

/// Whether that is the best answer to itself.
inline bool paletteHas(const app::MainWindow& window, const QString& entry)
{
    const auto found = app::searchCommands(*window.menuBar(), window.actions())(entry);
    return !found.empty() && found.front().text.endsWith(QStringLiteral(": ") + entry);
}

} // namespace plimsoll::test
