#include "app/window/panes/shapes_pane.h"

#include "app/models/window_text.h"
#include "app/session/session.h"
#include "app/window/look/bold.h"
#include "app/window/panes/fields.h"
#include "core/graph/shape_text.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>

#include <optional>

namespace plimsoll::app {
namespace {

/// Of the graph as it was read.
QStringList shapelessInputs(const Session& session)
{
    QStringList inputs;
    if (!session.graph()) return inputs;
    const Graph& graph = *session.graph();
    for (const ValueId input : graph.top().inputs) {
        const TensorType& type = graph[input].type;
        if (type.kind == TypeKind::Tensor && !type.dims) inputs << toQString(graph[input].name);
    }
    return inputs;
}

QString givenShape(const Choices& choices, const QString& input)
{
    const auto given = choices.shapes.shapes.find(input.toStdString());
    return given == choices.shapes.shapes.end() ? QString() : toQString(shapeText(given->second));
}

} // namespace

ShapesPane::ShapesPane(Session& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_rows(new QFormLayout(this))
{
    setObjectName(QStringLiteral("shapes"));
    m_rows->setContentsMargins(0, 0, 0, 0);
    connect(&session, &Session::graphOpened, this, &ShapesPane::refresh);
    connect(&session, &Session::choicesChanged, this, &ShapesPane::refresh);
    connect(&session, &Session::closed, this, &ShapesPane::refresh);
    refresh();
}

ShapesPane::~ShapesPane()
{
    disconnectFields(*this);
}

void ShapesPane::refresh()
{
    const QStringList inputs = shapelessInputs(m_session);
    setVisible(!inputs.isEmpty());
    if (inputs != m_shown) {
        while (m_rows->rowCount() > 0)
            m_rows->removeRow(0);
        if (!inputs.isEmpty()) m_rows->addRow(titleLabel(tr("Shapes that the file does not give"), this));
        m_shown = inputs;
        for (const QString& input : inputs)
            addField(input);
    }
    for (const QString& input : inputs)
        findChild<QLineEdit*>(QStringLiteral("shape:") + input)->setText(givenShape(m_session.choices(), input));
}

void ShapesPane::addField(const QString& input)
{
    auto* field = new QLineEdit(this);
    field->setObjectName(QStringLiteral("shape:") + input);
    field->setAccessibleName(tr("Shape of %1").arg(input));
    field->setPlaceholderText(QStringLiteral("1x3x224x224"));
    connect(field, &QLineEdit::editingFinished, this, [this, field, input] { take(field, input); });
    m_rows->addRow(input, field);
}

/// What is no shape is put back as it was.
void ShapesPane::take(QLineEdit* field, const QString& input)
{
    if (!field->isModified()) return;
    field->setModified(false);
    const QString text = field->text().trimmed();
    const auto shape = shapeFromText(text.toStdString());
    if (text.isEmpty())
        m_session.setShape(input, std::nullopt);
    else if (shape)
        m_session.setShape(input, shape);
    else
        refresh();
}

} // namespace plimsoll::app
