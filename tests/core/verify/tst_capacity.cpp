#include "core/facts/english/english.h"
#include "tests/core/verify/case.h"

#include <QFile>
#include <QtTest>

using namespace plimsoll;

namespace {

// x is small and lies highest; w makes the peak.
//
//     208 |  +x-+
//     224 |  |  |     +w-+
//     190 |..|..|.....|..|.. capacity
//     128 |           +--+
//      64 |        +-z---+
//       0 |     +-y---+
//         +--0--1--2--3---> step
constexpr const char* Chain = R"(
    input in uint8[64]
    a: x = my::Op(in)
    b: y = my::Op(x)
    c: z = my::Op(y)
    d: w = my::Op(z)
    output w
)";
constexpr const char* Placed = "arena 256 cap=190\ntype x uint8[8]\ntype w uint8[96]\nx 200\ny 0\nz 64\nw 128";

std::string judged(std::string_view plan)
{
    return test::verdict(Chain, plan);
}

bool manualSays(const std::string& text)
{
    QFile file(QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/manual/rules.html"));
    return file.open(QIODevice::ReadOnly) && file.readAll().contains(text.c_str());
}

} // namespace

class CapacityTest : public QObject
{
    Q_OBJECT

private slots:
    void everyIntervalAboveTheLineIsAFindingThatOfThePeakFirst()
    {
        QCOMPARE(QString::fromStdString(judged(Placed)), QStringLiteral("beyond-capacity w / d / [3, 4) / [190, 224)\n"
                                                                        "beyond-capacity x / a / [0, 2) / [190, 208)"));
    }

    void thePeakIsFirstEvenWhereOtherFindingsAreEarlier()
    {
        const std::string text = judged(std::string(Placed) + ":90\n");

        QVERIFY2(text.starts_with("beyond-capacity w / d / [3, 4)"), text.c_str());
        QVERIFY2(text.find("undersized w") != std::string::npos, text.c_str());
    }

    void whatCouldFitIsToldFromWhatCannot()
    {
        const auto could = test::parseCase(Chain, Placed).judge();
        const auto cannot = test::parseCase(Chain, "arena 256 cap=100\nx 0\ny 64\nz 128\nw 192").judge();

        QVERIFY(english(could.front().message).find("with this sharing") == std::string::npos);
        QVERIFY2(english(could.front().message).find("at step 3 with the most in use by 'w'") != std::string::npos,
                 english(could.front().message).c_str());
        QVERIFY2(english(cannot.front().message)
                         .find("at step 1 with the most in use by 'y'; with this sharing 128 bytes are in "
                               "use at that step") != std::string::npos,
                 english(cannot.front().message).c_str());
        QVERIFY2(manualSays(english(could.front().fix)), english(could.front().fix).c_str());
    }

    void whatSharesBytesCountsOnce()
    {
        const auto findings =
            test::parseCase(Chain, "arena 256 cap=65\nx 0\ny 0\nz 0\nw 0:64\ntype w uint8[64]").judge();

        QVERIFY2(english(findings.front().message).find("though nothing lies above it") != std::string::npos,
                 english(findings.front().message).c_str());
    }

    void bytesAtTheEndThatNothingUsesAreAdvice_data()
    {
        QTest::addColumn<QString>("plan");
        QTest::addColumn<QString>("verdict");
        const QString slack = QStringLiteral("arena-slack advice / / [0, 0) / [%1, %2)");
        QTest::newRow("a page") << "arena 4352" << slack.arg(256).arg(4352);
        QTest::newRow("less than a page") << "arena 4351"
                                          << "";
        QTest::newRow("a scratchpad reaches higher") << "arena 4352\nscratch b 4096:256"
                                                     << "";
        QTest::newRow("a value has more bytes than it needs") << "arena 4352\nx 0:4352"
                                                              << "";
        QTest::newRow("two arenas") << "arena 256\narena 9000 space=sram" << slack.arg(0).arg(9000);
        QTest::newRow("a size is open") << "arena 9000\ntype w uint8[n]"
                                        << "";
    }
    void bytesAtTheEndThatNothingUsesAreAdvice()
    {
        QFETCH(QString, plan);
        QFETCH(QString, verdict);
        const std::string text = judged("x 0\ny 64\nz 128\nw 192\n" + plan.toStdString());
        QCOMPARE(QString::fromStdString(text), verdict);
    }
};

QTEST_APPLESS_MAIN(CapacityTest)
#include "tst_capacity.moc"
