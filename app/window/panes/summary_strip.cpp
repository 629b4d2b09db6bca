#include "app/window/panes/summary_strip.h"

#include "app/models/policy_values_model.h"
#include "app/models/window_text.h"
#include "app/window/look/icons.h"
#include "app/window/look/labels.h"
#include "app/window/look/theme.h"
#include "core/facts/reserved.h"
#include "core/facts/words/verdict.h"
#include "core/ops/reorder_node.h"
#include "core/plan/suppression.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace plimsoll::app {
namespace {

QLabel* small(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * 0.85);
    label->setFont(font);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

/// What the style leaves between the text of a tool button and its edge.
constexpr int FigurePadding = 3;
/// Of the verdict; the whole is in its tip. Of what went wrong all is to be read.
constexpr int MostLines = 4;
constexpr int MostProblemLines = 10;
constexpr int GraphLetters = 20; ///< Of the name of a graph that are seen; the list shows all.
constexpr int NameLetters = 40;  ///< What is said of the graph stands behind its name.

/// "9 nodes (2 folded ahead, 3 prepared ahead, 1 fused)"
QString nodeCountText(const Report& report)
{
    const Graph& graph = *report.program.graph;
    const auto& nodes = graph.nodes;
    std::array<std::int64_t, 3> counts {}; // folded, prepared, fused
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const DecidedNode& decided = graph.decided[NodeId(i)];
        if (decided.fusedInto.valid())
            ++counts[2];
        else if (decided.ahead)
            ++counts[isReorder(nodes[i]) || isSpaceCopy(nodes[i]) ? 1 : 0];
    }
    QStringList absent;
    const auto add = [&](const QString& text, std::int64_t count) {
        if (count > 0) absent << text.arg(countText(count));
    };
    add(QObject::tr("%1 folded ahead"), counts[0]);
    add(QObject::tr("%1 prepared ahead"), counts[1]);
    add(QObject::tr("%1 fused"), counts[2]);
    const QString all = countedText(std::ssize(nodes), QObject::tr("1 node"), QObject::tr("%1 nodes"));
    return absent.empty() ? all : QStringLiteral("%1 (%2)").arg(all, absent.join(QStringLiteral(", ")));
}

QString peakTip()
{
    return QObject::tr("Height of the planned arenas: intermediates, outputs, scratchpads. Click: the step it is at");
}

} // namespace

SummaryStrip::SummaryStrip(QWidget* parent)
    : QWidget(parent), m_mark(new QLabel(this)), m_graph(small({}, this)), m_graphs(new QComboBox(this)),
      m_verdict(new QLabel(this)), m_askAgain(new QToolButton(this)), m_dismiss(new QToolButton(this)),
      m_findings(new QToolButton(this))
{
    setObjectName(QStringLiteral("summary"));
    setMinimumWidth(320);
    m_verdict->setFont(boldFont(font(), 1.1));
    m_verdict->setObjectName(QStringLiteral("verdict"));
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_verdict->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_verdict->setWordWrap(true);
    m_verdict->installEventFilter(this);
    m_graph->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_graphs->setObjectName(QStringLiteral("graphs"));
    m_graphs->setAccessibleName(tr("Graph of the file"));
    m_graphs->setToolTip(tr("The file holds several graphs: which one is shown"));
    m_graphs->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_graphs->setMinimumContentsLength(GraphLetters);
    m_graphs->hide();
    m_askAgain->setObjectName(QStringLiteral("askAgain"));
    m_askAgain->setText(tr("Ask again"));
    m_askAgain->setToolTip(tr("Ask the backends what they offer, and plan with it"));
    m_askAgain->hide();
    m_dismiss->setObjectName(QStringLiteral("dismiss"));
    m_dismiss->setText(tr("Dismiss"));
    m_dismiss->setToolTip(tr("The change was not made: back to the verdict on the plan"));
    m_dismiss->hide();
    connect(m_dismiss, &QToolButton::clicked, this, [this] { setProblem({}); });
    m_findings->setObjectName(QStringLiteral("findingsButton"));
    m_findings->setAutoRaise(true);
    m_findings->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_figures.peak = makeFigure("peak", tr("Peak"), peakTip());
    m_figures.bound = makeFigure("lowerBound", tr("Lower bound"),
                                 tr("Maximum over steps of live bytes: no plan with this sharing is lower"));
    m_figures.waste = makeFigure("waste", tr("Waste"), tr("What the peak is above the lower bound"));
    m_figures.noReuse = makeFigure("noReuse", tr("No reuse"), tr("A place of its own for every storage"));
    m_figures.kept =
        makeFigure("boundary", tr("Kept"),
                   tr("From forward to backward, a part of the peak; without what the caller holds anyway"));
    m_figures.external = makeFigure("external", tr("External"),
                                    tr("Inputs, parameters and constants: the caller's bytes, outside the plan"));
    layOut();
    connect(m_graphs, &QComboBox::activated, this,
            [this](int index) { Q_EMIT graphRequested(m_graphs->itemData(index).toString()); });
    connect(m_askAgain, &QToolButton::clicked, this, &SummaryStrip::offersRequested);
    connect(m_findings, &QToolButton::clicked, this, &SummaryStrip::findingsRequested);
    connect(m_figures.peak.button, &QToolButton::clicked, this, &SummaryStrip::peakRequested);
    for (const Figure& figure :
         {m_figures.bound, m_figures.waste, m_figures.kept, m_figures.noReuse, m_figures.external})
        connect(figure.button, &QToolButton::clicked, this, &SummaryStrip::inspectRequested);
}

