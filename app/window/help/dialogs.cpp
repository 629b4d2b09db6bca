#include "app/window/help/dialogs.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QVBoxLayout>

namespace plimsoll::app {
namespace {

QDialog* makeDialog(const QString& title, QWidget* content, QWidget* parent)
{
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* rows = new QVBoxLayout(dialog);
    rows->addWidget(content, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    rows->addWidget(buttons);
    return dialog;
}

} // namespace

void showAbout(QWidget* parent)
{
    auto* text = new QLabel(
        QObject::tr(
            "<h2>Plimsoll %1</h2>"
            "<p>Plans, judges, runs and shows how a graph's tensors share memory.</p>"
            "<p>The Plimsoll line is the mark on a ship's hull that shows how deep she may legally be loaded.</p>"
            "<p>It has no network code at all: nothing you open leaves this machine.</p>"
            "<p>Licence: Apache-2.0. Built with Qt %2.</p>")
            .arg(QCoreApplication::applicationVersion(), QString::fromLatin1(qVersion())));
    text->setTextFormat(Qt::RichText);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->setMinimumWidth(440);
    QDialog* dialog = makeDialog(QObject::tr("About Plimsoll"), text, parent);
    dialog->setObjectName(QStringLiteral("about"));
    dialog->show();
}

} // namespace plimsoll::app
