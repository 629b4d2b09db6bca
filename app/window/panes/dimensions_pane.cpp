#include "app/window/panes/dimensions_pane.h"

#include "app/models/text.h"
#include "app/session/session.h"

#include <QGridLayout>
#include <QLabel>
#include <QSpinBox>

#include <limits>

namespace plimsoll::app {

DimensionsPane::DimensionsPane(Session& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_grid(new QGridLayout(this))
{
    setObjectName(QStringLiteral("dimensions"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(10);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(0, 1);
    connect(&session, &Session::reportChanged, this, &DimensionsPane::refresh);
    connect(&session, &Session::closed, this, &DimensionsPane::refresh);
    refresh();
}

void DimensionsPane::refresh()
{
    const auto report = m_session.report();
    const std::vector<Binding> bindings = report ? report->bindings : std::vector<Binding>();
    setVisible(!bindings.empty());
    QStringList shown;
    for (const Binding& binding : bindings)
        shown << QStringLiteral("%1=%2%3").arg(toQString(binding.dim)).arg(binding.size).arg(binding.assumed ? 1 : 0);
    if (shown == m_shown) return;
    m_shown = shown;
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        if (item->widget()) item->widget()->deleteLater();
        delete item;
    }
    auto* title = new QLabel(tr("Dimensions"), this);
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    m_grid->addWidget(title, 0, 0, 1, 3);
    int row = 1;
    for (const Binding& binding : bindings) {
        auto* name = new QLabel(toQString(binding.dim), this);
        auto* size = new QSpinBox(this);
        size->setObjectName(QStringLiteral("dim:") + toQString(binding.dim));
        size->setAccessibleName(tr("Size of %1").arg(toQString(binding.dim)));
        size->setRange(0, std::numeric_limits<int>::max());
        size->setValue(static_cast<int>(std::min<std::int64_t>(binding.size, size->maximum())));
        size->setKeyboardTracking(false);
        auto* assumed = new QLabel(binding.assumed ? tr("assumed") : QString(), this);
        assumed->setToolTip(tr("Nobody gave it a size: 1 was taken"));
        assumed->setForegroundRole(QPalette::PlaceholderText);
        connect(size, &QSpinBox::valueChanged, this,
                [this, dim = toQString(binding.dim)](int value) { m_session.setDim(dim, value); });
        m_grid->addWidget(name, row, 0);
        m_grid->addWidget(size, row, 1);
        m_grid->addWidget(assumed, row, 2);
        ++row;
    }
}

} // namespace plimsoll::app
