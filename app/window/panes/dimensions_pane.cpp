#include "app/window/panes/dimensions_pane.h"

#include "app/models/window_text.h"
#include "app/session/session.h"
#include "app/window/look/bold.h"
#include "app/window/look/elided_label.h"
#include "app/window/panes/fields.h"

#include <QGridLayout>
#include <QLabel>
#include <QSpinBox>

#include <limits>

namespace plimsoll::app {
namespace {

/// Longer names stand in a line of their own, above their size.
constexpr int LettersBesideSize = 5;

} // namespace

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

DimensionsPane::~DimensionsPane()
{
    disconnectFields(*this);
}

void DimensionsPane::refresh()
{
    const auto report = m_session.report();
    const std::vector<Binding> bindings = report ? report->captured.bindings : std::vector<Binding>();
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
    m_grid->addWidget(titleLabel(tr("Dimensions"), this), 0, 0, 1, 3);
    int row = 1;
    for (const Binding& binding : bindings)
        row = addRows(binding, row);
}

int DimensionsPane::addRows(const Binding& binding, int row)
{
    const QString dim = toQString(binding.dim);
    auto* name = new ElidedLabel(dim, this);
    auto* size = new QSpinBox(this);
    size->setObjectName(QStringLiteral("dim:") + dim);
    size->setAccessibleName(tr("Size of %1").arg(dim));
    size->setToolTip(dim);
    size->setRange(0, std::numeric_limits<int>::max());
    size->setValue(static_cast<int>(std::min<std::int64_t>(binding.size, size->maximum())));
    size->setKeyboardTracking(false);
    auto* assumed = new QLabel(binding.assumed ? tr("assumed") : QString(), this);
    assumed->setToolTip(tr("It was not given: 1 was taken, or what works where 1 does not"));
    assumed->setForegroundRole(QPalette::PlaceholderText);
    connect(size, &QSpinBox::valueChanged, this, [this, dim](int value) { m_session.setDim(dim, value); });
    const bool beside = dim.size() <= LettersBesideSize;
    m_grid->addWidget(name, row, 0, 1, beside ? 1 : 3);
    if (!beside) ++row;
    m_grid->addWidget(size, row, beside ? 1 : 0, 1, beside ? 1 : 2);
    m_grid->addWidget(assumed, row, 2);
    return row + 1;
}

} // namespace plimsoll::app
