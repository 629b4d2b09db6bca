#include "core/formats/hlo/hlo_reader.h"
#include "core/ops/inner_access.h"
#include "core/ops/op_traits.h"
#include "core/ops/sub_buffers.h"
#include "tests/core/formats/graph_lines.h"

#include <QtTest>

using namespace plimsoll;
using namespace plimsoll::test;

namespace {

Graph graphOf(std::string_view text)
{
    auto content = readHloText(text, {});
    if (!content.ok()) qFatal("%s", describe(content.error()).c_str());
    return std::move(content).value().graph;
}

/// "0<-1 0<-2": results of a node and operands over which they may be written.
std::string inPlace(const Graph& graph, std::string_view node)
{
    std::string text;
    for (const AliasTrait& trait : aliasTraits(graph, findNode(graph, node))) {
        if (trait.kind == AliasKind::MayBeInPlace)
            text += (text.empty() ? "" : " ") + std::to_string(trait.output) + "<-" + std::to_string(trait.input);
    }
    return text;
}

} // namespace

/// Programs of XLA: which bytes instructions share with their operands, or may.
class HloInPlace : public QObject
{
    Q_OBJECT

private slots:
    /// What was begun is needed until it is done; its result is the same bytes from then on.
    void whatIsBegunKeepsItsOperands()
    {
        const Graph graph = graphOf("HloModule m, is_scheduled=true\nENTRY e {\n  x = f32[2] parameter(0)\n"
                                    "  s = (f32[2], f32[4], u32[]) all-gather-start(x), dimensions={0}\n"
                                    "  n = f32[2] negate(x)\n  d = f32[4] all-gather-done(s)\n"
                                    "  c = (f32[2]{0:S(5)}, f32[2], u32[]) copy-start(n)\n"
                                    "  h = f32[2]{0:S(5)} copy-done(c)\n"
                                    "  ROOT t = (f32[4], f32[2]) tuple(d, h)\n}\n");
        QCOMPARE(QString::fromStdString(nodesText(graph)),
                 QStringLiteral("s: s.1 s.2 = xla::all-gather-start(x)\nn: n = xla::negate(x)\n"
                                "d: d = xla::all-gather-done(x s.1 s.2)\n"
                                "c: c.0 c.2 = xla::copy-start(n)\nh: h = xla::copy-done(c.0 n c.2)\n"));
        const auto view = [&](const char* node) { return aliasTraits(graph, findNode(graph, node)); };
        QCOMPARE(view("d"), (std::vector {AliasTrait {0, 1, AliasKind::View, 0}}));
        QCOMPARE(view("h"), (std::vector {AliasTrait {0, 0, AliasKind::View, 0}}));
    }

    void whatMayBeWrittenOver_data()
    {
        QTest::addColumn<QString>("instruction");
        QTest::addColumn<QString>("pairs");
        const char* xy = "ROOT r = f32[4,4]{1,0} ";
        QTest::newRow("elementwise") << QString(xy) + "add(x, y)"
                                     << "0<-0 0<-1";
        QTest::newRow("another layout") << "ROOT r = f32[4,4]{0,1} copy(x)"
                                        << "";
        QTest::newRow("the same layout") << QString(xy) + "copy(x)"
                                         << "0<-0";
        QTest::newRow("transposed") << QString(xy) + "transpose(x), dimensions={1,0}"
                                    << "";
        QTest::newRow("slice") << QString(xy) + "dynamic-update-slice(x, s, i, i)"
                               << "0<-0";
        QTest::newRow("slice of itself") << QString(xy) + "dynamic-update-slice(x, x, i, i)"
                                         << "";
        QTest::newRow("sort") << "ROOT r = (f32[4,4]{1,0}, f32[4,4]{1,0}) sort(x, y), dimensions={0}, to_apply=f"
                              << "0<-0 1<-1";
        QTest::newRow("loop") << QString(xy) + "fusion(x, y), kind=kLoop, calls=loop"
                              << "0<-0";
        QTest::newRow("loop over the same") << QString(xy) + "fusion(x, x), kind=kLoop, calls=loop"
                                            << "";
        QTest::newRow("custom fusion") << QString(xy) + "fusion(x, y), kind=kCustom, calls=loop"
                                       << "";
        QTest::newRow("fused slice") << QString(xy) + "fusion(x, s, i), kind=kLoop, calls=slice"
                                     << "0<-0";
        QTest::newRow("product and sum") << QString(xy) + "fusion(x, y, z), kind=kOutput, calls=product"
                                         << "0<-2";
        QTest::newRow("fused layout") << QString(xy) + "fusion(x), kind=kLoop, calls=turned"
                                      << "";
        QTest::newRow("declared") << QString(xy) + "custom-call(x, y), custom_call_target=\"f\", "
                                                   "output_to_operand_aliasing={{}: (1, {})}"
                                  << "0<-1";
        QTest::newRow("a call") << QString(xy) + "custom-call(x, y), custom_call_target=\"f\""
                                << "";
        QTest::newRow("library") << QString(xy) + "custom-call(x, y, z), custom_call_target=\"__cublas$gemm\""
                                 << "0<-2";
    }

