#include "core/facts/english/english.h"
#include "core/facts/words/run_sentences.h"
#include "kernels/run/probe/overwrite.h"
#include "kernels/run/probe/write_probe.h"
#include "kernels/run/step/compare.h"
#include "kernels/run/step/element_values.h"
#include "kernels/tensor_view.h"
#include "tests/kernels/run/planned_with.h"
#include "tests/kernels/run/run_support.h"
#include "tests/support/first_seed.h"
#include "tests/support/graph_text.h"
#include "tests/support/random_graph.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;
using test::plannedWith;

namespace {

const QByteArray Seed = "input x float32[4]\nxc = Identity(x)\ny0 = Identity(xc)\ny1 = Identity(xc)\noutput y0 y1\n";
const QByteArray Twice = "input x float32[4]\np = Identity(x)\noutput p p\n";
const QByteArray PassThrough = "input x float32[4]\ny = Identity(x)\noutput x y\n";
const QByteArray Chain =
    "input x float32[4]\nh = Neg(x)\na = Identity(h)\nb = Identity(a)\ny = Identity(b)\noutput y\n";
const QByteArray Both = "input x float32[4]\nh = Neg(x)\ny = Identity(h)\noutput h y\n";

Result<kernels::RunOutcome> probed(const Report& report, const test::Numbers& inputs, unsigned seed = 0)
{
    kernels::RunRequest request;
    request.seed = seed;
    request.writeProbe = true;
    const ValueId trips = findValue(*report.program.graph, "trips");
    if (trips.valid()) {
        kernels::HostTensor number(DType::Int64, {});
        *number.view().as<std::int64_t>() = seed % 4;
        request.inputs[trips] = kernels::tensorValue(std::move(number));
    }
    return test::executed(report, inputs, std::move(request));
}

/// The sentences on the writes, and those on what the outputs held.
QStringList lines(const WriteProbe& probe)
{
    QStringList all;
    for (const std::string& sentence : english(probeSentences(probe))) {
        const QString line = QString::fromStdString(sentence);
        if (!line.startsWith(QLatin1String("in the end"))) all.append(line);
    }
    return all;
}

/// "0 0 0 0 | 1 1 1 1": what every handle reads after write \p index, counted from the end where it is negative.
QString contents(const WriteProbe& probe, int index)
{
    const auto count = static_cast<int>(probe.writes.size());
    QStringList all;
    for (const auto& content : probe.writes[static_cast<std::size_t>(index < 0 ? count + index : index)].after) {
        QStringList elements;
        for (const std::string& element : content.elements)
            elements.append(QString::fromStdString(element));
        all.append(elements.join(QLatin1Char(' ')));
    }
    return all.join(QStringLiteral(" | "));
}

QString firstMismatch(const RunResult& result)
{
    if (result.mismatches.empty()) return {};
    return QString::fromStdString("'" + result.mismatches.front().value +
                                  "': " + english(result.mismatches.front().note));
}

const QString Refreshed = QStringLiteral("a second run refreshed every output");

} // namespace

/// What the caller sees when he writes to what a run has left him. The numbers are those of the behaviours in the
/// research notes on apache/mxnet issue 16685.
class tst_WriteProbe : public QObject
{
    Q_OBJECT

private slots:
    void aWriteShowsWhereThePolicyLetsIt_data();
    void aWriteShowsWhereThePolicyLetsIt();
    void theFirstWriteOfCopyOnWriteTakesBytes();
    void aRefusalNamesThePartner();
    void whatTheOracleCannotSeeIsSeenByTheProbe();
    void whatThePlanSaysAndDoesNotHappenIsTold();
    void anOutputThatIsNotRefreshedIsFound();
    void theCallersOwnInputsAreLeftAlone();
    void aBufferThatIsBroughtIsUsedAgain();
    void everyTypeIsGivenOtherContent_data();
    void everyTypeIsGivenOtherContent();
    void onlyWhatThePlanPredictsChanges();

private:
    template <typename Row>
    static void addSharedRows(const Row& row);
    template <typename Row>
    static void addOtherRows(const Row& row);
};

