#include "core/facts/english/english.h"
#include "core/formats/microplan/micro_plan.h"

#include "core/formats/formats.h"
#include "core/formats/read_graph.h"

#include <QtTest>

using namespace plimsoll;

namespace {

constexpr const char* Printed = "Initialised\n"
                                "0 (id=0): size=64, offset=128, first_used=0 last_used=1\n"
                                "1 (id=1): size=128, offset=0, first_used=1 last_used=2\n"
                                "2 (id=2): size=32, offset=128, first_used=2 last_used=2\n"
                                " 0: ..............0000000000 (1k)\n";

/// "buffer0 [0, 2) 64 @128", a line for each buffer.
QString rowsOf(const PackingTable& table)
{
    QString text;
    for (std::size_t row = 0; row < table.ids.size(); ++row) {
        const Buffer& buffer = table.problem.buffers[row];
        const Interval life = buffer.live.hull();
        text += QStringLiteral("%1 [%2, %3) %4 @%5\n")
                    .arg(QString::fromStdString(table.ids[row]))
                    .arg(life.begin)
                    .arg(life.end)
                    .arg(buffer.bytes)
                    .arg(table.offsets[row].value_or(-1));
    }
    return text;
}

} // namespace

class MicroPlanTest : public QObject
{
    Q_OBJECT

private slots:
    void linesBecomeBuffers()
    {
        const auto table = readMicroPlan(Printed, 10);

        QVERIFY2(table.ok(), table.ok() ? "" : describe(table.error()).c_str());
        QCOMPARE(rowsOf(table.value()),
                 QStringLiteral("buffer0 [0, 2) 64 @128\nbuffer1 [1, 3) 128 @0\nbuffer2 [2, 3) 32 @128\n"));
    }

    void itIsAGraphWithAPlan()
    {
        const auto content = readFile(FormatInput(Printed), {});

        QVERIFY2(content.ok(), content.ok() ? "" : describe(content.error()).c_str());
        QCOMPARE(content.value().graph.file.format, std::string(MicroPlanFormat.id));
        QCOMPARE(content.value().graph.nodes.size(), std::size_t {3});
        QVERIFY(content.value().plan->ok());
        QCOMPARE(content.value().plan->value().arenas.front().bytes, std::int64_t {192});
    }

    void aBufferWithoutAPlaceLeavesNoPlan()
    {
        const std::string text = QString::fromLatin1(Printed).replace("offset=0", "offset=-1").toStdString();

        auto content = readFile(FormatInput(text), {});

        QVERIFY(content.ok());
        QVERIFY(!content.value().wholePlan());
        QCOMPARE(content.value().graph.values.front().at->pinnedOffset, std::optional<std::int64_t>(128));
    }

    void otherPlansOfALogHaveNumbers()
    {
        const std::string text = std::string(Printed) + "0 (id=0): size=8, offset=0, first_used=0 last_used=0\n";

        const auto second = readMicroPlan({text, {}, "2"}, 10);

        QVERIFY(second.ok());
        QCOMPARE(rowsOf(second.value()), QStringLiteral("buffer0 [0, 1) 8 @0\n"));
        QCOMPARE(readMicroPlan(text, 10).value().notes.size(), std::size_t {1});
        QVERIFY(!readMicroPlan({text, {}, "3"}, 10).ok());
    }

    void whatIsDamagedIsRefusedWithItsLine_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const char* from, const char* to, const char* error) {
            QTest::newRow(name) << QString::fromLatin1(from) << QString::fromLatin1(to) << QString::fromLatin1(error);
        };
        row("cut", " last_used=1\n", "\n", "line 2: The line of the memory plan is cut short");
        row("missing", "(id=1)", "(id=2)", "line 3: Buffer 2 stands where 1 is expected");
        row("negative", "size=128", "size=-128", "line 3: Buffer 1 has a negative size");
        row("backwards", "first_used=1 last_used=2", "first_used=2 last_used=1", "line 3: Buffer 1 has");
        row("too large", "offset=0", "offset=99999999999", "line 3: The line");
        row("begins late", "(id=0)", "(id=7)", "line 2: Buffer 7 stands where 0 is expected");
    }
    void whatIsDamagedIsRefusedWithItsLine()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, error);
        const std::string text = QString::fromLatin1(Printed).replace(from, to).toStdString();

        const auto table = readMicroPlan(text, 10);

        QVERIFY(!table.ok());
        QVERIFY2(QString::fromStdString(describe(table.error())).startsWith(error), describe(table.error()).c_str());
    }

    void moreBuffersThanAskedForAreRefused()
    {
        QVERIFY(readMicroPlan(Printed, 3).ok());
        QVERIFY(!readMicroPlan(Printed, 2).ok());
    }

    void otherTextsAreNone()
    {
        QVERIFY(looksLikeMicroPlan(Printed));
        QVERIFY(!looksLikeMicroPlan("a log\nwith (id=3): size=large\n"));
        QVERIFY(!looksLikeMicroPlan("(id="));
        QVERIFY(!looksLikeMicroPlan("{\"a\": \"(id=0): size=1, offset=1\"}"));
    }
};

QTEST_APPLESS_MAIN(MicroPlanTest)
#include "tst_micro_plan.moc"
