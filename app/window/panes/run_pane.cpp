#include "app/window/panes/run_pane.h"

#include "app/models/window_text.h"
#include "app/session/job_tag.h"
#include "app/session/workbench.h"
#include "app/window/look/icons.h"
#include "app/window/look/labels.h"
#include "app/window/look/theme.h"
#include "app/window/panes/inputs_field.h"
#include "core/advice/run_findings.h"
#include "core/base/narrow.h"
#include "core/facts/english/english.h"
#include "core/facts/tables.h"
#include "core/facts/words/run_sentences.h"
#include "core/facts/words/verdict.h"
#include "core/report/writers.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <numeric>

namespace plimsoll::app {
namespace {

/// Two cells stand in one line over all columns, as do those of which the others are empty: "Mode: numeric". The third
/// column has the cells from there on, those before the last with their titles.
void fill(QTreeWidgetItem& row, const FactTable& table, const std::vector<Cell>& cells)
{
    const bool line = cells.size() < 3 || (cellText(cells[0]).isEmpty() && cellText(cells[1]).isEmpty());
    const std::size_t apart = line ? 0 : 2;
    for (std::size_t i = 0; i < apart; ++i) {
        const int column = narrow<int>(i);
        row.setText(column, labelText(cellText(cells[i])));
        row.setToolTip(column, cellTip(cells[i]));
        if (cells[i].wrong) row.setForeground(column, colours().error);
    }
    QStringList parts;
    for (std::size_t i = apart; i < cells.size(); ++i) {
        const QString text = cellText(cells[i]);
        const bool titled = !line && i + 1 < cells.size();
        if (!text.isEmpty())
            parts << (titled ? QStringLiteral("%1: %2").arg(translated(table.columns[i].title), text) : text);
    }
    const int last = narrow<int>(apart);
    row.setText(last, labelText(parts.join(line ? QStringLiteral(": ") : QStringLiteral("; "))));
    row.setToolTip(last, cellTip(cells.back()));
    row.setFirstColumnSpanned(line);
}

constexpr const FactTable& (*DetailTables[])() = {mismatchesTable, runTable, writesTable, outputsTable,
                                                  runGradientsTable};

/// Words and numbers go over as many lines as they need.
class WrappingDelegate : public QStyledItemDelegate
{
public:
    explicit WrappingDelegate(QTreeWidget* tree) : QStyledItemDelegate(tree), m_tree(tree) {}

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const bool spanned = m_tree->isFirstColumnSpanned(index.row(), index.parent());
        const int column = spanned ? m_tree->viewport()->width() : m_tree->columnWidth(index.column());
        const int indent = index.column() > 0 ? 0 : (index.parent().isValid() ? 2 : 1) * m_tree->indentation();
        const QRect room(0, 0, std::max(40, column - indent - 2 * SideAir), 100000);
        const int text = option.fontMetrics.boundingRect(room, Qt::TextWordWrap, index.data().toString()).height();
        return {60, text + RowAir};
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->features |= QStyleOptionViewItem::WrapText;
        option->displayAlignment = Qt::AlignLeft | Qt::AlignVCenter;
    }

private:
    static constexpr int SideAir = 6;
    static constexpr int RowAir = 8;

    QTreeWidget* m_tree;
};

/// An empty one would take a line.
void showText(QLabel& label, const QString& text)
{
    label.setText(text);
    label.setVisible(!text.isEmpty());
}

} // namespace

RunPane::RunPane(Workbench& bench, QWidget* parent) : QWidget(parent), m_bench(bench)
{
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(12, 6, 12, 4);
    rows->setSpacing(6);
    rows->addLayout(makeControls());
    rows->addWidget(makeResult(), 1);
    setFocusProxy(m_start);
    watch(bench.run);
    watch(bench.bisect);
    connect(&bench.run, &RunJob::progressed, this, &RunPane::showProgress);
    connect(&bench.bisect, &BisectJob::progressed, this, [this](qint64 run) {
        m_headline->setText(tr("Looking for the guilty sharing: run %1").arg(countText(run)));
    });
    connect(&bench.session, &Session::runChanged, this, &RunPane::refresh);
    connect(&bench.recorded, &RecordedRun::changed, this, &RunPane::refresh);
    connect(&bench.session, &Session::reportChanged, this, &RunPane::refresh);
    connect(&bench.session, &Session::closed, this, &RunPane::refresh);
    connect(&bench, &Workbench::runRestored, this, &RunPane::showAsked);
    refresh();
}