void tst_WriteProbe::aWriteShowsWhereThePolicyLetsIt_data()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QByteArray>("policies");
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("reads"); // After the last write through an output: all handles.
    const auto row = [](const char* name, const QByteArray& graph, const char* policies, const char* said,
                        const char* reads) {
        QTest::newRow(name) << graph << QByteArray(policies) << QString::fromLatin1(said) << QString::fromLatin1(reads);
    };
    const char* x = "\nwriting 'x' changed nothing else";
    const auto seed = [&](const char* name, const char* policies, const QByteArray& said, const char* reads) {
        row(name, Seed, policies, (said + x).constData(), reads);
    };
    const char* apart = "writing 'y0' changed nothing else\nwriting 'y1' changed nothing else";
    seed("B01 the seed under MXNet's rule", "outputs=shared",
         "writing 'y0' changed 'y1' (16 B)\nwriting 'y1' changed 'y0' (16 B)", "1 1 1 1 | 1 1 1 1 | 5 6 7 8");
    seed("B02 independent", "", apart, "0 0 0 0 | 1 1 1 1 | 5 6 7 8");
    seed("B02 an internal copy in the input", "inputs=share-identity", apart, "0 0 0 0 | 1 1 1 1 | 5 6 7 8");
    seed("B03 read-only", "outputs=read-only",
         "writing 'y0' is refused: it shares its bytes with 'y1'\n"
         "writing 'y1' is refused: it shares its bytes with 'y0'",
         "5 6 7 8 | 5 6 7 8 | 5 6 7 8");
    seed("B05 external", "outputs=external", apart, "0 0 0 0 | 1 1 1 1 | 5 6 7 8");
    row("B04 copy-on-write", Seed, "outputs=copy-on-write",
        "writing 'y0' detached it: 16 B more\nwriting 'y1' changed nothing else\nwriting 'x' changed nothing else\n"
        "the outputs held 16 B, and hold 32 B after the writes",
        "0 0 0 0 | 1 1 1 1 | 5 6 7 8");
    addSharedRows(row);
    addOtherRows(row);
}

template <typename Row>
void tst_WriteProbe::addSharedRows(const Row& row)
{
    const char* dependent = "writing 'p' (output 0) changed 'p' (output 1) (16 B)\n"
                            "writing 'p' (output 1) changed 'p' (output 0) (16 B)\nwriting 'x' changed nothing else";
    for (const char* policies : {"outputs=independent", "outputs=shared", "outputs=copy-on-write"})
        row(qPrintable(QStringLiteral("B06 one entry twice, ") + QLatin1String(policies)), Twice, policies, dependent,
            "1 1 1 1 | 1 1 1 1 | 5 6 7 8");
    row("B06 external copies it", Twice, "outputs=external",
        "writing 'p' changed nothing else\nwriting 'p:copy' changed nothing else\nwriting 'x' changed nothing else",
        "0 0 0 0 | 1 1 1 1 | 5 6 7 8");
    row("B06 read-only names the other", Twice, "outputs=read-only",
        "writing 'p' (output 0) is refused: it is the same entry as output 1, 'p'\n"
        "writing 'p' (output 1) is refused: it is the same entry as output 0, 'p'\nwriting 'x' changed nothing else",
        "5 6 7 8 | 5 6 7 8 | 5 6 7 8");
    const QByteArray pair =
        "input x float32[4]\np = Identity(x)\na = Neg(x)\nb = Neg(x)\nc = Add(a, b)\noutput p p c\n";
    for (const char* policies : {"cse=off", "cse=on"})
        row(qPrintable(QStringLiteral("B07 a mergeable pair elsewhere, ") + QLatin1String(policies)), pair, policies,
            "writing 'p' (output 0) changed 'p' (output 1) (16 B)\nwriting 'p' (output 1) changed 'p' (output 0) (16 "
            "B)\n"
            "writing 'c' changed nothing else\nwriting 'x' changed nothing else",
            "1 1 1 1 | 1 1 1 1 | 2 2 2 2 | 5 6 7 8");
    const char* input = "writing 'x' (output 0) changed 'x' (input 0) (16 B)\nwriting 'y' changed nothing else\n"
                        "writing 'x' (input 0) changed 'x' (output 0) (16 B)";
    row("B08 an input and its copy", PassThrough, "", input, "0 0 0 0 | 1 1 1 1 | 0 0 0 0");
    row("B08 with shared inputs", PassThrough, "inputs=share-identity", input, "0 0 0 0 | 1 1 1 1 | 0 0 0 0");
    row("B08 an input twice", "input x float32[4]\noutput x x\n", "",
        "writing 'x' (output 0) changed 'x' (output 1) (16 B) and 'x' (input 0) (16 B)\n"
        "writing 'x' (output 1) changed 'x' (output 0) (16 B) and 'x' (input 0) (16 B)\n"
        "writing 'x' (input 0) changed 'x' (output 0) (16 B) and 'x' (output 1) (16 B)",
        "1 1 1 1 | 1 1 1 1 | 1 1 1 1");
    row("B08 read-only, but for the input's own handle", PassThrough, "outputs=read-only",
        "writing 'x' (output 0) is refused: it is the same entry as input 0, 'x', which is written through its own "
        "handle\nwriting 'y' is refused: outputs are read-only\nwriting 'x' (input 0) changed 'x' (output 0) (16 B)",
        "5 6 7 8 | 5 6 7 8 | 5 6 7 8");
    row("B08 everything in the input", PassThrough, "outputs=shared inputs=share-identity",
        "writing 'x' (output 0) changed 'y' (16 B) and 'x' (input 0) (16 B)\n"
        "writing 'y' changed 'x' (output 0) (16 B) and 'x' (input 0) (16 B)\n"
        "writing 'x' (input 0) changed 'x' (output 0) (16 B) and 'y' (16 B)",
        "1 1 1 1 | 1 1 1 1 | 1 1 1 1");
    row("B08 external copies the input", PassThrough, "outputs=external",
        "writing 'x:copy' changed nothing else\nwriting 'y' changed nothing else\nwriting 'x' changed nothing else",
        "0 0 0 0 | 1 1 1 1 | 5 6 7 8");
}

