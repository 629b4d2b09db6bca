#include "core/facts/english/english.h"
#include "core/lower/choose/check_catalogue.h"

#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

constexpr const char* Chain =
    "input x float32[4]\ninput z float32[4]\na: y = Relu(x)\nb: w = Add(y, z)\ninput i float32[1,1,4]\n"
    "m: p = MaxPool(i) kernel_shape=[2]\noutput w p";

} // namespace

/// A catalogue is held against the graph that it is said to be of.
class tst_CheckCatalogue : public QObject
{
    Q_OBJECT

private slots:
    void whatTheNodeDoesNotHaveIsNamedWithItsPlace_data()
    {
        QTest::addColumn<QByteArray>("offers");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const char* offers, const char* error) {
            QTest::newRow(name) << QByteArray(offers) << QString::fromUtf8(error);
        };
        row("fine", "a fast jit in=plain out=plain bytes=16 inplace=0:0\nb fast jit in=plain,plain", "");
        row("fewer than there are", "b fast jit in=plain", "");
        row("operands of fused nodes count on", "a fast jit with=b in=plain,plain inplace=0:1", "");
        row("too many layouts of inputs", "a fast jit in=plain,plain",
            "offers.json: offers.a[0].inputLayouts: It lists 2; the node has 1 input.");
        row("too many layouts of outputs", "b fast jit\nb fast other out=plain,plain",
            "offers.json: offers.b[1].outputLayouts: It lists 2; the node has 1 output.");
        row("too many sizes", "b fast jit inbytes=16,16,16", "offers.b[0].requiredInputBytes");
        row("bytes of no output", "a fast jit bytes=16,16", "offers.a[0].requiredOutputBytes");
        row("storages of no input", "a fast jit takes=dense,csr", "offers.a[0].inputStorages");
        row("more than fused nodes bring", "a fast jit with=b in=plain,plain,plain",
            "offers.a[0].inputLayouts: It lists 3; the node has 2 inputs.");
        row("outputs of the fused node", "b fast jit with=m out=plain,plain", "");
        row("a pair of the input behind the last", "a fast jit inplace=0:1",
            "There is no input 1; the node has 1 input.");
        row("storages of no output", "a fast jit leaves=dense,csr", "offers.a[0].outputStorages");
        row("of a training graph", "m fast jit out=plain,plain", "");
        row("of no training graph", "m fast jit out=plain,plain,plain", "It lists 3; the node has 2 outputs.");
        row("a pair of no input", "a fast jit inplace=0:0+0:7",
            "offers.json: offers.a[0].inPlace[1]: There is no input 7; the node has 1 input.");
        row("a pair of no output", "b fast jit inplace=3:0", "offers.b[0].inPlace[0]: There is no output 3");
        row("weights of no input", "a fast jit weights=55:ba:16",
            "offers.a[0].prepared[0]: There is no input 55; the node has 1 input.");
        row("fused with nothing", "a fast jit with=b,c", "offers.a[0].fuses[1]: The graph has no node 'c'");
    }

    void whatTheNodeDoesNotHaveIsNamedWithItsPlace()
    {
        QFETCH(QByteArray, offers);
        QFETCH(QString, error);
        Catalogue catalogue = test::catalogueFromText(offers.toStdString());
        catalogue.file = "offers.json";
        const Status checked = checkCatalogue(catalogue, test::graphFromText(Chain));
        QCOMPARE(checked.ok(), error.isEmpty());
        if (checked.ok()) return;
        const QString said = QString::fromStdString(describe(checked.error()));
        QVERIFY2(said.contains(error), qPrintable(said));
    }

    void nodesThatNoGraphHasAreStrange()
    {
        const Graph graph = test::graphFromText(Chain);
        const Catalogue catalogue = test::catalogueFromText("a fast jit\nnosuch fast jit\n");
        QCOMPARE(strangeNodes(catalogue, graph, Graph()), std::vector<std::string> {"nosuch"});
        QCOMPARE(strangeNodes(catalogue, Graph(), graph), std::vector<std::string> {"nosuch"});
    }
};

QTEST_GUILESS_MAIN(tst_CheckCatalogue)
#include "tst_check_catalogue.moc"
