#include "core/facts/arena_peaks.h"
#include "core/facts/english/english.h"
#include "core/facts/words/names.h"
#include "core/facts/words/verdict.h"
#include "core/formats/read_graph.h"
#include "core/formats/terms.h"
#include "core/pipeline/pipeline.h"
#include "tests/support/temporary_folder.h"

#include <QFile>
#include <QtTest>

using namespace plimsoll;

namespace {

/// As the command line does it, by the plan that the file brings.
Result<Report> judge(const std::filesystem::path& path)
{
    PLIMSOLL_ASSIGN(graph, readGraph(path, {}));
    PLIMSOLL_ASSIGN(plan, readPlan(path));
    PlanRequest request;
    request.givenPlan = sharedPlan(std::move(plan));
    takeTerms(graph, request.givenPlan.get(), {}, request.policies);
    return analyse(graph, request, {});
}

Report judgedText(const QByteArray& text)
{
    const test::TemporaryFolder folder;
    auto report = judge(folder.write("program.pbtxt", text.toStdString()));
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

/// "overlap: x y", one a line.
QString errorsText(const Report& report)
{
    QString text;
    for (const Finding& finding : report.verdict.findings) {
        if (finding.severity != Severity::Error) continue;
        text += QString::fromStdString(std::string(ruleId(finding.rule))) + ":";
        for (const ValueId value : finding.values)
            text += " " + QString::fromStdString((*report.program.graph)[value].name);
        text += "\n";
    }
    return text;
}

/// "b@0+16 c@16+16", of those that are placed.
QString placesText(const Report& report)
{
    QString text;
    for (std::size_t i = 0; i < report.program.map.values.size(); ++i) {
        const ValuePlacement& place = report.program.map.values[i];
        if (!place.placed() && !place.host.valid()) continue;
        const std::string where =
            place.placed() ? report.program.map.arenas[place.arena.index()].space + std::to_string(place.arena.number())
                           : (*report.program.graph)[place.host].name;
        text += (text.isEmpty() ? "" : " ") +
                QString::fromStdString((*report.program.graph).values[i].name + "@" + where) +
                QStringLiteral(":%1+%2").arg(place.offset).arg(place.bytes);
    }
    return text;
}

QString corpusFile(const char* name)
{
    return QStringLiteral(PLIMSOLL_SHARED_DIR "/corpora/hlo/") + QString::fromUtf8(name);
}

/// x → a → b → y: a and b are alive together, and b and y; a in the arena at \p a, b at \p b, y on its own.
QByteArray chain(int a, int b)
{
    const QByteArray shape = "shape { element_type: F32 dimensions: 4 layout { minor_to_major: 0 } }";
    const auto node = [&](const char* name, const char* opcode, int id, const char* operand) {
        return QByteArray("instructions { name: \"") + name + "\" opcode: \"" + opcode +
               "\" id: " + QByteArray::number(id) + " " + operand + shape + " }\n";
    };
    const auto buffer = [](int id) {
        return QByteArray("logical_buffers { id: ") + QByteArray::number(id) +
               " size: 16 defined_at { instruction_id: " + QByteArray::number(id) + " } }\n";
    };
    const auto assigned = [](int id, int offset) {
        return QByteArray("assigned { logical_buffer_id: ") + QByteArray::number(id) +
               " size: 16 offset: " + QByteArray::number(offset) + " }";
    };
    return "hlo_module {\n name: \"m\" entry_computation_name: \"e\"\n computations { name: \"e\" id: 1 root_id: 14\n" +
           node("y", "cosine", 14, "operand_ids: 13 ") + node("b", "reverse", 13, "operand_ids: 12 ") +
           node("a", "reverse", 12, "operand_ids: 11 ") + node("x", "parameter", 11, "") +
           "} schedule { sequences { key: 1 value { instruction_ids: [11, 12, 13, 14] } } } }\n"
           "buffer_assignment {\n" +
           buffer(11) + buffer(12) + buffer(13) + buffer(14) +
           "buffer_allocations { size: 16 is_entry_computation_parameter: true " + assigned(11, 0) + " }\n" +
           "buffer_allocations { index: 1 size: 16 maybe_live_out: true " + assigned(14, 0) + " }\n" +
           "buffer_allocations { index: 2 size: 64 " + assigned(12, a) + assigned(13, b) + " }\n}\n";
}

} // namespace

/// Programs of XLA with their buffer assignment: from the file to the report.
class PipelineHlo : public QObject
{
    Q_OBJECT

private slots:
    /// The instructions are listed in another order than they are scheduled.
    void theAssignmentIsThePlan()
    {
        const Report report = judgedText(chain(0, 16));
        QCOMPARE(placesText(report), QStringLiteral("a@cpu1:0+16 b@cpu1:16+16 y@cpu0:0+16"));
        QCOMPARE(errorsText(report), QString());
        QCOMPARE(report.memory.peakBytes, std::int64_t {64 + 16}); // as the file states them, used or not
    }

