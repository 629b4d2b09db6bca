#include "app/window/look/fields.h"

#include <QKeyEvent>
#include <QLineEdit>

namespace plimsoll::app {
namespace {

class UndoKeys : public QObject
{
public:
    using QObject::QObject;

    /// A field claims these keys whether or not it has something to undo.
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::ShortcutOverride) return false;
        const auto* line = qobject_cast<QLineEdit*>(watched);
        if (!line) line = watched->findChild<QLineEdit*>();
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool takesBack = key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
        if (!takesBack || !line || line->isModified()) return false;
        event->ignore();
        return true;
    }
};

} // namespace

void leaveUndoToWindow(QWidget* field)
{
    field->installEventFilter(new UndoKeys(field));
}

} // namespace plimsoll::app
