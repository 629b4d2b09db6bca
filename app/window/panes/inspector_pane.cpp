#include "app/window/panes/inspector_pane.h"

#include "app/models/large_report.h"
#include "app/models/table_model.h"
#include "app/models/window_text.h"
#include "app/session/freeing_job.h"
#include "app/session/job_runner.h"
#include "app/session/selection.h"
#include "app/window/look/labels.h"
#include "app/window/look/theme.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QTreeView>
#include <QVBoxLayout>

#include <cmath>

namespace plimsoll::app {
namespace {

const QString FactsTag = QStringLiteral("facts");

/// At words, and inside them where a name is longer than the column.
QTextOption wrapping()
{
    QTextOption option(Qt::AlignLeft | Qt::AlignTop);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    return option;
}

qreal textHeight(const QString& text, const QFont& font, int width)
{
    QTextLayout layout(text, font);
    layout.setTextOption(wrapping());
    qreal height = 0;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        height += line.height();
    }
    layout.endLayout();
    return height;
}

/// Section headings in bold, names of less weight, links in the colour of links; long facts go over several lines.
class FactDelegate : public QStyledItemDelegate
{
public:
    FactDelegate(QTreeView* view, const InspectorModel& model, std::shared_ptr<const Swatches> swatches)
        : QStyledItemDelegate(view), m_view(view), m_model(model), m_swatches(std::move(swatches))
    {
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QStyleOptionViewItem shown = option;
        initStyleOption(&shown, index);
        const bool section = !index.parent().isValid();
        const bool selected = shown.state & QStyle::State_Selected;
        painter->save();
        if (selected && !section) painter->fillRect(shown.rect, shown.palette.highlight());
        QFont font = shown.font;
        font.setBold(section);
        painter->setFont(font);
        const bool leads = index.column() != 0 && m_model.linkOf(index) != Focus();
        painter->setPen(section               ? shown.palette.text().color()
                        : selected            ? shown.palette.highlightedText().color()
                        : index.column() == 0 ? colours().muted
                        : leads               ? shown.palette.link().color()
                                              : shown.palette.text().color());
        QRect inside = shown.rect.adjusted(index.column() == 0 ? 12 : 4, section ? 8 : 3, -4, -3);
        const QPixmap swatch = m_swatches->pixmapOf(index.data(StorageRole), m_view->devicePixelRatioF());
        if (!swatch.isNull()) {
            const int middle = inside.top() + (QFontMetrics(font).height() - SwatchSize) / 2;
            painter->drawPixmap(inside.left(), middle, swatch);
            inside.setLeft(inside.left() + SwatchSize + 5);
        }
        painter->drawText(QRectF(inside), shown.text, wrapping());
        painter->restore();
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        if (!index.parent().isValid()) {
            const double height = textHeight(index.data().toString(), boldFont(option.font),
                                             std::max(40, m_view->viewport()->width() - 16));
            return {60, static_cast<int>(std::ceil(height)) + 13};
        }
        const int width = std::max(40, m_view->header()->sectionSize(index.column()) - (index.column() == 0 ? 16 : 8));
        return {60, static_cast<int>(std::ceil(textHeight(index.data().toString(), option.font, width))) + 6};
    }

private:
    QTreeView* m_view;
    const InspectorModel& m_model;
    std::shared_ptr<const Swatches> m_swatches;
};

} // namespace

InspectorPane::InspectorPane(Selection& selection, const FreeingJob& freeing, JobRunner& worker,
                             std::shared_ptr<const Swatches> swatches, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_freeing(freeing), m_worker(worker), m_kind(new QLabel(this)),
      m_title(new QLabel(this)), m_view(new QTreeView(this))
{
    m_title->setFont(boldFont(font(), 1.2));
    m_title->setObjectName(QStringLiteral("inspectorTitle"));
    m_title->setWordWrap(true);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_kind->setForegroundRole(QPalette::PlaceholderText);
    m_view->setModel(&m_model);
    m_view->setItemDelegate(new FactDelegate(m_view, m_model, std::move(swatches)));
    m_view->setAccessibleName(tr("Facts"));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setHeaderHidden(true);
    m_view->setRootIsDecorated(false);
    m_view->setIndentation(0);
    m_view->setUniformRowHeights(false);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->header()->setSectionResizeMode(0, QHeaderView::Interactive);
    m_view->header()->resizeSection(0, 116);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(12, 8, 12, 8);
    head->setSpacing(1);
    head->addWidget(m_kind);
    head->addWidget(m_title);
    rows->addLayout(head);
    rows->addWidget(m_view, 1);
    connect(m_view, &QTreeView::clicked, this, &InspectorPane::follow);
    connect(m_view, &QTreeView::activated, this, &InspectorPane::follow);
    connect(m_view->header(), &QHeaderView::sectionResized, m_view, &QTreeView::doItemsLayout);
    connect(&selection, &Selection::focusChanged, this, &InspectorPane::refresh);
    connect(&freeing, &FreeingJob::changed, this, &InspectorPane::refresh);
    setFocusProxy(m_view);
    refresh();
}

void InspectorPane::setReport(std::shared_ptr<const Report> report)
{
    m_report = std::move(report);
    refresh();
}

void InspectorPane::refresh()
{
    const auto make = [report = m_report, focus = m_selection.focus()](const Context&) {
        return inspectorFacts(report.get(), focus);
    };
    m_worker.cancel(FactsTag);
    if (!m_report || !isLarge(*m_report)) return show(make({}));
    m_worker.start(FactsTag, {}, make, [this](InspectorFacts facts) { show(std::move(facts)); });
}

void InspectorPane::show(InspectorFacts facts)
{
    if (m_report && m_freeing.ways())
        facts.sections.push_back(freeingSection(*m_report, *m_freeing.ways(), windowWords));
    m_model.show(std::move(facts));
    m_kind->setText(m_model.kind().isEmpty() ? tr("Nothing is open") : m_model.kind());
    m_title->setText(m_model.title());
    m_title->setToolTip(m_model.title());
    for (int section = 0; section < m_model.rowCount(); ++section)
        m_view->setFirstColumnSpanned(section, {}, true);
    m_view->expandAll();
}

void InspectorPane::follow(const QModelIndex& index)
{
    const Focus link = m_model.linkOf(index);
    if (link.picked() || link.step >= 0) m_selection.pick(link);
}

} // namespace plimsoll::app
