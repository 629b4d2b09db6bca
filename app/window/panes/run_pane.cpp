#include "app/window/panes/run_pane.h"

#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/window/look/icons.h"
#include "app/window/look/labels.h"
#include "app/window/look/theme.h"
#include "core/facts/english/english.h"
#include "core/facts/words/run_sentences.h"
#include "core/facts/words/verdict.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace plimsoll::app {
namespace {

constexpr std::size_t MostElements = 24;
constexpr std::size_t MostElementsInTip = 256;

/// "csr(float32[4,1000]), 17 kept".
QString typeText(const RunResult::Output& output)
{
    TensorType type = TensorType::dense(output.dtype, output.shape);
    type.storage = output.storage;
    const QString text = toQString(describe(type));
    return output.kept < 0 ? text : QObject::tr("%1, %2 kept").arg(text, countText(output.kept));
}

QString elementsText(const RunResult::Output& output, std::size_t most)
{
    QStringList elements;
    for (std::size_t i = 0; i < std::min(output.elements.size(), most); ++i)
        elements << toQString(output.elements[i]);
    if (output.elements.size() > most) elements << QStringLiteral("…");
    return elements.join(QStringLiteral("  "));
}

QString comparedText(const RunResult& run)
{
    if (!run.mismatches.empty())
        return RunPane::tr("%1 values differ from the oracle.").arg(countText(std::ssize(run.mismatches)));
    if (run.comparedValues == 0) return toQString(NothingCompared);
    return RunPane::tr("Equal to the oracle: %1 values, %2.")
        .arg(countText(run.comparedValues), sizeText(run.comparedBytes));
}

QString outcomeText(const ProbeWrite& write)
{
    switch (write.outcome) {
    case ProbeWrite::Outcome::Refused:
        return QObject::tr("refused");
    case ProbeWrite::Outcome::Skipped:
        return QObject::tr("not written");
    case ProbeWrite::Outcome::Detached:
        return QObject::tr("detached");
    case ProbeWrite::Outcome::Written:
        break;
    }
    const auto changed = std::ssize(write.changed);
    return changed == 0 ? QObject::tr("written") : QObject::tr("written, %1 changed").arg(countText(changed));
}

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

} // namespace

RunPane::RunPane(Workbench& bench, QWidget* parent) : QWidget(parent), m_bench(bench)
{
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(12, 8, 12, 8);
    rows->setSpacing(8);
    rows->addLayout(makeControls());
    rows->addWidget(makeResult(), 1);
    setFocusProxy(m_start);
    connect(&bench.run, &RunJob::started, this, [this] { showRunning(true); });
    connect(&bench.run, &RunJob::progressed, this, &RunPane::showProgress);
    connect(&bench.run, &RunJob::failed, this, &RunPane::showError);
    connect(&bench.run, &RunJob::cancelled, this, [this] {
        showRunning(false);
        m_headline->setText(tr("Cancelled."));
    });
    connect(&bench.session, &Session::runChanged, this, &RunPane::refresh);
    connect(&bench.session, &Session::reportChanged, this, &RunPane::refresh);
    connect(&bench.session, &Session::closed, this, &RunPane::refresh);
    refresh();
}