template <typename Row>
void tst_WriteProbe::addOtherRows(const Row& row)
{
    row("B09 a chain of identities", Chain, "", "writing 'y' changed nothing else\nwriting 'x' changed nothing else",
        "0 0 0 0 | 5 6 7 8");
    row("B10 a value and its copy", Both, "",
        "writing 'h' changed nothing else\nwriting 'y' changed nothing else\nwriting 'x' changed nothing else",
        "0 0 0 0 | 1 1 1 1 | 5 6 7 8");
    row("B10 under MXNet's rule", Both, "outputs=shared",
        "writing 'h' changed 'y' (16 B)\nwriting 'y' changed 'h' (16 B)\nwriting 'x' changed nothing else",
        "1 1 1 1 | 1 1 1 1 | 5 6 7 8");
    const QByteArray views = "const two int64[2] = 2 2\nconst tall int64[2] = 4 1\ninput x float32[4]\nh = Neg(x)\n"
                             "r = Reshape(h, two)\ns = Reshape(h, tall)\noutput r s\n";
    row("B10 two shapes of one value", views, "",
        "writing 'r' changed nothing else\nwriting 's' changed nothing else\nwriting 'x' changed nothing else",
        "0 0 0 0 | 1 1 1 1 | 5 6 7 8");
    row("B10 two shapes of one value under MXNet's rule", views, "outputs=shared",
        "writing 'r' changed 's' (16 B)\nwriting 's' changed 'r' (16 B)\nwriting 'x' changed nothing else",
        "1 1 1 1 | 1 1 1 1 | 5 6 7 8");
    row("copy-on-write moves an entry under all its names", Seed + "output y1\n", "outputs=copy-on-write",
        "writing 'y0' detached it: 16 B more\nwriting 'y1' (output 1) changed 'y1' (output 2) (16 B)\n"
        "writing 'y1' (output 2) changed 'y1' (output 1) (16 B)\nwriting 'x' changed nothing else\n"
        "the outputs held 16 B, and hold 32 B after the writes",
        "0 0 0 0 | 2 2 2 2 | 2 2 2 2 | 5 6 7 8");
    row("copy-on-write moves the names together, when they are first",
        Seed.left(Seed.indexOf("output")) + "output y0 y0 y1\n", "outputs=copy-on-write",
        "writing 'y0' (output 0) detached it: 16 B more; it changed 'y0' (output 1) (16 B)\n"
        "writing 'y0' (output 1) changed 'y0' (output 0) (16 B)\nwriting 'y1' changed nothing else\n"
        "writing 'x' changed nothing else\nthe outputs held 16 B, and hold 32 B after the writes",
        "1 1 1 1 | 1 1 1 1 | 2 2 2 2 | 5 6 7 8");
    row("a declared view follows", "input x float32[4]\nh = Neg(x)\nv = Identity(h) alias=0:view:0\noutput h v\n", "",
        "writing 'h' changed 'v' (16 B)\nwriting 'v' changed 'h' (16 B)\nwriting 'x' changed nothing else",
        "1 1 1 1 | 1 1 1 1 | 5 6 7 8");
    row("a constant is not the caller's", "const c float32[2] = 1 2\ninput x float32[4]\noutput c\n", "",
        "writing 'c' is refused: it is a constant of the graph\nwriting 'x' changed nothing else", "1 2 | 5 6 7 8");
    row("a sequence is left alone", "input x float32[4]\ns = SequenceConstruct(x, x)\noutput s\n", "",
        "'s' is not written: It is a sequence.\nwriting 'x' changed nothing else", " | 5 6 7 8");
    row("nothing can change in nothing", "input x float32[4]\ninput e float32[0]\noutput e e\n", "",
        "writing 'e' (output 0) changed nothing else\nwriting 'e' (output 1) changed nothing else\n"
        "writing 'x' changed nothing else\nwriting 'e' (input 1) changed nothing else",
        " |  | 5 6 7 8 | ");
}

