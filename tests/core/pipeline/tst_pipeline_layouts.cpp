#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"

#include "core/picture/graph_picture.h"
#include "core/picture/plan_picture.h"
#include "core/report/report_json.h"
#include "core/verify/verifier.h"

#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;

namespace {

/// Issue 19586 of MXNet: 32 channels of a convolution and one more.
constexpr std::string_view Concat33 = "input x float32[1,3,512,512]\n"
                                      "input extra float32[1,1,512,512]\n"
                                      "param w float32[32,3,3,3]\n"
                                      "conv: a = Conv(x, w) pads=[1,1,1,1]\n"
                                      "join: b = Concat(a, extra) axis=1\n"
                                      "relu: c = Relu(b)\n"
                                      "sum: y = ReduceSum(c)\n"
                                      "output y\n";

constexpr std::string_view Channels22 = "input x float32[1,22,46,34]\n"
                                        "param w float32[22,22,3,3]\n"
                                        "conv: a = Conv(x, w) pads=[1,1,1,1]\n"
                                        "relu: b = Relu(a)\n"
                                        "out: y = Sigmoid(b)\n"
                                        "output y\n";

/// A library that blocks by 8 or by 16 and is faster for it; the reference is last.
std::string blocking(const std::string& layout, std::initializer_list<const char*> nodes)
{
    std::string offers;
    for (const char* node : nodes) {
        const bool joins = std::string_view(node) == "join";
        offers += std::string(node) + " blocked jit in=" + layout + (joins ? "," + layout : "") + " out=" + layout +
                  " ms=1 inplace=" + (std::string_view(node) == "relu" ? "0:0" : "") + "\n" + node +
                  " reference loops ms=1000\n";
    }
    return offers;
}

Report planned(std::string_view text, const std::string& offers, const test::Choices& policies = {})
{
    PlanRequest request;
    test::choose(request.policies, policies);
    request.catalogue = std::make_shared<const Catalogue>(test::catalogueFromText(offers));
    return analyse(test::graphFromText(text), request, {}).value();
}

const PlannedValue& valueOf(const Report& report, std::string_view name)
{
    return report.program.values[findValue(*report.program.graph, name).index()];
}

std::int64_t classBytes(const Report& report, std::string_view name)
{
    return report.program.storages[valueOf(report, name).storage.index()].bytes;
}

bool together(const Report& report, std::string_view a, std::string_view b)
{
    return valueOf(report, a).storage == valueOf(report, b).storage;
}

QString errorsOf(const Report& report)
{
    QStringList errors;
    for (const Finding& finding : report.verdict.findings) {
        if (finding.severity == Severity::Error) errors.append(QString::fromStdString(english(finding.message)));
    }
    return errors.join(QLatin1Char('\n'));
}

std::vector<const Decision*> refusals(const Report& report, std::string_view rule)
{
    std::vector<const Decision*> found;
    for (const Decision& decision : report.decisions) {
        if (!decision.accepted && decision.rule == rule) found.push_back(&decision);
    }
    return found;
}

} // namespace

/// Behaviours B30 to B33 of MXNet's backend-aware planning, with a catalogue that does not depend on this machine.
class tst_PipelineLayouts : public QObject
{
    Q_OBJECT

private slots:
    void aConcatTakesWhatItsBackendReports_data();
    void aConcatTakesWhatItsBackendReports();
    void joinedBlocksLieInside_data();
    void joinedBlocksLieInside();
    void refusedPaddingIsAChoiceWithItsPrice();
    void twentyTwoChannelsAreRounded_data();
    void twentyTwoChannelsAreRounded();
    void outputsArePlainAndSafe();
    void inPlaceOnlyWhereLayoutsAgree();
    void aClassOfPaddedAndPlainHasTheMaximum();
    void thePlanDiffersOnlyByTheBackend();
    void preparedWeightsAreCounted();
    void aBackendsPairsWidenTheOperators_data();
    void aBackendsPairsWidenTheOperators();
    void whatIsNotKnownDoesNotDecideAgainstInPlace_data();
    void whatIsNotKnownDoesNotDecideAgainstInPlace();
    void alignmentsOfOffersAreKept();
    void ourOwnPlanComesBackWithItsReorders();
    void theReportSaysItAll();
    void thePicturesShowPaddingAndReorders();
};

