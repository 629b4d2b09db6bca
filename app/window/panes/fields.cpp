#include "app/window/panes/fields.h"

#include <QWidget>

namespace plimsoll::app {

void disconnectFields(QWidget& pane)
{
    for (QWidget* field : pane.findChildren<QWidget*>())
        field->disconnect(&pane);
}

} // namespace plimsoll::app
