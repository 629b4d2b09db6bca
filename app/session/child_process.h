#pragma once

#include <functional>

class QProcess;

namespace plimsoll::app {

/// What \p process starts is gone when this process is, however that ends, and has no other files of it. \p further is
/// called there, between fork and exec.
void dieWithUs(QProcess& process, const std::function<void()>& further = {});

} // namespace plimsoll::app
