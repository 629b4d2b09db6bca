#include "app/window/help/dialogs.h"

#include "app/models/window_text.h"
#include "app/window/commands/action_set.h"
#include "app/window/commands/action_table.h"
#include "app/window/look/labels.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QIcon>
#include <QLabel>
#include <QTreeWidget>
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

QTreeWidgetItem* addGroup(QTreeWidget* tree, const QString& title)
{
    auto* group = new QTreeWidgetItem(tree, {title});
    group->setFont(0, boldFont(tree->font()));
    group->setFirstColumnSpanned(true);
    return group;
}

QString keysOf(const QAction& action)
{
    QStringList keys;
    for (const QKeySequence& key : action.shortcuts())
        if (!key.isEmpty()) keys << key.toString(QKeySequence::NativeText);
    if (const QString key = action.property("pictureKey").toString(); !key.isEmpty())
        keys << QObject::tr("%1, in a picture").arg(key);
    return keys.join(QObject::tr(" or "));
}

} // namespace

void showShortcutSheet(const ActionSet& actions, QWidget* parent)
{
    auto* tree = new QTreeWidget;
    tree->setAccessibleName(QObject::tr("Shortcuts"));
    tree->setHeaderLabels({QObject::tr("Command"), QObject::tr("Keys"), QObject::tr("What it does")});
    tree->setRootIsDecorated(false);
    tree->setFrameShape(QFrame::NoFrame);
    QHash<QString, QTreeWidgetItem*> groups;
    for (QAction* action : actions.all()) {
        QTreeWidgetItem*& group = groups[actions.category(action)];
        if (!group) group = addGroup(tree, actions.category(action));
        new QTreeWidgetItem(group, {QString(action->text()).remove(u'&'), keysOf(*action), action->statusTip()});
    }
    QTreeWidgetItem* pictures = addGroup(tree, QObject::tr("In a picture that has the keyboard"));
    for (const PictureKey& key : pictureKeys())
        new QTreeWidgetItem(pictures, {translated(key.pictures), translated(key.keys), translated(key.tip)});
    tree->expandAll();
    tree->header()->resizeSection(0, 220);
    tree->header()->resizeSection(1, 190);
    QDialog* dialog = makeDialog(QObject::tr("Shortcuts"), tree, parent);
    dialog->setObjectName(QStringLiteral("shortcutSheet"));
    dialog->resize(860, 640);
    dialog->show();
}

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
