#include "core/facts/english/english.h"
#include "core/ops/op_schema.h"
#include "core/verify/verifier.h"
#include "kernels/reference/special/sparse_kernels.h"
#include "tests/kernels/run/run_support.h"
#include "tests/support/first_seed.h"
#include "tests/support/graph_text.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <random>

using namespace plimsoll;
using test::Numbers;

namespace {

Policies policiesOf(SparsePolicy sparse, std::int64_t alignment = 64)
{
    Policies policies;
    policies.backend = BackendPolicy::Reference;
    policies.sparse = sparse;
    policies.alignment = alignment;
    return policies;
}

/// The same graph with every tensor dense.
std::string denseTwin(const std::string& text)
{
    QString twin = QString::fromStdString(text);
    twin.remove(QRegularExpression(QStringLiteral("@\\w+(:\\d+)?")));
    twin.replace(QRegularExpression(QStringLiteral("storage=\"\\w+\"")), QStringLiteral("storage=\"dense\""));
    twin.replace(QRegularExpression(QStringLiteral("stype=\"\\w+\"")), QStringLiteral("stype=\"default\""));
    return twin.remove(QRegularExpression(QStringLiteral(" max_stored=\\d+"))).toStdString();
}

QString errorsOf(const Report& report)
{
    for (const Finding& finding : report.verdict.findings) {
        if (finding.severity == Severity::Error) return QString::fromStdString(english(finding.message));
    }
    return {};
}

QString mismatchesOf(const Result<kernels::RunOutcome>& outcome)
{
    if (!outcome.ok()) return QString::fromStdString(describe(outcome.error()));
    const auto& mismatches = outcome.value().result.mismatches;
    return mismatches.empty()
               ? QString()
               : QString::fromStdString("'" + mismatches.front().value + "': " + english(mismatches.front().note));
}

struct Ran
{
    std::vector<std::vector<double>> outputs;
    QString fault;
};

/// Numeric, compared with the oracle and with the dense kernels.
Ran run(const std::string& text, const Numbers& inputs, const Policies& policies)
{
    const Report report = test::planned(test::graphFromText(text), policies);
    kernels::RunRequest request;
    request.mode = kernels::RunMode::Numeric;
    request.reference = true;
    const auto outcome = test::executed(report, inputs, request);
    Ran ran {{}, errorsOf(report)};
    if (ran.fault.isEmpty()) ran.fault = mismatchesOf(outcome);
    if (!outcome.ok()) return ran;
    for (const kernels::RuntimeValue& output : outcome.value().outputs)
        ran.outputs.push_back(test::numbersOf(output));
    return ran;
}

constexpr int Side = 5;

/// Graphs of Side × Side matrices, some of them sparse, of every operator that has a rule and some that have none.
class RandomGraph
{
public:
    explicit RandomGraph(unsigned seed) : m_engine(seed)
    {
        m_text = "const half float32[1] = 0.5\n";
        const int inputs = 2 + pick(3);
        for (int i = 0; i < inputs; ++i)
            addInput();
        const int nodes = 2 + pick(7);
        for (int i = 0; i < nodes; ++i)
            addNode();
        m_text += "output";
        for (int i = 0; i < m_values; ++i)
            m_text += " v" + std::to_string(i);
        m_text += "\n";
    }

    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] const Numbers& inputs() const { return m_inputs; }

private:
    int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(m_engine); }
    std::string any() { return "v" + std::to_string(pick(m_values)); }
    std::string next() { return "v" + std::to_string(m_values++); }

    /// Nothing, everything or something kept; the bound is what there is, or more.
    void addInput()
    {
        std::vector<float> numbers(Side * Side, 0.0F);
        const int density = pick(4);
        std::int64_t elements = 0;
        std::int64_t rows = 0;
        for (int row = 0; row < Side; ++row) {
            const std::int64_t before = elements;
            const bool empty = density < 3 && pick(2) == 0;
            for (int column = 0; column < Side; ++column) {
                if (density == 0 || empty || (density < 3 && pick(3) != 0)) continue;
                numbers[static_cast<std::size_t>(row * Side + column)] = static_cast<float>(pick(17) - 8) + 0.25F;
                ++elements;
            }
            if (elements > before) ++rows;
        }
        const int kind = pick(3);
        const std::string name = next();
        const std::int64_t most = (kind == 1 ? rows : elements) + (pick(2) == 0 ? 0 : pick(4));
        const std::string kept = kind == 0   ? ""
                                 : kind == 1 ? "@row_sparse:" + std::to_string(most)
                                             : "@csr:" + std::to_string(most);
        m_text += "input " + name + " float32[5,5]" + kept + "\n";
        m_inputs[name] = std::move(numbers);
    }

    void addNode()
    {
        const std::string a = any();
        const std::string b = any();
        const std::string list = std::to_string(pick(Side)) + "," + std::to_string(pick(Side));
        const std::string kinds[] = {"storage=\"dense\"", "storage=\"row_sparse\" max_stored=5",
                                     "storage=\"csr\" max_stored=25"};
        std::string call;
        switch (pick(12)) {
        case 0:
            call = "Add(" + a + ", " + b + ")";
            break;
        case 1:
            call = "Mul(" + a + ", " + b + ")";
            break;
        case 2:
            call = "MatMul(" + a + ", " + b + ")";
            break;
        case 3:
            call = "Identity(" + a + ")";
            break;
        case 4:
            call = std::vector<std::string> {"Relu", "Tanh", "mxnet::sign", "Cos"}[pick(4)] + "(" + a + ")";
            break;
        case 5:
            call = "Sub(" + a + ", " + b + ")";
            break;
        case 6:
            call = "plimsoll::Retain(" + a + ", rows" + std::to_string(m_lists) + ")";
            break;
        case 7:
            call = "mxnet::elemwise_mul(" + a + ", " + b + ")";
            break;
        case 8:
            call = "mxnet::dot(" + a + ", " + b + ") transpose_a=1";
            break;
        case 9:
            call = "mxnet::elemwise_sub(" + a + ", " + b + ")";
            break;
        case 10:
            call = pick(2) == 0 ? "Mul(" + a + ", half)" : "mxnet::_mul_scalar(" + a + ") scalar=2";
            break;
        default:
            call = "plimsoll::CastStorage(" + a + ") " + kinds[pick(3)];
            break;
        }
        if (call.find("rows") != std::string::npos)
            m_text += "const rows" + std::to_string(m_lists++) + " int64[2] = " + list.substr(0, 1) + " " +
                      list.substr(2) + "\n";
        m_text += "n" + std::to_string(m_values) + ": ";
        m_text += next() + " = " + call + "\n";
    }

    std::mt19937 m_engine;
    std::string m_text;
    Numbers m_inputs;
    int m_values = 0;
    int m_lists = 0;
};

} // namespace

