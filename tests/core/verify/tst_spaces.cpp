#include "tests/core/verify/case.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// x ─► na ─a─► up ─d─► nb ─b─► down ─c─► nc ─► y       nb alone is computed on the device, where d and b lie
constexpr std::string_view Chain = "input x uint8[64]\n"
                                   "na: a = my::Op(x)\n"
                                   "up: d = plimsoll::CopyTo(a) space=\"cuda:0\"\n"
                                   "nb: b = my::Op(d)\n"
                                   "down: c = plimsoll::CopyTo(b) space=\"cpu\"\n"
                                   "nc: y = my::Op(c)\n"
                                   "output y\n";

constexpr const char* Arenas = "arena 512\narena 512 space=cuda:0\n";

QString judged(const std::string& plan)
{
    return QString::fromStdString(test::verdict(Chain, Arenas + plan));
}

} // namespace

class tst_VerifySpaces : public QObject
{
    Q_OBJECT

private slots:
    void valuesLieWhereTheyAreComputed_data()
    {
        QTest::addColumn<QByteArray>("plan");
        QTest::addColumn<QString>("verdict");
        const QByteArray device = "device nb cuda:0\n";
        const QByteArray good = "a 0\nc 0\ny 64\nd 1@0\nb 1@64\n";
        QTest::newRow("copies where values cross") << device + good << QString();
        QTest::newRow("names of spaces, and nothing computes there")
            << QByteArray("a 0\nc 0\ny 64\nd 1@0\nb 128\n") << QString();
        QTest::newRow("a name is no demand") << QByteArray("a 0\nc 0\ny 64\nd 192\nb 128\n") << QString();
        QTest::newRow("a space that nobody gave it") << QByteArray("a 0\nc 0\ny 64\nd 192\nb 1@64\n")
                                                     << QStringLiteral("wrong-space b / nb / [2, 3) / [64, 128)");
        QTest::newRow("a space of the plan's own")
            << QByteArray("arena 512 space=sram\na 2@0\nc 0\ny 2@64\nd 192\nb 128\nscratch nb 2@256:16\n") << QString();
        QTest::newRow("a space of the plan's own, for what the graph puts elsewhere")
            << QByteArray("arena 512 space=sram\na 0\nc 64\ny 256\nd 2@0\nb 128\n")
            << QStringLiteral("wrong-space d / up / [1, 2) / [0, 64)");
        QTest::newRow("a space of the plan's own beside a device")
            << device + "arena 512 space=sram\na 2@0\nc 0\ny 64\nd 1@0\nb 1@64\n"
            << QString();
        QTest::newRow("a space of the plan's own for what a device computes")
            << device + "arena 512 space=sram\na 0\nc 0\ny 64\nd 1@0\nb 2@64\n"
            << QStringLiteral("wrong-space b / nb / [2, 3) / [64, 128)");
        QTest::newRow("a scratchpad in a space of which the graph speaks")
            << QByteArray("a 0\nc 0\ny 64\nd 1@0\nb 128\nscratch nb 1@256:16\n")
            << QStringLiteral("wrong-space / nb / [2, 3) / [256, 272)");
        QTest::newRow("read on the host") << device + "a 0\nc 0\ny 64\nd 128\nb 1@64\n"
                                          << QStringLiteral("wrong-space d / up / [1, 2) / [128, 192)\n"
                                                            "wrong-space d / nb / [2, 3) / [128, 192)");
        QTest::newRow("written on the host") << device + "a 0\nc 0\ny 64\nd 1@0\nb 128\n"
                                             << QStringLiteral("wrong-space b / nb / [2, 3) / [128, 192)");
        QTest::newRow("handed out on the device") << device + "a 0\nc 0\ny 1@64\nd 1@0\nb 1@64\n"
                                                  << QStringLiteral("wrong-space y / nc / [4, 5) / [64, 128)");
        QTest::newRow("scratchpad on the host") << device + good + "scratch nb 128:16\n"
                                                << QStringLiteral("wrong-space / nb / [2, 3) / [128, 144)");
        QTest::newRow("scratchpad in no arena") << device + good + "scratch nb 7@128:16\n"
                                                << QStringLiteral("beyond-capacity / nb / [2, 3) / [128, 144)");
        QTest::newRow("scratchpad in no arena, and strange ones beside it")
            << device + "arena 512 space=sram\n" + good + "scratch nb 7@128:16\n"
            << QStringLiteral("beyond-capacity / nb / [2, 3) / [128, 144)");
        QTest::newRow("scratchpad on the device") << device + good + "scratch nb 1@128:16\n" << QString();
        QTest::newRow("the CPU reads the device's bytes")
            << device + "device nc cuda:1\n" + good
            << QStringLiteral("wrong-space c / nc / [4, 5) / [0, 64)\nwrong-space y / nc / [4, 5) / [64, 128)");
    }