QLayout* RunPane::makeControls()
{
    m_start = new QPushButton(icon(QStringLiteral("run")), tr("Run"), this);
    m_start->setObjectName(QStringLiteral("runStart"));
    m_start->setToolTip(tr("Run the graph under this plan, beside the oracle  (F5)"));
    m_cancel = new QPushButton(icon(QStringLiteral("cancel")), tr("Cancel"), this);
    m_cancel->setObjectName(QStringLiteral("runCancel"));
    m_cancel->setToolTip(tr("Stop the run  (Shift+F5)"));
    m_asked.mode = new QComboBox(this);
    m_asked.mode->setAccessibleName(tr("Mode"));
    m_asked.mode->addItems({QStringLiteral("auto"), QStringLiteral("numeric"), QStringLiteral("fingerprint")});
    m_asked.mode->setToolTip(tr("numeric: every operator computes. fingerprint: an operator without a kernel fills its "
                                "outputs with a hash of what it read. auto: numeric where all kernels exist"));
    m_asked.seed = new QSpinBox(this);
    m_asked.seed->setAccessibleName(tr("Seed"));
    m_asked.seed->setRange(0, std::numeric_limits<int>::max());
    m_asked.seed->setToolTip(tr("Inputs that are not given are drawn from it"));
    m_asked.reference = new QCheckBox(tr("also reference kernels"), this);
    m_asked.reference->setToolTip(tr("As well as with the oracle: within a bound for each operator"));
    m_asked.probe = new QCheckBox(tr("write probe"), this);
    m_asked.probe->setObjectName(QStringLiteral("runProbe"));
    m_asked.probe->setToolTip(
        tr("After the run, write through every output and every input that the caller can look at, one "
           "after the other, and tell which others changed; then run again over it"));
    m_asked.emulate = new QCheckBox(tr("emulate device"), this);
    m_asked.emulate->setObjectName(QStringLiteral("runEmulate"));
    m_asked.emulate->setToolTip(
        tr("Run the device's kernels in memory of the host. Right or wrong shows, fast or slow does not"));
    m_progress = new QProgressBar(this);
    m_progress->setAccessibleName(tr("Progress of the run"));
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(180);
    auto* first = new QHBoxLayout;
    first->setSpacing(8);
    addAll(first, {m_start, m_cancel, m_progress, nullptr});
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    addAll(row, {new QLabel(tr("Mode"), this), m_asked.mode, new QLabel(tr("Seed"), this), m_asked.seed,
                 m_asked.reference, m_asked.probe, m_asked.emulate, nullptr});
    auto* rows = new QVBoxLayout;
    rows->setSpacing(6);
    rows->addLayout(first);
    rows->addLayout(row);
    connect(m_start, &QPushButton::clicked, this, &RunPane::start);
    connect(m_cancel, &QPushButton::clicked, &m_bench.run, &RunJob::cancel);
    return rows;
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
    m_details->setHeaderLabels({tr("Name"), tr("Type"), tr("What")});
    m_details->setFrameShape(QFrame::NoFrame);
    m_details->setUniformRowHeights(false);
    m_details->setWordWrap(true);
    m_details->setItemDelegate(new WrappingDelegate(m_details));
    m_details->viewport()->installEventFilter(this);
    m_details->setAlternatingRowColors(true);
    connect(m_details->header(), &QHeaderView::sectionResized, m_details, &QTreeWidget::doItemsLayout);
    connect(m_details, &QTreeWidget::itemClicked, this, &RunPane::follow);
    connect(m_details, &QTreeWidget::itemActivated, this, &RunPane::follow);
    auto* rows = new QVBoxLayout(box);
    rows->setContentsMargins(0, 0, 0, 0);
    addAll(rows, {m_warning, m_headline, m_facts});
    rows->addWidget(m_details, 1);
    rows->addStretch(0);
    return box;
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

void RunPane::start()
{
    if (!m_bench.session.report() || m_bench.run.running()) return;
    RunRequest request;
    request.mode = m_asked.mode->currentText();
    request.seed = m_asked.seed->value();
    request.reference = m_asked.reference->isChecked();
    request.writeProbe = m_asked.probe->isChecked();
    request.emulateDevice = m_asked.emulate->isChecked();
    if (const Status started = m_bench.startRun(request); !started.ok()) showError(started.error());
}

void RunPane::showRunning(bool running)
{
    m_start->setEnabled(!running && m_bench.session.report());
    m_cancel->setEnabled(running);
    m_progress->setVisible(running);
    m_progress->setRange(0, 0);
    if (!running) return;
    m_headline->setText(tr("Running…"));
    m_facts->clear();
    m_details->clear();
    m_details->hide();
}

void RunPane::showProgress(qint64 step, qint64 total, const QString& node)
{
    m_progress->setRange(0, static_cast<int>(total));
    m_progress->setValue(static_cast<int>(step));
    m_headline->setText(tr("Running: step %1 of %2").arg(countText(step), countText(total)));
    m_facts->setText(node);
}

void RunPane::showError(const Error& error)
{
    showRunning(false);
    m_headline->setText(tr("It could not be run here."));
    m_facts->setText(toQString(describe(error, windowWords)));
}

void RunPane::refresh()
{
    const auto run = m_bench.session.run();
    const auto report = m_bench.session.report();
    const auto isThere = [](const Implementation& chosen) { return !chosen.device.empty(); };
    m_asked.emulate->setVisible(report && std::ranges::any_of(report->program.implementations, isThere));
    showWarning();
    if (m_bench.run.running()) return;
    showRunning(false);
    m_details->clear();
    m_details->setVisible(run != nullptr);
    if (!run) {
        m_headline->setText(tr("Not run yet."));
        m_facts->setText(tr("A run executes the graph under this plan, and once more without any sharing (the oracle). "
                            "If the plan is right, every byte is equal."));
        return;
    }
    QString scope;
    for (const Message& sentence : scopeSentences(*run))
        scope += windowText(sentence) + QLatin1Char(' ');
    m_headline->setText(scope + comparedText(*run));
    const double ms = std::accumulate(run->stepMs.begin(), run->stepMs.end(), 0.0);
    QString facts = tr("Mode %1 on %2. Measured peak %3, planned %4. Kernels took %5.")
                        .arg(toQString(run->mode), toQString(run->backend), sizeText(run->measuredPeakBytes),
                             report ? sizeText(report->memory.peakBytes) : QString(), durationText(ms / 1e3));
    if (run->fingerprintedNodes > 0)
        facts += tr(" %1 nodes were filled with fingerprints, a hash of what they read: equal bytes still speak for "
                    "the plan, but they are not the model's numbers.")
                     .arg(countText(run->fingerprintedNodes));
    if (run->unplannedPeakBytes > 0)
        facts += tr(" %1 were allocated at run time.").arg(sizeText(run->unplannedPeakBytes));
    if (!run->orders.empty()) facts += tr(" Run in %1 orders of its streams.").arg(countText(std::ssize(run->orders)));
    m_facts->setText(facts);
    m_facts->setToolTip(tr("Measured: %1; planned: %2")
                            .arg(exactBytesText(run->measuredPeakBytes),
                                 report ? exactBytesText(report->memory.peakBytes) : QString()));
    showMismatches(*run);
    if (run->probe) showProbe(*run->probe);
    if (run->replayed) showSentences(tr("Replay"), replaySentences(*run));
    showSentences(tr("Device"), deviceSentences(*run));
    const bool hashed = run->fingerprintedNodes > 0;
    showTensors(hashed ? tr("Outputs of a fingerprint run") : tr("Outputs"), run->outputs, hashed);
    if (!run->gradients.empty()) showTensors(tr("Gradients"), run->gradients, hashed);
    showNotes(*run);
    m_details->expandAll();
}

void RunPane::showWarning()
{
    const auto report = m_bench.session.report();
    const VerdictLevel level = report ? verdictLevel(*report) : VerdictLevel::Legal;
    m_warning->setVisible(level != VerdictLevel::Legal);
    if (level == VerdictLevel::Broken)
        m_warning->setText(tr("■ The plan is not legal: what a run computes under it may be wrong."));
    if (level != VerdictLevel::Warned) return;
    const bool replays = report->program.policies.replay == ReplayPolicy::Graph;
    m_warning->setText(replays ? tr("▲ The plan has %1. A run replays it, and says what became of the outputs.")
                               : tr("▲ The plan has %1. A run does not look for that; a write probe does."));
    m_warning->setText(m_warning->text().arg(windowText(warningText(*report))));
}

void RunPane::showMismatches(const RunResult& run)
{
    if (run.mismatches.empty()) return;
    auto* top = new QTreeWidgetItem(m_details, {tr("Mismatches")});
    top->setForeground(0, colours().error);
    for (const RunResult::Mismatch& mismatch : run.mismatches) {
        QString what =
            std::isnan(mismatch.maxAbsDiff) ? tr("differs") : tr("differs by up to %1").arg(mismatch.maxAbsDiff);
        if (!mismatch.note.empty()) what += QStringLiteral("; ") + windowText(mismatch.note);
        if (mismatch.rule != Rule::WrongValue)
            what = toQString(ruleId(mismatch.rule)) + QStringLiteral(": ") + windowText(mismatch.note);
        auto* row =
            new QTreeWidgetItem(top, {toQString(mismatch.value),
                                      tr("step %1, %2").arg(countText(mismatch.step), toQString(mismatch.node)), what});
        row->setData(0, Qt::UserRole, toQString(mismatch.value));
        row->setData(0, Qt::UserRole + 1, qint64(mismatch.step));
    }
}

/// A row for each write, in the words of the command line, and beneath them what was seen of all.
void RunPane::showProbe(const WriteProbe& probe)
{
    auto* top = new QTreeWidgetItem(m_details, {tr("Write probe")});
    const std::vector<Message> sentences = probeSentences(probe);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const QString said = windowText(sentences[i]);
        if (i >= probe.writes.size()) {
            (new QTreeWidgetItem(top, {said}))->setFirstColumnSpanned(true);
            continue;
        }
        const ProbeWrite& write = probe.writes[i];
        const QString handle = write.handle.output ? tr("output %1, %2") : tr("input %1, %2");
        auto* row = new QTreeWidgetItem(
            top, {handle.arg(write.handle.index).arg(toQString(write.handle.value)), outcomeText(write), said});
        row->setToolTip(2, said);
        row->setData(0, Qt::UserRole, toQString(write.handle.value));
        // Whether the write did something that the plan does not say.
        const bool surprises =
            !write.unchanged.empty() || !std::ranges::all_of(write.changed, [](const auto& c) { return c.predicted; });
        if (surprises) row->setForeground(1, colours().error);
    }
}

