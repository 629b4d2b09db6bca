#include "core/facts/english/english.h"
#include "core/formats/files/base64.h"
#include "core/formats/plimsoll/session_graph.h"
#include "core/formats/read_graph.h"

#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <random>

using namespace plimsoll;

namespace {

const char* const Relu = R"({"schema": "plimsoll.graph/1", "name": "g",
    "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}],
    "nodes": [{"name": "n", "op": "Relu", "inputs": ["x"], "outputs": ["y"]}], "outputs": ["y"]})";

const std::string Record("\0record", 7);

SavedSession full()
{
    SavedSession session;
    session.graph = {"models/g.json", "/models/g.json", "training", 12, "00ff", std::string("\xFF\0z", 3)};
    SessionChoices first;
    first.policies = {{"inplace", "off"}};
    first.dims = {{"batch", 4}};
    first.shapes = {{"x", {1, 3}}, {"scalar", {}}};
    first.maxStored = {{"s", 7}};
    SessionChoices second = first;
    second.plan = 0;
    session.history = {{}, {first}, {second, "conv to 0x40", 320, std::vector<Suppression>(), {{1, {{"p", "a"}}}}}};
    session.history[1].peakBytes = 256;
    session.history[1].bookmarks.emplace();
    session.history[2].back = 2;
    session.groups = {{"head", {"n0", "n1"}}};
    session.bookmarks = {{{.value = "conv"}, "the culprit", "ask Ada"}, {{.step = 4}, "here", {}}};
    session.comparisons = {{.relative = "r.json", .absolute = "/models/r.json"}, {.absolute = "/o.onnx", .graph = "g"}};
    session.comparedWith = 1;
    session.position = 1;
    session.selection.value = "conv";
    session.selection.step = 3;
    session.stops = {{.node = "n"}, {.rule = "overlap", .values = {"a", "b"}}, {.space = "cpu", .bytes = {0, 64}}};
    session.suppressions = {{{"overlap", {"a", "b"}, {"n"}}, "known since May"}};
    session.remarks = "Why is\n\"conv\" here?";
    session.view = "live";
    session.rows = {{"conv"}, {"a", "b"}, true};
    session.layout = std::string("\0\1\xFE", 3);
    PlanFile plan;
    plan.arenas = {{"cpu", 256, 64, std::nullopt}};
    plan.entries = {{"a", ArenaId(std::size_t(0)), 0, 64}};
    session.plans = {{sharedPlan(plan), true}};
    session.run = {"0a1b", R"({"seed":7})", R"({"mode":"numeric"})",
                   std::make_shared<const SavedRecord>(SavedRecord {"{}", Record}), 0};
    session.others = R"({"suppressed":[{"reason":"known","rule":"overlap"}]})";
    return session;
}

QString errorOf(const auto& result)
{
    return result.ok() ? QStringLiteral("(no error)") : QString::fromStdString(describe(result.error()));
}

QString said(const std::vector<Message>& messages)
{
    QStringList lines;
    for (const Message& message : messages)
        lines << QString::fromStdString(english(message));
    return lines.join(u'\n');
}

ReadSession readBack(const std::string& text)
{
    const auto read = readSessionJson(text, {});
    return read.ok() ? read.value() : ReadSession();
}

} // namespace

class SessionJsonTest : public QObject
{
    Q_OBJECT

private slots:
    void anyBytesAreLettersAndBack()
    {
        QCOMPARE(toBase64("Man"), std::string("TWFu"));
        QCOMPARE(toBase64("Ma"), std::string("TWE="));
        QCOMPARE(toBase64("M"), std::string("TQ=="));
        std::string bytes;
        for (int i = 0; i < 256; ++i) {
            bytes += static_cast<char>(i);
            QCOMPARE(fromBase64(toBase64(bytes)), bytes);
        }
        QVERIFY(!fromBase64("TWF"));
        QVERIFY(!fromBase64("T*Fu"));
    }

