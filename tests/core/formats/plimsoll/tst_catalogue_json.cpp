#include "core/facts/english/english.h"
#include "core/formats/plimsoll/catalogue_json.h"

#include "tests/support/catalogue_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

QString errorOf(const Result<Catalogue>& catalogue)
{
    return catalogue.ok() ? QStringLiteral("(no error)") : QString::fromStdString(describe(catalogue.error()));
}

std::string withOffer(const std::string& offer)
{
    return R"({"schema": "plimsoll.catalogue/1", "offers": {"conv": [)" + offer + "]}}";
}

} // namespace

class tst_CatalogueJson : public QObject
{
    Q_OBJECT

private slots:
    void writingAndReadingKeepsEverything()
    {
        Catalogue catalogue = test::catalogueFromText(
            "conv onednn jit in=nChw8c,plain out=nChw8c bytes=150144 inbytes=150144 scratch=64 align=128 ms=1.5 "
            "inplace=0:0+0:1 weights=1:ABcd8b8a:1152\n"
            "conv onednn gemm with=add,relu\n"
            "relu cuda relu inplace= device=cuda:0\n"
            "dot cuda spmm takes=csr,dense leaves=row_sparse\n");
        catalogue.offers["conv"][0].prepared[0].readAs = {2, 4, 8, 3, 3};
        catalogue.offers["conv"][0].prepared[0].storedAs = "acbde";
        catalogue.offers["conv"][0].provenance = "measured";
        catalogue.offers["conv"][0].prepared[0].readAs = {8, 3};
        catalogue.offers["conv"][0].prepared[0].storedAs = "float16";
        catalogue.environment["isa"] = Message("avx2");
        catalogue.absent["cuda"] = Message("there is no driver");
        catalogue.reorders["float32[4,4]"] = {{.backend = "onednn", .name = "reorder", .timeMs = 0.5}};

        const auto back = readCatalogueJson(catalogueJsonText(catalogue, english), {});

        QVERIFY2(back.ok(), qPrintable(errorOf(back)));
        QVERIFY(back.value() == catalogue);
        QVERIFY(!back.value().offers.at("conv")[1].inPlaceKnown);
        QVERIFY(back.value().offers.at("relu")[0].inPlaceKnown);
        QCOMPARE(back.value().offers.at("dot")[0].outputStorageTypes.front(), StorageType::RowSparse);
    }

    void onlyTheBackendIsRequired()
    {
        const auto read = readCatalogueJson(withOffer(R"({"backend": "cuda"})"), {});
        QVERIFY2(read.ok(), qPrintable(errorOf(read)));
        const Implementation expected {.backend = "cuda"};
        QVERIFY(read.value().offers.at("conv").at(0) == expected);
    }

    /// They stood among the offers for nodes once; a file that has both means a node of that name.
    void oldFilesHaveReordersAmongNodes()
    {
        const std::string offers =
            R"("offers": {"reorder of float32[4]": [{"backend": "a"}], "s": [{"backend": "a"}]})";
        const auto old = readCatalogueJson(R"({"schema": "plimsoll.catalogue/1", )" + offers + "}", {});
        QVERIFY2(old.ok(), qPrintable(errorOf(old)));
        QCOMPARE(old.value().offers.size(), std::size_t(1));
        QCOMPARE(old.value().reorders.at("float32[4]").size(), std::size_t(1));

        const auto now = readCatalogueJson(R"({"schema": "plimsoll.catalogue/1", "reorders": {}, )" + offers + "}", {});
        QVERIFY2(now.ok(), qPrintable(errorOf(now)));
        QCOMPARE(now.value().offers.size(), std::size_t(2));
        QVERIFY(now.value().reorders.empty());
    }

