#include "core/facts/english/english.h"
#include "core/facts/offers.h"
#include "core/pipeline/pipeline.h"

#include "tests/support/catalogue_text.h"
#include "tests/support/first_seed.h"
#include "tests/support/graph_text.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace plimsoll;

namespace {

/// A small network and what is offered for its nodes: every node by plain loops, too.
struct Case
{
    std::string graph;
    std::string offers;
};

/// The draws of one case.
struct Draw
{
    std::mt19937 random;
    Case made {};

    int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

    /// Offers in layouts of which blocks round 6 channels up to 8, with scratchpads, some in place.
    void offer(const std::string& node, int inputs)
    {
        const char* layouts[] = {"plain", "nChw8c"};
        for (int offer = below(3); offer > 0; --offer) {
            const std::string in = layouts[below(2)];
            const std::string out = below(3) == 0 ? layouts[below(2)] : in;
            made.offers += node + " fast k" + std::to_string(offer) + " in=" + in + (inputs > 1 ? "," + in : "") +
                           " out=" + out + " ms=" + std::to_string(0.01 * (1 + below(60))) +
                           " scratch=" + std::to_string(below(2) * 512 * below(8)) + (below(2) ? " inplace=" : "") +
                           "\n";
        }
        made.offers += node + " reference ref ms=" + std::to_string(0.01 * (20 + below(80))) + "\n";
    }

