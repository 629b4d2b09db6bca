#include "app/window/panes/inputs_field.h"

#include "app/session/session.h"
#include "app/window/look/fields.h"
#include "app/window/look/icons.h"
#include "app/window/panes/given_inputs.h"

#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QToolButton>

namespace plimsoll::app {
namespace {

/// Empty where none was dropped.
QString pathIn(const QMimeData& mime)
{
    const QList<QUrl> urls = mime.urls();
    return urls.size() == 1 ? urls.front().toLocalFile() : QString();
}

} // namespace

InputsField::InputsField(Session& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_field(new QLineEdit(this))
{
    m_field->setObjectName(QStringLiteral("runInputs"));
    m_field->setAccessibleName(tr("Inputs of the run"));
    m_field->setPlaceholderText(tr("Inputs: drawn"));
    m_field->setToolTip(tr("A folder of input_0.pb, input_0.npy or NAME.npy, and so on, a test of ONNX, one such file "
                           "or an image; what is not given is drawn from the seed"));
    m_field->setClearButtonEnabled(true);
    m_field->setMinimumWidth(90);
    m_field->setAcceptDrops(false); // the whole takes them: a line would insert the address
    leaveUndoToWindow(m_field);
    auto* choose = new QToolButton(this);
    choose->setObjectName(QStringLiteral("runInputsChoose"));
    choose->setIcon(icon(QStringLiteral("open")));
    choose->setAutoRaise(true);
    choose->setMaximumWidth(24);
    choose->setAccessibleName(tr("Choose inputs"));
    choose->setToolTip(choose->accessibleName());
    choose->setPopupMode(QToolButton::InstantPopup);
    auto* kinds = new QMenu(choose);
    kinds->addAction(tr("A folder of inputs…"), this, [this] { this->choose(true); });
    kinds->addAction(tr("A file or an image…"), this, [this] { this->choose(false); });
    choose->setMenu(kinds);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    row->addWidget(m_field, 1);
    row->addWidget(choose);
    setAcceptDrops(true);
    connect(&session, &Session::graphOpened, this, [this] {
        if (m_of != m_session.file()) m_field->clear();
        m_of = m_session.file();
    });
}

QSize InputsField::sizeHint() const
{
    return minimumSizeHint();
}

QString InputsField::path() const
{
    return m_field->text().trimmed();
}

bool InputsField::isFile() const
{
    return QFileInfo(path()).isFile();
}

std::function<Result<QString>()> InputsField::folder() const
{
    const auto report = m_session.judged();
    if (path().isEmpty() || !report) return [] { return QString(); };
    return [path = path(), graph = report->program.graph, room = m_room.path()] {
        return inputsFolder(inputsAt(path), *graph, room);
    };
}

void InputsField::showLine(bool show)
{
    m_field->setVisible(show);
    layout()->invalidate();
    updateGeometry();
}

void InputsField::choose(bool folder)
{
    const QString beside = path().isEmpty() ? QFileInfo(m_session.file()).absolutePath() : path();
    const QString chosen = folder ? QFileDialog::getExistingDirectory(this, tr("Choose a folder of inputs"), beside)
                                  : QFileDialog::getOpenFileName(this, tr("Choose a file or an image"), beside);
    if (!chosen.isEmpty()) take(chosen);
}

void InputsField::take(const QString& path)
{
    m_field->setText(inputsAt(path));
    Q_EMIT given();
}

void InputsField::dragEnterEvent(QDragEnterEvent* event)
{
    if (!pathIn(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void InputsField::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    take(pathIn(*event->mimeData()));
}

} // namespace plimsoll::app
