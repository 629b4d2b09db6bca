#include "core/analysis/alias_sets.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

struct Case
{
    explicit Case(const char* text) : graph(test::graphFromText(text)) {}

    void setViewOffset(std::string_view node, std::int64_t bytes)
    {
        graph[findNode(graph, node)].declared.edit().traits->front().offsetBytes = bytes;
    }

    [[nodiscard]] QString rootAndOffset(const char* name) const
    {
        const AliasSets sets = findAliasSets(graph, TraitTable(graph));
        const std::size_t value = findValue(graph, name).index();
        return QString::fromStdString(graph[sets.root[value]].name) + QStringLiteral("+%1").arg(sets.offset[value]);
    }

    Graph graph;
};

constexpr const char* ViewOfView = "input x uint8[64]\n"
                                   "a = Relu(x)\n"
                                   "n: b = my::Slice(a) alias=0:view:0\n"
                                   "m: c = my::Slice(b) alias=0:view:0\n"
                                   "value b uint8[32]\n"
                                   "value c uint8[16]\n"
                                   "output c\n";

} // namespace

class tst_AliasSets : public QObject
{
    Q_OBJECT

private slots:
    void aViewLiesInTheBytesOfItsSource()
    {
        Case c(ViewOfView);
        c.setViewOffset("n", 16);

        QCOMPARE(c.rootAndOffset("b"), QStringLiteral("a+16"));
    }

    void offsetsOfViewsOfViewsAddUp()
    {
        Case c(ViewOfView);
        c.setViewOffset("n", 16);
        c.setViewOffset("m", 8);

        QCOMPARE(c.rootAndOffset("c"), QStringLiteral("a+24"));
    }

    void aMutatedValueIsANewVersionInTheSameBytes()
    {
        const Case c("input x uint8[64]\n"
                     "a = Relu(x)\n"
                     "b = plimsoll::Relu_(a)\n"
                     "output b\n");

        QCOMPARE(c.rootAndOffset("b"), QStringLiteral("a+0"));
        QCOMPARE(findAliasSets(c.graph, TraitTable(c.graph)).kind[findValue(c.graph, "b").index()], AliasKind::Mutates);
    }

    void whatMayShareNeedNot()
    {
        const Case c("input x float32[4]\n"
                     "a = Identity(x)\n"
                     "b = Relu(a)\n"
                     "output b\n");

        QCOMPARE(c.rootAndOffset("a"), QStringLiteral("a+0"));
        QCOMPARE(c.rootAndOffset("b"), QStringLiteral("b+0"));
    }

    void offsetsBeyond63BitsAreNoAlias()
    {
        Case c(ViewOfView);
        c.setViewOffset("n", std::numeric_limits<std::int64_t>::max());
        c.setViewOffset("m", 1);

        QCOMPARE(c.rootAndOffset("c"), QStringLiteral("c+0"));
    }
};

QTEST_APPLESS_MAIN(tst_AliasSets)
#include "tst_alias_sets.moc"