void tst_PipelineLayouts::aConcatTakesWhatItsBackendReports_data()
{
    QTest::addColumn<std::string>("layout");
    QTest::addColumn<QByteArray>("padding");
    QTest::addColumn<qint64>("bytes");
    QTest::newRow("plain") << std::string("plain") << QByteArray("on") << qint64(34'603'008);
    QTest::newRow("blocks of 8") << std::string("nChw8c") << QByteArray("on") << qint64(41'943'040);
    QTest::newRow("blocks of 16") << std::string("nChw16c") << QByteArray("on") << qint64(50'331'648);
    QTest::newRow("blocks of 8, padding off") << std::string("nChw8c") << QByteArray("off") << qint64(34'603'008);
    QTest::newRow("blocks of 16, padding off") << std::string("nChw16c") << QByteArray("off") << qint64(34'603'008);
}

void tst_PipelineLayouts::aConcatTakesWhatItsBackendReports()
{
    QFETCH(std::string, layout);
    QFETCH(QByteArray, padding);
    QFETCH(qint64, bytes);
    const Report report = planned(Concat33, blocking(layout, {"join", "relu"}), {{"padding", padding.toStdString()}});

    QCOMPARE(valueOf(report, "b").logicalBytes, 34'603'008);
    QCOMPARE(valueOf(report, "b").requiredBytes, bytes);
    QCOMPARE(classBytes(report, "b"), bytes);
    QVERIFY(together(report, "b", "c"));
    QCOMPARE(errorsOf(report), QString());
}

void tst_PipelineLayouts::joinedBlocksLieInside_data()
{
    QTest::addColumn<QByteArray>("layout");
    QTest::addColumn<QByteArray>("first"); ///< What the first convolution needs for its result.
    QTest::addColumn<QString>("why");      ///< Rule of the refusal; empty: it lies inside.
    QTest::newRow("in blocks") << QByteArray("nChw8c") << QByteArray() << QString();
    QTest::newRow("more bytes than its blocks") << QByteArray("nChw8c") << QByteArray(" bytes=1088") << "not-exact";
    QTest::newRow("channels last") << QByteArray("nhwc") << QByteArray() << "no pair";
}

/// 16 channels of each of two convolutions.
void tst_PipelineLayouts::joinedBlocksLieInside()
{
    QFETCH(QByteArray, layout);
    QFETCH(QByteArray, first);
    QFETCH(QString, why);
    constexpr std::string_view Joined = "input x float32[1,16,4,4]\nparam w float32[16,16,1,1]\n"
                                        "param v float32[16,16,1,1]\nparam u float32[16,32,1,1]\n"
                                        "one: a = Conv(x, w)\ntwo: b = Conv(x, v)\njoin: y = Concat(a, b) axis=1\n"
                                        "last: z = Conv(y, u)\nout: s = ReduceSum(z)\noutput s\n";
    std::string offers = blocking(layout.toStdString(), {"one", "two", "join", "last"});
    offers.insert(offers.find(" ms=1"), first.toStdString());
    const Report report = planned(Joined, offers);
    QCOMPARE(errorsOf(report), QString());
    QCOMPARE(together(report, "a", "y"), why.isEmpty());
    QCOMPARE(refusals(report, why.toStdString()).size(), std::size_t(why == QLatin1String("not-exact")));
}

