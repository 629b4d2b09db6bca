#include "app/window/panes/fact_view.h"

#include "app/models/table_model.h"
#include "app/window/look/labels.h"
#include "app/window/look/theme.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTextLayout>

#include <cmath>

namespace plimsoll::app {
namespace {

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
        const QPixmap swatch = swatchOf(index);
        if (!swatch.isNull()) {
            const int middle = inside.top() + (QFontMetrics(font).height() - SwatchSize) / 2;
            painter->drawPixmap(inside.left(), middle, swatch);
            inside.setLeft(inside.left() + SwatchRoom);
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
        const int beside = (index.column() == 0 ? 16 : 8) + (swatchOf(index).isNull() ? 0 : SwatchRoom);
        const int width = std::max(40, m_view->header()->sectionSize(index.column()) - beside);
        return {60, static_cast<int>(std::ceil(textHeight(index.data().toString(), option.font, width))) + 6};
    }

private:
    static constexpr int SwatchRoom = SwatchSize + 5;

    [[nodiscard]] QPixmap swatchOf(const QModelIndex& index) const
    {
        return m_swatches->pixmapOf(index.data(StorageRole), m_view->devicePixelRatioF());
    }

    QTreeView* m_view;
    const InspectorModel& m_model;
    std::shared_ptr<const Swatches> m_swatches;
};

} // namespace

FactView::FactView(std::shared_ptr<const Swatches> swatches, QWidget* parent) : QTreeView(parent)
{
    setModel(&m_model);
    setItemDelegate(new FactDelegate(this, m_model, std::move(swatches)));
    setFrameShape(QFrame::NoFrame);
    setHeaderHidden(true);
    setRootIsDecorated(false);
    setIndentation(0);
    setUniformRowHeights(false);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    header()->setSectionResizeMode(0, QHeaderView::Interactive);
    header()->resizeSection(0, m_namesWidth);
    connect(this, &QTreeView::clicked, this, &FactView::follow);
    connect(this, &QTreeView::activated, this, &FactView::follow);
    connect(header(), &QHeaderView::sectionResized, this, &QTreeView::doItemsLayout);
    addCopying();
}

void FactView::addCopying()
{
    auto* row = new QAction(tr("Copy row"), this);
    row->setShortcut(QKeySequence::Copy);
    row->setShortcutContext(Qt::WidgetShortcut);
    connect(row, &QAction::triggered, this, [this] {
        const QModelIndex name = currentIndex().siblingAtColumn(0);
        const QString text = name.data().toString() + u'\t' + name.siblingAtColumn(1).data().toString();
        if (name.isValid()) QGuiApplication::clipboard()->setText(text.trimmed());
    });
    addAction(row);
    setContextMenuPolicy(Qt::CustomContextMenu);
    connect(this, &QWidget::customContextMenuRequested, this,
            [this](QPoint at) { Q_EMIT menuRequested(viewport()->mapToGlobal(at), actions()); });
}

void FactView::setFacts(InspectorFacts facts)
{
    m_model.show(std::move(facts));
    for (int section = 0; section < m_model.rowCount(); ++section)
        setFirstColumnSpanned(section, {}, true);
    expandAll();
    fitNames();
}

void FactView::resizeEvent(QResizeEvent* event)
{
    QTreeView::resizeEvent(event);
    fitNames();
}

/// No word of a name is broken, unless it takes more than a good part of the room.
void FactView::fitNames()
{
    constexpr int Beside = 18;
    if (header()->sectionSize(0) != m_namesWidth) return;
    int widest = 0;
    for (int section = 0; section < m_model.rowCount(); ++section) {
        const QModelIndex facts = m_model.index(section, 0);
        for (int row = 0; row < m_model.rowCount(facts); ++row)
            for (const QString& word : m_model.index(row, 0, facts).data().toString().split(u' '))
                widest = std::max(widest, fontMetrics().horizontalAdvance(word));
    }
    m_namesWidth = std::max(m_namesWidth, std::min(widest + Beside, viewport()->width() * 45 / 100));
    header()->resizeSection(0, m_namesWidth);
}

void FactView::follow(const QModelIndex& index)
{
    const Focus link = m_model.linkOf(index);
    if (link.picked() || link.step >= 0) Q_EMIT followed(link);
}

} // namespace plimsoll::app
