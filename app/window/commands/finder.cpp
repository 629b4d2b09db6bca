#include "app/window/commands/finder.h"

#include "app/models/window_text.h"
#include "app/window/look/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace plimsoll::app {
namespace {

/// The text at the left and the detail at the right.
class TwoSided : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const bool selected = option.state & QStyle::State_Selected;
        if (selected) painter->fillRect(option.rect, option.palette.highlight());
        const QRect inside = option.rect.adjusted(10, 0, -10, 0);
        const QString detail = index.data(Qt::UserRole).toString();
        const int detailWidth = std::min(option.fontMetrics.horizontalAdvance(detail) + 12, inside.width() / 2);
        painter->setPen(selected ? option.palette.highlightedText().color() : colours().muted);
        const QRect right = inside.adjusted(inside.width() - detailWidth, 0, 0, 0);
        painter->drawText(right, Qt::AlignRight | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(detail, Qt::ElideMiddle, right.width()));
        const bool enabled = index.flags().testFlag(Qt::ItemIsEnabled);
        const QColor ink = enabled ? option.palette.text().color() : colours().muted;
        painter->setPen(selected ? option.palette.highlightedText().color() : ink);
        const QRect left = inside.adjusted(0, 0, -detailWidth, 0);
        painter->drawText(left, Qt::AlignLeft | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle, left.width()));
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return {200, option.fontMetrics.height() + 10};
    }
};

} // namespace

Finder::Finder(QWidget* window)
    : QFrame(window), m_field(new QLineEdit(this)), m_list(new QListWidget(this)), m_none(new QLabel(this))
{
    setObjectName(QStringLiteral("finder"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    m_field->setClearButtonEnabled(true);
    m_list->setAccessibleName(tr("Answers"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setItemDelegate(new TwoSided(m_list));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setUniformItemSizes(true);
    m_none->setContentsMargins(10, 6, 10, 6);
    m_none->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(m_field);
    column->addWidget(m_none);
    column->addWidget(m_list, 1);
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, &Finder::refresh);
    connect(m_list, &QListWidget::itemClicked, this, &Finder::chooseCurrent);
    hide();
}

void Finder::open(const QString& placeholder, Search search, const QString& none)
{
    m_search = std::move(search);
    m_none->setText(none.isEmpty() ? tr("Nothing of that name") : none);
    if (!isVisible()) m_before = window()->focusWidget();
    m_field->setPlaceholderText(placeholder);
    m_field->setAccessibleName(placeholder);
    setAccessibleName(placeholder);
    m_field->clear();
    refresh(QString());
    place();
    show();
    raise();
    m_field->setFocus();
}

void Finder::place()
{
    const QSize window = parentWidget()->size();
    const int width = std::min(640, window.width() - 40);
    setGeometry((window.width() - width) / 2, 48, width, std::min(440, window.height() - 80));
}

void Finder::refresh(const QString& typed)
{
    if (!m_search) return;
    m_items = m_search(typed.trimmed());
    m_list->clear();
    for (const FinderItem& item : m_items) {
        auto* row = new QListWidgetItem(labelText(item.text), m_list);
        row->setData(Qt::UserRole, labelText(item.detail));
        row->setToolTip(labelText(item.text, TipLetters));
        row->setData(Qt::AccessibleDescriptionRole, item.choose ? item.detail : tr("not now"));
        if (!item.choose) row->setFlags(Qt::ItemIsSelectable);
    }
    m_list->setCurrentRow(0);
    m_none->setVisible(m_items.empty());
}

void Finder::chooseCurrent()
{
    const int row = m_list->currentRow();
    if (row < 0 || static_cast<std::size_t>(row) >= m_items.size()) return;
    const auto choose = m_items[row].choose;
    if (!choose) return;
    giveBack();
    choose();
}

void Finder::giveBack()
{
    hide();
    if (m_before && m_before->isVisible())
        m_before->setFocus(Qt::PopupFocusReason);
    else
        Q_EMIT closed();
}

bool Finder::pressed(int key)
{
    const int page = std::max(1, m_list->height() / std::max(1, m_list->sizeHintForRow(0)));
    const int rows = m_list->count();
    const auto move = [&](int by) { m_list->setCurrentRow(std::clamp(m_list->currentRow() + by, 0, rows - 1)); };
    switch (key) {
    case Qt::Key_Escape:
        giveBack();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        chooseCurrent();
        return true;
    case Qt::Key_Down:
        move(1);
        return true;
    case Qt::Key_Up:
        move(-1);
        return true;
    case Qt::Key_PageDown:
        move(page);
        return true;
    case Qt::Key_PageUp:
        move(-page);
        return true;
    default:
        return false;
    }
}

bool Finder::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress && pressed(static_cast<QKeyEvent*>(event)->key())) return true;
    // Esc is a shortcut of the window too; while the field is open it is ours.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason)
        hide();
    return QFrame::eventFilter(watched, event);
}

} // namespace plimsoll::app
