#include "app/window/panes/shapes_pane.h"

#include "app/models/text.h"
#include "app/session/session.h"

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

/// "1x3x224x224"; nothing where a part is no size.
std::optional<Shape> shapeFromText(const QString& text)
{
    Shape shape;
    for (const QString& part : text.trimmed().split(u'x')) {
        bool number = false;
        shape.push_back(part.toLongLong(&number));
        if (!number || shape.back() < 0) return std::nullopt;
    }
    return shape;
}

QString shapeText(const Choices& choices, const QString& input)
{
    QStringList sizes;
    const auto given = choices.shapes.find(input.toStdString());
    if (given == choices.shapes.end()) return {};
    for (const std::int64_t size : given->second)
        sizes << QString::number(size);
    return sizes.join(u'x');
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

void ShapesPane::refresh()
{
    const QStringList inputs = shapelessInputs(m_session);
    setVisible(!inputs.isEmpty());
    if (inputs != m_shown) {
        while (m_rows->rowCount() > 0)
            m_rows->removeRow(0);
        auto* title = new QLabel(tr("Shapes that the file does not give"), this);
        QFont bold = title->font();
        bold.setBold(true);
        title->setFont(bold);
        if (!inputs.isEmpty()) m_rows->addRow(title);
        m_shown = inputs;
        for (const QString& input : inputs)
            addField(input);
    }
    for (const QString& input : inputs)
        findChild<QLineEdit*>(QStringLiteral("shape:") + input)->setText(shapeText(m_session.choices(), input));
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
    const auto shape = shapeFromText(field->text());
    if (shape || field->text().trimmed().isEmpty())
        m_session.setShape(input, shape);
    else
        refresh();
}

} // namespace plimsoll::app
