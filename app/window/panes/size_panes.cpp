#include "app/window/panes/size_panes.h"

#include "app/models/window_text.h"
#include "app/session/session.h"
#include "app/window/look/fields.h"
#include "app/window/look/labels.h"
#include "core/graph/shape_text.h"
#include "core/graph/sparse_parts.h"

#include <QFormLayout>
#include <QGridLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolTip>

#include <limits>
#include <optional>
#include <utility>

namespace plimsoll::app {
namespace {

/// Longer names of dimensions stand in a line of their own, above their size.
constexpr int LettersBesideSize = 5;
/// Pixels, of a number's arrows and frame.
constexpr int ArrowsWidth = 32;
/// No bound is given.
constexpr int NoBound = -1;

int mostOf(const TensorType& type)
{
    constexpr std::int64_t Most = std::numeric_limits<int>::max();
    const auto shape = type.shape();
    const auto count = shape ? storableCount(type.storage, *shape) : std::nullopt;
    return static_cast<int>(std::min(count.value_or(Most), Most));
}

QGridLayout* makeGrid(QWidget* pane)
{
    auto* grid = new QGridLayout(pane);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(0, 1);
    return grid;
}

/// Takes away what is in the grid, and puts a title over all its columns.
void beginAnew(QGridLayout& grid, QLabel* title, int columns)
{
    while (QLayoutItem* item = grid.takeAt(0)) {
        if (item->widget()) item->widget()->deleteLater();
        delete item;
    }
    grid.addWidget(title, 0, 0, 1, columns);
}

QSpinBox* makeNumber(const QString& id, const QString& name, int least, int most, std::int64_t value, QWidget* pane)
{
    auto* number = new QSpinBox(pane);
    number->setObjectName(id);
    number->setAccessibleName(name);
    number->setRange(least, most);
    number->setValue(static_cast<int>(std::min<std::int64_t>(value, most)));
    number->setMinimumWidth(number->fontMetrics().horizontalAdvance(QStringLiteral("000000")) + ArrowsWidth);
    number->setKeyboardTracking(false);
    leaveUndoToWindow(number);
    return number;
}

} // namespace

void disconnectFields(QWidget& pane)
{
    for (QWidget* field : pane.findChildren<QWidget*>())
        field->disconnect(&pane);
}

SizesPane::SizesPane(Session& session, const char* name, QWidget* parent) : QWidget(parent), m_session(session)
{
    setObjectName(QString::fromLatin1(name));
}

bool SizesPane::takeAsked(const QStringList& asked)
{
    setVisible(!asked.isEmpty());
    return std::exchange(m_asked, asked) != asked;
}

ShapesPane::ShapesPane(Session& session, QWidget* parent)
    : SizesPane(session, "shapes", parent), m_rows(new QFormLayout(this))
{
    m_rows->setContentsMargins(0, 0, 0, 0);
    for (auto signal : {&Session::graphOpened, &Session::choicesChanged, &Session::closed})
        connect(&session, signal, this, &ShapesPane::refresh);
    refresh();
}

void ShapesPane::refresh()
{
    QStringList inputs; // of the graph as it was read
    const auto graph = m_session.graph();
    for (const ValueId input : graph ? graph->top().inputs : std::vector<ValueId>()) {
        const TensorType& type = (*graph)[input].type;
        if (type.kind == TypeKind::Tensor && !type.dims) inputs << toQString((*graph)[input].name);
    }
    if (takeAsked(inputs)) {
        while (m_rows->rowCount() > 0)
            m_rows->removeRow(0);
        if (!inputs.isEmpty()) m_rows->addRow(titleLabel(tr("Shapes that the file does not give"), this));
        for (const QString& input : inputs)
            addField(input);
    }
    const auto& shapes = m_session.choices().shapes.shapes;
    for (const QString& input : inputs) {
        const auto given = shapes.find(input.toStdString());
        findChild<QLineEdit*>(QStringLiteral("shape:") + input)
            ->setText(given == shapes.end() ? QString() : toQString(shapeText(given->second)));
    }
}

void ShapesPane::addField(const QString& input)
{
    auto* field = new QLineEdit(this);
    field->setObjectName(QStringLiteral("shape:") + input);
    field->setAccessibleName(tr("Shape of %1").arg(input));
    field->setPlaceholderText(QStringLiteral("1x3x224x224"));
    leaveUndoToWindow(field);
    connect(field, &QLineEdit::editingFinished, this, [this, field, input] { take(field, input); });
    m_rows->addRow(labelText(input), field);
}

/// What is no shape is put back as it was, and said.
void ShapesPane::take(QLineEdit* field, const QString& input)
{
    if (!field->isModified()) return;
    field->setModified(false);
    const QString text = field->text().trimmed();
    const auto shape = shapeFromText(text.toStdString());
    if (text.isEmpty() || shape) return m_session.setShape(input, text.isEmpty() ? std::nullopt : shape);
    refresh();
    QToolTip::showText(field->mapToGlobal(QPoint(0, field->height())),
                       tr("%1 is no shape: sizes with x between them are, such as 1x3x224x224").arg(labelText(text)),
                       field);
}

DimensionsPane::DimensionsPane(Session& session, QWidget* parent)
    : SizesPane(session, "dimensions", parent), m_grid(makeGrid(this))
{
    connect(&session, &Session::reportChanged, this, &DimensionsPane::refresh);
    connect(&session, &Session::closed, this, &DimensionsPane::refresh);
    refresh();
}

void DimensionsPane::refresh()
{
    const auto report = m_session.report();
    const std::vector<Binding> bindings = report ? report->captured.bindings : std::vector<Binding>();
    QStringList asked;
    for (const Binding& binding : bindings)
        asked << QStringLiteral("%1=%2%3").arg(toQString(binding.dim)).arg(binding.size).arg(binding.assumed ? 1 : 0);
    if (!takeAsked(asked)) return;
    beginAnew(*m_grid, titleLabel(tr("Dimensions"), this), 3);
    int row = 1;
    for (const Binding& binding : bindings) {
        const QString dim = toQString(binding.dim);
        auto* name = new ElidedLabel(dim, this);
        QSpinBox* size = makeNumber(QStringLiteral("dim:") + dim, tr("Size of %1").arg(dim), 0,
                                    std::numeric_limits<int>::max(), binding.size, this);
        size->setToolTip(dim);
        auto* assumed = new QLabel(binding.assumed ? tr("assumed") : QString(), this);
        assumed->setToolTip(tr("It was not given: 1 was taken, or what works where 1 does not"));
        assumed->setForegroundRole(QPalette::PlaceholderText);
        connect(size, &QSpinBox::valueChanged, this, [this, dim](int value) { m_session.setDim(dim, value); });
        const bool beside = dim.size() <= LettersBesideSize;
        if (beside) name->setMinimumWidth(name->fontMetrics().horizontalAdvance(dim)); // not elided
        m_grid->addWidget(name, row, 0, 1, beside ? 1 : 3);
        if (!beside) ++row;
        m_grid->addWidget(size, row, beside ? 1 : 0, 1, beside ? 1 : 2);
        m_grid->addWidget(assumed, row++, 2);
    }
}

BoundsPane::BoundsPane(Session& session, QWidget* parent) : SizesPane(session, "bounds", parent), m_grid(makeGrid(this))
{
    connect(&session, &Session::reportChanged, this, &BoundsPane::refresh);
    connect(&session, &Session::closed, this, &BoundsPane::refresh);
    refresh();
}

void BoundsPane::refresh()
{
    const auto report = m_session.report();
    const bool open = report && m_session.graph();
    std::vector<Value> values; // of the graph as it was read: conversions that a plan puts in follow from these
    for (const ValueId sparse : open ? m_session.digest().sparse : std::vector<ValueId>()) {
        const Value& value = (*report->program.graph)[sparse];
        const bool callers = value.role == ValueRole::Input || value.role == ValueRole::Parameter;
        const bool given = m_session.choices().shapes.maxStored.contains(value.name);
        if ((callers || value.type.maxStored < 0 || given) && findValue(*m_session.graph(), value.name).valid())
            values.push_back(value);
    }
    QStringList asked;
    for (const Value& value : values)
        asked << QStringLiteral("%1=%2 of %3")
                     .arg(toQString(value.name))
                     .arg(value.type.maxStored)
                     .arg(mostOf(value.type));
    if (!takeAsked(asked)) return;
    beginAnew(*m_grid, titleLabel(tr("Sparse tensors keep at most"), this), 2);
    int row = 1;
    for (const Value& value : values) {
        const QString name = toQString(value.name);
        QSpinBox* most = makeNumber(QStringLiteral("bound:") + name, tr("What %1 keeps at most").arg(name), NoBound,
                                    mostOf(value.type), value.type.maxStored, this);
        most->setToolTip(tr("%1, %2\nBelow 0: as the file says").arg(name, toQString(describe(value.type))));
        most->setSpecialValueText(tr("no bound given"));
        most->setSuffix(value.type.storage == StorageType::Csr ? tr(" elements") : tr(" rows"));
        connect(most, &QSpinBox::valueChanged, this, [this, name](int bound) { m_session.setMaxStored(name, bound); });
        m_grid->addWidget(new ElidedLabel(name, this), row++, 0, 1, 2);
        m_grid->addWidget(most, row++, 0, 1, 2);
    }
}

} // namespace plimsoll::app
