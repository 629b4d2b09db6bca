#include "tests/core/verify/case.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// x → a → b → c, one after the other; a writes 24 channels where 22 are, in 96 instead of 88 bytes.
constexpr std::string_view Chain = "input x float32[1,22,1,1]\n"
                                   "na: a = my::Op(x)\n"
                                   "nb: b = my::Op(a) alias=0:in-place:0\n"
                                   "nc: c = my::Op(b)\n"
                                   "output c\n";

constexpr const char* Blocked = "arena 512\n"
                                "type a float32[1,22,1,1]\n"
                                "type b float32[1,22,1,1]\n"
                                "type c float32[1,22,1,1]\n"
                                "writes na 0 nChw8c\n"
                                "needs na 0 96\n";

QString judged(const std::string& more)
{
    return QString::fromStdString(test::verdict(Chain, Blocked + more));
}

} // namespace

class tst_VerifyLayouts : public QObject
{
    Q_OBJECT

private slots:
    void everybodyReadsWhatWasWritten_data()
    {
        QTest::addColumn<QByteArray>("plan");
        QTest::addColumn<QString>("verdict");
        const QByteArray apart = "a 0:96\nb 128:96\nc 256\n";
        QTest::newRow("follows and goes back")
            << apart + "reads nb 0 nChw8c\nwrites nb 0 nChw8c\nneeds nb 0 96\nreads nc 0 nChw8c\n"
            << QString();
        QTest::newRow("read as plain") << apart << QStringLiteral("padding-visible a / nb na / [1, 2) / [0, 96)");
        QTest::newRow("read in other blocks") << apart + "reads nb 0 nChw16c\n"
                                              << QStringLiteral("padding-visible a / nb na / [1, 2) / [0, 96)");
        QTest::newRow("handed out in blocks")
            << apart + "reads nb 0 nChw8c\nwrites nc 0 nChw8c\nneeds nc 0 96\nc 256:96\n"
            << QStringLiteral("padding-visible c / nc / [2, 3) / [256, 352)");
    }

    void everybodyReadsWhatWasWritten()
    {
        QFETCH(QByteArray, plan);
        QFETCH(QString, verdict);
        QCOMPARE(judged(plan.toStdString()), verdict);
    }

    /// b may be written over a by its declaration, but not where it is read in blocks and written plain.
    void inPlaceNeedsOneLayout()
    {
        const std::string same = "a 0:96\nb 0:96\nc 256\nreads nb 0 nChw8c\nwrites nb 0 nChw8c\nneeds nb 0 96\n"
                                 "reads nc 0 nChw8c\n";
        QCOMPARE(judged(same), QString());
        const std::string other = "a 0:96\nb 0:96\nc 256\nreads nb 0 nChw8c\n";
        QVERIFY2(judged(other).startsWith(QStringLiteral("clobbered-read")) ||
                     judged(other).startsWith(QStringLiteral("overlap")),
                 qPrintable(judged(other)));
    }

    /// The last channels of a are behind its logical 88 bytes: a write there spoils it.
    void blockedValuesAreReadToTheirLastLane()
    {
        const std::string onPadding = "a 0:96\nb 88:96\nc 256\nreads nb 0 nChw8c\n";
        QVERIFY2(!judged(onPadding).isEmpty(), "b lies on the last lanes of a, which it reads");
        const std::string behind = "a 0:96\nb 96:96\nc 256\nreads nb 0 nChw8c\n";
        QCOMPARE(judged(behind), QString());
    }