    /// A convolution as MobileNet has them: 6 channels, the image as large as before.
    void node(const std::string& name, const std::string& text, int inputs)
    {
        made.graph += name + ": " + text + "\n";
        offer(name, inputs);
    }
};

constexpr const char* Begin = "input x float32[1,6,8,8]\nparam w float32[6,1,3,3]\n";
constexpr const char* Convolved = ", w) group=6 pads=[1,1,1,1]";

/// Convolutions and activations one behind the other.
Case mobileNet(unsigned seed)
{
    Draw draw {std::mt19937(seed)};
    draw.made.graph = Begin;
    draw.node("a", std::string("va = Conv(x") + Convolved, 1);
    draw.node("b", "vb = Relu(va)", 1);
    draw.node("c", std::string("vc = Conv(vb") + Convolved, 1);
    draw.node("d", "vd = Sigmoid(vc)", 1);
    draw.node("e", std::string("ve = Conv(vd") + Convolved, 1);
    draw.node("f", "vf = Relu(ve)", 1);
    draw.made.graph += "output vf\n";
    return draw.made;
}

/// Sums with what goes past.
Case resNet(unsigned seed)
{
    Draw draw {std::mt19937(seed)};
    draw.made.graph = Begin;
    draw.node("a", "va = Relu(x)", 1);
    draw.node("b", std::string("vb = Conv(va") + Convolved, 1);
    draw.node("c", "vc = Add(va, vb)", 2);
    draw.node("d", std::string("vd = Conv(vc") + Convolved, 1);
    draw.node("e", "ve = Add(vc, vd)", 2);
    draw.node("f", "vf = Relu(ve)", 1);
    draw.made.graph += "output vf\n";
    return draw.made;
}

/// Everything goes to everything behind it.
Case denseNet(unsigned seed)
{
    Draw draw {std::mt19937(seed)};
    draw.made.graph = Begin;
    draw.node("a", "va = Relu(x)", 1);
    draw.node("b", "vb = Sigmoid(va)", 1);
    draw.node("c", "vc = Concat(va, vb) axis=1", 2);
    draw.node("d", "vd = Relu(vc)", 1);
    draw.node("e", "ve = Concat(vd, va) axis=1", 2);
    draw.node("f", "vf = Sigmoid(ve)", 1);
    draw.made.graph += "output vf\n";
    return draw.made;
}

/// Down to a smaller image and up again, with what was there before.
Case uNet(unsigned seed)
{
    Draw draw {std::mt19937(seed)};
    draw.made.graph = Begin;
    draw.node("a", std::string("va = Conv(x") + Convolved, 1);
    draw.node("b", "vb = MaxPool(va) kernel_shape=[2,2] strides=[2,2]", 1);
    draw.node("c", "vc = Relu(vb)", 1);
    draw.made.graph += "param r float32[6,1,2,2]\n";
    draw.node("up", "vu = ConvTranspose(vc, r) group=6 strides=[2,2]", 1);
    draw.node("d", "vd = Concat(va, vu) axis=1", 2);
    draw.node("e", "ve = Relu(vd)", 1);
    draw.made.graph += "output ve vb\n";
    return draw.made;
}

/// So much is alive at once that not every choice can be weighed.
Case wideNet(unsigned seed)
{
    constexpr int Branches = 24;
    Draw draw {std::mt19937(seed)};
    draw.made.graph = Begin;
    std::string all;
    for (int i = 0; i < Branches; ++i) {
        const std::string name = "b" + std::to_string(i);
        draw.node(name, "v" + name + " = " + (i % 3 == 0 ? "Relu(x)" : std::string("Conv(x") + Convolved), 1);
        all += (i == 0 ? "v" : ", v") + name;
    }
    draw.made.graph += "c: vc = Concat(" + all + ") axis=1\noutput vc\n";
    return draw.made;
}

PlanRequest requestFor(const Case& drawn, SubbuffersPolicy subbuffers = SubbuffersPolicy::On)
{
    PlanRequest request;
    request.policies.subbuffers = subbuffers;
    request.catalogue = std::make_shared<const Catalogue>(test::catalogueFromText(drawn.offers));
    request.recordDecisions = false;
    request.search.workLimit = 1'000'000;
    return request;
}

Report planned(const Case& drawn, const PlanRequest& request)
{
    Result<Report> report = analyse(test::graphFromText(drawn.graph), request, {});
    if (!report.ok()) qFatal("%s\n%s", describe(report.error()).c_str(), drawn.graph.c_str());
    return std::move(report).value();
}

using Point = std::pair<double, std::int64_t>; ///< Milliseconds and bytes.

/// Those that no other beats in both.
std::vector<Point> frontOf(std::vector<Point> all)
{
    std::ranges::sort(all, [](const Point& a, const Point& b) {
        return std::abs(a.first - b.first) > 1e-9 ? a.first < b.first : a.second < b.second;
    });
    std::vector<Point> front;
    for (const Point& one : all) {
        if (front.empty() || one.second < front.back().second) front.push_back(one);
    }
    return front;
}

/// By planning the graph with every way to pin its nodes.
/// Ways are weighed without what may lie inside of something else.
std::vector<Point> frontByTrying(const Case& drawn)
{
    PlanRequest request = requestFor(drawn, SubbuffersPolicy::Off);
    std::vector<std::pair<std::string, std::vector<std::string>>> choices;
    for (const auto& [node, offers] : request.catalogue->offers) {
        choices.emplace_back(node, std::vector<std::string>());
        for (const Implementation& offer : offers)
            choices.back().second.push_back(offer.backend + ":" + offer.name);
    }
    std::vector<Point> all;
    std::vector<std::size_t> at(choices.size(), 0);
    for (;;) {
        for (std::size_t i = 0; i < at.size(); ++i)
            request.constraints.pins[choices[i].first] = choices[i].second[at[i]];
        const Report report = planned(drawn, request);
        all.emplace_back(kernelTime(report.program).allMs, report.memory.peakBytes);
        std::size_t i = 0;
        while (i < at.size() && ++at[i] == choices[i].second.size())
            at[i++] = 0;
        if (i == at.size()) return frontOf(std::move(all));
    }
}

QString textOf(const std::vector<Point>& front)
{
    QStringList text;
    for (const Point& one : front)
        text << QStringLiteral("%1 ms %2 B").arg(one.first, 0, 'f', 6).arg(one.second);
    return text.join(QStringLiteral(", "));
}

std::vector<Point> pointsOf(const std::vector<TradeOff>& curve)
{
    std::vector<Point> points;
    for (const TradeOff& one : curve)
        points.emplace_back(one.cost.kernelMs, one.cost.peakBytes);
    return points;
}

Report chosen(const Case& drawn, ChoosePolicy choose, std::int64_t capacity = -1)
{
    PlanRequest request = requestFor(drawn);
    request.policies.choose = choose;
    if (capacity >= 0) request.policies.capacity["cpu"] = capacity;
    return planned(drawn, request);
}

} // namespace