void RunPane::watch(const CliProcess& child)
{
    connect(&child, &CliProcess::started, this, [this] { showRunning(true); });
    connect(&child, &CliProcess::failed, this, &RunPane::showError);
    connect(&child, &CliProcess::cancelled, this, [this] {
        showRunning(false);
        m_headline->setText(tr("Cancelled."));
    });
}

void RunPane::makeBoxes()
{
    const auto box = [this](const QString& text, const char* name, bool checked, const QString& tip) {
        auto* made = new QCheckBox(text, this);
        made->setObjectName(QString::fromLatin1(name));
        made->setChecked(checked);
        made->setToolTip(tip);
        return made;
    };
    m_asked.reference =
        box(tr("reference"), "runReference", false, tr("As well as with the oracle: within a bound for each operator"));
    m_asked.probe = box(tr("write probe"), "runProbe", false,
                        tr("After the run, write through every output and every input that the caller can look at, one "
                           "after the other, and tell which others changed; then run again over it"));
    m_asked.poison = box(tr("poison"), "runPoison", true,
                         tr("Overwrite dead bytes with a pattern and watch the guard zones around arenas, so that a "
                            "late read or a write beside shows. Without it the run shows what a runtime would"));
    m_asked.keep = box(tr("keep bytes"), "runKeep", true,
                       tr("Keep what each step writes, up to %1, to look at it step by step in the pane Bytes")
                           .arg(sizeText(m_bench.recorded.mostBytes())));
    m_asked.emulate =
        box(tr("emulate device"), "runEmulate", false,
            tr("Run the device's kernels in memory of the host. Right or wrong shows, fast or slow does not"));
}

QLayout* RunPane::makeControls()
{
    m_start = new QPushButton(icon(QStringLiteral("run")), tr("Run"), this);
    m_start->setObjectName(QStringLiteral("runStart"));
    m_start->setToolTip(tr("Run the graph under this plan, beside the oracle"));
    m_bisect = new QPushButton(icon(QStringLiteral("search")), tr("Find the guilty sharing"), this);
    m_bisect->setObjectName(QStringLiteral("runBisect"));
    m_bisect->setToolTip(tr("Run the plan again and again, with values laid apart, until the sharings that make it go "
                            "wrong are named"));
    m_cancel = new QPushButton(icon(QStringLiteral("cancel")), QString(), this);
    m_cancel->setObjectName(QStringLiteral("runCancel"));
    m_cancel->setAccessibleName(tr("Cancel"));
    m_cancel->setToolTip(tr("Stop the run"));
    m_asked.mode = new QComboBox(this);
    m_asked.mode->setAccessibleName(tr("Mode"));
    m_asked.mode->addItems({QStringLiteral("auto"), QStringLiteral("numeric"), QStringLiteral("fingerprint")});
    m_asked.mode->setToolTip(tr("numeric: every operator computes. fingerprint: an operator without a kernel fills its "
                                "outputs with a hash of what it read. auto: numeric where all kernels exist"));
    m_asked.seed = new QSpinBox(this);
    m_asked.seed->setAccessibleName(tr("Seed"));
    m_asked.seed->setRange(0, std::numeric_limits<int>::max());
    m_asked.seed->setMaximumWidth(fontMetrics().horizontalAdvance(QStringLiteral("00000000"))); // others need room
    m_asked.seed->setToolTip(tr("Inputs that are not given are drawn from it"));
    m_asked.inputs = new InputsField(m_bench.session, this);
    makeBoxes();
    m_progress = new QProgressBar(this);
    m_progress->setAccessibleName(tr("Progress of the run"));
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(180);
    auto* first = new QHBoxLayout;
    first->setSpacing(6);
    addAll(first, {m_start, m_bisect, m_cancel});
    first->addWidget(m_asked.inputs, 1);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    addAll(row, {m_asked.mode, new QLabel(tr("Seed"), this), m_asked.seed, m_asked.reference, m_asked.probe,
                 m_asked.poison, m_asked.keep, m_asked.emulate, nullptr});
    m_controls = new QBoxLayout(QBoxLayout::TopToBottom);
    m_controls->setSpacing(6);
    m_controls->addLayout(first);
    m_controls->addLayout(row, 1);
    connect(m_start, &QPushButton::clicked, this, &RunPane::start);
    connect(m_bisect, &QPushButton::clicked, this, &RunPane::bisect);
    connect(m_asked.inputs, &InputsField::given, this, &RunPane::lineUpControls);
    connect(m_cancel, &QPushButton::clicked, &m_bench, &Workbench::stopRuns);
    return m_controls;
}