    void whatMayBeWrittenOver()
    {
        QFETCH(QString, instruction);
        QFETCH(QString, pairs);
        const Graph graph = graphOf(
            "HloModule m\n"
            "f {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT l = pred[] compare(a, b), "
            "direction=LT\n}\n"
            "loop {\n  a = f32[4,4]{1,0} parameter(0)\n  b = f32[4,4]{1,0} parameter(1)\n"
            "  t = f32[4,4]{1,0} transpose(b), dimensions={1,0}\n  n = f32[4,4]{1,0} negate(a)\n"
            "  ROOT s = f32[4,4]{1,0} add(n, t)\n}\n"
            "slice {\n  a = f32[4,4]{1,0} parameter(0)\n  b = f32[1,4]{1,0} parameter(1)\n  i = s32[] parameter(2)\n"
            "  d = f32[1,4]{1,0} dynamic-slice(a, i, i), dynamic_slice_sizes={1,4}\n"
            "  n = f32[1,4]{1,0} add(d, b)\n  ROOT u = f32[4,4]{1,0} dynamic-update-slice(a, n, i, i)\n}\n"
            "product {\n  a = f32[4,4]{1,0} parameter(0)\n  b = f32[4,4]{1,0} parameter(1)\n"
            "  c = f32[4,4]{1,0} parameter(2)\n  d = f32[4,4]{1,0} dot(a, b), lhs_contracting_dims={1}, "
            "rhs_contracting_dims={0}\n  ROOT s = f32[4,4]{1,0} add(d, c)\n}\n"
            "turned {\n  a = f32[4,4]{1,0} parameter(0)\n  c = f32[4,4]{0,1} copy(a)\n"
            "  ROOT b = f32[4,4]{1,0} bitcast(c)\n}\n"
            "ENTRY e {\n  x = f32[4,4]{1,0} parameter(0)\n  y = f32[4,4]{1,0} parameter(1)\n"
            "  z = f32[4,4]{1,0} parameter(2)\n  s = f32[1,4]{1,0} parameter(3)\n  i = s32[] parameter(4)\n  " +
            instruction.toStdString() + "\n}\n");
        QCOMPARE(QString::fromStdString(inPlace(graph, "r")), pairs);
    }

