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

    /// What was undone before another edit stays, and a session keeps where each was made from.
    void branchesOfAHistoryAreKept()
    {
        PlanHistory history;
        const auto edit = [&](const char* inplace) {
            Choices choices = history.current().choices;
            QVERIFY(choices.setPolicy("inplace", inplace).ok());
            QVERIFY(history.push(choices));
        };
        const auto now = [&] { return policyValue(history.current().choices.policies, "inplace"); };
        edit("off");
        edit("identity-only");
        QVERIFY(history.goTo(history.before()) && history.goTo(history.before()));
        QVERIFY(!history.canUndo() && history.canRedo());
        QVERIFY(history.goTo(history.next()));
        QCOMPARE(now(), std::string("off"));
        edit("on"); // another way from "off"
        QCOMPARE(history.edits().size(), std::size_t(4));
        QVERIFY(!history.canRedo());
        QVERIFY(history.goTo(history.before()));
        QCOMPARE(now(), std::string("off"));
        QVERIFY(history.goTo(history.next()));
        QCOMPARE(now(), std::string("on"));
        QVERIFY(history.goTo(2));
        QCOMPARE(now(), std::string("identity-only"));
        QVERIFY(history.goTo(history.before()));
        QCOMPARE(now(), std::string("off"));
        QCOMPARE(history.next(), std::size_t(2)); // the way that was gone last
        SavedSession session;
        saveHistory(history, {}, {}, session);
        std::vector<Message> unread;
        const PlanHistory back = savedHistory(session, {}, {}, unread);
        for (std::size_t i = 0; i < 4; ++i)
            QCOMPARE(back.edits()[i].from, history.edits()[i].from);
        QCOMPARE(back.position(), std::size_t(1));
    }
};

QTEST_GUILESS_MAIN(SavedFilesTest)
#include "tst_saved_files.moc"