/// In one line where there is room for it: what the run showed needs the height. The field of inputs may be a button
/// there, until something is given.
void RunPane::lineUpControls()
{
    const auto fits = [this](bool line) {
        m_asked.inputs->showLine(line);
        int wide = layout()->contentsMargins().left() + layout()->contentsMargins().right() + m_controls->spacing();
        for (int part = 0; part < m_controls->count(); ++part) {
            m_controls->itemAt(part)->invalidate(); // the field of inputs has another size
            wide += m_controls->itemAt(part)->sizeHint().width();
        }
        return wide <= width();
    };
    const bool one = fits(true) || (m_asked.inputs->path().isEmpty() && fits(false));
    m_controls->setDirection(one ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    if (!one) m_asked.inputs->showLine(true);
}

void RunPane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    lineUpControls();
}

QWidget* RunPane::makeResult()
{
    auto* box = new QWidget(this);
    m_headline = textLabel("runHeadline", box);
    m_headline->setFont(boldFont(m_headline->font()));
    m_warning = textLabel("runWarning", box);
    m_facts = textLabel("runFacts", box);
    m_details = new QTreeWidget(box);
    m_details->setObjectName(QStringLiteral("runDetails"));
    m_details->setAccessibleName(tr("Mismatches and outputs"));
    m_details->setHeaderLabels({tr("Name"), tr("Type, or node"), tr("What")});
    m_details->setFrameShape(QFrame::NoFrame);
    m_details->setUniformRowHeights(false);
    m_details->setWordWrap(true);
    m_details->setItemDelegate(new WrappingDelegate(m_details));
    m_details->viewport()->installEventFilter(this);
    m_details->setAlternatingRowColors(true);
    connect(m_details->header(), &QHeaderView::sectionResized, m_details, &QTreeWidget::doItemsLayout);
    connect(m_details, &QTreeWidget::itemClicked, this, &RunPane::follow);
    connect(m_details, &QTreeWidget::itemActivated, this, &RunPane::follow);
    m_details->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_details, &QWidget::customContextMenuRequested, this,
            [this](QPoint at) { Q_EMIT menuRequested(m_details->viewport()->mapToGlobal(at), {}); });
    auto* rows = new QVBoxLayout(box);
    rows->setContentsMargins(0, 0, 0, 0);
    addAll(rows, {m_warning, m_headline, m_progress, m_facts});
    rows->addWidget(m_details, 1);
    rows->addStretch(0);
    m_details->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    m_details->setMinimumHeight(5 * fontMetrics().lineSpacing());
    auto* area = new QScrollArea(this); // where there is little height
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidgetResizable(true);
    area->setWidget(box);
    return area;
}

bool RunPane::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_details->viewport() && event->type() == QEvent::Resize) {
        const int width = m_details->viewport()->width();
        m_details->header()->resizeSection(0, std::min(260, width * 3 / 10));
        m_details->header()->resizeSection(1, std::min(220, width / 4));
    }
    return QWidget::eventFilter(watched, event);
}

void RunPane::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && m_bench.session.report()) refresh();
}