void SummaryStrip::layOut()
{
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_graph);
    words->addWidget(m_verdict);
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins({});
    lines->setSpacing(0);
    auto* row = new QHBoxLayout;
    lines->addLayout(row);
    row->setContentsMargins(12, 7, 12, 8);
    row->setSpacing(10);
    row->addWidget(m_mark);
    row->addWidget(m_graphs);
    row->addLayout(words, 1);
    row->addWidget(m_dismiss);
    row->addWidget(m_askAgain);
    row->addWidget(m_findings);
    for (const Figure& figure :
         {m_figures.peak, m_figures.bound, m_figures.waste, m_figures.kept, m_figures.noReuse, m_figures.external})
        row->addWidget(figure.box, 0, Qt::AlignVCenter);
}

void SummaryStrip::setAbove(QWidget* widget)
{
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, widget);
}

SummaryStrip::Figure SummaryStrip::makeFigure(const char* id, const QString& title, const QString& tip)
{
    Figure figure;
    figure.box = new QWidget(this);
    figure.name = small({}, figure.box);
    figure.change = small({}, figure.box);
    figure.button = new QToolButton(figure.box);
    figure.button->setObjectName(QString::fromLatin1(id));
    figure.button->setAutoRaise(true);
    figure.button->setFont(boldFont(font()));
    auto* top = new QHBoxLayout;
    top->setSpacing(6);
    top->addStretch(1);
    top->addWidget(figure.change);
    top->addWidget(figure.name);
    top->setContentsMargins(0, 0, FigurePadding, 0);
    auto* column = new QVBoxLayout(figure.box);
    column->setContentsMargins(10, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(figure.button, 0, Qt::AlignRight);
    name(figure, title, tip);
    return figure;
}

void SummaryStrip::name(const Figure& figure, const QString& title, const QString& tip)
{
    figure.name->setText(title);
    figure.box->setToolTip(tip);
    figure.button->setStatusTip(tip);
}

void SummaryStrip::show(const Figure& figure, std::int64_t bytes, std::int64_t other)
{
    figure.button->setText(sizeTextBeside(bytes, other));
    figure.button->setToolTip(figure.box->toolTip() + QStringLiteral("\n") + exactBytesText(bytes));
    figure.button->setAccessibleName(figure.name->text() + QStringLiteral(": ") + figure.button->text());
}

void SummaryStrip::setReport(std::shared_ptr<const Report> report, std::shared_ptr<const Report> previous,
                             const std::optional<Error>& provisional)
{
    m_report = std::move(report);
    m_previous = std::move(previous);
    m_problem.clear();
    m_provisional =
        provisional
            ? tr("Provisional: planned without what the backends offer. %1 ").arg(windowText(provisional->message))
            : QString();
    m_askAgain->setVisible(provisional.has_value());
    refresh();
}

void SummaryStrip::setGraphs(const GraphsOfFile& graphs)
{
    m_graphs->clear();
    for (const std::string& name : graphs.names)
        m_graphs->addItem(labelText(toQString(name)), toQString(name));
    m_graphs->setCurrentIndex(static_cast<int>(graphs.chosen));
    m_graphs->setVisible(!graphs.names.empty());
}

void SummaryStrip::setProblem(const QString& text)
{
    m_problem = text;
    refresh();
}

void SummaryStrip::refresh()
{
    if (!m_report) return;
    const bool reserved = reservedBytes(*m_report).has_value();
    const std::int64_t peak = mostTakenBytes(*m_report);
    name(m_figures.peak, reserved ? tr("Reserved") : tr("Peak"),
         reserved ? tr("The most that the allocator had reserved at once; the picture shows all addresses that ever "
                       "were. Click: the step at which most is alive")
                  : peakTip());
    show(m_figures.peak, peak, m_report->memory.lowerBoundBytes);
    showBound(peak);
    show(m_figures.noReuse, m_report->memory.noReuseBytes, -1);
    show(m_figures.external, m_report->memory.externalBytes, -1);
    show(m_figures.kept, m_report->training.boundaryBytes, -1);
    m_figures.kept.box->setVisible(m_report->program.graph->boundary.gradients > 0);
    const auto showChange = [](const Figure& figure, std::int64_t change) {
        figure.change->setText(change != 0 ? deltaText(change) : QString());
        figure.change->setToolTip(tr("Against the plan before the last change, or what it is compared with"));
    };
    showChange(m_figures.peak, m_previous ? peak - mostTakenBytes(*m_previous) : 0);
    showChange(m_figures.kept, m_previous ? m_report->training.boundaryBytes - m_previous->training.boundaryBytes : 0);

    const VerdictLevel level = verdictLevel(*m_report);
    const bool settled = (m_provisional.isEmpty() && m_problem.isEmpty()) || level != VerdictLevel::Legal;
    showMark(settled ? level : VerdictLevel::Warned);
    const QString verdict = m_provisional + windowVerdict(*m_report);
    m_verdict->setToolTip(m_problem.isEmpty() ? verdict
                                              : tr("%1 The plan stays as it was. %2").arg(m_problem, verdict));
    m_verdict->setAccessibleName(m_verdict->toolTip());
    m_dismiss->setVisible(!m_problem.isEmpty());
    m_graph->setText(tr("%1  ·  %2  ·  %3  ·  %4 planned")
                         .arg(labelText(toQString(m_report->program.graph->name), NameLetters),
                              nodeCountText(*m_report),
                              countedText(std::ssize(m_report->program.graph->values), tr("1 value"), tr("%1 values")),
                              countedText(m_report->memory.storages, tr("1 storage"), tr("%1 storages"))));
    const auto count = static_cast<std::int64_t>(countFindings(*m_report));
    const auto suppressed = std::ranges::count_if(m_report->verdict.findings, isSuppressed);
    m_findings->setText(countedText(count, tr("1 finding"), tr("%1 findings")) +
                        (suppressed > 0 ? tr(", %1 suppressed").arg(countText(suppressed)) : QString()));
    const bool warns = countFindings(*m_report, Severity::Error) + countFindings(*m_report, Severity::Warning) > 0;
    m_findings->setIcon(warns ? icon(QStringLiteral("findings")) : QIcon());
    m_findings->setVisible(count > 0);
    const QString leftOut = windowText(leftOutNote(*m_report));
    m_findings->setToolTip(tr("Show the findings") + (leftOut.isEmpty() ? leftOut : QStringLiteral("\n") + leftOut));
    wrap();
}

void SummaryStrip::showBound(std::int64_t peak)
{
    const bool told = boundCounts(*m_report);
    if (told) {
        show(m_figures.bound, m_report->memory.lowerBoundBytes, peak);
        show(m_figures.waste, wasteBytes(*m_report), -1);
    } else {
        for (const Figure& figure : {m_figures.bound, m_figures.waste}) {
            figure.button->setText(QStringLiteral("–"));
            figure.button->setToolTip(tr("The sharing is not legal: a bound with it says nothing of plans without"));
            figure.button->setAccessibleName(figure.name->text() + QStringLiteral(": ") + figure.button->toolTip());
        }
        if (const auto& given = m_report->verdict.given) { // which the verdict says, too
            show(m_figures.bound, given->anySharingBoundBytes, -1);
            m_figures.bound.button->setToolTip(tr("No plan of this order and terms is lower, whatever shares"));
        }
    }
    m_figures.waste.change->setText(told ? percentText(aboveBound(*m_report)) : QString());
    m_figures.waste.change->setToolTip(told ? windowText(wasteText(*m_report)) : QString());
}

void SummaryStrip::showMark(VerdictLevel level)
{
    const bool legal = level == VerdictLevel::Legal;
    const bool warned = level == VerdictLevel::Warned;
    m_mark->setPixmap(iconPixmap(legal ? QStringLiteral("legal") : QStringLiteral("findings"),
                                 legal    ? colours().good
                                 : warned ? colours().warning
                                          : colours().error,
                                 26, devicePixelRatioF()));
    m_mark->setAccessibleName(legal ? tr("Legal") : warned ? tr("Warned") : tr("Not legal"));
}

void SummaryStrip::wrap()
{
    const QFontMetrics metrics = m_verdict->fontMetrics();
    const int width = std::max(80, m_verdict->width());
    const int lines = m_problem.isEmpty() ? MostLines : MostProblemLines;
    const int most = lines * metrics.lineSpacing() + metrics.lineSpacing() / 2; // heights are rounded, too
    const auto heightOf = [&](const QString& text) {
        return metrics.boundingRect(QRect(0, 0, width, 10000), Qt::TextWordWrap, text).height();
    };
    const QString whole = m_verdict->toolTip();
    QString shown = whole;
    for (int cut = 1; heightOf(shown) > most && cut < 4 * lines; ++cut) // words leave the ends of lines empty
        shown = metrics.elidedText(whole, Qt::ElideRight, width * (4 * lines - cut) / 4);
    m_verdict->setText(shown);
    m_verdict->setFixedHeight(heightOf(shown));
}

bool SummaryStrip::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_verdict && event->type() == QEvent::Resize) wrap();
    return QWidget::eventFilter(watched, event);
}

void SummaryStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // The least of the figures goes first where it is narrow.
    m_figures.external.box->setVisible(width() >= 920);
    m_figures.noReuse.box->setVisible(width() >= 800);
    m_figures.waste.box->setVisible(width() >= 700);
}

void SummaryStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::LanguageChange) refresh();
}

void SummaryStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().base());
    painter.fillRect(0, height() - 1, width(), 1, colours().line);
}

} // namespace plimsoll::app