void tst_WriteProbe::aWriteShowsWhereThePolicyLetsIt()
{
    QFETCH(QByteArray, graph);
    QFETCH(QByteArray, policies);
    QFETCH(QString, said);
    QFETCH(QString, reads);
    const Report report = plannedWith(graph, policies);
    const auto outcome = probed(report, {{"x", {5, 6, 7, 8}}});
    QVERIFY2(outcome.ok(), outcome.ok() ? "" : describe(outcome.error()).c_str());
    const WriteProbe& probe = *outcome.value().result.probe;
    QCOMPARE(lines(probe).join(QLatin1Char('\n')), said + QLatin1Char('\n') + Refreshed);
    const auto outputs = static_cast<int>(report.program.graph->top().outputs.size());
    QCOMPARE(contents(probe, outputs - 1), reads);
    QCOMPARE(probe.refreshedOutputs, outputs);
    QCOMPARE(firstMismatch(outcome.value().result), QString());
}

void tst_WriteProbe::theFirstWriteOfCopyOnWriteTakesBytes()
{
    const Report report = plannedWith(Seed, "outputs=copy-on-write");
    const auto outcome = probed(report, {{"x", {5, 6, 7, 8}}});
    QVERIFY(outcome.ok());
    const WriteProbe& probe = *outcome.value().result.probe;
    QCOMPARE(probe.liveBytes, 16);
    QCOMPARE(probe.writes[0].outcome, ProbeWrite::Outcome::Detached);
    QCOMPARE(probe.writes[0].liveBytes, 32);
    QCOMPARE(contents(probe, 0), QStringLiteral("0 0 0 0 | 5 6 7 8 | 5 6 7 8"));
    QCOMPARE(probe.writes[1].outcome, ProbeWrite::Outcome::Written); // The last one keeps the block.
    QCOMPARE(probe.writes[1].liveBytes, 32);
    QCOMPARE(probe.detachedBytes(), report.memory.detachBytes);
}

void tst_WriteProbe::aRefusalNamesThePartner()
{
    const auto outcome = probed(plannedWith(Seed, "outputs=read-only"), {{"x", {5, 6, 7, 8}}});
    QVERIFY(outcome.ok());
    const ProbeWrite& write = outcome.value().result.probe->writes[1];
    QCOMPARE(write.outcome, ProbeWrite::Outcome::Refused);
    QVERIFY(write.partner.has_value());
    QCOMPARE(write.partner->value, std::string("y0"));
    QVERIFY(write.partner->output);
    QCOMPARE(write.partner->index, std::size_t {0});
}