RunRequest RunPane::asked() const
{
    RunRequest request;
    request.mode = m_asked.mode->currentText();
    request.seed = m_asked.seed->value();
    request.reference = m_asked.reference->isChecked();
    request.writeProbe = m_asked.probe->isChecked();
    request.poison = m_asked.poison->isChecked();
    request.keepBytes = m_asked.keep->isChecked() ? m_bench.recorded.mostBytes() : 0;
    request.emulateDevice = m_asked.emulate->isChecked();
    return request;
}

void RunPane::showAsked()
{
    const RunRequest& last = m_bench.lastRun();
    m_asked.mode->setCurrentText(last.mode);
    m_asked.seed->setValue(static_cast<int>(std::min<qint64>(last.seed, m_asked.seed->maximum())));
    m_asked.reference->setChecked(last.reference);
    m_asked.probe->setChecked(last.writeProbe);
    m_asked.poison->setChecked(last.poison);
    m_asked.emulate->setChecked(last.emulateDevice);
}

void RunPane::begin(Status (Workbench::*how)(RunRequest request))
{
    if (!m_bench.session.report() || m_bench.runs()) return;
    const auto go = [self = QPointer(this), this, how, asked = asked(),
                     report = m_bench.session.judged()](const Result<QString>& inputs) {
        if (!self || report != m_bench.session.judged() || m_bench.runs()) return; // they are of another plan
        if (!inputs.ok()) return showError(inputs.error());
        RunRequest request = asked;
        request.inputs = inputs.value();
        if (const Status started = (m_bench.*how)(request); !started.ok()) showError(started.error());
    };
    const auto read = m_asked.inputs->folder();
    if (m_asked.inputs->isFile())
        m_bench.jobs.start(
            JobTag::Inputs, tr("Reading the inputs"), [read](const Context&) { return read(); }, go);
    else
        go(read());
}

void RunPane::start()
{
    begin(&Workbench::startRun);
}

void RunPane::bisect()
{
    begin(&Workbench::startBisection);
}

void RunPane::showRunning(bool running)
{
    m_start->setEnabled(!running && m_bench.session.report());
    m_bisect->setEnabled(!running && m_bench.session.report());
    m_cancel->setEnabled(running);
    m_progress->setVisible(running);
    m_progress->setRange(0, 0);
    if (!running) return;
    m_headline->setText(tr("Running…"));
    showText(*m_facts, {});
    m_details->clear();
    m_details->hide();
}

void RunPane::showProgress(qint64 step, qint64 total, const QString& node)
{
    m_progress->setRange(0, static_cast<int>(total));
    m_progress->setValue(static_cast<int>(step));
    m_headline->setText(tr("Running: step %1 of %2").arg(countText(step), countText(total)));
    showText(*m_facts, node);
}

void RunPane::showError(const Error& error)
{
    showRunning(false);
    m_details->clear();
    m_details->hide();
    m_headline->setText(tr("It could not be run here."));
    showText(*m_facts, toQString(describe(error, windowWords)));
}

void RunPane::refresh()
{
    const auto run = m_bench.session.run();
    const auto report = m_bench.session.judged();
    const auto isThere = [](const Implementation& chosen) { return !chosen.device.empty(); };
    m_asked.emulate->setVisible(report && std::ranges::any_of(report->program.implementations.chosen(), isThere));
    const bool wrong = report && verdictLevel(*report) == VerdictLevel::Broken;
    m_bisect->setVisible(wrong || (run && !run->mismatches.empty())); // else it has nothing to find
    lineUpControls();
    showWarning();
    if (m_bench.runs()) return;
    showRunning(false);
    m_details->clear();
    m_details->setVisible(run != nullptr);
    if (report && !run && m_bench.session.bisection()) return showBisection();
    if (!run || !report) {
        m_headline->setText(tr("Not run yet."));
        showText(*m_facts,
                 tr("A run executes the graph under this plan, and once more without any sharing (the oracle). "
                    "If the plan is right, every byte is equal."));
        return;
    }
    QString scope;
    for (const Message& sentence : scopeSentences(*run))
        scope += windowText(sentence) + QLatin1Char(' ');
    m_headline->setText(scope + windowText(comparedSentence(*run)));
    QStringList facts; // what a run was to show is not said of one that shows otherwise
    if (run->mismatches.empty()) facts << windowText(run->promise);
    for (const Message& why : run->witness.runIsBlind)
        facts << windowText(why);
    if (const auto found = m_bench.session.bisection()) facts << windowText(outcomeText(*found));
    if (const auto record = m_bench.recorded.record(); record && !record->order.empty())
        facts << tr("What was recorded, and is stepped through, is the run %1.")
                     .arg(windowText(say("run.in-order", record->order)));
    showText(*m_facts, facts.join(QLatin1Char('\n')));
    const Plans shown(*report, nullptr, run.get());
    for (const auto table : DetailTables)
        showTable(table(), shown);
    m_details->expandAll();
}

