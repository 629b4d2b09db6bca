#include "app/session/child_process.h"

#include <QFile>
#include <QProcess>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace plimsoll::app;

namespace {

bool isAlive(pid_t process)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(process));
    if (!file.open(QIODevice::ReadOnly)) return false;
    const QByteArray stat = file.readAll();
    return stat.mid(stat.lastIndexOf(')') + 2, 1) != "Z";
}

/// Starts a long sleep, and says its process id.
[[noreturn]] void startAndWait(int channel)
{
    QProcess process;
    dieWithUs(process);
    process.start(QStringLiteral("sleep"), {QStringLiteral("60")});
    process.waitForStarted();
    const auto id = static_cast<pid_t>(process.processId());
    if (write(channel, &id, sizeof id) != sizeof id) _exit(1);
    pause();
    _exit(0);
}

} // namespace

class tst_ChildProcess : public QObject
{
    Q_OBJECT

private slots:
    void whatWasStartedIsGoneWithinASecondOfAKill()
    {
        int ends[2];
        QCOMPARE(pipe(ends), 0);
        const pid_t middle = fork();
        if (middle == 0) startAndWait(ends[1]);
        pid_t child = 0;
        QCOMPARE(read(ends[0], &child, sizeof child), ssize_t(sizeof child));
        QVERIFY(isAlive(child));

        kill(middle, SIGKILL);
        waitpid(middle, nullptr, 0);

        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(child), 1000);
        close(ends[0]);
        close(ends[1]);
    }

    void openFilesStayHere()
    {
        const int leaked = open("/dev/null", O_RDONLY);
        QProcess process;
        dieWithUs(process);
        process.start(QStringLiteral("sleep"), {QStringLiteral("60")});
        QVERIFY(process.waitForStarted());

        const bool handedOn = QFile::exists(QStringLiteral("/proc/%1/fd/%2").arg(process.processId()).arg(leaked));
        process.kill();
        process.waitForFinished();
        close(leaked);

        QVERIFY(!handedOn);
    }
};

QTEST_GUILESS_MAIN(tst_ChildProcess)
#include "tst_child_process.moc"
