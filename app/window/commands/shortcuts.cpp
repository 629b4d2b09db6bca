#include "app/window/commands/shortcuts.h"

#include "app/models/window_text.h"
#include "app/window/commands/action_set.h"
#include "app/window/commands/action_table.h"

#include <QAction>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMainWindow>
#include <QMenuBar>

#include <algorithm>

namespace plimsoll::app {
namespace {

const QString Schema = QStringLiteral("plimsoll.shortcuts/1");

bool meet(const QKeySequence& a, const QKeySequence& b)
{
    return !a.isEmpty() && !b.isEmpty() &&
           (a.matches(b) != QKeySequence::NoMatch || b.matches(a) != QKeySequence::NoMatch);
}

bool meetAny(const QList<QKeySequence>& keys, const QKeySequence& key)
{
    return std::ranges::any_of(keys, [&](const QKeySequence& each) { return meet(each, key); });
}

QList<QKeySequence> keysOf(const QVariantMap& changed, const QAction& command)
{
    const auto found = changed.constFind(command.objectName());
    return found == changed.constEnd() ? defaultKeys(command) : QKeySequence::listFromString(found->toString());
}

/// Fields and tables take these themselves.
bool isOfFields(const QKeySequence& key)
{
    return meetAny(QKeySequence::keyBindings(QKeySequence::Copy), key) ||
           meetAny(QKeySequence::keyBindings(QKeySequence::Cut), key) ||
           meetAny(QKeySequence::keyBindings(QKeySequence::Paste), key);
}

QString menuOf(const ActionSet& actions, const QKeySequence& key)
{
    const auto* window = qobject_cast<QMainWindow*>(actions.parent());
    if (!window) return {};
    for (const QAction* menu : window->menuBar()->actions())
        if (meet(QKeySequence::mnemonic(menu->text()), key)) return QString(menu->text()).remove(u'&');
    return {};
}

} // namespace

QList<QKeySequence> defaultKeys(const QAction& command)
{
    for (const ActionInfo& info : actionTable())
        if (command.objectName() == QLatin1String(info.id))
            return QKeySequence::listFromString(QString::fromLatin1(info.shortcut));
    return {};
}

QVariantMap changedKeys(const ActionSet& actions)
{
    QVariantMap changed;
    for (const QAction* command : actions.all())
        if (command->shortcuts() != defaultKeys(*command))
            changed[command->objectName()] = QKeySequence::listToString(command->shortcuts());
    return changed;
}

void applyKeys(const ActionSet& actions, const QVariantMap& changed)
{
    for (QAction* command : actions.all())
        ActionSet::setKeys(*command, keysOf(changed, *command));
}

std::optional<KeyConflict> conflictOf(const ActionSet& actions, const QAction& command, const QKeySequence& key)
{
    const QString shown = key.toString(QKeySequence::NativeText);
    for (QAction* other : actions.all())
        if (other != &command && meetAny(other->shortcuts(), key))
            return KeyConflict {other,
                                QObject::tr("%1 belongs to “%2”.").arg(shown, QString(other->text()).remove(u'&'))};
    if (isOfFields(key)) return KeyConflict {nullptr, QObject::tr("%1 belongs to fields and tables.").arg(shown)};
    if (const QString menu = menuOf(actions, key); !menu.isEmpty())
        return KeyConflict {nullptr, QObject::tr("%1 opens the menu %2.").arg(shown, menu)};
    return std::nullopt;
}

QString pictureUseOf(const QKeySequence& key)
{
    const QString wanted = key.toString();
    for (const PictureKey& use : pictureKeys())
        if (QString::fromUtf8(use.keys).split(QStringLiteral(", ")).contains(wanted)) return translated(use.tip);
    for (const ActionInfo& info : actionTable())
        if (wanted == QLatin1String(info.pictureKey)) return translated(info.tip);
    return {};
}

QByteArray writeKeys(const ActionSet& actions)
{
    return QJsonDocument(QJsonObject {{QStringLiteral("schema"), Schema},
                                      {QStringLiteral("keys"), QJsonObject::fromVariantMap(changedKeys(actions))}})
        .toJson();
}

Result<QVariantMap> readKeys(const ActionSet& actions, const QByteArray& json)
{
    const QJsonObject file = QJsonDocument::fromJson(json).object();
    if (file.value(QStringLiteral("schema")).toString() != Schema)
        return Error {ErrorCode::BadInput, say("keys.no-schema", word::Name {Schema.toStdString()}), {}, {}};
    const QVariantMap changed = file.value(QStringLiteral("keys")).toObject().toVariantMap();
    for (auto [id, keys] : changed.asKeyValueRange())
        if (!actions.at(id))
            return Error {ErrorCode::BadInput, say("keys.no-command", word::Name {id.toStdString()}), {}, {}};
    QList<std::pair<QKeySequence, QString>> taken;
    for (const QAction* command : actions.all()) {
        for (const QKeySequence& key : keysOf(changed, *command)) {
            const auto found = std::ranges::find_if(taken, [&](const auto& each) { return meet(each.first, key); });
            if (found != taken.end())
                return Error {ErrorCode::BadInput,
                              say("keys.twice", key.toString().toStdString(), word::Name {found->second.toStdString()},
                                  word::Name {command->objectName().toStdString()}),
                              {},
                              {}};
            taken.append({key, command->objectName()});
        }
    }
    return changed;
}

} // namespace plimsoll::app
