#include "core/record/byte_history.h"

#include "core/facts/report.h"
#include "core/record/shown_bytes.h"
#include "tests/support/planned.h"
#include "tests/support/temporary_folder.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// a [0, 16), b [16, 32), and c over the end of a and the beginning of b.
PlannedProgram program()
{
    Report report = test::planned("input x float32[4]\n"
                                  "n0: a = Neg(x)\n"
                                  "n1: b = Exp(a)\n"
                                  "n2: c = Abs(b)\n"
                                  "output c\n",
                                  "inplace=off alignment=1 backend=reference");
    const std::map<std::string, std::int64_t> offsets {{"a", 0}, {"b", 16}, {"c", 8}};
    for (const auto& [name, offset] : offsets)
        report.program.map.values[findValue(*report.program.graph, name).index()].offset = offset;
    report.program.map.arenas.front().bytes = 32;
    return std::move(report.program);
}

/// A line of a record, with ' for ".
std::string line(std::string text)
{
    std::ranges::replace(text, '\'', '"');
    return text + "\n";
}

std::string header()
{
    return line("{'schema':'plimsoll.record/1','steps':3}");
}

std::string step(int number, const std::string& contents)
{
    const std::string of = std::to_string(number);
    return line("{'begin':" + of + ",'node':'n" + of + "','iteration':[]}") + contents +
           line("{'end':" + of + ",'ms':0.5}");
}

/// A content of four floats at a position of the file of bytes; below 0: not kept.
std::string content(const std::string& key, const std::string& value, int at)
{
    return line("{'" + key + "':'" + value + "','dtype':'float32','shape':[4],'bytes':16" +
                (at < 0 ? "" : ",'at':" + std::to_string(at)) + "}");
}

/// "[0, 8) a 0..8 | [8, 24) c -", with where in the file their bytes are, by value and step.
std::string textOf(const RunRecord& record, const PlannedProgram& program, const std::vector<HeldBytes>& held)
{
    std::string text;
    for (const HeldBytes& one : held) {
        if (!text.empty()) text += " | ";
        text += "[" + std::to_string(one.bytes.begin) + ", " + std::to_string(one.bytes.end) + ") ";
        text += one.content ? (*program.graph)[record.contents[*one.content].value].name
                            : std::string(one.scratchOf.valid() ? "scratch" : "nothing");
        if (one.written()) text += "@" + std::to_string(record.moments[one.moment].step);
        if (const auto bytes = keptBytes(record, program, one))
            text += " = " + std::to_string(bytes->data() - record.bytes->bytes().data());
    }
    return text;
}

} // namespace

class ByteHistoryTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_folder.write("run.bytes", std::string(64, 'x'));
        m_file = m_folder.write("run", header() + step(0, content("given", "x", 48) + content("wrote", "a", 0)) +
                                           step(1, content("wrote", "b", 16)) + step(2, content("wrote", "c", -1)) +
                                           line("{'summary':'done'}") + "{\"begin\":0,");
        const Result<RunRecord> read = readRunRecord(m_file, m_program);
        QVERIFY2(read.ok(), read.ok() ? "" : describe(read.error()).c_str());
    }

    void aRecordIsReadUpToALineThatIsCutOff()
    {
        const RunRecord record = readRunRecord(m_file, m_program).value();
        QCOMPARE(record.moments.size(), std::size_t {3});
        QCOMPARE(record.contents.size(), std::size_t {4});
        QVERIFY(record.contents[0].given);
        QVERIFY(record.ended);
        QCOMPARE(record.moments[1].ms, 0.5);
        QCOMPARE(record.keptBytes(), 48);
        QCOMPARE(record.droppedBytes(), 16);
    }

    /// Of an order that went wrong: the steps as it took them, and nothing of the one before.
    void anotherOrderIsWalkedAsItWasRun()
    {
        const auto file =
            m_folder.write("orders", header() + step(0, content("wrote", "a", -1)) +
                                         step(1, content("wrote", "b", -1)) + line("{'order':'stream 1 first'}") +
                                         step(0, {}) + step(2, content("wrote", "c", -1)) + step(1, {}));
        const RunRecord record = readRunRecord(file, m_program).value();
        QCOMPARE(record.order, std::string("stream 1 first"));
        QCOMPARE(record.contents.size(), std::size_t {1});
        QCOMPARE(record.latestAt(1), std::optional<std::size_t>(2));
        QCOMPARE(record.latestAt(2), std::optional<std::size_t>(1));
        QCOMPARE(record.stepBeside(0, 1), std::optional<std::int64_t>(2));
        QCOMPARE(record.stepBeside(2, 1), std::optional<std::int64_t>(1));
        QCOMPARE(record.stepBeside(1, 1), std::optional<std::int64_t>());
        QCOMPARE(record.stepBeside(2, -1), std::optional<std::int64_t>(0));
        QCOMPARE(record.stepBeside(0, -1), std::optional<std::int64_t>());
        QCOMPARE(record.stepBeside(-1, 1), std::optional<std::int64_t>(0));
    }

    /// What is there of a value, not what was once.
    void aPlaceHoldsWhatOthersWroteThere()
    {
        const RunRecord dropped = readRunRecord(m_file, m_program).value();
        QCOMPARE(placeNow(dropped, m_program, 1, 1).others, 0);
        QCOMPARE(placeNow(dropped, m_program, 1, 2).others, 8);
        QVERIFY(placeNow(dropped, m_program, 1, 2).bytes.empty()); // those of c were not kept
        m_folder.write("kept.bytes", std::string(16, 'a') + std::string(16, 'b') + std::string(16, 'c'));
        const auto file =
            m_folder.write("kept", header() + step(0, content("wrote", "a", 0)) + step(1, content("wrote", "b", 16)) +
                                       step(2, content("wrote", "c", 32)));
        const PlaceNow now = placeNow(readRunRecord(file, m_program).value(), m_program, 0, 2);
        QCOMPARE(now.others, 8);
        QCOMPARE(std::string(reinterpret_cast<const char*>(now.bytes.data()), now.bytes.size()),
                 std::string("aaaaaaaacccccccc"));
    }

    void bytesThatNothingNeedsAreNobodys()
    {
        const auto record = std::make_shared<const RunRecord>(readRunRecord(m_file, m_program).value());
        const ShownBytes shown(record, std::make_shared<const PlannedProgram>(m_program), ArenaId(0), {0, 32}, 2);
        QCOMPARE(shown.pieces().size(), std::size_t {3});
        QVERIFY(shown.isDead(shown.pieces()[0])); // a was last read at step 1
        QVERIFY(!shown.isDead(shown.pieces()[1]));
        QVERIFY(!shown.isDead(shown.pieces()[2])); // b is read at this step
    }

    void bytesAreOfTheirLatestWriter_data()
    {
        QTest::addColumn<int>("moment");
        QTest::addColumn<int>("begin");
        QTest::addColumn<int>("end");
        QTest::addColumn<QString>("held");
        QTest::newRow("first") << 0 << 0 << 32 << "[0, 16) a@0 = 0 | [16, 32) nothing";
        QTest::newRow("second") << 1 << 0 << 32 << "[0, 16) a@0 = 0 | [16, 32) b@1 = 16";
        QTest::newRow("over both") << 2 << 0 << 32 << "[0, 8) a@0 = 0 | [8, 24) c@2 | [24, 32) b@1 = 24";
        QTest::newRow("a part") << 1 << 12 << 20 << "[12, 16) a@0 = 12 | [16, 20) b@1 = 16";
        QTest::newRow("a byte") << 2 << 31 << 32 << "[31, 32) b@1 = 31";
    }
    void bytesAreOfTheirLatestWriter()
    {
        QFETCH(int, moment);
        QFETCH(int, begin);
        QFETCH(int, end);
        const RunRecord record = readRunRecord(m_file, m_program).value();
        const auto held = heldAt(record, m_program, ArenaId(0), {begin, end}, static_cast<std::size_t>(moment));
        QTEST(QString::fromStdString(textOf(record, m_program, held)), "held");
    }

    void aScratchpadLiesOverWhatWasThere()
    {
        PlannedProgram program = m_program;
        program.map.scratch.push_back({NodeId(1), {ArenaId(0), 4, 8}});
        const RunRecord record = readRunRecord(m_file, program).value();
        QCOMPARE(textOf(record, program, heldAt(record, program, ArenaId(0), {0, 20}, 1)),
                 "[0, 4) a@0 = 0 | [4, 12) scratch@1 | [12, 16) a@0 = 12 | [16, 20) b@1 = 16");
    }

    void allWritesOfARangeAreTold()
    {
        const RunRecord record = readRunRecord(m_file, m_program).value();
        QCOMPARE(textOf(record, m_program, writesTo(record, m_program, ArenaId(0), {14, 20})),
                 "[14, 16) a@0 = 14 | [16, 20) b@1 = 16 | [14, 20) c@2");
        QVERIFY(writesTo(record, m_program, ArenaId(1), {0, 100}).empty());
    }

    void whatOnlyNamesBytesIsNoWrite()
    {
        PlannedProgram program = m_program;
        const RunRecord record = readRunRecord(m_file, program).value();
        PlannedValue& b = program.values[findValue(*program.graph, "b").index()];
        b.shared = true;
        const auto writes = [&] { return writesTo(record, program, ArenaId(0), {16, 24}).size(); };
        for (const AliasKind kind : {AliasKind::Fresh, AliasKind::MayBeInPlace, AliasKind::Mutates}) {
            b.sharedAs = kind;
            QCOMPARE(writes(), std::size_t {2}); // b, c
        }
        for (const AliasKind kind : {AliasKind::Identity, AliasKind::View, AliasKind::Part}) {
            b.sharedAs = kind;
            QCOMPARE(writes(), std::size_t {1});
        }
    }

    void aValueHasItsLatestContent()
    {
        const RunRecord record = readRunRecord(m_file, m_program).value();
        const ValueId b = findValue(*m_program.graph, "b");
        QVERIFY(!contentAt(record, b, 0));
        QCOMPARE(contentAt(record, b, 1), std::optional<std::size_t>(2));
        QCOMPARE(contentAt(record, b, 99), std::optional<std::size_t>(2));
        QCOMPARE(record.latestAt(1), std::optional<std::size_t>(1));
        QVERIFY(!record.latestAt(-1));
    }

    void whatIsNoRecordIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        const auto add = [](const char* name, const std::string& text, const char* error) {
            QTest::newRow(name) << QString::fromStdString(text) << QString::fromLatin1(error);
        };
        const std::string first = header() + step(0, {});
        add("nothing", "", "This is no record of a run");
        add("another schema", line("{'schema':'plimsoll.plan/1'}"), "This is no record of a run");
        add("another plan", line("{'schema':'plimsoll.record/1','steps':9}"), "a plan of 9 steps");
        add("no step", header() + content("wrote", "a", 0), "A step has to begin");
        add("a step beyond", header() + line("{'begin':3,'node':'n0'}"), "The plan has 3 steps");
        add("another graph", header() + line("{'begin':0,'node':'zz'}"), "has no 'zz'");
        add("another place",
            header() + line("{'begin':0,'node':'n0','addresses':[{'value':'c','arena':0,'offset':64,'bytes':16}]}"),
            "lay at 64, and lies at 8");
        add("bytes that are not there", first + content("wrote", "a", 49), "ends at 64");
        add("bytes before the file", first + line("{'wrote':'a','dtype':'float32','shape':[4],'bytes':16,'at':-1}"),
            "ends at 64");
        add("a size of another shape", first + line("{'wrote':'a','dtype':'float32','shape':[3],'bytes':16,'at':0}"),
            "do not fit together");
        add("a size beyond 63 bits",
            first + line("{'wrote':'a','dtype':'float32','shape':[4611686018427387904],'bytes':16,'at':0}"),
            "do not fit together");
        add("no such line", first + line("{'x':1}"), "neither a step nor");
        add("a list", first + line("[1]"), "line 4");
    }
    void whatIsNoRecordIsRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, error);
        m_folder.write("bad.bytes", std::string(64, 'x'));
        const auto file = m_folder.write("bad", text.toStdString());
        const Result<RunRecord> read = readRunRecord(file, m_program);
        QVERIFY(!read.ok());
        const QString said = QString::fromStdString(describe(read.error()));
        QVERIFY2(said.contains(error), qPrintable(said));
    }

private:
    test::TemporaryFolder m_folder;
    std::filesystem::path m_file;
    PlannedProgram m_program = program();
};

QTEST_APPLESS_MAIN(ByteHistoryTest)
#include "tst_byte_history.moc"
