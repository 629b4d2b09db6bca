#pragma once

class QWidget;

namespace plimsoll::app {

void showAbout(QWidget* parent);

} // namespace plimsoll::app
