#include "core/base/output_file.h"

#include "core/base/temporary_file.h"
#include "core/facts/english/english.h"
#include "tests/support/temporary_folder.h"

#include <QTest>

#include <csignal>
#include <fstream>
#include <iterator>
#include <ostream>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace plimsoll;
using plimsoll::test::TemporaryFolder;

namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The names in a folder, sorted and joined by blanks.
QString namesIn(const fs::path& folder)
{
    QStringList names;
    for (const auto& entry : fs::directory_iterator(folder))
        names << QString::fromStdString(entry.path().filename().string());
    names.sort();
    return names.join(u' ');
}

mode_t modeOf(const fs::path& path)
{
    struct ::stat info = {};
    return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

/// What a child process that stops in the middle of writing \p path leaves when it is sent \p signal.
void endInTheMiddle(const fs::path& path, int signal)
{
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(signal, SIG_DFL); // not QTest's
        auto file = OutputFile::open(path);
        file.value().stream() << std::string(1 << 20, 'x') << std::flush;
        ::raise(SIGSTOP);
        ::_exit(0);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, WUNTRACED), child);
    QVERIFY(namesIn(path.parent_path()).contains(QStringLiteral(".tmp")));
    ::kill(child, signal);
    ::kill(child, SIGCONT);
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == signal);
}

} // namespace

class tst_OutputFile : public QObject
{
    Q_OBJECT

private slots:
    void theOldFileStaysUntilTheNewOneIsWhole()
    {
        const TemporaryFolder folder;
        const fs::path path = folder.write("a.txt", "old");
        {
            auto file = OutputFile::open(path);
            QVERIFY(file.ok());
            file.value().stream() << "new";
            QCOMPARE(contentOf(path), std::string("old"));
        }
        QCOMPARE(namesIn(folder.path()), QStringLiteral("a.txt"));
        QVERIFY(writeFile(path, "new").ok());
        QCOMPARE(contentOf(path), std::string("new"));
        QCOMPARE(namesIn(folder.path()), QStringLiteral("a.txt"));
    }

    void theModeIsKept_data()
    {
        QTest::addColumn<int>("mode");
        QTest::newRow("private") << 0600;
        QTest::newRow("of a group") << 0660;
        QTest::newRow("a program") << 0755;
    }

    void theModeIsKept()
    {
        QFETCH(int, mode);
        const TemporaryFolder folder;
        const fs::path path = folder.write("a.txt", "old");
        QCOMPARE(::chmod(path.c_str(), static_cast<mode_t>(mode)), 0);

        QVERIFY(writeFile(path, "new").ok());

        QCOMPARE(modeOf(path), static_cast<mode_t>(mode));
    }

    void theOwnerIsKept()
    {
        if (::geteuid() != 0) QSKIP("only root can give files away");
        const TemporaryFolder folder;
        const fs::path path = folder.write("a.txt", "old");
        QCOMPARE(::chown(path.c_str(), 1234, 4321), 0);

        QVERIFY(writeFile(path, "new").ok());

        struct ::stat info = {};
        QCOMPARE(::stat(path.c_str(), &info), 0);
        QCOMPARE(info.st_uid, uid_t {1234});
        QCOMPARE(info.st_gid, gid_t {4321});
    }

    void aNewFileFollowsTheUmask()
    {
        const TemporaryFolder folder;
        const mode_t before = ::umask(027);
        QVERIFY(writeFile(folder.path() / "a.txt", "new").ok());
        ::umask(before);
        QCOMPARE(modeOf(folder.path() / "a.txt"), mode_t {0640});
    }

    void ofALinkTheTargetIsReplaced()
    {
        const TemporaryFolder folder;
        folder.write("there/a.txt", "old");
        fs::create_symlink("there/a.txt", folder.path() / "link");
        fs::create_symlink("there/b.txt", folder.path() / "dangling");
        fs::create_symlink("circle", folder.path() / "circle");

        QVERIFY(writeFile(folder.path() / "link", "new").ok());
        QVERIFY(writeFile(folder.path() / "dangling", "new").ok());
        QVERIFY(!writeFile(folder.path() / "circle", "new").ok());

        QCOMPARE(namesIn(folder.path()), QStringLiteral("circle dangling link there"));
        QVERIFY(fs::is_symlink(folder.path() / "link") && fs::is_symlink(folder.path() / "circle"));
        QCOMPARE(contentOf(folder.path() / "there/a.txt"), std::string("new"));
        QCOMPARE(contentOf(folder.path() / "there/b.txt"), std::string("new"));
    }

