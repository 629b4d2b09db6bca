#include "core/pipeline/pipeline.h"
#include "core/record/byte_history.h"
#include "kernels/run/executor.h"
#include "kernels/run/record.h"
#include "tests/support/first_seed.h"
#include "tests/support/planned.h"
#include "tests/support/random_graph.h"
#include "tests/support/temporary_folder.h"

#include <QTest>

#include <cstring>

using namespace plimsoll;
using kernels::Record;

namespace {

constexpr std::int64_t Plenty = std::int64_t {1} << 30;

/// Runs a plan and reads back what it recorded.
Result<RunRecord> recorded(const PlannedProgram& program, const std::filesystem::path& file, Record::Keep keep)
{
    PLIMSOLL_ASSIGN(record, Record::create(file, program, english, keep));
    kernels::RunRequest request;
    request.cover = kernels::RunRequest::Cover::Never;
    const auto outcome = kernels::execute(program, request, *record, {});
    record->finish(outcome);
    PLIMSOLL_TRY(record->health());
    if (!outcome.ok()) return outcome.error();
    return readRunRecord(file, program);
}

/// All of it, from the pieces that the record has; nothing where one is missing.
std::optional<std::vector<std::byte>> bytesAt(const RunRecord& record, const PlannedProgram& program, ValueId value,
                                              std::size_t moment)
{
    const ValuePlacement& where = program.map.values[value.index()];
    std::vector<std::byte> all;
    for (const HeldBytes& held :
         heldAt(record, program, where.arena, {where.offset, where.offset + where.bytes}, moment)) {
        const auto bytes = keptBytes(record, program, held);
        if (!bytes) return std::nullopt;
        all.insert(all.end(), bytes->begin(), bytes->end());
    }
    return all;
}

constexpr std::string_view Chain = "input x float32[4]\n"
                                   "n0: a = Neg(x)\n"
                                   "n1: b = Exp(a)\n"
                                   "n2: c = Abs(b)\n"
                                   "n3: d = Neg(c)\n"
                                   "output d\n";
constexpr std::string_view Apart = "inplace=off alignment=1 backend=reference";

} // namespace

class RecordBytesTest : public QObject
{
    Q_OBJECT

private slots:
    /// Under a legal plan the arena holds, whenever a node reads, what was last written to its inputs.
    void beforeAStepItsInputsHoldWhatWasWritten()
    {
        const unsigned first = test::firstSeed(1);
        int looked = 0;
        for (unsigned seed = first; seed < first + 60; ++seed) {
            const Result<Report> report = analyse(test::randomGraph(seed), {}, {});
            QVERIFY2(report.ok(), qPrintable(QString::number(seed)));
            const PlannedProgram& program = report.value().program;
            const Result<RunRecord> read = recorded(program, m_folder.path() / "run", {Plenty});
            QVERIFY2(read.ok(), read.ok() ? "" : qPrintable(QString::fromStdString(describe(read.error()))));
            const RunRecord& record = read.value();
            for (std::size_t i = 1; i < record.moments.size(); ++i) {
                for (const ValueId input : (*program.graph)[record.moments[i].node].inputs) {
                    if (!input.valid() || !program.map.values[input.index()].placed()) continue;
                    const auto content = contentAt(record, input, i - 1);
                    if (!content || !program.values[input.index()].live.contains(record.moments[i].step)) continue;
                    const auto bytes = bytesAt(record, program, input, i - 1);
                    QVERIFY2(bytes, qPrintable(QString::number(seed)));
                    const auto wanted = record.bytesOf(record.contents[*content]);
                    QVERIFY2(std::ranges::equal(std::span(*bytes).first(wanted.size()), wanted),
                             qPrintable(QStringLiteral("seed %1, moment %2, '%3'")
                                            .arg(seed)
                                            .arg(i)
                                            .arg((*program.graph)[input].name.c_str())));
                    ++looked;
                }
            }
        }
        QVERIFY2(looked > 500, qPrintable(QString::number(looked)));
    }

    void whatAnotherWroteThereIsFound()
    {
        Report report = test::planned(Chain, Apart);
        MemoryMap& map = report.program.map;
        const auto id = [&](const char* name) { return findValue(*report.program.graph, name); };
        map.values[id("c").index()].offset = map.values[id("b").index()].offset;
        map.values[id("a").index()].offset = map.values[id("b").index()].offset; // of which n1 reads and makes b
        map.values[id("d").index()].offset = map.values[id("b").index()].offset + 16;
        map.arenas.front().bytes = std::max(map.arenas.front().bytes, map.values[id("d").index()].offset + 16);
        const RunRecord record = recorded(report.program, m_folder.path() / "run", {Plenty}).value();
        const ValuePlacement& where = map.values[id("b").index()];
        const Interval bytes {where.offset, where.offset + where.bytes};
        QStringList writers;
        for (const HeldBytes& write : writesTo(record, report.program, where.arena, bytes))
            writers << QString::fromStdString((*report.program.graph)[record.contents[*write.content].value].name);
        QCOMPARE(writers, (QStringList {"a", "b", "c"}));
    }

    void bytesBeyondTheLimitAreToldAndNotKept()
    {
        const Report report = test::planned(Chain, Apart);
        const RunRecord record = recorded(report.program, m_folder.path() / "run", {40}).value();
        QCOMPARE(record.contents.size(), std::size_t {5}); // x and four more
        QCOMPARE(record.keptBytes(), 32);
        QCOMPARE(record.droppedBytes(), 48);
        QCOMPARE(std::filesystem::file_size(m_folder.path() / "run.bytes"), std::uintmax_t {32});
    }

    void fromAStepOnIsKeptWhatMattersThere()
    {
        const Report report = test::planned(Chain, Apart);
        const RunRecord record = recorded(report.program, m_folder.path() / "run", {Plenty, 2}).value();
        QStringList kept;
        for (const RecordedContent& content : record.contents)
            if (content.at) kept << QString::fromStdString((*report.program.graph)[content.value].name);
        QCOMPARE(kept, (QStringList {"x", "b", "c", "d"})); // b was made before, and n2 reads it
    }

    void aRecordWithoutBytesTellsNoContents()
    {
        const Report report = test::planned(Chain, Apart);
        const auto file = m_folder.path() / "plain";
        auto record = Record::create(file, report.program, english);
        QVERIFY(record.ok());
        record.value()->finish(kernels::execute(report.program, {}, *record.value(), {}));
        const RunRecord read = readRunRecord(file, report.program).value();
        QCOMPARE(read.moments.size(), std::size_t {4});
        QVERIFY(read.contents.empty());
        QVERIFY(!std::filesystem::exists(bytesFileOf(file)));
    }

    void whatTheCallerGaveIsToldOnce()
    {
        const Report report = test::planned("input x float32[4]\n"
                                            "n0: a = Neg(x)\n"
                                            "n1: b = Add(x, a)\n"
                                            "output b\n",
                                            Apart);
        const RunRecord record = recorded(report.program, m_folder.path() / "run", {Plenty}).value();
        QCOMPARE(std::ranges::count(record.contents, true, &RecordedContent::given), 1);
        QCOMPARE(record.contents.front().value, findValue(*report.program.graph, "x"));
    }

private:
    test::TemporaryFolder m_folder;
};

QTEST_APPLESS_MAIN(RecordBytesTest)
#include "tst_record_bytes.moc"
