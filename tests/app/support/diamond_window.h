#pragma once

#include "app/views/plan/plan_canvas.h"
#include "app/window/views/canvas_tabs.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QFile>
#include <QTemporaryDir>

namespace plimsoll::test {

inline constexpr const char* DiamondFile = R"({
  "schema": "plimsoll.graph/1", "name": "diamond",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [16]}],
  "nodes": [{"name": "n0", "op": "Neg", "inputs": ["x"], "outputs": ["a"]},
            {"name": "n1", "op": "Tanh", "inputs": ["x"], "outputs": ["b"]},
            {"name": "n2", "op": "Sin", "inputs": ["b"], "outputs": ["c"]},
            {"name": "n3", "op": "Add", "inputs": ["a", "c"], "outputs": ["d"]}],
  "outputs": ["d"]
})";

/// One above the other.
inline constexpr const char* DiamondPlan =
    R"({"schema": "plimsoll.plan/1", "graph": null, "arenas": [{"space": "cpu", "bytes": 256, "alignment": 32}],
  "allocations": [{"value": "a", "offset": 0, "bytes": 64}, {"value": "b", "offset": 64, "bytes": 64},
                  {"value": "c", "offset": 128, "bytes": 64}, {"value": "d", "offset": 192, "bytes": 64}],
  "steps": null})";

/// The window on the diamond under that plan.
struct DiamondWindow : OpenWindow
{
    QTemporaryDir folder;

    DiamondWindow()
    {
        bench.costs.setEnabled(false);
        window.resize(1500, 1000);
        window.show();
        app::Choices choices = app::initialChoices();
        (void)choices.setPolicy("backend", "captured");
        bench.session.open(write("diamond.json", DiamondFile), choices, write("plan.json", DiamondPlan));
    }
    [[nodiscard]] QString write(const char* name, const char* text) const
    {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        if (file.open(QIODevice::WriteOnly)) file.write(text);
        return file.fileName();
    }
    [[nodiscard]] QAction* action(const char* id) const { return window.actions().at(id); }
    [[nodiscard]] app::PlanCanvas* plan() const
    {
        return qobject_cast<app::PlanCanvas*>(window.panes().pictures->canvas(QStringLiteral("plan")));
    }
    [[nodiscard]] QPoint at(double step, double byte) const
    {
        return QPointF(plan()->viewport().xOf(step), plan()->viewport().yOf(byte)).toPoint();
    }
    [[nodiscard]] ValueId idOf(const char* value) const
    {
        return findValue(*bench.session.report()->program.graph, value);
    }
    [[nodiscard]] std::int64_t offsetOf(const char* value) const
    {
        return bench.session.report()->program.values[idOf(value).index()].offset;
    }
    void pick(const char* value) { (void)window.select(QString::fromLatin1(value)); }
    [[nodiscard]] std::int64_t peak() const { return bench.session.report()->memory.peakBytes; }
    [[nodiscard]] std::size_t errors() const { return countFindings(*bench.session.report(), Severity::Error); }
};

} // namespace plimsoll::test