/// Two identities of one value in one block: every value is right after every step, and yet they are not independent.
void tst_WriteProbe::whatTheOracleCannotSeeIsSeenByTheProbe()
{
    Report report = plannedWith(Seed, "");
    const ValueId first = findValue(*report.program.graph, "y0");
    test::moveValue(report, "y1", report.program.map.values[first.index()].offset);
    const auto plain = test::executed(report, {{"x", {5, 6, 7, 8}}});
    QVERIFY(plain.ok());
    QCOMPARE(firstMismatch(plain.value().result), QString());

    const auto outcome = probed(report, {{"x", {5, 6, 7, 8}}});
    QVERIFY(outcome.ok());
    QCOMPARE(lines(*outcome.value().result.probe).front(),
             QStringLiteral("writing 'y0' changed 'y1' (16 B, against the plan)"));
    QCOMPARE(outcome.value().result.mismatches.size(), std::size_t {2});
    QCOMPARE(firstMismatch(outcome.value().result),
             QStringLiteral("'y1': writing 'y0' changed 16 bytes of it, against the plan"));
}

/// Two outputs in two blocks, of which the report says that they share one.
void tst_WriteProbe::whatThePlanSaysAndDoesNotHappenIsTold()
{
    Report report = plannedWith(Seed, "");
    report.program.handles[0].aliases = {1};
    report.program.handles[1].aliases = {0};

    const auto outcome = probed(report, {{"x", {5, 6, 7, 8}}});

    QVERIFY(outcome.ok());
    QCOMPARE(lines(*outcome.value().result.probe).first(2).join(QLatin1Char('\n')),
             QStringLiteral("writing 'y0' changed nothing else; 'y1' did not change, although the plan says so\n"
                            "writing 'y1' changed nothing else; 'y0' did not change, although the plan says so"));
}

/// No plan is known that fails so: the stale output is put there by hand.
void tst_WriteProbe::anOutputThatIsNotRefreshedIsFound()
{
    const Report report = plannedWith(Seed, "");
    const auto outcome = probed(report, {{"x", {5, 6, 7, 8}}});
    QVERIFY(outcome.ok());
    std::vector<kernels::RuntimeValue> second = outcome.value().outputs;
    second[1] = kernels::tensorValue(kernels::HostTensor(DType::Float32, {4}));
    WriteProbe probe;
    kernels::compareRuns(report.program, outcome.value().outputs, second, probe);
    QCOMPARE(probe.refreshedOutputs, 1);
    QCOMPARE(probe.stale.size(), std::size_t {1});
    QCOMPARE(probe.stale.front().handle.value, std::string("y1"));
    QCOMPARE(kernels::contradictions(report.program, probe).front().value, std::string("y1"));
}

void tst_WriteProbe::theCallersOwnInputsAreLeftAlone()
{
    const Report report = plannedWith(PassThrough, "outputs=shared inputs=share-identity");
    kernels::HostTensor x(DType::Float32, {4});
    std::fill_n(x.view().as<float>(), 4, 3.0F);
    kernels::RunRequest request;
    request.writeProbe = true;
    request.inputs[findValue(*report.program.graph, "x")] = kernels::tensorValue(x);
    const auto outcome = test::executed(report, {}, request);
    QVERIFY(outcome.ok());
    QCOMPARE(contents(*outcome.value().result.probe, -1), QStringLiteral("2 2 2 2 | 2 2 2 2 | 2 2 2 2"));
    QCOMPARE(x.view().as<float>()[0], 3.0F);
    QCOMPARE(test::numbersOf(outcome.value().outputs.front()).front(), 3.0);
}

