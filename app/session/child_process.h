#pragma once

class QProcess;

namespace plimsoll::app {

/// What \p process starts is gone when this process is, however that ends, and has no other files of it.
void dieWithUs(QProcess& process);

} // namespace plimsoll::app
