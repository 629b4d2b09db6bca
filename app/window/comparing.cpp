#include "app/window/comparing.h"

#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/window/commands/action_set.h"
#include "app/window/help/format_texts.h"
#include "app/window/pages/samples.h"
#include "app/window/panes/table_pane.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QTableView>
#include <QToolButton>

namespace plimsoll::app {
namespace {

/// The two rows that are picked, where one is of the plan before alone and the other of the plan now.
std::optional<SaidMatch> pickedPair(Workbench& bench, const TablePane& changes)
{
    const auto report = bench.session.report();
    const auto other = bench.session.comparison().shown().other;
    const QStringList names = changes.pickedNames();
    if (!report || !other || names.size() != 2) return std::nullopt;
    return sayable(*other, *report, names.first().toStdString(), names.last().toStdString());
}

} // namespace

ComparedStrip::ComparedStrip(Workbench& bench, const ActionSet& actions, TablePane& changes)
    : QWidget(&changes), m_bench(bench), m_actions(actions), m_changes(changes), m_said(new QLabel(this))
{
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(8, 6, 8, 0);
    line->addWidget(m_said, 1);
    m_said->setObjectName(QStringLiteral("comparedWith"));
    m_said->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    for (const char* id : {"pick.not-same", "file.compare-before"}) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(actions.at(id));
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        line->addWidget(button);
    }
    changes.setAbove(this);
    changes.view()->setSelectionMode(QAbstractItemView::ExtendedSelection);
    PlanComparison& comparison = bench.session.comparison();
    actions.on("file.compare-with", this, [this] { chooseFile(); });
    actions.on("file.compare-before", &comparison, [&comparison] { comparison.compareWithPlanBefore(); });
    actions.on("pick.same", this, [this] { saySame(); });
    actions.on("pick.not-same", &comparison, [&comparison] { comparison.takeBack(); });
    connect(&comparison, &PlanComparison::changed, this, &ComparedStrip::refresh);
    connect(changes.view()->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ComparedStrip::refresh);
    refresh();
}

void ComparedStrip::refresh()
{
    const PlanComparison& comparison = m_bench.session.comparison();
    const bool ofFile = !comparison.file().isEmpty();
    const bool own = comparison.withOwnPlan();
    const std::int64_t said = std::ssize(comparison.said());
    m_actions.at("file.compare-with")->setEnabled(m_bench.session.report() != nullptr);
    m_actions.at("file.compare-before")->setEnabled(ofFile);
    m_actions.at("pick.same")->setEnabled(pickedPair(m_bench, m_changes).has_value());
    m_actions.at("pick.not-same")->setEnabled(said > 0);
    QString text = ofFile ? tr("Compared with %1.").arg(labelText(QFileInfo(comparison.file()).fileName()))
                   : own  ? tr("Compared with our own plan.")
                          : tr("Compared with the plan before.");
    if (said > 0)
        text += u' ' + countedText(said, tr("1 pair is the same by hand."), tr("%1 pairs are the same by hand."));
    m_said->setText(text);
    m_said->setToolTip(labelText(comparison.file()));
    setVisible(ofFile || own || said > 0);
}

void ComparedStrip::chooseFile()
{
    const QString file = QFileDialog::getOpenFileName(
        window(), tr("Compare with a report, a plan or a graph"), ownFolder({m_bench.session.file()}),
        tr("Plans and reports (*.json)") + QStringLiteral(";;") + graphFilters());
    if (!file.isEmpty()) m_bench.session.comparison().compareWith(file);
}

void ComparedStrip::saySame()
{
    if (const auto pair = pickedPair(m_bench, m_changes)) m_bench.session.comparison().say(*pair);
}

} // namespace plimsoll::app