    void keysThatMeanNothingAreListed()
    {
        const auto read = readCatalogueJson(
            R"({"schema": "plimsoll.catalogue/1", "made": "today", "absent": {"any": "why"}, "environment": {"os": "x"},
                "offers": {"conv": [{"backend": "a"}, {"backend": "b", "scratchpad": 64,
                                     "prepared": [{"input": 0, "layout": "ba", "byte": 7}]}]},
                "reorders": {"float32[4]": [{"backend": "a", "ms": 1}]}})",
            {});
        QVERIFY2(read.ok(), qPrintable(errorOf(read)));
        QCOMPARE(read.value().unknownKeys,
                 (std::vector<std::string> {"made", "offers.conv[1].scratchpad", "offers.conv[1].prepared[0].byte",
                                            "reorders.float32[4][0].ms"}));
    }

    void damageIsNamedWithItsPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const std::string& offer, const char* error) {
            QTest::newRow(name) << QByteArray::fromStdString(withOffer(offer)) << QString::fromUtf8(error);
        };
        QTest::newRow("another schema") << QByteArray(R"({"schema": "plimsoll.plan/1"})") << QStringLiteral("schema");
        QTest::newRow("no JSON") << QByteArray("offers") << QStringLiteral("line 1");
        QTest::newRow("offers in a list")
            << QByteArray(R"({"schema": "plimsoll.catalogue/1", "offers": []})") << QStringLiteral("offers");
        QTest::newRow("a damaged reorder")
            << QByteArray(R"({"schema": "plimsoll.catalogue/1", "reorders": {"float32[4]": [{"name": "b"}]}})")
            << QStringLiteral("reorders.float32[4][0]");
        row("a key twice", R"({"backend": "a", "timeMs": 1, "timeMs": 2})",
            "offers.conv[0].timeMs: The file has this key twice.");
        row("no backend", R"({"name": "jit"})", "offers.conv[0]");
        row("negative scratchpad", R"({"backend": "a", "scratchpadBytes": -1})", "offers.conv[0].scratchpadBytes");
        row("negative bytes", R"({"backend": "a", "requiredOutputBytes": [4, -4]})",
            "offers.conv[0].requiredOutputBytes[1]");
        row("bytes that no machine has", R"({"backend": "a", "requiredInputBytes": [4611686018427387904]})",
            "offers.conv[0].requiredInputBytes[0]: It wants 4,611,686,018,427,387,904 bytes");
        row("a huge scratchpad", R"({"backend": "a", "scratchpadBytes": 4611686018427387904})",
            "offers.conv[0].scratchpadBytes");
        row("weights of negative size", R"({"backend": "a", "prepared": [{"input": 0, "layout": "ba", "bytes": -7}]})",
            "offers.conv[0].prepared[0].bytes");
        row("a backend without a name", R"({"backend": ""})", "offers.conv[0].backend: A name is expected");
        row("a layout without a name", R"({"backend": "a", "prepared": [{"input": 0, "layout": ""}]})",
            "offers.conv[0].prepared[0].layout");
        row("a huge alignment", R"({"backend": "a", "alignment": 4611686018427387904})", "offers.conv[0].alignment");
        row("an endless time", R"({"backend": "a", "timeMs": "inf"})", "offers.conv[0].timeMs");
        row("the CPU as a device", R"({"backend": "a", "device": "cpu"})", "offers.conv[0].device");
        row("a device and a space", R"({"backend": "a", "device": "cuda:0 "})", "offers.conv[0].device");
        row("alignment 3", R"({"backend": "a", "alignment": 3})", "offers.conv[0].alignment");
        row("a pair of one", R"({"backend": "a", "inPlace": [[0]]})", "offers.conv[0].inPlace[0]");
        row("a position below 0", R"({"backend": "a", "inPlace": [[0, -1]]})", "offers.conv[0].inPlace[0]");
        row("weights of no input", R"({"backend": "a", "prepared": [{"layout": "ba"}]})", "offers.conv[0].prepared[0]");
        row("negative time", R"({"backend": "a", "timeMs": -2})", "offers.conv[0].timeMs");
        row("a storage type that is none", R"({"backend": "a", "inputStorages": ["csr", "coo"]})",
            "offers.conv[0].inputStorages[1]: The storage type 'coo'");
        row("layout as a number", R"({"backend": "a", "inputLayouts": [8]})", "offers.conv[0].inputLayouts[0]");
    }

    void damageIsNamedWithItsPlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, error);
        const auto read = readCatalogueJson(text.toStdString(), "offers.json");
        QVERIFY(!read.ok());
        QVERIFY2(errorOf(read).contains(error), qPrintable(errorOf(read)));
        QVERIFY2(errorOf(read).contains(QStringLiteral("offers.json")), qPrintable(errorOf(read)));
    }
};

QTEST_GUILESS_MAIN(tst_CatalogueJson)
#include "tst_catalogue_json.moc"
