#pragma once

#include "core/base/result.h"

#include <QKeySequence>
#include <QList>
#include <QVariantMap>

#include <optional>

class QAction;

namespace plimsoll::app {

class ActionSet;

[[nodiscard]] QList<QKeySequence> defaultKeys(const QAction& command);

/// Keys of commands that have others than at first, by id: "F2; Ctrl+B". What settings and files keep.
[[nodiscard]] QVariantMap changedKeys(const ActionSet& actions);
/// Every other command has the keys it had at first. Ids that there are not are passed over.
void applyKeys(const ActionSet& actions, const QVariantMap& changed);

/// What stands in the way of a key.
struct KeyConflict
{
    QAction* command = nullptr; ///< Has it, and can give it up; null: it belongs to no command.
    QString text;
};
/// In a window there is one command for a key, and none for the beginning of another's keys.
[[nodiscard]] std::optional<KeyConflict> conflictOf(const ActionSet& actions, const QAction& command,
                                                    const QKeySequence& key);
/// What a picture does with it while it has the keyboard; empty: nothing.
[[nodiscard]] QString pictureUseOf(const QKeySequence& key);

[[nodiscard]] QByteArray writeKeys(const ActionSet& actions); ///< "plimsoll.shortcuts/1", the changed ones.
/// The keys of the text, of commands that there are, none of them twice.
[[nodiscard]] Result<QVariantMap> readKeys(const ActionSet& actions, const QByteArray& json);

} // namespace plimsoll::app