/// Implementations by bytes as well as by time.
class ChooseTest : public QObject
{
    Q_OBJECT

private slots:
    void theCurveIsTheParetoFront_data();
    void theCurveIsTheParetoFront();
    void whatIsFusedCountsOneByOne();
    void everyPointCanBeTaken();
    void withoutPaddingNoPlanIsLargerThanThePlainOne();
    void theSmallestIsNoLargerThanThePlainOne();
    void itTellsHowFarItIsAndStops();
};

void ChooseTest::theCurveIsTheParetoFront_data()
{
    QTest::addColumn<int>("shape");
    for (const auto& [name, shape] : {std::pair("MobileNet", 0), {"ResNet", 1}, {"DenseNet", 2}, {"U-Net", 3}})
        QTest::newRow(name) << shape;
}

void ChooseTest::theCurveIsTheParetoFront()
{
    QFETCH(int, shape);
    constexpr Case (*Shapes[])(unsigned) = {mobileNet, resNet, denseNet, uNet};
    const unsigned first = test::firstSeed(1);
    std::size_t points = 0;
    for (unsigned seed = first; seed < first + 25; ++seed) {
        const Case drawn = Shapes[shape](seed);
        const auto curve =
            timeAgainstPeak(test::graphFromText(drawn.graph), requestFor(drawn, SubbuffersPolicy::Off), {});
        QVERIFY(curve.ok());
        const QString what = QStringLiteral("seed %1").arg(seed) + u'\n' + QString::fromStdString(drawn.offers);
        const QString made = textOf(pointsOf(curve.value()));
        const QString wanted = textOf(frontByTrying(drawn));
        QVERIFY2(made == wanted, qPrintable(what + "made   " + made + "\nwanted " + wanted));
        points += curve.value().size();
    }
    QVERIFY2(points > 40, qPrintable(QString::number(points)));
}

/// The second convolution does without its scratchpad, the first stays fused.
void ChooseTest::whatIsFusedCountsOneByOne()
{
    const Case two {std::string(Begin) + "a: va = Conv(x" + Convolved + "\nb: vb = Relu(va)\nc: vc = Conv(vb" +
                        Convolved + "\nd: vd = Relu(vc)\noutput vd\n",
                    "a fast f with=b ms=1 scratch=1024\na fast k ms=2\na reference ref ms=99\n"
                    "b fast r ms=1\nb reference ref ms=99\n"
                    "c fast f with=d ms=1 scratch=4096\nc fast k ms=2\nc reference ref ms=99\n"
                    "d fast r ms=1\nd reference ref ms=99\n"};
    const auto curve = timeAgainstPeak(test::graphFromText(two.graph), requestFor(two), {});
    QCOMPARE(textOf(pointsOf(curve.value())), QStringLiteral("2.000000 ms 7168 B, 4.000000 ms 3072 B"));
}