    void valuesLieWhereTheyAreComputed()
    {
        QFETCH(QByteArray, plan);
        QFETCH(QString, verdict);
        QCOMPARE(judged(plan.toStdString()), verdict);
    }

    void aCapturedSpaceIsEnough_data()
    {
        QTest::addColumn<QByteArray>("plan");
        QTest::addColumn<QString>("verdict");
        QTest::newRow("in the memory of the CPU") << QByteArray("a 0\nv 0\nb 128\ny 192\n") << QString();
        QTest::newRow("of the value and its view") << QByteArray("a 1@0\nv 1@0\nb 128\ny 192\n") << QString();
        QTest::newRow("of its producer") << QByteArray("a 0\nv 0\nb 1@128\ny 192\n") << QString();
        QTest::newRow("of others") << QByteArray("a 1@0\nv 1@0\nb 1@128\ny 1@192\n")
                                   << QStringLiteral("wrong-space y / ny / [3, 4) / [192, 256)");
    }

    void aCapturedSpaceIsEnough()
    {
        QFETCH(QByteArray, plan);
        QFETCH(QString, verdict);
        test::Case c = test::parseCase("input x uint8[64]\nna: a = my::Op(x)\nnv: v = my::Turn(a) alias=0:view:0:0\n"
                                       "nb: b = my::Op(v)\nny: y = my::Op(b)\noutput y\n",
                                       "arena 512\narena 512 space=sram\n" + plan.toStdString());
        c.graph[c.value("a")].at.edit().space = "sram";
        c.graph[c.graph[c.value("b")].producer].at.edit().device = "sram";

        QCOMPARE(QString::fromStdString(test::summary(c, c.judge())), verdict);
    }

    /// The name of a view is its own, not that of what it is a view of.
    void aViewMayBeNamedAlone()
    {
        test::Case c = test::parseCase("input x uint8[64]\nna: a = my::Op(x)\nnv: v = my::Turn(a) alias=0:view:0:0\n"
                                       "ny: y = my::Op(v)\noutput y\n",
                                       "arena 512\narena 512 space=sram\na 1@0\nv 1@0\ny 192\n");
        c.graph[c.value("v")].at.edit().space = "sram";
        QCOMPARE(QString::fromStdString(test::summary(c, c.judge())),
                 QStringLiteral("wrong-space a / na / [0, 1) / [0, 64)"));
    }

    void whatIsNotReadMayLieAnywhere()
    {
        const char* const graph = "input x uint8[64]\nna: a = my::Op(x)\nnb: b = my::SizeOf(a) ignores=[0]\n"
                                  "value b uint8[64]\noutput b\n";
        const std::string places = "arena 64\narena 64 space=cuda:0\ndevice na cuda:0\na 1@0\nb 0\n";
        const QString found = QString::fromStdString(test::verdict(graph, places));
        QVERIFY2(!found.contains(QStringLiteral("wrong-space a / nb")), qPrintable(found));
    }

    /// The condition is read on the host, as the bodies are run from there.
    void ownersOfBodiesReadOnTheHost()
    {
        const char* const graph = "input x uint8[64]\nn: k = my::Op(x)\nvalue k bool[]\ne: z = If(k)\n"
                                  "body then_branch\n t: u = my::Op(x)\n output u\nend\n"
                                  "body else_branch\n f: v = my::Op(x)\n output v\nend\noutput z\n";
        const std::string places = "arena 256\narena 64 space=cuda:0\ndevice n cuda:0\nk 1@0\nz 64\n"
                                   "e/then_branch/u 128\ne/else_branch/v 128\n";
        const QString found = QString::fromStdString(test::verdict(graph, places));
        QVERIFY2(found.contains(QStringLiteral("wrong-space k / e / ")), qPrintable(found));
    }

    void whatCrossesTheBorderOfABodyLiesWithItsOwner()
    {
        const char* const graph = "input x uint8[64]\ninput k bool[]\nn: y = my::Op(x)\ne: z = If(k)\n"
                                  "body then_branch\n t: u = my::Op(x)\n output u\nend\n"
                                  "body else_branch\n f: v = my::Op(x)\n output v\nend\noutput y z\n";
        const std::string places = "arena 256\narena 64 space=cuda:0\ndevice e/else_branch/f cuda:0\ny 0\nz 64\n"
                                   "e/then_branch/u 128\ne/else_branch/v 1@0\n";
        const QString found = QString::fromStdString(test::verdict(graph, places));
        QVERIFY2(found.contains(QStringLiteral("wrong-space e/else_branch/v / e / ")), qPrintable(found));
        QVERIFY2(!found.contains(QStringLiteral("wrong-space e/then_branch/u")), qPrintable(found));
    }

