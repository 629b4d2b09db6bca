#include "core/base/outputs.h"

#include "core/facts/english/english.h"
#include "tests/support/temporary_folder.h"

#include <QTest>

using namespace plimsoll;
using plimsoll::test::TemporaryFolder;

namespace {

namespace fs = std::filesystem;

QString said(const Status& status)
{
    return status.ok() ? QString() : QString::fromStdString(describe(status.error()));
}

} // namespace

class tst_Outputs : public QObject
{
    Q_OBJECT

private slots:
    void anInputIsNotWrittenOver_data()
    {
        QTest::addColumn<QString>("output");
        for (const char* name : {"in/a.json", "./in/a.json", "in/../in/a.json", "link", "linked/a.json", "hard"})
            QTest::newRow(name) << name;
    }

    void anInputIsNotWrittenOver()
    {
        QFETCH(QString, output);
        const TemporaryFolder folder;
        const fs::path input = folder.write("in/a.json", "{}");
        fs::create_symlink("in/a.json", folder.path() / "link");
        fs::create_directory_symlink("in", folder.path() / "linked");
        fs::create_hard_link(input, folder.path() / "hard");
        const Output asked {"--json", folder.path() / output.toStdString()};

        const Status file = checkOutputs({asked}, {input});
        QVERIFY(!file.ok() && file.error().code == ErrorCode::BadUsage);
        QCOMPARE(said(file), QStringLiteral("--json would write over '%1', which it reads. Name another file.")
                                 .arg(QString::fromStdString(input.string())));
        QCOMPARE(said(checkOutputs({{"--json", folder.path() / "in/b.json"}}, {input})), QString());
    }

    void twoOutputsAreTwoFiles_data()
    {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::addColumn<QString>("says"); ///< Nothing: they may.
        QTest::newRow("two") << "new"
                             << "new2"
                             << "";
        QTest::newRow("none") << ""
                              << ""
                              << "";
        QTest::newRow("one name") << "new"
                                  << "new"
                                  << "are the same file";
        QTest::newRow("through .") << "new"
                                   << "./in/../new"
                                   << "are the same file";
        QTest::newRow("an old one") << "in/a.json"
                                    << "link"
                                    << "are the same file";
        QTest::newRow("a dangling link") << "new"
                                         << "dangling"
                                         << "are the same file";
        QTest::newRow("standard output") << "-"
                                         << "-"
                                         << "cannot both go to standard output";
        QTest::newRow("by its device") << "-"
                                       << "/dev/stdout"
                                       << "cannot both go to standard output";
        QTest::newRow("by its number") << "/dev/fd/1"
                                       << "-"
                                       << "cannot both go to standard output";
        QTest::newRow("nowhere") << "/dev/null"
                                 << "/dev/null"
                                 << "";
    }

    void twoOutputsAreTwoFiles()
    {
        QFETCH(QString, first);
        QFETCH(QString, second);
        QFETCH(QString, says);
        const TemporaryFolder folder;
        folder.write("in/a.json", "{}");
        fs::create_symlink("in/a.json", folder.path() / "link");
        fs::create_symlink("new", folder.path() / "dangling");
        const auto place = [&](const QString& name) {
            const bool whole = name.isEmpty() || name == QStringLiteral("-") || name.startsWith(u'/');
            return whole ? fs::path(name.toStdString()) : folder.path() / name.toStdString();
        };

        const Status status = checkOutputs({{"--a", place(first)}, {"--b", place(second)}}, {});

        QCOMPARE(status.ok(), says.isEmpty());
        QVERIFY2(said(status).contains(says), qPrintable(said(status)));
    }

    void spellingsOfANewFileAreOneFile()
    {
        const TemporaryFolder folder;
        const fs::path before = fs::current_path();
        fs::current_path(folder.path());
        for (const fs::path& other : {fs::path("./new"), folder.path() / "new", fs::path("in/../new")})
            QVERIFY(!checkOutputs({{"--a", "new"}, {"--b", other}}, {}).ok());
        QVERIFY(checkOutputs({{"--a", "new"}, {"--b", "./new2"}}, {}).ok());
        fs::current_path(before);
    }

    void whatKilledCommandsLeftIsRemoved()
    {
        const TemporaryFolder folder;
        const fs::path left = folder.write("out/.plimsoll-0123456789abcdef.tmp", "half");
        const fs::path elsewhere = folder.write(".plimsoll-0123456789abcdef.tmp", "half");
        QVERIFY(checkOutputs({{"--json", folder.path() / "out/a.json"}}, {folder.path() / "in.json"}).ok());
        QVERIFY(!fs::exists(left));
        QVERIFY(fs::exists(elsewhere));
    }
};

QTEST_APPLESS_MAIN(tst_Outputs)
#include "tst_outputs.moc"