    /// XLA #49176: a fusion updates a slice of what it reads another slice of.
    void whatAFusionReadsOfWhatItUpdates_data()
    {
        QTest::addColumn<QString>("fused");
        QTest::addColumn<bool>("elsewhere");
        const char* update = "  ROOT u = s32[6] dynamic-update-slice(p, s, i)\n";
        QTest::newRow("another slice") << QString("  s = s32[3] slice(p), slice={[0:3]}\n") + update << true;
        QTest::newRow("the same slice")
            << QString("  d = s32[3] dynamic-slice(p, i), dynamic_slice_sizes={3}\n  s = s32[3] negate(d)\n") + update
            << false;
        QTest::newRow("from another start")
            << QString("  d = s32[3] dynamic-slice(p, j), dynamic_slice_sizes={3}\n  s = s32[3] negate(d)\n") + update
            << true;
        QTest::newRow("longer, clamped otherwise")
            << QString("  d = s32[4] dynamic-slice(p, i), dynamic_slice_sizes={4}\n  s = s32[3] slice(d), "
                       "slice={[0:3]}\n") +
                   update
            << true;
        QTest::newRow("reversed") << QString("  d = s32[3] dynamic-slice(p, i), dynamic_slice_sizes={3}\n"
                                             "  s = s32[3] reverse(d), dimensions={0}\n") +
                                         update
                                  << true;
        QTest::newRow("a sum") << QString("  z = s32[] constant(0)\n  t = s32[] reduce(p, z), dimensions={0}, "
                                          "to_apply=f\n  s = s32[3] broadcast(t), dimensions={}\n") +
                                      update
                               << true;
        QTest::newRow("constant starts, the same") << "  c = s32[] constant(2)\n  s = s32[3] slice(p), slice={[2:5]}\n"
                                                      "  ROOT u = s32[6] dynamic-update-slice(p, s, c)\n"
                                                   << false;
        QTest::newRow("constant starts, clamped") << "  c = s32[] constant(9)\n  s = s32[3] slice(p), slice={[3:6]}\n"
                                                     "  ROOT u = s32[6] dynamic-update-slice(p, s, c)\n"
                                                  << false;
        QTest::newRow("constant starts, others") << "  c = s32[] constant(2)\n  s = s32[3] slice(p), slice={[1:4]}\n"
                                                    "  ROOT u = s32[6] dynamic-update-slice(p, s, c)\n"
                                                 << true;
    }

    void whatAFusionReadsOfWhatItUpdates()
    {
        QFETCH(QString, fused);
        QFETCH(bool, elsewhere);
        const Graph graph = graphOf("HloModule m\nf {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n"
                                    "  ROOT l = s32[] add(a, b)\n}\n"
                                    "g {\n  p = s32[6] parameter(0)\n  i = s32[] parameter(1)\n"
                                    "  j = s32[] parameter(2)\n" +
                                    fused.toStdString() +
                                    "}\nENTRY e {\n  x = s32[6] parameter(0)\n  i = s32[] parameter(1)\n"
                                    "  j = s32[] parameter(2)\n"
                                    "  ROOT r = s32[6] fusion(x, i, j), kind=kLoop, calls=g\n}\n");
        QCOMPARE(readsElsewhere(graph, findNode(graph, "r"), 0), elsewhere);
        QVERIFY(!readsElsewhere(graph, findNode(graph, "r"), 7));
    }

    void partsLieInsideRowByRow_data()
    {
        QTest::addColumn<QString>("layout");
        QTest::addColumn<int>("parts");
        QTest::newRow("none is said") << "" << 2;
        QTest::newRow("rows") << "{1,0}" << 2;
        QTest::newRow("columns") << "{0,1}" << 0;
        QTest::newRow("tiles") << "{1,0:T(8,128)}" << 0;
    }

    void partsLieInsideRowByRow()
    {
        QFETCH(QString, layout);
        const Graph graph = graphOf(QString("HloModule m, is_scheduled=true\nENTRY e {\n"
                                            "  x = f32[2,4]%1 parameter(0)\n  y = f32[3,4]%1 parameter(1)\n"
                                            "  ROOT c = f32[5,4]%1 concatenate(x, y), dimensions={0}\n}\n")
                                        .arg(layout)
                                        .toStdString());
        QTEST(static_cast<int>(subBuffers(graph, findNode(graph, "c")).size()), "parts");
    }

    void bitcastsAreTheirOperand()
    {
        const Graph graph = graphOf("HloModule m\nENTRY e {\n  x = f32[4]{0} parameter(0)\n"
                                    "  n = f32[4]{0} negate(x)\n  ROOT b = f32[2,2]{1,0} bitcast(n)\n}\n");
        QCOMPARE(aliasTraits(graph, findNode(graph, "b")), (std::vector {AliasTrait {0, 0, AliasKind::View, 0}}));
    }
};

QTEST_APPLESS_MAIN(HloInPlace)
#include "tst_hlo_in_place.moc"
