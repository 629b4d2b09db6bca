#include "app/window/panes/bounds_pane.h"

#include "app/models/window_text.h"
#include "app/session/session.h"
#include "app/window/look/bold.h"
#include "app/window/look/elided_label.h"
#include "app/window/panes/fields.h"
#include "core/graph/sparse_parts.h"

#include <QGridLayout>
#include <QLabel>
#include <QSpinBox>

#include <limits>

namespace plimsoll::app {
namespace {

/// Nobody says.
constexpr int NoBound = -1;

bool isAsked(const Value& value, const Choices& choices)
{
    const bool callers = value.role == ValueRole::Input || value.role == ValueRole::Parameter;
    return value.type.isSparse() &&
           (callers || value.type.maxStored < 0 || choices.shapes.maxStored.contains(value.name));
}

/// Of the graph as it was read: conversions that a plan puts in follow from these.
std::vector<Value> askedValues(const Session& session)
{
    const auto report = session.report();
    std::vector<Value> asked;
    if (!report || !session.graph()) return asked;
    for (const Value& value : report->program.graph->values) {
        if (isAsked(value, session.choices()) && findValue(*session.graph(), value.name).valid())
            asked.push_back(value);
    }
    return asked;
}

int mostOf(const TensorType& type)
{
    constexpr std::int64_t Most = std::numeric_limits<int>::max();
    const auto shape = type.shape();
    const auto count = shape ? storableCount(type.storage, *shape) : std::nullopt;
    return static_cast<int>(std::min(count.value_or(Most), Most));
}

} // namespace

BoundsPane::BoundsPane(Session& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_grid(new QGridLayout(this))
{
    setObjectName(QStringLiteral("bounds"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(10);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(0, 1);
    connect(&session, &Session::reportChanged, this, &BoundsPane::refresh);
    connect(&session, &Session::closed, this, &BoundsPane::refresh);
    refresh();
}

BoundsPane::~BoundsPane()
{
    disconnectFields(*this);
}

void BoundsPane::refresh()
{
    const std::vector<Value> asked = askedValues(m_session);
    setVisible(!asked.empty());
    QStringList shown;
    for (const Value& value : asked)
        shown << QStringLiteral("%1=%2 of %3")
                     .arg(toQString(value.name))
                     .arg(value.type.maxStored)
                     .arg(mostOf(value.type));
    if (shown == m_shown) return;
    m_shown = shown;
    clear();
    m_grid->addWidget(titleLabel(tr("Sparse tensors keep at most"), this), 0, 0, 1, 2);
    int row = 1;
    for (const Value& value : asked)
        row = addRows(value, row);
}

void BoundsPane::clear()
{
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        if (item->widget()) item->widget()->deleteLater();
        delete item;
    }
}

int BoundsPane::addRows(const Value& value, int row)
{
    const QString name = toQString(value.name);
    auto* most = new QSpinBox(this);
    most->setObjectName(QStringLiteral("bound:") + name);
    most->setAccessibleName(tr("What %1 keeps at most").arg(name));
    most->setToolTip(tr("%1, %2\nBelow 0: as the file says").arg(name, toQString(describe(value.type))));
    most->setRange(NoBound, mostOf(value.type));
    most->setSpecialValueText(tr("no bound given"));
    most->setValue(static_cast<int>(std::min<std::int64_t>(value.type.maxStored, most->maximum())));
    most->setSuffix(value.type.storage == StorageType::Csr ? tr(" elements") : tr(" rows"));
    most->setKeyboardTracking(false);
    connect(most, &QSpinBox::valueChanged, this, [this, name](int bound) { m_session.setMaxStored(name, bound); });
    m_grid->addWidget(new ElidedLabel(name, this), row, 0, 1, 2);
    m_grid->addWidget(most, row + 1, 0, 1, 2);
    return row + 2;
}

} // namespace plimsoll::app