    void anotherNameOfTheOldFileKeepsTheOldContent()
    {
        const TemporaryFolder folder;
        const fs::path path = folder.write("a.txt", "old");
        fs::create_hard_link(path, folder.path() / "b.txt");
        QVERIFY(writeFile(path, "new").ok());
        QCOMPARE(contentOf(folder.path() / "b.txt"), std::string("old"));
    }

    void pipesAndDevicesAreWrittenDirectly()
    {
        const TemporaryFolder folder;
        const fs::path pipe = folder.path() / "pipe";
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        std::string read;
        std::jthread reader([&] { read = contentOf(pipe); });
        QVERIFY(writeFile(pipe, "through").ok());
        reader.join();
        QCOMPARE(read, std::string("through"));
        QVERIFY(fs::is_fifo(pipe));
        QVERIFY(writeFile("/dev/null", "gone").ok());
        QVERIFY(fs::is_character_file("/dev/null"));
    }

    void aDescriptorIsWrittenWhereItStands()
    {
        const TemporaryFolder folder;
        const fs::path path = folder.write("log.txt", "");
        const int log = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        QCOMPARE(::write(log, "before ", 7), ssize_t {7});
        QVERIFY(writeFile("/dev/fd/" + std::to_string(log), "and behind").ok());
        ::close(log);
        QCOMPARE(contentOf(path), std::string("before and behind"));
    }

    void aFailureSaysWhereAndWhy_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("said");
        QTest::newRow("full") << "/dev/full"
                              << "/dev/full: The file cannot be written: No space left on device.";
        QTest::newRow("no folder") << "/nowhere/a"
                                   << "/nowhere/a: The file cannot be written: there is no folder "
                                      "'/nowhere'.";
        QTest::newRow("a folder") << "/usr"
                                  << "/usr: The file cannot be written: Is a directory.";
    }

    void aFailureSaysWhereAndWhy()
    {
        QFETCH(QString, name);
        const Status written = writeFile(name.toStdString(), std::string(1 << 18, 'x'));
        QVERIFY(!written.ok());
        QTEST(QString::fromStdString(describe(written.error())), "said");
    }

    void filesThatBelongTogetherAppearTogether()
    {
        const TemporaryFolder folder;
        const fs::path graph = folder.write("g.json", "old");
        std::vector<OutputFile> files;
        files.push_back(OutputFile::open(folder.path() / "w.bin").value());
        files.push_back(OutputFile::open("/dev/full").value());
        files.push_back(OutputFile::open(graph).value());
        for (OutputFile& file : files)
            file.stream() << "new";
        QVERIFY(!commitTogether(files).ok());
        QCOMPARE(namesIn(folder.path()).count(QStringLiteral(".tmp")), 2);
        files.clear();
        QCOMPARE(namesIn(folder.path()), QStringLiteral("g.json"));
        QCOMPARE(contentOf(graph), std::string("old"));
    }

    void aSignalRemovesTheNewFile_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGHUP") << SIGHUP;
    }

    void aSignalRemovesTheNewFile()
    {
        QFETCH(int, signal);
        const TemporaryFolder folder;
        const fs::path path = folder.write("a.txt", "old");
        endInTheMiddle(path, signal);
        QCOMPARE(namesIn(folder.path()), QStringLiteral("a.txt"));
        QCOMPARE(contentOf(path), std::string("old"));
    }

    void whatAKillLeavesIsRemovedUnlessItIsInUse()
    {
        const TemporaryFolder folder;
        const fs::path path = folder.write("a.txt", "old");
        folder.write(".plimsoll-notours.tmp", "");
        endInTheMiddle(path, SIGKILL);
        const auto inUse = TemporaryFile::create(folder.path(), 0600);
        QVERIFY(inUse);
        QCOMPARE(namesIn(folder.path()).count(QStringLiteral(".tmp")), 3);

        removeAbandonedFiles(folder.path());

        QCOMPARE(namesIn(folder.path()).count(QStringLiteral(".tmp")), 2);
        QCOMPARE(contentOf(path), std::string("old"));
        QVERIFY(fs::exists(folder.path() / ".plimsoll-notours.tmp"));
    }
};

QTEST_APPLESS_MAIN(tst_OutputFile)
#include "tst_output_file.moc"