void ChooseTest::everyPointCanBeTaken()
{
    for (unsigned seed = test::firstSeed(1), end = seed + 20; seed < end; ++seed) {
        const Case drawn = resNet(seed);
        const auto curve = timeAgainstPeak(test::graphFromText(drawn.graph), requestFor(drawn), {}).value();
        for (const TradeOff& point : curve) {
            PlanRequest request = requestFor(drawn);
            QVERIFY(setPolicy(request.policies, "choose", "fastest-within").ok());
            QVERIFY(setPolicy(request.policies, "capacity", point.capacity).ok());
            const Report taken = planned(drawn, request);
            QCOMPARE(taken.memory.peakBytes, point.cost.peakBytes);
            QCOMPARE(kernelTime(taken.program).allMs, point.cost.kernelMs);
        }
        const Report smallest = chosen(drawn, ChoosePolicy::Smallest);
        QCOMPARE(smallest.memory.peakBytes, curve.back().cost.peakBytes);
        const Report fastest = chosen(drawn, ChoosePolicy::Fastest);
        QVERIFY(fastest.memory.peakBytes >= curve.front().cost.peakBytes);
        QVERIFY(kernelTime(fastest.program).allMs >= curve.front().cost.kernelMs);
        // What nothing keeps is kept as well as it can be; the judge says that it is not.
        const Report lower = chosen(drawn, ChoosePolicy::FastestWithin, curve.back().cost.peakBytes - 1);
        QCOMPARE(lower.memory.peakBytes, curve.back().cost.peakBytes);
        const auto& findings = lower.verdict.findings;
        QVERIFY(std::ranges::find(findings, Rule::BeyondCapacity, &Finding::rule) != findings.end());
    }
}

void ChooseTest::withoutPaddingNoPlanIsLargerThanThePlainOne()
{
    int faster = 0;
    for (unsigned seed = test::firstSeed(1), end = seed + 60; seed < end; ++seed) {
        for (const Case& drawn : {mobileNet(seed), resNet(seed), denseNet(seed), uNet(seed)}) {
            PlanRequest request = requestFor(drawn);
            request.policies.padding = PaddingPolicy::Off;
            const Report without = planned(drawn, request);
            request.policies.backend = BackendPolicy::Reference;
            const Report plain = planned(drawn, request);
            const std::string what = "seed " + std::to_string(seed) + "\n" + drawn.graph + drawn.offers;
            QVERIFY2(without.memory.peakBytes <= plain.memory.peakBytes, what.c_str());
            QVERIFY2(without.verdict.findings.empty() || without.verdict.findings.front().severity != Severity::Error,
                     what.c_str());
            faster += kernelTime(without.program).allMs < kernelTime(plain.program).allMs ? 1 : 0;
        }
    }
    QVERIFY2(faster > 120, qPrintable(QString::number(faster))); // not by giving up
}

void ChooseTest::theSmallestIsNoLargerThanThePlainOne()
{
    for (unsigned seed = test::firstSeed(1), end = seed + 12; seed < end; ++seed) {
        const Case drawn = wideNet(seed);
        PlanRequest request = requestFor(drawn);
        request.policies.backend = BackendPolicy::Reference;
        const std::int64_t plain = planned(drawn, request).memory.peakBytes;
        QVERIFY2(chosen(drawn, ChoosePolicy::Smallest).memory.peakBytes <= plain,
                 qPrintable(QStringLiteral("seed %1").arg(seed)));
    }
}

void ChooseTest::itTellsHowFarItIsAndStops()
{
    const Case drawn = resNet(3);
    std::vector<double> told;
    const auto whole = timeAgainstPeak(test::graphFromText(drawn.graph), requestFor(drawn),
                                       {{}, [&](std::string_view, double done) { told.push_back(done); }});
    QVERIFY(whole.ok());
    QVERIFY(told.size() > 6 && std::ranges::all_of(told, [](double done) { return done >= 0 && done <= 1; }));
    for (std::size_t call = 1; call <= told.size(); ++call) {
        std::stop_source stop;
        std::size_t calls = 0;
        const auto stopped = timeAgainstPeak(test::graphFromText(drawn.graph), requestFor(drawn),
                                             {stop.get_token(), [&](std::string_view, double) {
                                                  calls += 1;
                                                  if (calls == call) stop.request_stop();
                                              }});
        QVERIFY(!stopped.ok());
        QCOMPARE(stopped.error().code, ErrorCode::Stopped);
        QCOMPARE(calls, call);
    }
}

QTEST_APPLESS_MAIN(ChooseTest)
#include "tst_choose.moc"
