#include "app/cli/read_apart.h"
#include "core/facts/english/english.h"
#include "core/sandbox/sandbox.h"
#include "tests/app/support/cli_run.h"
#include "tests/support/temporary_folder.h"

#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <sys/socket.h>

using namespace plimsoll;
using namespace plimsoll::cli;

/// A reader is tried where its fault costs an error and no more.
class tst_CliReadApart : public QObject
{
    Q_OBJECT

private slots:
    void aFaultIsAnErrorWithItsFile()
    {
        const Status tried = tryReading("a.onnx", [] {
            std::signal(SIGSEGV, SIG_DFL);
            std::raise(SIGSEGV);
        });
        QVERIFY(!tried.ok());
        QCOMPARE(tried.error().code, ErrorCode::BadInput);
        QCOMPARE(tried.error().file, std::string("a.onnx"));
        QCOMPARE(english(tried.error().message),
                 std::string(
                     "The reader of this file was ended by a Segmentation fault (signal 11). That was in a "
                     "process of its own, which read the file first, so nothing else is harmed. It is a fault of this "
                     "program and worth a report."));
    }

    void whatAReaderMayNotTryIsAnError()
    {
        if (!sandboxGaps().empty()) QSKIP("there is no sandbox here");
        const Status tried = tryReading("a.onnx", [] { socket(AF_INET, SOCK_STREAM, 0); });
        QVERIFY(!tried.ok());
        QVERIFY(
            english(tried.error().message).starts_with("The reader of this file tried to open a network connection"));
    }

    void aReaderOpensNothingOutsideTheFoldersOfItsFile()
    {
        if (!sandboxGaps().empty()) QSKIP("there is no sandbox here");
        const test::TemporaryFolder folder;
        const test::TemporaryFolder other;
        const std::filesystem::path weights = folder.write("weights", "w");
        const std::filesystem::path secret = other.write("secret", "s");
        const auto dieUnless = [](bool held) {
            if (!held) std::raise(SIGKILL);
        };
        const Status tried = tryReading(folder.path() / "a.onnx", [&] {
            dieUnless(open(weights.c_str(), O_RDONLY) >= 0);
            dieUnless(open(secret.c_str(), O_RDONLY) < 0);
            dieUnless(open(weights.c_str(), O_WRONLY) < 0);
        });
        QVERIFY2(tried.ok(), tried.ok() ? "" : english(tried.error().message).c_str());
    }

    void whatAReaderRefusesIsSaidByWhoReadsIt()
    {
        const test::TemporaryFolder folder;
        QVERIFY(tryReading(folder.write("a.onnx", "no model")).ok());
    }

    void aCommandSaysTheSameWithAndWithout()
    {
        const QStringList plan {QStringLiteral("plan"),
                                QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples/residual-block.json"),
                                QStringLiteral("-p"), QStringLiteral("backend=reference")};
        const test::Finished plain = test::runCli(plan);
        QCOMPARE(plain.status, 0);
        QCOMPARE(test::runCli(plan + QStringList {QStringLiteral("--isolate")}).out, plain.out);
    }
};

QTEST_GUILESS_MAIN(tst_CliReadApart)
#include "tst_cli_read_apart.moc"