/// Without a run of its own.
void RunPane::showBisection()
{
    const Bisection& found = *m_bench.session.bisection();
    m_headline->setText(windowText(outcomeText(found)));
    QStringList culprits;
    for (const Culprit& culprit : found.culprits)
        culprits << windowText(culpritText(m_bench.session.judged()->program, culprit));
    showText(*m_facts, culprits.join(QLatin1Char('\n')));
}

void RunPane::showWarning()
{
    const auto report = m_bench.session.judged();
    const VerdictLevel level = report ? verdictLevel(*report) : VerdictLevel::Legal;
    const QString broken = report ? windowText(warningText(*report)) : QString(); // none where only sizes are missing
    m_warning->setVisible(level == VerdictLevel::Broken || (level == VerdictLevel::Warned && !broken.isEmpty()));
    if (level == VerdictLevel::Broken)
        m_warning->setText(tr("■ The plan is not legal: what a run computes under it may be wrong."));
    if (level != VerdictLevel::Warned) return;
    const bool replays = report->program.policies.replay == ReplayPolicy::Graph;
    m_warning->setText(replays ? tr("▲ The plan has %1. A run replays it, and says what became of the outputs.")
                               : tr("▲ The plan has %1. A run does not look for that; a write probe does."));
    m_warning->setText(m_warning->text().arg(broken));
}

void RunPane::showTable(const FactTable& table, const Plans& plans)
{
    const auto open = table.open(plans);
    if (open->size() == 0) return;
    auto* top = new QTreeWidgetItem(m_details, {translated(table.title)});
    for (std::size_t i = 0; i < open->size(); ++i) {
        std::vector<Cell> cells;
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            cells.push_back(open->cell(i, column));
        auto* row = new QTreeWidgetItem(top);
        fill(*row, table, cells);
        row->setData(0, Qt::UserRole, QVariant::fromValue(open->focus(i)));
        if (std::ranges::any_of(cells, &Cell::wrong)) top->setForeground(0, colours().error);
    }
}

std::optional<Rows> RunPane::rows() const
{
    const auto report = m_bench.session.report();
    const auto run = m_bench.session.run();
    const QTreeWidgetItem* top = m_details->currentItem();
    if (top && top->parent()) top = top->parent();
    if (!top) top = m_details->topLevelItem(0);
    if (!report || !run || !top) return std::nullopt;
    const auto* table =
        std::ranges::find(DetailTables, top->text(0), [](auto each) { return translated(each().title); });
    const auto made = [report, run, &shown = (*table)()](auto write) {
        const auto open = shown.open({*report, nullptr, run.get()});
        std::vector<std::uint32_t> all(open->size());
        std::iota(all.begin(), all.end(), 0);
        return write(shown, *open, all);
    };
    return Rows {
        [made] { return made([](auto& shown, auto& open, auto& all) { return writeCsv(shown, open, all); }); },
        [made] {
            return made(
                [](auto& shown, auto& open, auto& all) { return writeMarkdown(shown, open, all, windowWords); });
        },
        [made] { return made([](auto& shown, auto& open, auto& all) { return writeJson(shown, open, all); }); }};
}

void RunPane::follow(QTreeWidgetItem* item)
{
    const auto focus = item->data(0, Qt::UserRole).value<Focus>();
    if (focus.picked()) m_bench.selection.pick(focus);
}

} // namespace plimsoll::app
