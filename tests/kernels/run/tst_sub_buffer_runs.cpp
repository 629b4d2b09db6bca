#include "core/facts/english/english.h"
#include "core/ops/sub_buffers.h"
#include "core/verify/verifier.h"
#include "kernels/onednn/onednn.h"
#include "tests/kernels/run/run_support.h"
#include "tests/support/first_seed.h"
#include "tests/support/graph_text.h"

#include <QTest>

#include <random>
#include <utility>

using namespace plimsoll;

namespace {

/// Tensors of one axis that are joined, cut, padded, added and changed, in any order.
class RandomText
{
public:
    explicit RandomText(unsigned seed) : m_random(seed) {}

    std::string make(int least = 4, int most = 14)
    {
        m_text = "input x float32[16]\nn0: t0 = Sin(x)\n";
        m_sizes = {16};
        for (int left = number(least, most); left > 0; --left)
            addNode();
        m_text += "output t" + std::to_string(m_sizes.size() - 1);
        for (std::size_t i = 0; i + 1 < m_sizes.size(); ++i) {
            if (number(0, 7) == 0) m_text += " t" + std::to_string(i);
        }
        return m_text + "\n";
    }

private:
    int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
    int any()
    {
        return number(std::max(0, static_cast<int>(m_sizes.size()) - 5), static_cast<int>(m_sizes.size()) - 1);
    }
    static std::string name(std::size_t at) { return "t" + std::to_string(at); }
    [[nodiscard]] int sizeOf(int at) const { return m_sizes[static_cast<std::size_t>(at)]; }

    void made(const std::string& op, const std::string& inputs, int size, const std::string& attributes = {})
    {
        m_text += name(m_sizes.size()) + " = " + op + "(" + inputs + ")" + attributes + "\n";
        m_sizes.push_back(size);
    }

    std::string constant(const std::string& numbers, int count)
    {
        const std::string id = "c" + std::to_string(m_constants++);
        m_text += "const " + id + " int64[" + std::to_string(count) + "] = " + numbers + "\n";
        return id;
    }

    void addNode()
    {
        const int a = any();
        const int b = any();
        const std::string one = name(static_cast<std::size_t>(a));
        const std::string two = name(static_cast<std::size_t>(b));
        switch (number(0, 5)) {
        case 0:
            return made("Concat", one + ", " + two, sizeOf(a) + sizeOf(b), " axis=0");
        case 1: {
            if (sizeOf(a) < 2) return made("Neg", one, sizeOf(a));
            const int first = number(1, sizeOf(a) - 1);
            const std::string sizes = constant(std::to_string(first) + " " + std::to_string(sizeOf(a) - first), 2);
            m_text += name(m_sizes.size()) + ", " + name(m_sizes.size() + 1) + " = Split(" + one + ", " + sizes +
                      ") axis=0\n";
            m_sizes.push_back(first);
            m_sizes.push_back(sizeOf(a) - first);
            return;
        }
        case 2: {
            const int begin = number(0, sizeOf(a) - 1);
            const int end = number(begin + 1, sizeOf(a));
            const std::string from = constant(std::to_string(begin), 1);
            return made("Slice", one + ", " + from + ", " + constant(std::to_string(end), 1), end - begin);
        }
        case 3: {
            const int front = number(0, 4);
            const int behind = number(0, 4);
            const std::string pads = constant(std::to_string(front) + " " + std::to_string(behind), 2);
            return made("Pad", one + ", " + pads, sizeOf(a) + front + behind);
        }
        case 4:
            return made(number(0, 1) == 0 ? "Relu" : "Identity", one, sizeOf(a));
        default:
            if (sizeOf(a) == sizeOf(b)) return made("Add", one + ", " + two, sizeOf(a));
            return made("Cos", one, sizeOf(a));
        }
    }

    std::mt19937 m_random;
    std::string m_text;
    std::vector<int> m_sizes; ///< By tensor.
    int m_constants = 0;
};

/// Images that are convolved, joined by their channels, cut, added and changed: oneDNN has them in blocks of channels.
class RandomNetwork
{
public:
    explicit RandomNetwork(unsigned seed) : m_random(seed) {}