    void writingAndReadingKeepsEverything()
    {
        const std::string text = sessionJsonText(full());
        QVERIFY(beginsSession(text));
        const ReadSession back = readBack(text);
        QCOMPARE(said(back.unread), QString());
        QCOMPARE(QString::fromStdString(sessionJsonText(back.session)), QString::fromStdString(text));
        QCOMPARE(back.session.history, full().history);
        QCOMPARE(back.session.stops, full().stops);
        QVERIFY(back.session.rows == full().rows);
        QCOMPARE(back.session.graph.content, full().graph.content);
        QCOMPARE(back.session.remarks, full().remarks);
        QCOMPARE(back.session.suppressions, full().suppressions);
        QCOMPARE(back.session.bookmarks, full().bookmarks);
        QCOMPARE(back.session.groups, full().groups);
        QVERIFY(back.session.plans[0].ofGraph);
        QVERIFY(back.session.plans[0].plan->unknownKeys.empty());
    }

    void eachPartIsReadOnItsOwn_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* from, const char* to, const char* said) {
            QTest::newRow(said) << QString::fromLatin1(from) << QString::fromLatin1(to) << QString::fromLatin1(said);
        };
        row("\"step\": 3", "\"step\": \"three\"", "selection.step: a whole number is expected");
        row("\"batch\": 4", "\"batch\": -4", "history[1].dims.batch: This is not negative");
        row("\"bytes\": 12", "\"bytes\": []", "graph.bytes");
        row("\"peakBytes\": 320", "\"peakBytes\": -1", "history[2].peakBytes: This is not negative");
        row("\"back\": 2", "\"back\": 0", "history[2].back: This is 1 or more");
        row("\"name\": \"the culprit\"", "\"name\": 7", "bookmarks[0].name: ");
        row("\"conv to 0x40\"", "7", "history[2].what: ");
        row("\"comparison\": 1", "\"comparison\": \"r\"", "history[2].same[0].comparison: ");
        row("\"p\",", "\"p\", \"q\",", "history[2].same[0].pairs[0]: A pair is two names");
        row("\"comparedWith\": 1", "\"comparedWith\": -1", "comparedWith: This is not negative");
        row("\"relative\": \"r.json\"", "\"relative\": 7", "comparisons[0].relative: ");
        row("\"view\": \"live\"", "\"view\": 7", "view: ");
        row("\"base64\": \"", "\"base64\": \"*", "content.base64: These are not bytes in base64");
        row("\"planDigest\": \"0a1b\"", "\"planDigest\": 7", "run.planDigest: ");
        row("\"asked\": {", "\"asked\": 7, \"x\": {", "run.asked: ");
        row("\"recordBytes\": \"", "\"recordBytes\": \"*", "run.recordBytes: These are not bytes in base64");
        row("\"alignment\": 64", "\"alignment\": 0", "plans[0].arenas[0].alignment");
        row("\"known since May\"", "\"\"", "suppressions[0].reason: A suppression says why");
        row("\"rule\": \"overlap\",\n   \"values\": [\n    \"a\",\n    \"b\"\n   ],\n   \"nodes\"",
            "\"rule\": \"no-such\", \"nodes\"", "There is no rule");
        row("\"position\": 1", "\"position\": 1.5", "position: ");
    }
    void eachPartIsReadOnItsOwn()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, said);
        QString text = QString::fromStdString(sessionJsonText(full()));
        QVERIFY(text.contains(from));
        const ReadSession back = readBack(text.replace(from, to).toStdString());
        QVERIFY(!back.unread.empty());
        QVERIFY2(::said(back.unread).contains(said, Qt::CaseInsensitive), qPrintable(::said(back.unread)));
        QCOMPARE(back.session.stops, full().stops);
        QCOMPARE(QString::fromStdString(back.session.others), QString::fromStdString(full().others));
    }

    void aChoiceThatCannotBeReadTakesNoOtherAlong()
    {
        QString text = QString::fromStdString(sessionJsonText(full()));
        const ReadSession back = readBack(
            text.replace(QStringLiteral("\"history\": [\n  {}"), QStringLiteral("\"history\": [\n  7")).toStdString());
        QCOMPARE(back.session.history.size(), std::size_t(2));
        QCOMPARE(choicesOf(back.session), full().history[1].choices);
    }

    /// At any place: what stands in other fields is there, and something is said unless all still is.
    void aDamagedFileOpensWhatIsWhole()
    {
        const std::string whole = sessionJsonText(full());
        std::mt19937 random(7);
        for (int i = 0; i < 400; ++i) {
            std::string text = whole;
            const std::size_t place = 30 + random() % (text.size() - 30);
            const bool cut = i % 2 == 0;
            if (cut)
                text.resize(place);
            else
                text[place] = static_cast<char>(random() % 256);
            const auto read = readSessionJson(text, {});
            const std::string where = std::to_string(place) + (cut ? " cut" : " changed");
            QVERIFY2(read.ok() || place < whole.find("\"graph\""), (where + errorOf(read).toStdString()).c_str());
            if (!read.ok()) continue;
            const SavedSession& session = read.value().session;
            const auto isWhole = [&](const char* field, const char* next) { // what parts it from the next is part of it
                const std::size_t mark = next[0] == '\n' ? 2 : 0;
                return (place > mark && place - mark > whole.find(next)) || (!cut && place < whole.find(field) - 3);
            };
            if (isWhole("\"graph\"", "\"history\"")) QCOMPARE(session.graph.absolute, full().graph.absolute);
            if (isWhole("\"history\"", "\"position\"")) QVERIFY2(session.history == full().history, where.c_str());
            if (isWhole("\"stops\"", "\n \"suppressions\"")) QVERIFY2(session.stops == full().stops, where.c_str());
            if (isWhole("\"comparisons\"", "\"comparedWith\""))
                QVERIFY2(session.comparisons.size() == 2 && session.comparisons[1].graph == "g", where.c_str());
            if (isWhole("\"comparedWith\"", "\"remarks\""))
                QVERIFY2(session.comparedWith == full().comparedWith, where.c_str());
            if (isWhole("\"run\": ", "no such key"))
                QVERIFY2(session.run && session.run->record->bytes == Record, where.c_str());
            if (isWhole("\"layout\"", "\"suppressed\"")) QVERIFY2(session.layout == full().layout, where.c_str());
            if (cut && place < whole.size() - 3) QVERIFY2(!read.value().unread.empty(), where.c_str());
        }
    }

    /// The copy of a window has its run beside it, by a name alone.
    void theRunOfACopyLiesBesideIt()
    {
        const test::TemporaryFolder home;
        SavedSession session = full();
        const SavedRun run = *std::exchange(session.run, std::nullopt);
        session.runFile = "1-1.plimsoll.run";
        home.write("1-1.plimsoll.run", runFileText(run));
        const auto read = [&] { return readSession(home.write("1-1.plimsoll", sessionJsonText(session))).value(); };
        QCOMPARE(said(read().unread), QString());
        QCOMPARE(read().session.run->record->bytes, Record);
        QCOMPARE(read().session.run->result, run.result);
        home.write("1-1.plimsoll.run", "{\"planDigest\": ");
        QVERIFY(!read().unread.empty());
        QCOMPARE(read().session.stops, full().stops);
        session.runFile = "../1-1.plimsoll.run";
        QVERIFY(said(read().unread).contains(QStringLiteral("lies beside it")));
        session.runFile = "none.run";
        QVERIFY(!read().unread.empty());
    }

    void aListWithoutEndIsNotRead()
    {
        std::string text = R"({"schema": "plimsoll.session/1", "stops": [{})";
        for (int i = 0; i < 100'000; ++i)
            text += ",{}";
        const ReadSession back = readBack(text + "]}");
        QVERIFY(said(back.unread).contains(QStringLiteral("more than 100,000")));
        QVERIFY(back.session.stops.empty());
    }

    void whatIsNoSessionIsRefused()
    {
        QVERIFY(!beginsSession(Relu));
        QVERIFY(errorOf(readSessionJson("[]", "a.plimsoll")).contains(QStringLiteral("a.plimsoll")));
        QVERIFY(!readSessionJson("", {}).ok());
        QVERIFY(errorOf(readSessionJson(R"({"schema": "plimsoll.session/2"})", {}))
                    .contains(QStringLiteral("plimsoll.session/1 is read")));
    }

    void theGraphIsFoundBesideTheSessionThenWhereItWasThenInIt()
    {
        const test::TemporaryFolder home;
        const auto graphFile = home.write("work/models/g.json", Relu);
        const auto file = home.path() / "work" / "s.plimsoll";
        GraphReference reference = referenceTo(graphFile, file);
        QCOMPARE(reference.relative, std::string("models/g.json"));
        QCOMPARE(reference.bytes, static_cast<std::int64_t>(std::string_view(Relu).size()));
        QVERIFY(keepContent(reference).ok());

        auto found = findGraph(reference, file);
        QVERIFY2(found.ok(), qPrintable(errorOf(found)));
        QCOMPARE(found.value().file, graphFile);
        QVERIFY(found.value().note.empty());

        const auto moved = home.path() / "elsewhere" / "s.plimsoll";
        found = findGraph(reference, moved);
        QCOMPARE(found.value().file, graphFile);
        QCOMPARE(QString::fromStdString(english(found.value().note)),
                 QStringLiteral("The graph of the session was read from '%1'.").arg(graphFile.c_str()));

        std::filesystem::remove(graphFile);
        found = findGraph(reference, file);
        QVERIFY(found.value().file.empty());
        QCOMPARE(*found.value().content, std::string(Relu));
        QVERIFY(english(found.value().note).find("the copy that the session keeps") != std::string::npos);

        reference.content.reset();
        QVERIFY(errorOf(findGraph(reference, file)).contains(QStringLiteral("is not there any more")));
        QVERIFY(errorOf(findGraph({}, file)).contains(QStringLiteral("which graph")));
    }

    /// Named as a graph, a folder or a device is no file to be read.
    void onlyFilesAreGraphs()
    {
        const test::TemporaryFolder home;
        const auto file = home.path() / "s.plimsoll";
        for (const char* name : {"/dev/zero", ".", "..", "/"}) {
            GraphReference reference;
            reference.relative = name;
            QVERIFY2(!findGraph(reference, file).ok(), name);
        }
    }

    void aFileThatChangedIsSaid()
    {
        const test::TemporaryFolder home;
        const auto graphFile = home.write("g.json", Relu);
        const auto file = home.path() / "s.plimsoll";
        SavedSession session;
        session.history = {{{.policies = {{"inplace", "off"}, {"no-such", "1"}}}}};
        session.graph = referenceTo(graphFile, file);
        session.graph.digest = graphDigest(readGraph(graphFile, {}).value());
        home.write("s.plimsoll", sessionJsonText(session));
        auto content = readSessionContent(file, {});
        QVERIFY2(content.ok(), qPrintable(errorOf(content)));
        QCOMPARE(said(content.value().content.graph.notes), QString());
        QCOMPARE(content.value().choices.policies.at("inplace"), std::string("off"));

        home.write("g.json", std::string(Relu) + "\n");
        QVERIFY(said(readSessionContent(file, {}).value().content.graph.notes)
                    .contains(QStringLiteral("The file of the graph has changed")));
        std::string other = Relu;
        home.write("g.json", other.replace(other.find("Relu"), 4, "Tanh"));
        QCOMPARE(said(readSessionContent(file, {}).value().content.graph.notes),
                 QStringLiteral("The graph has changed since the session was saved."));
    }

    void policiesThatAreNotKnownAreSaid()
    {
        Policies policies;
        std::set<std::string, std::less<>> named;
        const auto refused = takePolicies({{"inplace", "off"}, {"no-such", "1"}}, policies, named);
        QCOMPARE(policies.inplace, InplacePolicy::Off);
        QCOMPARE(named, (std::set<std::string, std::less<>> {"inplace"}));
        QVERIFY2(said(refused).contains(QStringLiteral("no-such")), qPrintable(said(refused)));
    }
};

QTEST_APPLESS_MAIN(SessionJsonTest)
#include "tst_session_json.moc"