    void sparseValuesAreReadAsTheyAreKept_data()
    {
        QTest::addColumn<QByteArray>("plan");
        QTest::addColumn<QString>("verdict");
        const QByteArray finding = "padding-visible a / nb na / [1, 2) / [0, 76)";
        QTest::newRow("as csr") << QByteArray("reads nb 0 csr\n") << QString();
        QTest::newRow("as dense") << QByteArray() << QString(finding);
        QTest::newRow("as rows") << QByteArray("reads nb 0 row_sparse\n") << QString(finding);
    }
    /// 5 numbers for the rows, 3 columns and 3 elements are 76 bytes.
    void sparseValuesAreReadAsTheyAreKept()
    {
        QFETCH(QByteArray, plan);
        QFETCH(QString, verdict);
        constexpr std::string_view Graph = "input x float32[4,4]\n"
                                           "na: a = my::Op(x)\n"
                                           "value a float32[4,4]@csr:3\n"
                                           "nb: b = my::Op(a)\n"
                                           "value b float32[4,4]\n"
                                           "output b\n";
        const std::string text = "arena 256\na 0\nb 128\n" + plan.toStdString();
        QCOMPARE(QString::fromStdString(test::verdict(Graph, text)), verdict);
    }

    void partsLieInsideWhereTheirLayoutHasThem_data()
    {
        QTest::addColumn<std::string>("layout");
        QTest::addColumn<int>("first"); ///< Channels of a, of 24.
        QTest::addColumn<std::string>("places");
        QTest::addColumn<QString>("verdict");
        const QString lost = QStringLiteral("overlap b y / ny / [2, 3) / ");
        QTest::newRow("whole blocks") << std::string("nChw8c") << 16 << std::string("a 0:256\nb 256:128\ny 0:384\n")
                                      << QString();
        QTest::newRow("the last, with its pad lanes")
            << std::string("nChw16c") << 16 << std::string("a 0:256\nb 256:256\ny 0:512\n") << QString();
        QTest::newRow("within a block") << std::string("nChw16c") << 8 << std::string("a 0:256\nb 256:256\ny 0:512\n")
                                        << "overlap a y / ny / [2, 3) / [0, 256)\n" + lost + "[256, 512)";
        QTest::newRow("a block off") << std::string("nChw8c") << 16 << std::string("a 0:256\nb 128:128\ny 0:384\n")
                                     << QStringLiteral("clobbered-read a b / ny nb / [1, 4) / [128, 256)");
        QTest::newRow("channels last") << std::string("nhwc") << 16 << std::string("a 0:256\nb 256:128\ny 0:384\n")
                                       << "overlap a y / ny / [2, 3) / [0, 256)\n" + lost + "[256, 384)";
    }

    /// y joins a and b by their channels; both are written into their places of it.
    void partsLieInsideWhereTheirLayoutHasThem()
    {
        QFETCH(std::string, layout);
        QFETCH(int, first);
        QFETCH(std::string, places);
        constexpr std::string_view Graph = "input x float32[1]\nna: a = my::Op(x)\nnb: b = my::Op(x)\n"
                                           "ny: y = Concat(a, b) axis=1\nnz: z = my::Op(y)\noutput z\n";
        const auto shape = [](int channels) { return "float32[1," + std::to_string(channels) + ",2,2]"; };
        std::string plan = "arena 1024\nz 1@0\narena 256\ntype a " + shape(first) + "\ntype b " + shape(24 - first) +
                           "\ntype y " + shape(24) + "\n" + places;
        for (const char* where :
             {"writes na 0 ", "writes nb 0 ", "reads ny 0 ", "reads ny 1 ", "writes ny 0 ", "reads nz 0 "})
            plan += where + layout + "\n";
        if (layout == "nChw16c") plan += "needs na 0 256\nneeds nb 0 256\nneeds ny 0 512\n";
        QTEST(QString::fromStdString(test::verdict(Graph, plan)), "verdict");
    }

    void paddedValuesNeedTheirBytes()
    {
        const std::string small = "a 0:88\nb 128\nc 256\nreads nb 0 nChw8c\n";
        QVERIFY2(judged(small).startsWith(QStringLiteral("undersized a")), qPrintable(judged(small)));
    }
};

QTEST_GUILESS_MAIN(tst_VerifyLayouts)
#include "tst_layouts.moc"
