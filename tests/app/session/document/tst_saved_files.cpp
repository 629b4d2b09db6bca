#include "app/session/document/safe_copy.h"
#include "app/session/document/saved_choices.h"
#include "app/session/document/unpacked_file.h"

#include <QDir>
#include <QFile>
#include <QSemaphore>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

QByteArray contentOf(const QString& file)
{
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray("none");
}

void ignore(const Error&) {}

} // namespace

class SavedFilesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void whatIsWrittenLaterIsThereWhenTheCopyIsLeft()
    {
        const QTemporaryDir folder;
        QSemaphore go;
        SafeCopy copy;
        copy.keepIn(folder.path());
        copy.writeLater(
            [&go] {
                go.acquire();
                return std::string("1");
            },
            ignore);
        copy.writeLater([] { return std::string("2"); }, ignore); // waits for its turn
        go.release();
        copy.leave();
        const QStringList left = copiesLeft(folder.path());
        QCOMPARE(left.size(), 1);
        QCOMPARE(contentOf(left.front()), QByteArray("2"));
    }

    void anOlderStateNeverComesBehindANewerOne()
    {
        const QTemporaryDir folder;
        SafeCopy copy;
        copy.keepIn(folder.path());
        copy.writeLater(
            [] {
                QTest::qSleep(50);
                return std::string("older");
            },
            ignore);
        QTest::qSleep(10);
        QVERIFY(copy.write("newer").ok());
        copy.leave();
        QCOMPARE(contentOf(copiesLeft(folder.path()).front()), QByteArray("newer"));
    }

    void whatCannotBeWrittenIsSaid()
    {
        const QTemporaryDir folder;
        SafeCopy copy;
        copy.keepIn(folder.filePath(QStringLiteral("no/such")) + QChar(u'\0') + u'x');
        bool said = false;
        copy.writeLater([] { return std::string("text"); }, [&said](const Error&) { said = true; });
        QTRY_VERIFY(said);
    }

    /// It lives as long as its program needs it; others remove what a killed program left.
    void anUnpackedFileGoesAway()
    {
        const QDir cache(QStandardPaths::writableLocation(QStandardPaths::CacheLocation));
        const QString killed = cache.filePath(QStringLiteral("1-1.unpacked"));
        QVERIFY(QDir().mkpath(killed));
        QFile old(killed + QStringLiteral("/g.json"));
        QVERIFY(old.open(QIODevice::WriteOnly));
        QString path;
        {
            const UnpackedFile first("bytes", QStringLiteral("/models/g.json"));
            const UnpackedFile second("others", QStringLiteral(".."));
            path = first.path();
            QVERIFY(path.endsWith(QStringLiteral("/g.json")));
            QCOMPARE(contentOf(path), QByteArray("bytes"));
            QCOMPARE(contentOf(second.path()), QByteArray("others"));
            QVERIFY(!QFile::exists(killed));
        }
        QVERIFY(!QFile::exists(path));
        QCOMPARE(cache.entryList({QStringLiteral("*.unpacked*")}), QStringList());
    }

    /// A plan that the graph's file brought is trusted about custom operators: it stays that.
    void aPlanOfTheGraphIsOneWhereverTheGraphLies()
    {
        Choices first;
        PlanFile plan;
        plan.file = "/a/g.tflite";
        first.givenPlan = sharedPlan(plan);
        PlanHistory history(first);
        Choices second = first;
        plan.file = "/a/other-plan.json";
        second.givenPlan = sharedPlan(plan);
        QVERIFY(history.push(second));
        SavedSession session;
        saveHistory(history, "/a/g.tflite", {}, session);
        for (SavedPlan& saved : session.plans) { // as it is read back
            PlanFile read = *saved.plan;
            read.file.clear();
            saved.plan = sharedPlan(read);
        }
        std::vector<Message> unread;
        const PlanHistory back = savedHistory(session, "/b/g.tflite", {}, unread);
        QVERIFY(unread.empty());
        QCOMPARE(back.edits()[0].choices.givenPlan->file, std::string("/b/g.tflite"));
        QCOMPARE(back.edits()[1].choices.givenPlan->file, std::string());
        QCOMPARE(back.position(), std::size_t(1));
    }
};

QTEST_GUILESS_MAIN(SavedFilesTest)
#include "tst_saved_files.moc"
