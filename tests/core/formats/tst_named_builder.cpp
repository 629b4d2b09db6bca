#include "core/formats/named_builder.h"

#include "core/formats/graph_choice.h"
#include "tests/core/formats/graph_lines.h"

#include <QtTest>

using namespace plimsoll;
using namespace plimsoll::test;

namespace {

constexpr std::string_view Counted = "note.executorch-delegates";
constexpr std::string_view CountedLater = "note.tflite-fixed";

/// "x relu x" becomes what "x", "relu" and "x" are called, asked for one after the other.
std::string uniqueNames(const QString& wished)
{
    UniqueNames names;
    std::string text;
    for (const QString& name : wished.split(u' '))
        text += (text.empty() ? "" : " ") + names.unique(name.toStdString());
    return text;
}

TensorType vector(std::int64_t size)
{
    return TensorType::dense(DType::Float32, {size});
}

/// x → RELU → y, twice over.
NamedBuilder chainOf(const Context& context)
{
    NamedBuilder build("tflite", context, {Counted, CountedLater}, ReadingRoom(0));
    NamedValue x = build.value("x", vector(2));
    std::string last = x.name;
    build.graph.inputs.push_back(std::move(x));
    for (int i = 0; i < 2; ++i) {
        NamedNode node = build.node("RELU", "RELU", "operators[" + std::to_string(i) + "]");
        NamedValue y = build.value("y", vector(2));
        node.inputs = {last};
        node.outputs = {last = y.name};
        build.graph.values.push_back(std::move(y));
        build.graph.nodes.push_back(std::move(node));
    }
    build.graph.outputs = {last};
    return build;
}

} // namespace

/// What importers build graphs with.
class NamedBuilderTest : public QObject
{
    Q_OBJECT

private slots:
    void namesAreGivenOnce_data()
    {
        QTest::addColumn<QString>("wished");
        QTest::addColumn<std::string>("given");
        const auto row = [](const char* wished, const char* given) {
            QTest::newRow(wished) << QString::fromLatin1(wished) << std::string(given);
        };
        row("x y", "x y");
        row("x x x", "x x#2 x#3");
        row("x x#2 x x", "x x#2 x#3 x#4");
        row("x x x#2", "x x#2 x#2#2");
    }

    void namesAreGivenOnce()
    {
        QFETCH(QString, wished);
        QTEST(uniqueNames(wished), "given");
    }

    void nodesAndValuesHaveNamesOfTheirOwn()
    {
        const Context context;
        NamedBuilder build = chainOf(context);
        const NamedNode node = build.node("y", "ADD", "operators[2]");
        QCOMPARE(node.node.name, std::string("y"));
        QCOMPARE(node.place, std::string("operators[2]"));
        QCOMPARE(node.node.from->origin.dialect + " " + node.node.from->origin.op, std::string("tflite ADD"));
        QCOMPARE(openBody(node, "body").graph.place, node.place);

        const auto graph = build.finish("chain", {{"tflite", 3}});

        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(nodesText(graph.value()), std::string("RELU: y = tflite::RELU(x)\nRELU#2: y#2 = tflite::RELU(y)\n"));
        QCOMPARE(graph.value().name, std::string("chain"));
        QCOMPARE(opsetVersion(graph.value(), "tflite"), std::int64_t {3});
    }

    /// In the order in which they are declared; what is not met is not said, and the first one is named.
    void notesCount()
    {
        const Context context;
        NamedBuilder build = chainOf(context);
        build.note(CountedLater, 1, {word::Name {"first"}});
        build.note(CountedLater, 2, {word::Name {"second"}});
        build.note(Counted, 0);
        auto none = build.finish("chain", {});
        QVERIFY2(none.ok(), errorOf(none).c_str());
        QCOMPARE(none.value().notes.front().arguments.size(), std::size_t {2});
        QVERIFY2(allNotes(none.value()).starts_with("Dimensions of 3 values ('first' is the first) are known"),
                 allNotes(none.value()).c_str());

        NamedBuilder both = chainOf(context);
        both.note(CountedLater, 1, {word::Name {"first"}});
        both.note(Counted);
        both.notes.push_back(say("note.executorch-jumps"));
        const auto graph = both.finish("chain", {});
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        const QStringList notes = QString::fromStdString(allNotes(graph.value())).split(u'\n');
        QCOMPARE(notes.size(), 4);
        QVERIFY2(notes[0].startsWith(QStringLiteral("1 call of a delegate")), qPrintable(notes[0]));
        QVERIFY2(notes[1].startsWith(QStringLiteral("Dimensions of 1 value")), qPrintable(notes[1]));
        QVERIFY2(notes[2].startsWith(QStringLiteral("The method jumps")), qPrintable(notes[2]));
    }

    void copiesCountAsAdded()
    {
        const Context context;
        NamedBuilder build = chainOf(context);
        NamedBody body = openBody(build.graph.nodes[1], "body");
        body.graph.nodes.push_back(build.node("inner", "ADD", "operators[1]"));
        build.graph.nodes[1].bodies.push_back(std::move(body));

        markCopies(build.graph, 1);

        QCOMPARE(build.graph.nodes[0].node.from->origin.dialect, std::string("tflite"));
        QCOMPARE(build.graph.nodes[1].node.from->origin.dialect, std::string("plimsoll"));
        QCOMPARE(build.graph.nodes[1].bodies[0].graph.nodes[0].node.from->origin.dialect, std::string("plimsoll"));
    }

    void aGraphIsChosenByName_data()
    {
        QTest::addColumn<std::string>("wanted");
        QTest::addColumn<std::string>("chosen"); ///< Or why there is none.
        QTest::addColumn<std::string>("note");
        const std::string several = "The file holds several programs; this is ";
        const std::string others = ". Others are opened as FILE#NAME: ";
        QTest::newRow("first") << std::string() << std::string("0") << several + "'a'" + others + "'b', 'a-2'.\n";
        QTest::newRow("by name") << std::string("b") << std::string("1") << several + "'b'" + others + "'a', 'a-2'.\n";
        QTest::newRow("repeated") << std::string("a-2") << std::string("2")
                                  << several + "'a-2'" + others + "'a', 'b'.\n";
        QTest::newRow("none") << std::string("c") << std::string("The file has no program 'c'. It has 'a', 'b', 'a-2'.")
                              << std::string();
    }

    void aGraphIsChosenByName()
    {
        QFETCH(std::string, wanted);
        std::vector<std::string> names = {"a", "b", "a"};
        numberRepeated(names);

        const auto chosen = chooseGraph(names, wanted, "hlo.no-program");

        FormatContent content;
        if (chosen.ok()) noteOthers(content, names, chosen.value(), "note.several-programs");
        QTEST(chosen.ok() ? std::to_string(chosen.value()) : describe(chosen.error()), "chosen");
        QTEST(allNotes(content.graph), "note");
        QCOMPARE(content.graphs.names, chosen.ok() ? names : std::vector<std::string>());
        if (chosen.ok()) QCOMPARE(content.graphs.chosen, chosen.value());
    }

    void aNumberThatIsANameIsNotGiven()
    {
        std::vector<std::string> names = {"a", "a", "a-2"};
        numberRepeated(names);
        QCOMPARE(names, (std::vector<std::string> {"a", "a-3", "a-2"}));
    }

    void oneGraphNeedsNoName()
    {
        FormatContent content;
        noteOthers(content, {"a"}, 0, "note.several-programs");
        QCOMPARE(allNotes(content.graph), std::string());
        QVERIFY(content.graphs.names.empty());
    }
};

QTEST_APPLESS_MAIN(NamedBuilderTest)
#include "tst_named_builder.moc"