void RunPane::showSentences(const QString& title, const std::vector<Message>& sentences)
{
    if (sentences.empty()) return;
    auto* top = new QTreeWidgetItem(m_details, {title});
    for (const Message& sentence : sentences)
        (new QTreeWidgetItem(top, {windowText(sentence)}))->setFirstColumnSpanned(true);
}

void RunPane::showTensors(const QString& title, const std::vector<RunResult::Output>& tensors, bool hashed)
{
    auto* top = new QTreeWidgetItem(m_details, {title});
    for (const RunResult::Output& output : tensors) {
        const QString what = output.elements.empty() ? tr("digest %1").arg(toQString(output.digest))
                                                     : elementsText(output, MostElements);
        auto* row =
            new QTreeWidgetItem(top, {toQString(output.name), typeText(output),
                                      hashed ? tr("bytes of a hash, read as %1, not what the model would say: %2")
                                                   .arg(toQString(dtypeName(output.dtype)), what)
                                             : what});
        row->setToolTip(
            2,
            tr("%1\ndigest of all bytes: %2").arg(elementsText(output, MostElementsInTip), toQString(output.digest)));
        row->setData(0, Qt::UserRole, toQString(output.name));
    }
}

void RunPane::showNotes(const RunResult& run)
{
    if (run.notes.empty()) return;
    auto* top = new QTreeWidgetItem(m_details, {tr("Notes")});
    for (const Message& note : run.notes) {
        auto* row = new QTreeWidgetItem(top, {windowText(note)});
        row->setFirstColumnSpanned(true);
        row->setToolTip(0, windowText(note));
    }
}

void RunPane::follow(QTreeWidgetItem* item)
{
    const auto report = m_bench.session.report();
    const QString name = item->data(0, Qt::UserRole).toString();
    if (!report || name.isEmpty()) return;
    Focus focus = Focus::on(findValue(*report->program.graph, name.toStdString()));
    if (const QVariant step = item->data(0, Qt::UserRole + 1); step.isValid()) focus.step = step.toLongLong();
    m_bench.selection.pick(focus);
}

} // namespace plimsoll::app
