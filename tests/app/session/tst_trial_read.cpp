#include "app/session/jobs/trial_read.h"
#include "core/report/message_json.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <thread>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// A program that counts how often it is started, and then does as \p ending says.
QString readerThat(const QTemporaryDir& folder, const QByteArray& ending)
{
    const QString path = folder.filePath(QStringLiteral("reader"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write("#!/bin/sh\necho \"$*\" >> " + folder.filePath(QStringLiteral("started")).toUtf8() + '\n' + ending);
    file.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    return path;
}

void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

QList<QByteArray> starts(const QTemporaryDir& folder)
{
    QFile file(folder.filePath(QStringLiteral("started")));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return file.readAll().trimmed().split('\n');
}

/// Reads nothing, and counts.
Engine counting(int& reads)
{
    Engine engine;
    engine.read = [&reads](const std::filesystem::path&, const Context&) -> Result<FormatContent> {
        ++reads;
        return FormatContent {};
    };
    engine.readPlan = [&reads](const std::filesystem::path&, const Context&) -> Result<PlanFile> {
        ++reads;
        return PlanFile {};
    };
    return engine;
}

} // namespace

/// The window reads itself what another process has read without harm.
class tst_TrialRead : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = m_folder->filePath(QStringLiteral("a.onnx"));
        write(m_file, "one");
    }

    void aFileIsTriedOnceAsItIs()
    {
        int reads = 0;
        const Engine engine = tryingFirst(counting(reads), readerWith("exit 0\n"));

        QVERIFY(engine.read(path(), {}).ok());
        QVERIFY(engine.read(path(), {}).ok());
        QCOMPARE(starts(*m_folder), QList<QByteArray> {"try-reading " + m_file.toUtf8()});
        QCOMPARE(reads, 2);

        write(m_file, "another");
        QVERIFY(engine.readPlan(path(), {}).ok()); // a plan is a file like any other
        QCOMPARE(starts(*m_folder).size(), 2);
        QCOMPARE(reads, 3);
    }

    void whatEndsTheReaderIsNotReadHere()
    {
        int reads = 0;
        const Error fault {ErrorCode::BadInput, say("apart.ended", std::string("x")), {}, m_file.toStdString()};
        const QByteArray said = "error " + QByteArray::fromStdString(errorJson(fault).dump());
        const Engine engine = tryingFirst(counting(reads), readerWith("echo '" + said + "' >&2\nexit 3\n"));

        for (int time = 0; time < 2; ++time) { // it is not remembered as read
            const auto read = engine.read(path(), {});
            QVERIFY(!read.ok());
            QCOMPARE(read.error().code, ErrorCode::BadInput);
            QCOMPARE(read.error().message, say("apart.ended", std::string("x")));
            QVERIFY(read.error().file.empty()); // the window says it
        }
        QCOMPARE(starts(*m_folder).size(), 2);
        QCOMPARE(reads, 0);
    }

    void aReaderThatDiesItselfIsAnError()
    {
        int reads = 0;
        const Engine engine = tryingFirst(counting(reads), readerWith("kill -SEGV $$\n"));
        const auto read = engine.read(path(), {});
        QVERIFY(!read.ok());
        QCOMPARE(read.error().message, say("apart.ended", std::string("signal 11")));
        QCOMPARE(reads, 0);
    }

    void aTrialEndsWhenItIsStopped()
    {
        int reads = 0;
        const Engine engine = tryingFirst(counting(reads), readerWith("exec sleep 60\n"));
        std::stop_source stop;
        std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            stop.request_stop();
        });
        const auto read = engine.read(path(), {stop.get_token(), {}});
        QVERIFY(!read.ok());
        QCOMPARE(read.error().code, ErrorCode::Stopped);
        const auto plan = engine.readPlan(path(), {stop.get_token(), {}});
        QVERIFY(!plan.ok());
        QCOMPARE(plan.error().code, ErrorCode::Stopped);
        QCOMPARE(reads, 0);
    }

    void withoutTheProgramAFileIsReadAtOnce()
    {
        int reads = 0;
        const Engine engine =
            tryingFirst(counting(reads), {m_folder->filePath(QStringLiteral("none")), m_folder->filePath("kept")});
        QVERIFY(engine.read(path(), {}).ok());
        QCOMPARE(reads, 1);
        QVERIFY(!QFile::exists(m_folder->filePath(QStringLiteral("kept")))); // it was not tried
    }

private:
    [[nodiscard]] std::filesystem::path path() const { return m_file.toStdString(); }
    [[nodiscard]] TrialReader readerWith(const QByteArray& ending) const
    {
        return {readerThat(*m_folder, ending), m_folder->filePath(QStringLiteral("cache/files-read"))};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_file;
};

QTEST_GUILESS_MAIN(tst_TrialRead)
#include "tst_trial_read.moc"