void tst_PipelineLayouts::refusedPaddingIsAChoiceWithItsPrice()
{
    const Report off = planned(Concat33, blocking("nChw8c", {"relu"}), {{"padding", "off"}});
    const auto refused = refusals(off, "padding-off");
    QCOMPARE(refused.size(), std::size_t(1));
    QCOMPARE(refused[0]->subject, std::string("relu"));
    QCOMPARE(refused[0]->bytes, 2 * (41'943'040 - 34'603'008)); // what it reads and what it writes
    QCOMPARE(off.program.implementations[findNode(*off.program.graph, "relu")].name, std::string("loops"));
    QCOMPARE(off.program.implementations[findNode(*off.program.graph, "relu")].timeMs,
             1000.0); // the slower kernel, recorded
}

void tst_PipelineLayouts::twentyTwoChannelsAreRounded_data()
{
    QTest::addColumn<std::string>("layout");
    QTest::addColumn<QByteArray>("padding");
    QTest::addColumn<qint64>("bytes");
    QTest::newRow("plain") << std::string("plain") << QByteArray("on") << qint64(137'632);
    QTest::newRow("blocks of 8") << std::string("nChw8c") << QByteArray("on") << qint64(150'144);
    QTest::newRow("blocks of 16") << std::string("nChw16c") << QByteArray("on") << qint64(200'192);
    QTest::newRow("blocks of 8, padding off") << std::string("nChw8c") << QByteArray("off") << qint64(137'632);
    QTest::newRow("blocks of 16, padding off") << std::string("nChw16c") << QByteArray("off") << qint64(137'632);
}

void tst_PipelineLayouts::twentyTwoChannelsAreRounded()
{
    QFETCH(std::string, layout);
    QFETCH(QByteArray, padding);
    QFETCH(qint64, bytes);
    const std::string offers =
        "conv blocked jit in=" + layout + " out=" + layout + " ms=1\nconv reference loops ms=50\n";
    const Report report = planned(Channels22, offers, {{"padding", padding.toStdString()}});

    QCOMPARE(valueOf(report, "a").requiredBytes, bytes);
    QCOMPARE(valueOf(report, "a").logicalBytes, 137'632);
    QCOMPARE(valueOf(report, "y").requiredBytes, 137'632);
    QCOMPARE(layoutOf(*report.program.graph, report.program.implementations, findValue(*report.program.graph, "y")),
             PlainLayout);
    QCOMPARE(errorsOf(report), QString());
}

void tst_PipelineLayouts::outputsArePlainAndSafe()
{
    const Report report = planned("input x float32[1,22,46,34]\n"
                                  "relu: y = Relu(x)\n"
                                  "output y\n",
                                  blocking("nChw16c", {"relu"}));
    const ValueId y = findValue(*report.program.graph, "y");
    const ValueId inner = findValue(*report.program.graph, "y:nChw16c");
    QVERIFY(inner.valid());
    QCOMPARE(report.program.values[y.index()].requiredBytes, 137'632);
    QCOMPARE(report.program.values[inner.index()].requiredBytes, 200'192);
    QVERIFY(!report.program.values[inner.index()].visible);
    QVERIFY(!together(report, "y", "y:nChw16c")); // a reorder is no identity
    QCOMPARE(errorsOf(report), QString());
}

/// B32: conv(blocked) → relu(blocked) in place; conv(blocked) → plain by a reorder with bytes of its own.
void tst_PipelineLayouts::inPlaceOnlyWhereLayoutsAgree()
{
    const Report same = planned(Channels22, blocking("nChw8c", {"conv", "relu"}));
    QVERIFY(together(same, "a", "b"));
    QVERIFY(!together(same, "b", "b:plain"));
    QCOMPARE(errorsOf(same), QString());

    // The offer would write over its input in another layout: the planner must not take it at its word.
    const Report mixed =
        planned(Channels22, "conv blocked jit in=nChw8c out=nChw8c ms=1\nconv reference loops ms=1000\n"
                            "relu blocked jit in=nChw8c out=nhwc ms=1 inplace=0:0 bytes=150144\n"
                            "relu reference loops ms=1000\n");
    QCOMPARE(layoutOf(*mixed.program.graph, mixed.program.implementations, findValue(*mixed.program.graph, "b")),
             std::string_view("nhwc"));
    QVERIFY(!together(mixed, "a", "b"));
    QCOMPARE(refusals(mixed, "layout-differs").size(), std::size_t(1));
    QCOMPARE(errorsOf(mixed), QString());
}

/// B32: what is plain may come to lie where something padded was, which keeps all its bytes as long as it is read.
void tst_PipelineLayouts::aClassOfPaddedAndPlainHasTheMaximum()
{
    const Report report = planned(Channels22, blocking("nChw8c", {"conv"}), {{"inplace", "off"}});
    const auto bytesOf = [&](std::string_view name) {
        const PlannedValue& value = valueOf(report, name);
        return Interval {value.offset, value.offset + value.requiredBytes};
    };
    QCOMPARE(bytesOf("a").length(), 150'144);
    QCOMPARE(bytesOf("b").length(), 137'632);
    QVERIFY(overlaps(bytesOf("a"), bytesOf("b")) || overlaps(bytesOf("a"), bytesOf("y")));
    QCOMPARE(report.memory.peakBytes, 2 * 150'144); // the image and the convolution of it, both padded
    QCOMPARE(errorsOf(report), QString());
}

/// B33: the plan differs only by the backend that was attached before it was made.
void tst_PipelineLayouts::thePlanDiffersOnlyByTheBackend()
{
    const Report a = planned(Channels22, "relu a pool ms=1 inplace=0:0\nrelu reference loops ms=9\n");
    const Report b = planned(Channels22, "relu b pool ms=1 inplace=\nrelu reference loops ms=9\n");
    QVERIFY(together(a, "a", "b"));
    QVERIFY(!together(b, "a", "b"));
    QCOMPARE(a.program.graph->values.size(), b.program.graph->values.size());
    QCOMPARE(refusals(b, "implementation").size(), std::size_t(1));
    QCOMPARE(errorsOf(a) + errorsOf(b), QString());
}

void tst_PipelineLayouts::preparedWeightsAreCounted()
{
    const Report without = planned(Channels22, "conv blocked jit ms=1\n");
    const Report with = planned(Channels22, "conv blocked jit ms=1 weights=1:ABcd8b8a:20736\n"); // 24 × 24 × 3 × 3 × 4
    QCOMPARE(with.memory.preparedBytes, 20'736);
    QCOMPARE(with.memory.externalBytes, without.memory.externalBytes + 20'736);
    QCOMPARE(with.memory.parameterBytes, without.memory.parameterBytes);
    QCOMPARE(with.memory.peakBytes, without.memory.peakBytes);
    QCOMPARE(with.program.schedule.length(), without.program.schedule.length()); // ahead of the run
    QCOMPARE(errorsOf(with), QString());
    const Report off = planned(Channels22, "conv blocked jit ms=1 weights=1:ABcd8b8a:20736\n", {{"padding", "off"}});
    QCOMPARE(off.memory.preparedBytes, 20'736); // they lie in no arena, which is what the switch is about
    QCOMPARE(off.memory.peakBytes, with.memory.peakBytes);
    QCOMPARE(errorsOf(off), QString());
}

/// What an operator as such may not write over, a backend that knows its own kernels may.
void tst_PipelineLayouts::aBackendsPairsWidenTheOperators_data()
{
    QTest::addColumn<std::string>("graph");
    QTest::addColumn<QByteArray>("rule");
    const std::string begin = "input x float32[1,4,8,8]\na: u = Exp(x)\n";
    const std::string end = "\nc: y = Sin(v)\noutput y\n";
    QTest::newRow("a pool") << begin + "n: v = MaxPool(u) kernel_shape=[3,3] pads=[1,1,1,1]" + end << QByteArray();
    QTest::newRow("a pool that makes less")
        << begin + "n: v = MaxPool(u) kernel_shape=[3,3]" + end << QByteArray("size-differs");
    QTest::newRow("what is read later") << begin +
                                               "n: w = MaxPool(u) kernel_shape=[3,3] pads=[1,1,1,1]\nd: v = Add(w, u)" +
                                               end
                                        << QByteArray("still-read");
}

void tst_PipelineLayouts::aBackendsPairsWidenTheOperators()
{
    QFETCH(std::string, graph);
    QFETCH(QByteArray, rule);
    const Report narrow = planned(graph, "n a pool ms=1 inplace=\n");
    const Report wide = planned(graph, "n a pool ms=1 inplace=0:0\n");
    const std::string_view made = graph.find(" w = ") != std::string::npos ? "w" : "v";
    QVERIFY(!together(narrow, made, "u"));
    QCOMPARE(together(wide, made, "u"), rule.isEmpty());
    QCOMPARE(errorsOf(narrow) + errorsOf(wide), QString());
    const auto about = [made](const Decision& one) { return one.subject == made && one.kind == DecisionKind::InPlace; };
    const auto said = std::ranges::find_if(wide.decisions, about);
    QVERIFY(said != wide.decisions.end());
    QCOMPARE(QByteArray(said->rule.c_str()), rule.isEmpty() ? QByteArray("last-reader") : rule);

    // The plan names the offer that it was made with, so it is judged with it, and not without.
    PlanRequest again;
    again.catalogue = std::make_shared<const Catalogue>();
    again.givenPlan = sharedPlan(planOf(wide));
    QCOMPARE(errorsOf(analyse(test::graphFromText(graph), again, {}).value()), QString());
    PlannedProgram other = wide.program;
    Graph without = *other.graph;
    without.decided.at(findNode(without, "n")).inPlace.clear();
    other.graph = std::make_shared<const Graph>(std::move(without));
    const std::vector<Finding> found = verify({other, other.map}, {});
    const bool overlaps = std::ranges::find(found, Rule::Overlap, &Finding::rule) != found.end();
    QCOMPARE(overlaps, rule.isEmpty());
}

/// An Add of 16 bytes: the estimates of a library and of plain loops differ by less than they are off.
void tst_PipelineLayouts::whatIsNotKnownDoesNotDecideAgainstInPlace_data()
{
    QTest::addColumn<double>("ms");
    QTest::addColumn<std::string>("provenance");
    QTest::addColumn<QByteArray>("taken");
    QTest::newRow("estimates within their error") << 0.0019 << std::string("estimated") << QByteArray("loops");
    QTest::newRow("estimates beyond it") << 0.001 << std::string("estimated") << QByteArray("simple");
    QTest::newRow("measured times within theirs") << 0.00198 << std::string("measured") << QByteArray("loops");
    QTest::newRow("measured times beyond it") << 0.0019 << std::string("measured") << QByteArray("simple");
    QTest::newRow("times that a file states") << 0.00198 << std::string() << QByteArray("simple");
    QTest::newRow("equal times") << 0.002 << std::string() << QByteArray("loops");
}

void tst_PipelineLayouts::whatIsNotKnownDoesNotDecideAgainstInPlace()
{
    QFETCH(double, ms);
    QFETCH(std::string, provenance);
    QFETCH(QByteArray, taken);
    Catalogue catalogue = test::catalogueFromText("n fast simple ms=" + std::to_string(ms) +
                                                  " inplace=\nn reference loops ms=0.002 inplace=0:0\n");
    for (Implementation& offer : catalogue.offers.at("n"))
        offer.provenance = provenance;
    PlanRequest request;
    request.catalogue = std::make_shared<const Catalogue>(std::move(catalogue));
    const Report report =
        analyse(test::graphFromText("input x float32[4]\ninput z float32[4]\na: u = Exp(x)\nn: v = Add(u, z)\n"
                                    "c: y = Sin(v)\noutput y\n"),
                request, {})
            .value();
    QCOMPARE(QByteArray(report.program.implementations[NodeId {1}].name.c_str()), taken);
    QCOMPARE(together(report, "u", "v"), taken == "loops");
    const bool fewer = taken == "loops" && ms < 0.002;
    const auto said = std::ranges::find_if(report.decisions, [&](const Decision& one) {
        return one.kind == DecisionKind::Implementation && one.accepted;
    });
    QCOMPARE(said->rule, std::string(fewer ? "fewest-bytes" : "fastest"));
}

void tst_PipelineLayouts::alignmentsOfOffersAreKept()
{
    const Report report = planned(Channels22, "relu a simd ms=1 inplace= align=4096 scratch=100\n");
    QCOMPARE(valueOf(report, "b").offset % 4096, 0);
    QCOMPARE(report.program.map.scratch.at(0).where.offset % 4096, 0);
    QCOMPARE(errorsOf(report), QString());

    Report moved = report;
    moved.program.map.values[findValue(*moved.program.graph, "b").index()].offset += 64;
    moved.program.map.arenas[0].bytes += 64;
    const auto findings = verify({moved.program, moved.program.map}, {});
    QVERIFY(std::any_of(findings.begin(), findings.end(),
                        [](const Finding& finding) { return finding.rule == Rule::Misaligned; }));
}

void tst_PipelineLayouts::ourOwnPlanComesBackWithItsReorders()
{
    PlanRequest request;
    request.catalogue =
        std::make_shared<const Catalogue>(test::catalogueFromText(blocking("nChw8c", {"conv", "relu"})));
    const Report made = analyse(test::graphFromText(Channels22), request, {}).value();
    request.givenPlan = sharedPlan(planOf(made));
    const Report judged = analyse(test::graphFromText(Channels22), request, {}).value();
    QCOMPARE(errorsOf(judged), QString());
    QCOMPARE(judged.memory.peakBytes, made.memory.peakBytes);
    QVERIFY(findValue(*judged.program.graph, "b:plain").valid());
}

void tst_PipelineLayouts::theReportSaysItAll()
{
    const Report report = planned(Channels22, blocking("nChw8c", {"conv"}) + "conv reference loops ms=90\n");
    const QByteArray json = QByteArray::fromStdString(writeReportJson(report));
    for (const char* part : {"\"layout\": \"nChw8c\"", "\"requiredBytes\": 150144", "\"logicalBytes\": 137632",
                             "\"implementation\": \"jit\"", "\"backend\": \"blocked\"", "\"preparedBytes\": 0",
                             "\"op\": \"plimsoll::Reorder\"", "\"offers\":", "\"timeMs\": 1.0"})
        QVERIFY2(json.contains(part), part);
}

void tst_PipelineLayouts::thePicturesShowPaddingAndReorders()
{
    const Report report = planned(Channels22, blocking("nChw8c", {"conv", "relu"}));
    const StorageColours colours = colourStorages(report.program);
    const PlanPicture plan = makePlanPicture(report, colours);
    const auto stripes = std::find_if(plan.bars.begin(), plan.bars.end(), [&](const PlanBar& bar) {
        return bar.pattern == Pattern::Padding && bar.storage == valueOf(report, "a").storage;
    });
    QVERIFY(stripes != plan.bars.end());

    const GroupTree tree = groupNodes(*report.program.graph);
    const GraphPicture graph = makeGraphPicture(report, colours, tree, Expansion(tree.groups.size(), 1));
    const auto boxOf = [&](std::string_view node) {
        return graph.boxes[static_cast<std::size_t>(graph.boxOfNode[findNode(*report.program.graph, node).index()])];
    };
    QCOMPARE(boxOf("relu").count, std::string("jit"));
    QVERIFY(!boxOf("relu").reorder);
    QVERIFY(boxOf("reorder:b:plain").reorder);
    QCOMPARE(boxOf("reorder:b:plain").count, std::string("nChw8c → plain"));
    QCOMPARE(boxOf("out").count, std::string());
}

QTEST_GUILESS_MAIN(tst_PipelineLayouts)
#include "tst_pipeline_layouts.moc"