    void whatIsHandedOutLiesWhereTheCallerTakesIt()
    {
        test::Case c = test::parseCase("input x uint8[64]\nup: d = plimsoll::CopyTo(x) space=\"cuda:0\"\n"
                                       "nb: y = my::Op(d)\noutput y\n",
                                       "arena 64\narena 512 space=cuda:0\ndevice nb cuda:0\nd 1@0\ny 1@64\n");
        QCOMPARE(QString::fromStdString(test::summary(c, c.judge())),
                 QStringLiteral("wrong-space y / nb / [1, 2) / [64, 128)"));
        c.graph[c.value("y")].at.edit().space = "cuda:0";
        QCOMPARE(QString::fromStdString(test::summary(c, c.judge())), QString());
        c.graph[c.value("y")].at.edit().space = "sram"; // a name and nothing more
        QCOMPARE(QString::fromStdString(test::summary(c, c.judge())),
                 QStringLiteral("wrong-space y / nb / [1, 2) / [64, 128)"));
    }

    /// What has no place of its own lies where that is whose bytes it is.
    void aViewOfTheCallersBytesLiesWhereTheseAre()
    {
        test::Case c =
            test::parseCase("input x uint8[64]\nnv: v = my::Turn(x) alias=0:view:0:0\nnb: y = my::Op(v)\n"
                            "down: z = plimsoll::CopyTo(y) space=\"cpu\"\noutput z\n",
                            "arena 64\narena 64 space=cuda:0\ndevice nv cuda:0\ndevice nb cuda:0\ny 1@0\nz 0\n");
        QCOMPARE(QString::fromStdString(test::summary(c, c.judge())),
                 QStringLiteral("wrong-space x / nv / [0, 1) / [0, 0)\nwrong-space v / nv / [0, 1) / [0, 0)\n"
                                "wrong-space v / nb / [1, 2) / [0, 0)"));
        c.graph[c.value("x")].at.edit().space = "cuda:0";
        QCOMPARE(QString::fromStdString(test::summary(c, c.judge())), QString());
    }

    /// As the plan says: over an input that was given away.
    void whatLiesInAHostLiesWhereThatIs()
    {
        test::Case c = test::parseCase("input x uint8[64]\nup: d = plimsoll::CopyTo(x) space=\"cuda:0\"\n"
                                       "na: a = my::Op(d)\ndown: z = plimsoll::CopyTo(a) space=\"cpu\"\noutput z\n",
                                       "arena 64\narena 64 space=cuda:0\ndevice na cuda:0\nd 1@0\nz 0\n");
        c.graph[c.value("x")].visible = false;
        c.policies.inputs = InputsPolicy::Donate;
        c.map.values[c.value("a").index()].host = c.value("x");
        const QString found = QString::fromStdString(test::summary(c, c.judge()));
        QVERIFY2(found.contains(QStringLiteral("wrong-space a / na / ")), qPrintable(found));
    }

    /// The owner writes it.
    void whatALoopHandsItsBodyLiesWithTheOwner()
    {
        const char* const graph = "input x uint8[64]\ninput trips int64[]\ninput go bool[]\n"
                                  "l: z = Loop(trips, go, x)\nbody body\n input i int64[]\n input c bool[]\n"
                                  " input s uint8[64]\n t: u = my::Op(s)\n k: c2 = Identity(c)\n output c2 u\nend\n"
                                  "n: y = my::Op(z)\noutput y\n";
        const std::string places = "arena 512\narena 64 space=%\n{}l/body/i 0\nl/body/c 64\nl/body/s 1@0\n"
                                   "l/body/u 128\nl/body/c2 192\nz 256\ny 320\n";
        const auto judged = [&](const std::string& space, const std::string& devices) {
            std::string text = places;
            text.replace(text.find('%'), 1, space);
            text.replace(text.find("{}"), 2, devices);
            return QString::fromStdString(test::verdict(graph, text));
        };
        const QString own = judged("sram", "");
        QVERIFY2(!own.contains(QStringLiteral("wrong-space")), qPrintable(own));
        const QString device = judged("cuda:0", "device n cuda:0\n");
        QVERIFY2(device.contains(QStringLiteral("wrong-space l/body/s / l / ")), qPrintable(device));
    }

    /// What was copied ahead of the run says itself where it is.
    void externalValuesLieWhereTheySay()
    {
        test::Case c =
            test::parseCase("input x uint8[64]\nn: y = my::Op(x)\ndown: z = plimsoll::CopyTo(y) space=\"cpu\"\n"
                            "output z\n",
                            "arena 64\narena 64 space=cuda:0\ndevice n cuda:0\ny 1@0\nz 0\n");
        QCOMPARE(QString::fromStdString(test::summary(c, c.judge())),
                 QStringLiteral("wrong-space x / n / [0, 1) / [0, 0)"));
        c.graph[c.value("x")].at.edit().space = "cuda:0";
        QCOMPARE(QString::fromStdString(test::summary(c, c.judge())), QString());
    }
};

QTEST_APPLESS_MAIN(tst_VerifySpaces)
#include "tst_spaces.moc"
