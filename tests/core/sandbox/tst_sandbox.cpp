#include "core/facts/english/english.h"
#include "core/sandbox/sandbox.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <string>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace plimsoll;

namespace {

/// What came of something that was tried from inside: the signal that ended the process, or errno of the call; 0: done.
struct Outcome
{
    int signal = 0;
    int error = 0;
    std::string told; ///< On the channel.
};

using Trial = std::function<bool()>;
using Make = std::function<Sandbox()>;

/// Tries it in a child process that is shut in: true of \p tried is success, false is errno.
Outcome triedInside(const Make& make, const Trial& tried)
{
    int ends[2];
    if (pipe(ends) != 0) return {};
    const pid_t child = fork();
    if (child == 0) {
        shutIn(make(), ends[1]);
        errno = 0;
        _exit(tried() ? 0 : errno);
    }
    close(ends[1]);
    Outcome outcome;
    std::array<char, 64> buffer {};
    const ssize_t count = read(ends[0], buffer.data(), buffer.size());
    if (count > 0) outcome.told.assign(buffer.data(), static_cast<std::size_t>(count));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
    if (WIFEXITED(status)) outcome.error = WEXITSTATUS(status);
    return outcome;
}

Sandbox kernels()
{
    return sandboxForKernels();
}

bool opens(const QString& path, int flags)
{
    return open(qPrintable(path), flags | O_CLOEXEC, 0600) >= 0;
}

std::string gapsText()
{
    std::string text;
    for (const Message& gap : sandboxGaps())
        text += english(gap);
    return text;
}

} // namespace