    std::string make()
    {
        m_text = "input x float32[1,16,6,6]\n";
        convolve("x", 16, 16 * number(1, 2));
        for (int left = number(4, 9); left > 0; --left)
            addNode();
        convolve(name(m_channels.size() - 1), m_channels.back(), 8);
        return m_text + "output t" + std::to_string(m_channels.size() - 1) + "\n";
    }

private:
    int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
    static std::string name(std::size_t at) { return "t" + std::to_string(at); }
    std::size_t any()
    {
        const auto count = static_cast<int>(m_channels.size());
        return static_cast<std::size_t>(number(std::max(0, count - 4), count - 1));
    }

    void made(const std::string& call, int channels)
    {
        m_text += name(m_channels.size()) + " = " + call + "\n";
        m_channels.push_back(channels);
    }

    void convolve(const std::string& of, int from, int to)
    {
        const std::string weights = "w" + std::to_string(m_channels.size());
        m_text += "param " + weights + " float32[" + std::to_string(to) + "," + std::to_string(from) + ",3,3]\n";
        made("Conv(" + of + ", " + weights + ") pads=[1,1,1,1]", to);
    }

    void addNode()
    {
        const std::size_t a = any();
        const std::size_t b = any();
        const int sum = m_channels[a] + m_channels[b];
        switch (number(0, 5)) {
        case 0:
        case 1:
            return convolve(name(a), m_channels[a], 8 * number(1, 4));
        case 2:
        case 3:
            return made("Concat(" + name(a) + ", " + name(b) + ") axis=1", sum);
        case 4:
            if (m_channels[a] == m_channels[b]) return made("Add(" + name(a) + ", " + name(b) + ")", m_channels[a]);
            return made("MaxPool(" + name(a) + ") kernel_shape=[3,3] pads=[1,1,1,1]", m_channels[a]);
        default:
            return made("Relu(" + name(a) + ")", m_channels[a]);
        }
    }

    std::mt19937 m_random;
    std::string m_text;
    std::vector<int> m_channels; ///< By tensor.
};

/// Inputs that lie in their places of what a node joins, in a layout other than plain.
std::vector<ValueId> partsInBlocks(const Report& report)
{
    const PlannedProgram& program = report.program;
    const Graph& graph = *program.graph;
    std::vector<ValueId> found;
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const Implementation& how = program.implementations[NodeId(n)];
        for (const SubBuffer& part : subBuffers(graph, NodeId(n), how)) {
            if (inputLayout(how, part.input) == PlainLayout) continue;
            const ValueId input = graph.nodes[n].inputs[static_cast<std::size_t>(part.input)];
            const ValueId whole = graph.nodes[n].outputs[static_cast<std::size_t>(part.output)];
            const auto& values = program.map.values;
            if (values[input.index()].placed() &&
                values[input.index()].offset == values[whole.index()].offset + part.offsetBytes)
                found.push_back(input);
        }
    }
    return found;
}

bool hasError(const Report& report)
{
    return std::ranges::any_of(verify({report.program, report.program.map}, {}),
                               [](const Finding& finding) { return finding.severity == Severity::Error; });
}

Policies policiesWith(SubbuffersPolicy subbuffers)
{
    Policies policies;
    policies.backend = BackendPolicy::Reference;
    policies.alignment = 1;
    policies.subbuffers = subbuffers;
    return policies;
}

bool hasPart(const Report& report)
{
    return std::ranges::any_of(report.program.values,
                               [](const PlannedValue& value) { return value.sharedAs == AliasKind::Part; });
}

} // namespace

