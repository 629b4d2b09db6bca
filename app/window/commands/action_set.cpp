#include "app/window/commands/action_set.h"

#include "app/models/window_text.h"
#include "app/window/commands/action_table.h"
#include "app/window/look/icons.h"

#include <QAction>
#include <QKeySequence>
#include <QMenu>
#include <QWidget>

namespace plimsoll::app {
namespace {

/// The one with a title that it stands in; null: none.
const QMenu* menuOf(const QAction* action)
{
    for (const QObject* object : action->associatedObjects()) {
        const auto* menu = qobject_cast<const QMenu*>(object);
        if (menu && !menu->title().isEmpty()) return menu;
    }
    return nullptr;
}

} // namespace

ActionSet::ActionSet(QWidget* window) : QObject(window)
{
    for (const ActionInfo& info : actionTable()) {
        auto* action = new QAction(translated(info.text), window);
        action->setObjectName(QString::fromLatin1(info.id));
        if (*info.icon) action->setIcon(icon(QString::fromLatin1(info.icon)));
        action->setCheckable(info.checkable);
        action->setStatusTip(translated(info.tip));
        setKeys(*action, QKeySequence::listFromString(QString::fromLatin1(info.shortcut)));
        action->setProperty("pictureKey", QString::fromLatin1(info.pictureKey));
        action->setProperty("category", translated(info.category));
        window->addAction(action);
        m_actions.insert(action->objectName(), action);
        m_order << action;
    }
}

void ActionSet::setKeys(QAction& action, const QList<QKeySequence>& keys)
{
    action.setShortcuts(keys);
    QString tip = action.statusTip();
    if (!action.shortcut().isEmpty())
        tip += QStringLiteral("  (%1)").arg(action.shortcut().toString(QKeySequence::NativeText));
    action.setToolTip(tip);
}

QAction* ActionSet::at(const char* id) const
{
    QAction* action = m_actions.value(QString::fromLatin1(id));
    Q_ASSERT_X(action, "ActionSet", id);
    return action;
}

QString ActionSet::category(const QAction* action) const
{
    return action->property("category").toString();
}

QString ActionSet::howToReach(const char* id) const
{
    const QAction* action = at(id);
    if (!action->shortcut().isEmpty()) return action->shortcut().toString(QKeySequence::NativeText);
    QStringList path {action->text()};
    const QAction* inner = action;
    for (const QMenu* menu = menuOf(inner); menu; menu = menuOf(inner)) {
        path.prepend(menu->title());
        inner = menu->menuAction();
    }
    if (path.size() == 1) path.prepend(category(action));
    return path.join(QStringLiteral(" › ")).remove(u'&');
}

void ActionSet::on(const char* id, QObject* receiver, std::function<void()> handler) const
{
    connect(at(id), &QAction::triggered, receiver, [handler = std::move(handler)] { handler(); });
}

void ActionSet::setEnabled(std::initializer_list<const char*> ids, bool enabled) const
{
    for (const char* id : ids)
        at(id)->setEnabled(enabled);
}

} // namespace plimsoll::app