/// Sparse tensors executed: beside the oracle, beside the dense kernels, and beside the same graph with dense tensors.
class tst_SparseRuns : public QObject
{
    Q_OBJECT

private slots:
    void operatorsComputeWhatTheDenseOnesDo_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QList<float>>("x");
        QTest::addColumn<QList<double>>("y");
        const auto row = [](const char* name, const char* text, QList<float> x, QList<double> y) {
            QTest::newRow(name) << QByteArray(text) << x << y;
        };
        row("csr times dense",
            "input x float32[3,2]@csr:3\nconst w float32[2,2] = 1 2 3 4\ny = MatMul(x, w)\noutput y\n",
            {0, 0, 5, 0, 1, 1}, {0, 0, 5, 10, 4, 6});
        row("csr that keeps nothing",
            "input x float32[2,2]@csr:0\nconst w float32[2,2] = 1 2 3 4\ny = MatMul(x, w)\noutput y\n", {0, 0, 0, 0},
            {0, 0, 0, 0});
        row("a sum with dense",
            "input x float32[3,2]@row_sparse:1\nconst w float32[3,2] = 1 2 3 4 5 6\ny = Add(x, w)\noutput y\n",
            {0, 0, 7, 8, 0, 0}, {1, 2, 10, 12, 5, 6});
        row("a product with dense",
            "input x float32[3,2]@row_sparse:2\nconst w float32[3,2] = 1 2 3 4 5 6\ny = Mul(w, x)\noutput y\n",
            {0, 0, 7, 8, 0, 1}, {0, 0, 21, 32, 0, 6});
        row("a sum of rows", "input x float32[3,1]@row_sparse:2\ny = Add(x, x)\noutput y\n", {1, 0, 3}, {2, 0, 6});
        row("a sum of csr",
            "input x float32[2,3]@csr:3\nconst w float32[2,3]@csr:2 = 0 4 0 0 0 5\ny = Add(x, w)\noutput y\n",
            {1, 2, 0, 0, 0, 3}, {1, 6, 0, 0, 0, 8});
        row("a sum of csr and dense",
            "input x float32[2,2]@csr:1\nconst w float32[2,2] = 1 2 3 4\ny = Add(w, x)\noutput y\n", {0, 0, 7, 0},
            {1, 2, 10, 4});
        row("a product of csr",
            "input x float32[2,3]@csr:3\nconst w float32[2,3]@csr:3 = 0 4 0 6 0 5\ny = Mul(x, w)\noutput y\n",
            {1, 2, 0, 0, 0, 3}, {0, 8, 0, 0, 0, 15});
        row("a product of csr and dense",
            "input x float32[2,2]@csr:2\nconst w float32[2,2] = 1 2 3 4\ny = Mul(x, w)\noutput y\n", {0, 5, 7, 0},
            {0, 10, 21, 0});
        row("csr scaled", "input x float32[2,2]@csr:2\nconst w float32[] = -2\ny = Mul(w, x)\noutput y\n", {0, 5, 7, 0},
            {0, -10, -14, 0});
        row("rows scaled", "input x float32[3,1]@row_sparse:2\nconst w float32[1] = 3\ny = Mul(x, w)\noutput y\n",
            {1, 0, 2}, {3, 0, 6});
        row("MXNet's scaling", "input x float32[2,2]@csr:2\ny = mxnet::_mul_scalar(x) scalar=0.5\noutput y\n",
            {0, 5, 7, 0}, {0, 2.5, 3.5, 0});
        row("retain", "input x float32[4]@row_sparse:4\nconst i int64[2] = 3 0\ny = plimsoll::Retain(x, i)\noutput y\n",
            {1, 2, 3, 4}, {1, 0, 0, 4});
        row("retain of dense", "input x float32[4]\nconst i int64[2] = 3 0\ny = plimsoll::Retain(x, i)\noutput y\n",
            {1, 2, 3, 4}, {1, 0, 0, 4});
        row("there and back",
            "input x float32[2,2]\nc = plimsoll::CastStorage(x) storage=\"csr\" max_stored=4\n"
            "y = plimsoll::CastStorage(c) storage=\"dense\"\noutput y\n",
            {1, 0, -3, 4}, {1, 0, -3, 4});
        row("zero stays zero", "input x float32[2,2]@csr:2\ny = Neg(x)\noutput y\n", {0, 1, 0, -2}, {0, -1, 0, 2});
        row("MXNet's rectifier", "input x float32[2,2]@csr:2\ny = mxnet::relu(x)\noutput y\n", {0, 1, 0, -2},
            {0, 1, 0, 0});
        row("rows rounded", "input x float32[3,1]@row_sparse:2\ny = Ceil(x)\noutput y\n", {1.5, 0, -2.5}, {2, 0, -2});
        row("a fallback", "input x float32[2,2]@csr:2\nconst k float32[1] = 1\ny = Add(x, k)\noutput y\n",
            {0, 1, 0, -2}, {1, 2, 1, -1});
        row("MXNet's dot",
            "input x float32[3,2]@csr:3\nconst w float32[2,2] = 1 2 3 4\ny = mxnet::dot(x, w)\noutput y\n",
            {0, 0, 5, 0, 1, 1}, {0, 0, 5, 10, 4, 6});
        row("MXNet's dot, turned",
            "input x float32[2,3]@csr:3\nconst w float32[2,2] = 1 2 3 4\ny = mxnet::dot(x, w) transpose_a=1\noutput "
            "y\n",
            {0, 5, 1, 0, 0, 1}, {0, 0, 5, 10, 4, 6});
        row("MXNet's retain",
            "input x float32[3,1]@row_sparse:3\nconst i float32[1] = 1\ny = mxnet::_sparse_retain(x, i)\noutput y\n",
            {1, 2, 3}, {0, 2, 0});
    }
    void operatorsComputeWhatTheDenseOnesDo()
    {
        QFETCH(QByteArray, text);
        QFETCH(QList<float>, x);
        QFETCH(QList<double>, y);
        for (const auto sparse : {SparsePolicy::Native, SparsePolicy::Dense}) {
            const Ran ran = run(text.toStdString(), {{"x", {x.begin(), x.end()}}}, policiesOf(sparse));
            QCOMPARE(ran.fault, QString());
            QCOMPARE((QList<double> {ran.outputs.front().begin(), ran.outputs.front().end()}), y);
        }
    }

    void randomGraphsEqualTheirDenseTwins()
    {
        int natives = 0;
        int fallbacks = 0;
        const unsigned from = test::firstSeed(7'000);
        for (unsigned seed = from; seed < from + 400; ++seed) {
            const RandomGraph random(seed);
            const Ran dense = run(denseTwin(random.text()), random.inputs(), policiesOf(SparsePolicy::Native));
            QVERIFY2(dense.fault.isEmpty(), qPrintable(QStringLiteral("seed %1: ").arg(seed) + dense.fault));
            for (const auto sparse : {SparsePolicy::Native, SparsePolicy::Dense}) {
                const Ran ran = run(random.text(), random.inputs(), policiesOf(sparse, seed % 2 == 0 ? 1 : 64));
                const QString place = QStringLiteral("seed %1:\n").arg(seed) + QString::fromStdString(random.text());
                QVERIFY2(ran.fault.isEmpty(), qPrintable(place + ran.fault));
                QVERIFY2(ran.outputs == dense.outputs, qPrintable(place));
            }
            const Report report = test::planned(test::graphFromText(random.text()), policiesOf(SparsePolicy::Native));
            fallbacks += static_cast<int>(report.memory.fallbacks.size());
            for (const Implementation& chosen : report.program.implementations.chosen())
                natives += chosen.inputStorageTypes.empty() ? 0 : 1;
        }
        qInfo("%d nodes native, %d through dense temporaries", natives, fallbacks);
        QVERIFY(natives > 100 && fallbacks > 100);
    }

    /// What spoiled bytes would make a kernel read or write outside is found before.
    void aSpoiledBlockIsNoTensor()
    {
        const std::string text = "input x float32[6,6]\nc = plimsoll::CastStorage(x) storage=\"csr\" max_stored=36\n"
                                 "r = Relu(x)\ny = MatMul(c, r)\noutput y\n";
        Report report = test::planned(test::graphFromText(text), policiesOf(SparsePolicy::Native));
        const std::int64_t offset = report.program.map.values[findValue(*report.program.graph, "c").index()].offset;
        test::moveValue(report, "r", offset);
        const auto findings = verify({report.program, report.program.map}, {});
        QVERIFY(std::any_of(findings.begin(), findings.end(),
                            [](const Finding& finding) { return finding.severity == Severity::Error; }));
        const auto outcome = test::executed(report);
        QVERIFY(outcome.ok());
        QVERIFY(!outcome.value().result.mismatches.empty());
    }

    void moreThanTheBoundIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("error");
        QTest::newRow("handed in") << QByteArray("input x float32[2,2]@csr:2\ny = Relu(x)\noutput y\n")
                                   << QStringLiteral(
                                          "input 'x': There are 4 elements to keep, and csr(float32[2,2], at "
                                          "most 2) has room for no more than 2");
        QTest::newRow("of a constant")
            << QByteArray(
                   "input x float32[2,2]\nconst c float32[2,2]@row_sparse:1 = 1 2 3 4\ny = Add(x, c)\noutput y\n")
            << QStringLiteral("value 'c': There are 2 rows to keep");
        QTest::newRow("computed")
            << QByteArray(
                   "input x float32[2,2]\nn: y = plimsoll::CastStorage(x) storage=\"csr\" max_stored=3\noutput y\n")
            << QStringLiteral("node 'n': plimsoll::CastStorage: There are 4 elements to keep");
    }
    void moreThanTheBoundIsRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, error);
        const Report report = test::planned(test::graphFromText(text.toStdString()), policiesOf(SparsePolicy::Native));
        const auto outcome = test::executed(report, {{"x", {1, 2, 3, 4}}});
        QVERIFY(!outcome.ok());
        QVERIFY2(QString::fromStdString(describe(outcome.error())).contains(error), describe(outcome.error()).c_str());
    }

    void withoutABoundItIsAllocatedAtRunTime()
    {
        const std::string text = "input x float32[4,4]\nc = plimsoll::CastStorage(x) storage=\"csr\"\n"
                                 "y = MatMul(c, x)\noutput y\n";
        const Report report = test::planned(test::graphFromText(text), policiesOf(SparsePolicy::Native));
        QCOMPARE(report.memory.unplanned.size(), std::size_t(1));
        QCOMPARE(english(report.memory.unplanned.front().reason),
                 std::string("nothing says how much of 'c' is kept at most"));
        QCOMPARE(report.memory.unplanned.front().upperBoundBytes, std::int64_t(5 * 8 + 16 * (8 + 4)));
        std::vector<float> numbers(16, 0.0F);
        numbers[5] = 2;
        const auto outcome = test::executed(report, {{"x", numbers}});
        QCOMPARE(mismatchesOf(outcome), QString());
        // 5 ends of rows, a column and an element: nothing more is taken than is kept.
        QCOMPARE(outcome.value().result.unplannedPeakBytes, std::int64_t(5 * 8 + 8 + 4));
    }

    void drawnInputsStayWithinTheirBounds()
    {
        const char* text = "input a float32[40,30]@csr:17\ninput b float32[40,30]@row_sparse:3\n"
                           "input c float32[0,3]@csr:4\ninput d float32[40,30]@csr\noutput a b c d\n";
        const Report report = test::planned(test::graphFromText(text), policiesOf(SparsePolicy::Native));
        kernels::RunRequest request;
        for (unsigned seed = 0; seed < 20; ++seed) {
            request.seed = seed;
            const auto outcome = test::executed(report, {}, request);
            QCOMPARE(mismatchesOf(outcome), QString());
            const auto& outputs = outcome.value().result.outputs;
            QVERIFY(outputs[0].kept > 0 && outputs[0].kept <= 17);
            QVERIFY(outputs[1].kept > 0 && outputs[1].kept <= 3);
            QCOMPARE(outputs[2].kept, std::int64_t(0));
            QVERIFY(outputs[3].kept > 17);
            QCOMPARE(outputs[0].digest, test::executed(report, {}, request).value().result.outputs[0].digest);
        }
    }

    void everyPolicyKeepsWhatIsSparse_data()
    {
        QTest::addColumn<QByteArray>("policy");
        QTest::addColumn<QByteArray>("value");
        for (const PolicyInfo& policy : policyTable()) {
            for (const std::string_view value : policy.values) {
                const QByteArray id(policy.id.data(), static_cast<qsizetype>(policy.id.size()));
                const QByteArray name(value.data(), static_cast<qsizetype>(value.size()));
                QTest::newRow((id + '=' + name).constData()) << id << name;
            }
        }
    }
    void everyPolicyKeepsWhatIsSparse()
    {
        QFETCH(QByteArray, policy);
        QFETCH(QByteArray, value);
        Policies policies = policiesOf(SparsePolicy::Native, 1);
        QVERIFY(setPolicy(policies, policy.toStdString(), value.toStdString()).ok());
        const char* text = "input x float32[5,5]@row_sparse:4\ninput d float32[5,5]\n"
                           "const k float32[5,5]@csr:2 = 0 0 0 0 0 0 0 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1\n"
                           "a = Identity(x)\nb = Identity(x)\nc = Mul(a, d)\ne = Add(c, b)\nf = MatMul(k, d)\n"
                           "g = Relu(e)\noutput a b b e f g x\n";
        const Report report = test::planned(test::graphFromText(text), policies);
        QCOMPARE(errorsOf(report), QString());
        kernels::RunRequest request;
        request.writeProbe = true;
        request.reference = true;
        QCOMPARE(mismatchesOf(test::executed(report, {}, request)), QString());
    }

    void gradientsOfSparseTensorsAreDense()
    {
        const char* text = "input x float32[4,6]@csr:7\nparam w float32[6,2]\nparam e float32[4,2]@row_sparse:2\n"
                           "h = MatMul(x, w)\nk = Mul(h, e)\nl = ReduceSum(k) keepdims=0\noutput l\ngrad w e\nloss l\n";
        const Report report = test::planned(test::graphFromText(text), policiesOf(SparsePolicy::Native));
        QCOMPARE(report.program.graph->boundary.gradients, std::size_t(2));
        const auto outcome = test::executed(report);
        QCOMPARE(mismatchesOf(outcome), QString());
        for (const RunResult::Output& gradient : outcome.value().result.gradients)
            QCOMPARE(gradient.storage, StorageType::Dense);
    }

    void theRunTellsSparseFromDense()
    {
        const char* text = "input x float32[4,4]@row_sparse:4\nconst w float32[4,4] = 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"
                           "const k float32[4,4] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
                           "y = Mul(x, w)\nz = Add(x, k)\noutput y z\n";
        const Report report = test::planned(test::graphFromText(text), policiesOf(SparsePolicy::Native));
        std::vector<float> numbers(16, 0.0F);
        numbers[4] = numbers[7] = 3;
        const auto outcome = test::executed(report, {{"x", numbers}});
        QCOMPARE(mismatchesOf(outcome), QString());
        const auto& outputs = outcome.value().result.outputs;
        QCOMPARE(outputs[0].storage, StorageType::RowSparse);
        QCOMPARE(outputs[0].kept, std::int64_t(1));
        QCOMPARE(outputs[0].shape, (Shape {4, 4}));
        QCOMPARE(outputs[0].elements, outputs[1].elements);
        QCOMPARE(outputs[0].digest, outputs[1].digest);
        QCOMPARE(outputs[1].storage, StorageType::Dense);
    }

    void everyNativeRuleHasItsKernel()
    {
        std::size_t rules = 0;
        for (const OpFamily& family : opFamilies()) {
            for (const OpSchema& row : family.rows) {
                if (std::ranges::none_of(row.storages, &SparseRule::native)) continue;
                const std::string name = std::string(family.domain) + "::" + std::string(row.op);
                QVERIFY2(kernels::findSparseKernel(family.domain, row.op), name.c_str());
                QVERIFY2(kernels::findReferenceKernel(family.domain, row.op), name.c_str());
                rules += row.storages.size();
            }
        }
        QVERIFY(rules > 100);
    }
};

QTEST_APPLESS_MAIN(tst_SparseRuns)
#include "tst_sparse_runs.moc"