/// Tensors inside of others: the judge is silent, the run equals the oracle, and no plan is larger for it.
class tst_SubBufferRuns : public QObject
{
    Q_OBJECT

private slots:
    void randomGraphsRunEqual()
    {
        int inside = 0;
        std::int64_t with = 0;
        std::int64_t without = 0;
        const unsigned from = test::firstSeed(9'000);
        for (unsigned seed = from; seed < from + 600; ++seed) {
            const std::string text = RandomText(seed).make();
            const std::string where = "seed " + std::to_string(seed) + "\n" + text;
            const Graph graph = test::graphFromText(text);
            const Report report = test::planned(graph, policiesWith(SubbuffersPolicy::On));
            for (const Finding& finding : report.verdict.findings)
                QVERIFY2(finding.severity != Severity::Error, (where + english(finding.message)).c_str());
            const Report plain = test::planned(graph, policiesWith(SubbuffersPolicy::Off));
            QVERIFY2(report.memory.peakBytes <= plain.memory.peakBytes, where.c_str());
            QVERIFY2(!hasPart(plain), where.c_str());
            for (const Report* one : {&report, &plain}) {
                const auto outcome = test::executed(*one);
                QVERIFY2(outcome.ok(), where.c_str());
                QVERIFY2(outcome.value().result.mismatches.empty(), where.c_str());
            }
            inside += hasPart(report) ? 1 : 0;
            with += report.memory.peakBytes;
            without += plain.memory.peakBytes;
        }
        qInfo("%d of 600 with parts inside of others; %lld B for %lld B", inside, static_cast<long long>(with),
              static_cast<long long>(without));
        QVERIFY(inside > 100 && with < without);
    }

    /// In blocks of channels: both agree, on what is right and on what is not.
    void randomNetworksRunEqual()
    {
        if (!kernels::oneDnnAvailable()) QSKIP("oneDNN is not here");
        int inside = 0;
        const unsigned from = test::firstSeed(4'000);
        for (unsigned seed = from; seed < from + 80; ++seed) {
            const std::string text = RandomNetwork(seed).make();
            const std::string where = "seed " + std::to_string(seed) + "\n" + text;
            const Graph graph = test::graphFromText(text);
            Policies policies;
            Report report = test::planned(graph, policies);
            for (const Finding& finding : report.verdict.findings)
                QVERIFY2(finding.severity != Severity::Error, (where + english(finding.message)).c_str());
            const auto outcome = test::executed(report);
            QVERIFY2(outcome.ok() && outcome.value().result.mismatches.empty(), where.c_str());
            policies.subbuffers = SubbuffersPolicy::Off;
            QVERIFY2(report.memory.peakBytes <= test::planned(graph, policies).memory.peakBytes, where.c_str());
            for (const ValueId part : partsInBlocks(report)) {
                ++inside;
                std::int64_t& offset = report.program.map.values[part.index()].offset;
                const std::int64_t place = std::exchange(offset, offset < 64 ? 64 : offset - 64);
                QVERIFY2(hasError(report), (where + graph[part].name).c_str());
                const auto damaged = test::executed(report);
                QVERIFY2(damaged.ok() && !damaged.value().result.mismatches.empty(), where.c_str());
                offset = place;
            }
        }
        qInfo("%d parts in blocks", inside);
    }

    void whatIsJoinedIsWrittenIntoItsPlace()
    {
        const Graph graph = test::graphFromText("input x float32[16]\na = Sin(x)\nb = Cos(x)\n"
                                                "y = Concat(a, b) axis=0\nz = Relu(y)\noutput z\n");
        const Report report = test::planned(graph, policiesWith(SubbuffersPolicy::On));
        QCOMPARE(report.memory.peakBytes, 128);
        QCOMPARE(test::planned(graph, policiesWith(SubbuffersPolicy::Off)).memory.peakBytes, 256);
        const auto outcome = test::executed(report);
        QVERIFY(outcome.ok() && outcome.value().result.mismatches.empty());
    }

    /// y would take its bytes from a on, beside t and u; z takes none that p and q do not need.
    void onlyWhereThePlanIsSmaller()
    {
        const Graph graph = test::graphFromText(
            "input x float32[16]\na = Sin(x)\nt = my::Op(x)\nvalue t float32[96]\nu = Cos(t)\n"
            "v = my::Op(t, u)\nvalue v float32[4]\nb = my::Op(v)\nvalue b float32[80]\nny: y = Concat(a, b) axis=0\n"
            "w = my::Op(y)\nvalue w float32[4]\np = my::Op(w)\nvalue p float32[64]\nq = my::Op(w)\nvalue q "
            "float32[64]\n"
            "z = Concat(p, q) axis=0\nr = my::Op(z)\nvalue r float32[1]\noutput r\n");
        const Report report = test::planned(graph, policiesWith(SubbuffersPolicy::On));
        QCOMPARE(report.memory.peakBytes, (16 + 96 + 96 + 4) * 4);
        QCOMPARE(test::planned(graph, policiesWith(SubbuffersPolicy::Off)).memory.peakBytes, 2 * (64 + 64) * 4);
        const auto decision = std::ranges::find(report.decisions, std::string("larger-inside"), &Decision::rule);
        QVERIFY(decision != report.decisions.end());
        QCOMPARE(english(decision->reason),
                 std::string("'ny' copies: inside of one another, its tensors would make no smaller plan."));
        const auto outcome = test::executed(report);
        QVERIFY(outcome.ok() && outcome.value().result.mismatches.empty());
    }

    /// However long is searched.
    void noPlanIsLargerForIt()
    {
        for (unsigned seed = 140; seed < 230; ++seed) { // in 149 and 225 a way is lower by a long search only
            const Graph graph = test::graphFromText(RandomText(seed).make(25, 50));
            for (const std::int64_t work : {0, 10'000}) {
                const auto peak = [&](SubbuffersPolicy subbuffers) {
                    PlanRequest request;
                    request.policies = policiesWith(subbuffers);
                    request.search.workLimit = work;
                    return analyse(graph, request, {}).value().memory.peakBytes;
                };
                const std::int64_t apart = peak(SubbuffersPolicy::Off);
                QVERIFY2(peak(SubbuffersPolicy::On) <= apart, std::to_string(seed).c_str());
            }
        }
    }

    void whatAStandInMovesIsReadElsewhere_data()
    {
        QTest::addColumn<QByteArray>("node");
        const char* const nodes[] = {"y = mxnet::stack(a, b)\n",
                                     "y = tflite::PACK(a, b)\nvalue y float32[2,16]\n",
                                     "y = tflite::CONCATENATION(a, b)\nvalue y float32[32]\n",
                                     "y = aten::cat.out(a, b)\nvalue y float32[32]\n",
                                     "y = xla::concatenate(a, b) dimensions=\"{0}\"\nvalue y float32[32]\n",
                                     "y = xla::pad(a, b) padding=\"2_1\"\nvalue y float32[19]\n"};
        for (const char* node : nodes)
            QTest::newRow(node) << QByteArray(node);
    }
    /// A hash over bytes that others still read would be a difference that no plan has made.
    void whatAStandInMovesIsReadElsewhere()
    {
        QFETCH(QByteArray, node);
        const Graph graph = test::graphFromText(
            ("input x float32[16]\na = Sin(x)\nb = Cos(x)\n" + node + "p = Exp(a)\nq = Exp(y)\noutput p q\n")
                .constData());
        const Report report = test::planned(graph, policiesWith(SubbuffersPolicy::On));
        QVERIFY(hasPart(report));
        const auto outcome = test::executed(report);
        QVERIFY(outcome.ok() && outcome.value().result.mismatches.empty());
    }

    /// A run shows a part in the place of another.
    void exchangedPartsShow()
    {
        Report report = test::planned(test::graphFromText("input x float32[16]\na = Sin(x)\nb = Cos(x)\n"
                                                          "y = Concat(a, b) axis=0\noutput y\n"),
                                      policiesWith(SubbuffersPolicy::On));
        QCOMPARE(report.memory.peakBytes, 128);
        test::moveValue(report, "a", 64);
        test::moveValue(report, "b", 0);
        const auto outcome = test::executed(report);
        QVERIFY(outcome.ok() && !outcome.value().result.mismatches.empty());
    }
};

QTEST_APPLESS_MAIN(tst_SubBufferRuns)
#include "tst_sub_buffer_runs.moc"
