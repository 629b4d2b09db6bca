#include "app/window/panes/inputs_field.h"

#include "app/session/session.h"
#include "app/window/look/fields.h"
#include "app/window/look/icons.h"

#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMimeData>
#include <QToolButton>

namespace plimsoll::app {
namespace {

/// A file stands for its folder, and a test of ONNX for its first set of data.
QString folderOf(const QString& path)
{
    const QFileInfo given(path);
    const QDir folder(given.isFile() ? given.absolutePath() : given.filePath());
    const QString data = folder.filePath(QStringLiteral("test_data_set_0"));
    return QDir::toNativeSeparators(QFileInfo(data).isDir() ? data : folder.path());
}

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
    m_field->setAccessibleName(tr("Folder of inputs"));
    m_field->setPlaceholderText(tr("Inputs: drawn"));
    m_field->setToolTip(tr("A folder of input_0.pb, input_0.npy or NAME.npy, and so on, or a test of ONNX; what is not "
                           "in it is drawn from the seed"));
    m_field->setClearButtonEnabled(true);
    m_field->setMinimumWidth(90);
    m_field->setAcceptDrops(false); // the whole takes them: a line would insert the address
    leaveUndoToWindow(m_field);
    auto* choose = new QToolButton(this);
    choose->setObjectName(QStringLiteral("runInputsChoose"));
    choose->setIcon(icon(QStringLiteral("open")));
    choose->setAutoRaise(true);
    choose->setMaximumWidth(24);
    choose->setAccessibleName(tr("Choose a folder of inputs"));
    choose->setToolTip(choose->accessibleName());
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    row->addWidget(m_field, 1);
    row->addWidget(choose);
    setAcceptDrops(true);
    connect(choose, &QToolButton::clicked, this, &InputsField::choose);
    connect(&session, &Session::graphOpened, this, [this] {
        if (m_of != m_session.file()) m_field->clear();
        m_of = m_session.file();
    });
}

QSize InputsField::sizeHint() const
{
    return minimumSizeHint();
}

QString InputsField::folder() const
{
    const QString typed = m_field->text().trimmed();
    return typed.isEmpty() ? typed : folderOf(typed);
}

void InputsField::showLine(bool show)
{
    m_field->setVisible(show);
    layout()->invalidate();
    updateGeometry();
}

void InputsField::choose()
{
    const QString beside = folder().isEmpty() ? QFileInfo(m_session.file()).absolutePath() : folder();
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Choose a folder of inputs"), beside);
    if (!chosen.isEmpty()) take(chosen);
}

void InputsField::take(const QString& path)
{
    m_field->setText(folderOf(path));
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