    /// A reversal reads all of a while it writes b.
    void aMovedBufferIsFound()
    {
        QCOMPARE(errorsText(judgedText(chain(0, 8))), QStringLiteral("overlap: a b\n"));
        QCOMPARE(errorsText(judgedText(chain(0, 56))), QStringLiteral("beyond-capacity: b\n")); // beyond the allocation
    }

    /// The layout says nothing of it.
    void memoriesAreThoseOfTheBuffers()
    {
        QByteArray text = chain(0, 16);
        text.replace("defined_at { instruction_id: 14 }", "defined_at { instruction_id: 14 } color: 5");
        text.replace("maybe_live_out: true", "maybe_live_out: true color: 5");
        const Report report = judgedText(text);
        QCOMPARE(placesText(report), QStringLiteral("a@cpu1:0+16 b@cpu1:16+16 y@host0:0+16"));
        QCOMPARE(errorsText(report), QString());
    }

    /// Of one memory several allocations are told apart as XLA does it; a compiled program names its device.
    void allocationsHaveNames()
    {
        const auto namesOf = [](const Report& report) {
            std::string names;
            for (std::size_t i = 0; i < report.program.map.arenas.size(); ++i)
                names += arenaName(report, ArenaId(i)) + ", ";
            return names;
        };
        QCOMPARE(namesOf(judgedText(chain(0, 16))), std::string("cpu #0, cpu #1, "));
        QByteArray compiled = chain(0, 16);
        compiled.replace("hlo_module {", "gpu_executable { hlo_module_with_config { hlo_module {");
        compiled.replace("} } } }\nbuffer_assignment {", "} } } } }\nbuffer_assignment {");
        compiled += "executable_abi_version { platform_name: \"CUDA\" } }\n";
        const Report report = judgedText(compiled);
        QCOMPARE(namesOf(report), std::string("cuda:0 #0, cuda:0 #1, "));
        QCOMPARE(errorsText(report), QString());
        QCOMPARE(english(report.notes.back()),
                 std::string("Arenas are allocations of XLA's buffer assignment: #0 is number 1, maybe-live-out, #1 is "
                             "number 2, preallocated-temp."));
        QCOMPARE(english(peakPlaces(report)),
                 std::string("(64 B in cuda:0 #1 at step 1 + 16 B in cuda:0 #0 at step 2)"));
    }

    /// The bound of its arenas is above a plan that has fewer: it is said of which it is.
    void theBoundIsOfTheArenasOfThePlan()
    {
        const Report report = judgedText(chain(0, 16));
        QCOMPARE(report.memory.lowerBoundBytes, std::int64_t {32 + 16});
        QCOMPARE(report.verdict.given->ownPeakBytes.value(), std::int64_t {32});
        QVERIFY(english(verdictText(report)).find("above the bound of its own sharing and arenas") !=
                std::string::npos);
    }

    /// What XLA puts into parameters that are given away, its peak does not count.
    void plansOfOtherMemoriesAreNotCompared()
    {
        const QString path = corpusFile("tpu_inference_2.xplane.pb#jit_f");
        if (!QFile::exists(path.section(u'#', 0, 0))) QSKIP("the corpus is not here");
        const Report report = judge(path.toStdString()).value();
        QVERIFY(!report.verdict.given->ownPeakBytes);
        const std::string why = english(report.notes.back());
        QVERIFY2(why.find("lie in bytes of the caller in the given plan") != std::string::npos, why.c_str());
    }

    void whatIsWrongIsSaid_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("error");
        QTest::newRow("operand") << QByteArray("operand_ids: 12") << QByteArray("operand_ids: 99")
                                 << "instruction 'b': It reads instruction 99, which no instruction before it is.";
        QTest::newRow("order") << QByteArray("[11, 12, 13, 14]") << QByteArray("[11, 13, 12, 14]")
                               << "instruction 'b': It reads instruction 12, which no instruction before it is.";
        QTest::newRow("schedule") << QByteArray("[11, 12, 13, 14]") << QByteArray("[11, 12, 13]")
                                  << "computation 'e': Its schedule does not have all of its instructions.";
        QTest::newRow("twice") << QByteArray("[11, 12, 13, 14]") << QByteArray("[11, 12, 12, 13, 14]")
                               << "computation 'e': Its schedule names instruction 12 twice, or the computation does "
                                  "not have it.";
        QTest::newRow("root") << QByteArray("root_id: 14") << QByteArray("root_id: 15")
                              << "computation 'e': It does not have its root.";
        QTest::newRow("entry") << QByteArray("entry_computation_name: \"e\"") << QByteArray("")
                               << "hlo_module: The program does not say where it begins.";
        QTest::newRow("buffer") << QByteArray("assigned { logical_buffer_id: 14")
                                << QByteArray("assigned { logical_buffer_id: 77")
                                << "buffer_assignment.buffer_allocations[1]: It has no logical buffer 77.";
        QTest::newRow("syntax") << QByteArray("root_id: 14") << QByteArray("root_id: }")
                                << "line 3: Protobuf cannot read this text: Expected integer, got: }";
    }

