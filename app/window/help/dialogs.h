#pragma once

class QWidget;

namespace plimsoll::app {

class Log;
class Settings;

void showAbout(QWidget* parent);
/// Its lines as they come; whether there is a file of it is kept in \p settings.
void showLog(QWidget* parent, Log& log, const Settings& settings);

} // namespace plimsoll::app
