#include "app/session/child_process.h"

#include <QProcess>

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace plimsoll::app {

void dieWithUs(QProcess& process, const std::function<void()>& further)
{
    process.setChildProcessModifier([parent = getpid(), further] {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(128 + SIGKILL); // it died before that
        close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
        if (further) further();
    });
}

} // namespace plimsoll::app