    void whatIsWrongIsSaid()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, error);
        const test::TemporaryFolder folder;
        const QByteArray text = chain(0, 16);
        QVERIFY(text.contains(from));
        const auto graph = readGraph(folder.write("p.pbtxt", QByteArray(text).replace(from, to).toStdString()), {});
        QVERIFY(!graph.ok());
        QVERIFY2(QString::fromStdString(describe(graph.error())).endsWith(error), describe(graph.error()).c_str());
    }

    /// No place for b: the file is still read, and says that its plan is not judged.
    void aPartialAssignmentIsNoPlan()
    {
        const test::TemporaryFolder folder;
        const auto path =
            folder.write("p.pbtxt", QByteArray(chain(0, 16))
                                        .replace("assigned { logical_buffer_id: 13 size: 16 offset: 16 }", "")
                                        .toStdString());
        const auto graph = readGraph(path, {});
        QVERIFY2(graph.ok(), graph.ok() ? "" : describe(graph.error()).c_str());
        QVERIFY(QString::fromStdString(english(graph.value().notes).back()).contains("has no place for 'b'"));
        QVERIFY(!readPlan(path).ok());
    }

    void plansOfTheCorpusAreLegal_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<qint64>("bytes");   // of all arenas
        QTest::addColumn<QString>("memory"); // of the first
        QTest::newRow("cpu") << "SimpleAdd.v1.pbtxt" << qint64 {32} << "cpu";
        QTest::newRow("gpu") << "AllGatherMixedTypes.v1.pbtxt" << qint64 {16 + 16 + 16 + 1544}
                             << "cuda:0"; // one is a table of addresses
        QTest::newRow("tpu") << "tpu_inference_2.xplane.pb#jit_f" << qint64 {32 + 21474934784 + 12}
                             << "tpu:0"; // the first is a table of addresses
    }

    void plansOfTheCorpusAreLegal()
    {
        QFETCH(QString, file);
        QFETCH(qint64, bytes);
        QFETCH(QString, memory);
        const QString path = corpusFile(qPrintable(file));
        if (!QFile::exists(path.section(u'#', 0, 0))) QSKIP("the corpus is not here");
        const auto report = judge(path.toStdString());
        QVERIFY2(report.ok(), report.ok() ? "" : describe(report.error()).c_str());
        QCOMPARE(errorsText(report.value()), QString());
        qint64 all = 0;
        for (const PlannedArena& arena : report.value().program.map.arenas)
            all += arena.bytes;
        QCOMPARE(all, bytes);
        QCOMPARE(QString::fromStdString(report.value().program.map.arenas.front().space), memory);
    }

    /// One buffer of the TPU's plan over another that is alive meanwhile.
    void aMovedBufferOfTheCorpusIsFound()
    {
        const QString path = corpusFile("tpu_inference_2.xplane.pb#jit_f");
        if (!QFile::exists(path.section(u'#', 0, 0))) QSKIP("the corpus is not here");
        const auto graph = readGraph(path.toStdString(), {});
        auto plan = readPlan(path.toStdString());
        QVERIFY2(graph.ok() && plan.ok(), plan.ok() ? "" : describe(plan.error()).c_str());
        const auto named = [&](std::string_view name) {
            return std::find_if(plan.value().entries.begin(), plan.value().entries.end(),
                                [&](const PlanFile::Entry& entry) { return entry.value == name; });
        };
        QVERIFY(named("broadcast_add_fusion.2") != plan.value().entries.end());
        named("broadcast_add_fusion.2")->offset = named("copy-start.2.0")->offset;
        PlanRequest request;
        request.givenPlan = sharedPlan(plan.value());
        const auto report = analyse(graph.value(), request, {});
        QVERIFY2(report.ok(), report.ok() ? "" : describe(report.error()).c_str());
        QVERIFY2(errorsText(report.value()).contains("broadcast_add_fusion.2"), qPrintable(errorsText(report.value())));
    }

    /// Whatever byte is changed: a graph or an error, in all three forms.
    void damagedFilesEnd()
    {
        const QString path = corpusFile("tpu_inference_2.xplane.pb");
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) QSKIP("the corpus is not here");
        const QByteArray whole = file.readAll();
        std::uint32_t state = 1;
        for (int round = 0; round < 40; ++round) {
            QByteArray damaged = whole;
            for (int i = 0; i < 20; ++i) {
                state = state * 1664525U + 1013904223U;
                damaged[static_cast<qsizetype>(state % static_cast<std::uint32_t>(whole.size()))] =
                    static_cast<char>(state >> 24);
            }
            if (round % 2 == 1)
                damaged.truncate(static_cast<qsizetype>(state % static_cast<std::uint32_t>(whole.size())));
            const auto graph =
                readGraph(std::as_bytes(std::span(damaged.constData(), static_cast<std::size_t>(damaged.size()))), {});
            if (!graph.ok()) QVERIFY(!graph.error().message.empty());
        }
    }
};

QTEST_APPLESS_MAIN(PipelineHlo)
#include "tst_pipeline_hlo.moc"