/// What a hostile kernel tries from inside, and what comes of it.
class tst_Sandbox : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!sandboxGaps().empty()) QSKIP(gapsText().c_str());
        QVERIFY(m_folder.isValid());
        m_secret = m_folder.filePath(QStringLiteral("secret"));
        QFile file(m_secret);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("secret\n") == 7);
    }

    void whatIsForbiddenEndsTheProcess_data()
    {
        QTest::addColumn<Trial>("trial");
        QTest::addColumn<QString>("told");
        const auto row = [](const char* name, Trial trial, const char* told) {
            QTest::newRow(name) << std::move(trial) << QString::fromLatin1(told);
        };
        row(
            "a socket", [] { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }, "open a network connection");
        row(
            "a local socket", [] { return socket(AF_UNIX, SOCK_DGRAM, 0) >= 0; }, "open a network connection");
        row(
            "exec", [] { return execl("/bin/true", "true", nullptr) == 0; }, "start a program");
        row(
            "fork", [] { return fork() >= 0; }, "start another process");
        row(
            "the call fork", [] { return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) >= 0; }, "start another process");
        row(
            "ptrace", [] { return ptrace(PTRACE_PEEKDATA, getppid(), nullptr, nullptr) == 0; },
            "reach into another process");
        row(
            "memory of another", [] { return syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0) >= 0; },
            "reach into another process");
        row(
            "mount", [] { return syscall(SYS_mount, nullptr, nullptr, nullptr, 0, nullptr) == 0; },
            "change the system");
        row(
            "keys", [] { return syscall(SYS_keyctl, 0, 0, 0, 0, 0) >= 0; }, "change the system");
        row(
            "bpf", [] { return syscall(SYS_bpf, 0, nullptr, 0) >= 0; }, "change the system");
        row(
            "counters", [] { return syscall(SYS_perf_event_open, nullptr, 0, 0, -1, 0) >= 0; }, "change the system");
        row(
            "io_uring", [] { return syscall(SYS_io_uring_setup, 1, nullptr) >= 0; }, "change the system");
        row(
            "a name space", [] { return syscall(SYS_unshare, 0x10000000) == 0; }, "change the system");
    }

    void whatIsForbiddenEndsTheProcess()
    {
        QFETCH(Trial, trial);
        QFETCH(QString, told);

        const Outcome outcome = triedInside(kernels, trial);

        QCOMPARE(outcome.signal, SIGSYS);
        QCOMPARE(outcome.told.back(), '\n');
        const auto attempt = attemptIn(std::string_view(outcome.told).substr(0, outcome.told.size() - 1));
        QVERIFY(attempt);
        QCOMPARE(QString::fromStdString(english(*attempt)), told);
    }

    void otherLinesTellOfNoAttempt()
    {
        for (const char* line : {"refused ", "refused 5", "refused x", "refused 12", "progress 1 2 n", ""})
            QVERIFY2(!attemptIn(line), line);
    }

    void whatLibrariesTryInPassingFails_data()
    {
        QTest::addColumn<Trial>("trial");
        QTest::addColumn<int>("error");
        const QString secret = m_secret;
        const QString beside = m_folder.filePath(QStringLiteral("new"));
        const auto row = [](const char* name, Trial trial, int error) {
            QTest::newRow(name) << std::move(trial) << error;
        };
        row(
            "a file outside", [secret] { return opens(secret, O_RDONLY); }, EACCES);
        row(
            "a file of the system", [] { return opens(QStringLiteral("/etc/passwd"), O_RDONLY); }, EACCES);
        row(
            "a file to write", [secret] { return opens(secret, O_WRONLY); }, EPERM);
        row(
            "a new file", [beside] { return opens(beside, O_RDWR | O_CREAT); }, EPERM);
        row(
            "to empty a file", [secret] { return opens(secret, O_RDONLY | O_TRUNC); }, EPERM);
        row(
            "to remove a file", [secret] { return unlink(qPrintable(secret)) == 0; }, EPERM);
        row(
            "its own memory, by a file", [] { return opens(QStringLiteral("/proc/self/mem"), O_RDWR); }, EPERM);
        row(
            "a signal to another", [] { return kill(getppid(), SIGUSR1) == 0; }, EPERM);
        row(
            "to type into a terminal", [] { return ioctl(0, TIOCSTI, "x") == 0; }, EPERM);
        row(
            "to survive the signal", [] { return std::signal(SIGSYS, SIG_IGN) != SIG_ERR; }, EPERM);
        row(
            "a call that is newer than this list", [] { return syscall(1000) >= 0; }, EPERM);
    }

    void whatLibrariesTryInPassingFails()
    {
        QFETCH(Trial, trial);
        QFETCH(int, error);

        const Outcome outcome = triedInside(kernels, trial);

        QCOMPARE(outcome.signal, 0);
        QCOMPARE(outcome.error, error);
    }

    void whatComputesGoesOn_data()
    {
        QTest::addColumn<Trial>("trial");
        const auto row = [](const char* name, Trial trial) { QTest::newRow(name) << std::move(trial); };
        row("a thread", [] {
            bool ran = false;
            std::thread([&ran] { ran = true; }).join();
            return ran;
        });
        row("memory", [] { return std::vector<char>(std::size_t {64} << 20, 'x').back() == 'x'; });
        row("code that is made", [] {
            return mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
                   MAP_FAILED;
        });
        row("facts of the processor", [] { return opens(QStringLiteral("/proc/cpuinfo"), O_RDONLY); });
        row("facts of itself", [] { return opens(QStringLiteral("/proc/self/statm"), O_RDONLY); });
        row("a library", [] { return opens(QStringLiteral("/etc/ld.so.cache"), O_RDONLY); });
    }

    void whatComputesGoesOn()
    {
        QFETCH(Trial, trial);

        const Outcome outcome = triedInside(kernels, trial);

        QCOMPARE(outcome.signal, 0);
        QCOMPARE(outcome.error, 0);
    }

    void aFolderThatIsGivenIsRead()
    {
        const std::filesystem::path folder = m_folder.path().toStdString();
        const Make reading = [folder] { return sandboxForKernels({folder}); };

        QCOMPARE(triedInside(reading, [this] { return opens(m_secret, O_RDONLY); }).error, 0);
        QCOMPARE(triedInside(reading, [this] { return opens(m_secret, O_WRONLY); }).error, EPERM);
    }

    void driversOfDevicesGoOn()
    {
        QCOMPARE(triedInside(sandboxForDevices, [] { return socket(AF_UNIX, SOCK_DGRAM, 0) >= 0; }).error, 0);
        QCOMPARE(triedInside(sandboxForDevices, [] { return fork() >= 0; }).error, 0);
        QCOMPARE(triedInside(sandboxForDevices, [this] { return opens(m_secret, O_RDWR); }).error, 0);
        QCOMPARE(
            triedInside(sandboxForDevices, [] { return ptrace(PTRACE_PEEKDATA, getppid(), nullptr, nullptr) == 0; })
                .error,
            EPERM);
    }

    void aProgramIsExecutedAndReadsItsFoldersOnly()
    {
        const Make program = [] { return sandboxForProgram({"/usr", "/lib", "/lib64", "/etc/ld.so.cache"}); };
        const QByteArray read = "read x < " + QFile::encodeName(m_secret);
        const auto shell = [](const QByteArray& line) {
            return execl("/bin/sh", "sh", "-c", line.data(), nullptr) == 0;
        };

        QCOMPARE(triedInside(program, [&] { return shell("exit 7"); }).error, 7);
        QVERIFY(triedInside(program, [&] { return shell(read + " 2>&-"); }).error != 0);
        QVERIFY(triedInside(program, [&] { return shell("(exit 0) 2>&-"); }).error != 0); // no process beside it
        QCOMPARE(triedInside(program, [] { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }).error, EPERM);
    }

private:
    QTemporaryDir m_folder;
    QString m_secret;
};

QTEST_GUILESS_MAIN(tst_Sandbox)
#include "tst_sandbox.moc"
