#include "app/window/panes/styled_table.h"

#include "app/models/table_model.h"
#include "app/window/look/theme.h"
#include "core/plan/finding.h"

#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTableView>

namespace plimsoll::app {
namespace {

/// Above and below a sentence.
constexpr int RowAir = 8;

/// Severities in their colour beside the word, storages with theirs.
class CellDelegate : public QStyledItemDelegate
{
public:
    CellDelegate(bool sentences, std::shared_ptr<const Swatches> swatches, QTableView* view)
        : QStyledItemDelegate(view), m_sentences(sentences), m_swatches(std::move(swatches)), m_view(view)
    {
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(0, RowAir);
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const QPixmap swatch = m_swatches->pixmapOf(index.data(StorageRole), m_view->devicePixelRatioF());
        if (!swatch.isNull()) {
            option->icon = swatch;
            option->icon.addPixmap(swatch, QIcon::Selected); // which Qt would tint
            option->decorationSize = QSize(SwatchSize, SwatchSize);
            option->features |= QStyleOptionViewItem::HasDecoration;
        }
        const QVariant severity = index.data(SeverityRole);
        option->textElideMode = m_sentences ? Qt::ElideRight : Qt::ElideMiddle; // sentences, or names
        if (!severity.isValid()) return;
        const bool error = severity.toInt() == static_cast<int>(Severity::Error);
        const bool warning = severity.toInt() == static_cast<int>(Severity::Warning);
        const QColor colour = error ? colours().error : warning ? colours().warning : colours().muted;
        option->text = (error     ? QStringLiteral("■ ")
                        : warning ? QStringLiteral("▲ ")
                                  : QStringLiteral("● ")) +
                       option->text;
        option->palette.setColor(QPalette::Text, colour);
    }

private:
    bool m_sentences;
    std::shared_ptr<const Swatches> m_swatches;
    QTableView* m_view;
};

} // namespace

QTableView* makeStyledTable(bool sentences, std::shared_ptr<const Swatches> swatches, QWidget* parent)
{
    auto* view = new QTableView(parent);
    view->setFrameShape(QFrame::NoFrame);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setSelectionMode(QAbstractItemView::SingleSelection);
    view->setAlternatingRowColors(true);
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->setSortingEnabled(true);
    view->setTabKeyNavigation(false);
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(24);
    view->verticalHeader()->setMinimumSectionSize(24);
    view->horizontalHeader()->setMinimumSectionSize(30);
    view->horizontalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setSortIndicatorClearable(true);
    view->setItemDelegate(new CellDelegate(sentences, std::move(swatches), view));
    return view;
}

} // namespace plimsoll::app