void tst_WriteProbe::aBufferThatIsBroughtIsUsedAgain()
{
    const Report report = plannedWith(Seed, "outputs=external");
    const ValueId output = findValue(*report.program.graph, "y0");
    kernels::ExternalValues externals(*report.program.graph, {}, 0);
    kernels::PlannedMemory planned(report.program, externals,
                                   kernels::ArenaMemory::create(report.program.map.arenas).value());
    kernels::HostTensor buffer(DType::Float32, {4});
    planned.set(output, kernels::tensorValue(buffer));

    const auto written = planned.produce(output, DType::Float32, {4});

    QVERIFY(written.ok());
    QCOMPARE(written.value().data, buffer.view().data);
}

void tst_WriteProbe::everyTypeIsGivenOtherContent_data()
{
    QTest::addColumn<int>("dtype");
    for (const DType dtype : {DType::Float64, DType::Float32, DType::Float16, DType::BFloat16, DType::Int64,
                              DType::Int32, DType::Int16, DType::Int8, DType::Int4, DType::UInt64, DType::UInt32,
                              DType::UInt16, DType::UInt8, DType::Bool, DType::String, DType::Complex64})
        QTest::newRow(std::string(dtypeName(dtype)).c_str()) << static_cast<int>(dtype);
}

void tst_WriteProbe::everyTypeIsGivenOtherContent()
{
    QFETCH(int, dtype);
    kernels::HostTensor tensor(static_cast<DType>(dtype), {6});
    kernels::fillFromSeed(tensor.view(), 7);
    const kernels::RuntimeValue value = kernels::tensorValue(tensor);
    for (int time = 0; time < 2; ++time) {
        const kernels::RuntimeValue before = kernels::cloneValue(value);
        kernels::overwrite(tensor.view(), 0);
        QCOMPARE(kernels::changedBytes(before, value), kernels::valueBytes(value));
    }
}

/// Random graphs under every policy for outputs and inputs: a write shows where the plan says, and nowhere else.
void tst_WriteProbe::onlyWhatThePlanPredictsChanges()
{
    int changes = 0;
    int refusals = 0;
    int detached = 0;
    const unsigned from = test::firstSeed(70'000);
    for (unsigned seed = from; seed < from + 250; ++seed) {
        const Graph graph = test::randomGraph(seed);
        for (const char* outputs : {"independent", "read-only", "copy-on-write", "external", "shared"}) {
            for (const char* inputs : {"protect", "share-identity", "donate"}) {
                const QByteArray choices = QByteArray("outputs=") + outputs + " inputs=" + inputs;
                const QString where = QStringLiteral("seed %1, %2: ").arg(seed).arg(QString::fromLatin1(choices));
                Policies policies;
                policies.backend = BackendPolicy::Reference;
                QVERIFY(setPolicy(policies, "outputs", outputs).ok() && setPolicy(policies, "inputs", inputs).ok());
                const Report report = test::planned(graph, policies);
                const auto outcome = probed(report, {}, seed);
                QVERIFY2(outcome.ok(), qPrintable(where));
                const QString wrong = firstMismatch(outcome.value().result);
                QVERIFY2(wrong.isEmpty(), qPrintable(where + wrong));
                const auto& writes = outcome.value().result.probe->writes;
                QCOMPARE(writes.size(), report.program.handles.size());
                for (std::size_t i = 0; i < writes.size(); ++i) {
                    const QString line = where + lines(*outcome.value().result.probe)[static_cast<qsizetype>(i)];
                    QVERIFY2(writes[i].unchanged.empty(), qPrintable(line));
                    const bool free = policies.outputs == OutputsPolicy::Shared;
                    const std::size_t most = report.program.handles[i].together.size() +
                                             (free ? report.program.handles[i].aliases.size() : 0);
                    QVERIFY2(writes[i].changed.size() <= most, qPrintable(line));
                    changes += static_cast<int>(writes[i].changed.size());
                    refusals += writes[i].outcome == ProbeWrite::Outcome::Refused;
                    detached += writes[i].outcome == ProbeWrite::Outcome::Detached;
                }
            }
        }
    }
    qInfo("%d changes seen, %d writes refused, %d detached", changes, refusals, detached);
    QVERIFY(changes > 100 && refusals > 100 && detached > 10);
}

QTEST_APPLESS_MAIN(tst_WriteProbe)
#include "tst_write_probe.moc"
