#include "app/window/panes/summary_strip.h"

#include "app/models/policy_values_model.h"
#include "app/models/text.h"
#include "app/models/verdict.h"
#include "app/window/look/icons.h"
#include "app/window/look/theme.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

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

} // namespace

SummaryStrip::SummaryStrip(QWidget* parent)
    : QWidget(parent), m_mark(new QLabel(this)), m_graph(small({}, this)), m_verdict(new QLabel(this)),
      m_findings(new QToolButton(this))
{
    setObjectName(QStringLiteral("summary"));
    setMinimumWidth(320);
    QFont bold = font();
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() * 1.1);
    m_verdict->setFont(bold);
    m_verdict->setObjectName(QStringLiteral("verdict"));
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_verdict->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_graph->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_findings->setObjectName(QStringLiteral("findingsButton"));
    m_findings->setAutoRaise(true);
    m_findings->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_findings->setToolTip(tr("Show the findings"));
    m_peak =
        makeFigure("peak", tr("Peak"),
                   tr("Height of the planned arenas: intermediates, outputs, scratchpads. Click: the step it is at"));
    m_bound = makeFigure("lowerBound", tr("Lower bound"),
                         tr("Maximum over steps of live bytes: no legal plan of this order is lower"));
    m_noReuse = makeFigure("noReuse", tr("No reuse"), tr("A place of its own for every storage"));
    m_external = makeFigure("external", tr("External"),
                            tr("Inputs, parameters and constants: the caller's bytes, outside the plan"));
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_graph);
    words->addWidget(m_verdict);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 7, 12, 8);
    row->setSpacing(10);
    row->addWidget(m_mark);
    row->addLayout(words, 1);
    row->addWidget(m_findings);
    for (const Figure& figure : {m_peak, m_bound, m_noReuse, m_external})
        row->addWidget(figure.box);
    connect(m_findings, &QToolButton::clicked, this, &SummaryStrip::findingsRequested);
    connect(m_peak.button, &QToolButton::clicked, this, &SummaryStrip::peakRequested);
    for (const Figure& figure : {m_bound, m_noReuse, m_external})
        connect(figure.button, &QToolButton::clicked, this, &SummaryStrip::inspectRequested);
}

SummaryStrip::Figure SummaryStrip::makeFigure(const char* id, const QString& name, const QString& tip)
{
    Figure figure;
    figure.box = new QWidget(this);
    figure.box->setToolTip(tip);
    figure.name = small(name, figure.box);
    figure.change = small({}, figure.box);
    figure.button = new QToolButton(figure.box);
    figure.button->setObjectName(QString::fromLatin1(id));
    figure.button->setAccessibleName(name);
    figure.button->setStatusTip(tip);
    figure.button->setAutoRaise(true);
    QFont bold = font();
    bold.setBold(true);
    figure.button->setFont(bold);
    figure.name->setIndent(3);
    auto* top = new QHBoxLayout;
    top->setSpacing(6);
    top->addWidget(figure.name);
    top->addWidget(figure.change);
    top->addStretch(1);
    auto* column = new QVBoxLayout(figure.box);
    column->setContentsMargins(10, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(figure.button, 0, Qt::AlignLeft);
    return figure;
}

void SummaryStrip::setReport(std::shared_ptr<const Report> report, std::shared_ptr<const Report> previous)
{
    m_report = std::move(report);
    m_previous = std::move(previous);
    m_problem.clear();
    refresh();
}

void SummaryStrip::setProblem(const QString& text)
{
    m_problem = text;
    refresh();
}

void SummaryStrip::refresh()
{
    if (!m_report) return;
    const auto show = [](const Figure& figure, std::int64_t bytes) {
        figure.button->setText(sizeText(bytes));
        figure.button->setToolTip(figure.box->toolTip() + QStringLiteral("\n") + exactBytesText(bytes));
    };
    show(m_peak, m_report->peakBytes);
    show(m_bound, m_report->lowerBoundBytes);
    show(m_noReuse, m_report->noReuseBytes);
    show(m_external, m_report->externalBytes);
    const std::int64_t change = m_previous ? m_report->peakBytes - m_previous->peakBytes : 0;
    m_peak.change->setText(change != 0 ? deltaText(change) : QString());
    m_peak.change->setToolTip(tr("Against the plan before the last change"));

    const bool legal = countFindings(*m_report, Severity::Error) == 0;
    const bool plain = legal && m_problem.isEmpty();
    m_mark->setPixmap(iconPixmap(plain ? QStringLiteral("legal") : QStringLiteral("findings"),
                                 plain ? colours::good() : colours::error(), 26, devicePixelRatioF()));
    m_mark->setAccessibleName(legal ? tr("Legal") : tr("Not legal"));
    m_verdictText = m_problem.isEmpty() ? verdictText(*m_report) : m_problem;
    m_graph->setText(tr("%1  ·  %2 nodes  ·  %3 values  ·  %4 storages")
                         .arg(toQString(m_report->graph->name),
                              countText(static_cast<std::int64_t>(m_report->graph->nodes.size())),
                              countText(static_cast<std::int64_t>(m_report->graph->values.size())),
                              countText(static_cast<std::int64_t>(m_report->storages.size()))));
    const auto count = static_cast<std::int64_t>(m_report->findings.size());
    m_findings->setText(count == 1 ? tr("1 finding") : tr("%1 findings").arg(countText(count)));
    m_findings->setIcon(icon(QStringLiteral("findings")));
    m_findings->setVisible(count > 0);
    elide();
}

void SummaryStrip::elide()
{
    m_verdict->setToolTip(m_verdictText);
    m_verdict->setAccessibleName(m_verdictText);
    m_verdict->setText(
        m_verdict->fontMetrics().elidedText(m_verdictText, Qt::ElideRight, std::max(80, m_verdict->width())));
}

void SummaryStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // The least of the four figures goes first where it is narrow.
    m_external.box->setVisible(width() > 900);
    m_noReuse.box->setVisible(width() > 760);
    elide();
}

void SummaryStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

void SummaryStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().base());
    painter.fillRect(0, height() - 1, width(), 1, colours::line());
}

} // namespace plimsoll::app
