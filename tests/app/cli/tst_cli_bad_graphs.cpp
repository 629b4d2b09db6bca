#include "tests/app/support/cli_run.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using plimsoll::test::Finished;
using plimsoll::test::runCli;

namespace {

/// A symbol of x, then \p nodes, with \p heads.
QByteArray symbol(const QByteArray& nodes, const QByteArray& heads)
{
    return R"json({"nodes":[{"op":"null","name":"x","attrs":{"__shape__":"(2,3)"},"inputs":[]},)json" + nodes +
           R"json(],"arg_nodes":[0],"heads":)json" + heads + "}";
}

/// One opaque node from x (8 elements) to y (4 elements of \p dtype), with \p alias.
QByteArray declared(const QByteArray& alias, const QByteArray& dtype)
{
    return R"json({"schema":"plimsoll.graph/1","inputs":[{"name":"x","dtype":"float32","shape":[8]}],"nodes":[
        {"name":"n","op":"F","domain":"my","inputs":["x"],"outputs":["y"],"alias":{"0":)json" +
           alias + R"json(}}],"values":[{"name":"y","dtype":")json" + dtype +
           R"json(","shape":[4]}],"outputs":["y"]})json";
}

/// A loop from x to y with \p body.
QByteArray looped(const QByteArray& body)
{
    return R"json({"schema":"plimsoll.graph/1","inputs":[{"name":"trips","dtype":"int64","shape":[]},
        {"name":"x","dtype":"float32","shape":[4]}],"nodes":[{"name":"loop","op":"Loop","inputs":["trips","","x"],
        "outputs":["y"],"subgraphs":{"body":)json" +
           body + R"json(}}],"outputs":["y"]})json";
}

} // namespace

/// Graphs that mean nothing: exit 3, with the file, the place in it and the reason, from plan and from run.
class tst_CliBadGraphs : public QObject
{
    Q_OBJECT

private slots:
    void theFileThePlaceAndTheReasonAreTold_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* name, const QByteArray& text, const char* said) {
            QTest::newRow(name) << text << QByteArray(said);
        };
        const QByteArray exp = R"json({"op":"exp","name":"a","inputs":[[0,0,0]]})json";
        row("a cycle",
            symbol(R"json({"op":"exp","name":"a","inputs":[[2,0,0]]},{"op":"exp","name":"b","inputs":[[1,0,0]]})json",
                   "[[2,0,0]]"),
            "graph.json: node 'b': The nodes form a cycle: 'b' needs 'a', which needs it.");
        row("an output that is not there", symbol(R"json({"op":"exp","name":"a","inputs":[[0,3,0]]})json", "[[1,0,0]]"),
            "graph.json: nodes[1].inputs[0]: Node 0 ('x') has 1 output(s) and no output 3.");
        row("a head that points nowhere", symbol(exp, "[[7,0,0]]"), "graph.json: heads[0]: There is no node 7;");
        row("a head before the first node", symbol(exp, "[[-1,0,0]]"), "graph.json: heads[0]");
        row("shapes that contradict each other",
            symbol(R"json({"op":"null","name":"y","attrs":{"__shape__":"(2,4)"},"inputs":[]},
                       {"op":"elemwise_add","name":"a","inputs":[[0,0,0],[1,0,0]]})json",
                   "[[2,0,0]]"),
            "graph.json: node 'a' (mxnet::elemwise_add): Its inputs must have one shape; input 0 is float32[2,3] and "
            "input 1 is float32[2,4].");
        row("a partition that is handed too little",
            symbol(R"json({"op":"_CachedOp","name":"part","inputs":[],"subgraphs":[{"nodes":[
                       {"op":"null","name":"i","inputs":[]},{"op":"exp","name":"e","inputs":[[0,0,0]]}],
                       "arg_nodes":[0],"heads":[[1,0,0]]}]})json",
                   "[[1,0,0]]"),
            "Its nested graph has 1 variables, and the node hands it 0 tensors.");
        row("an input over 63 bits",
            R"json({"nodes":[{"op":"null","name":"x","attrs":{"__shape__":"(4294967296,4294967296,4)"},"inputs":[]},
                {"op":"exp","name":"a","inputs":[[0,0,0]]}],"arg_nodes":[0],"heads":[[1,0,0]]})json",
            "graph.json: value 'x': The size of float32[4294967296,4294967296,4] does not fit in 63 bits.");
        row("inputs that add up to more than 63 bits",
            R"json({"schema":"plimsoll.graph/1","inputs":[
                {"name":"a","dtype":"uint8","shape":[4611686018427387904]},
                {"name":"b","dtype":"uint8","shape":[4611686018427387904]}],
                "nodes":[{"name":"n","op":"Shape","inputs":["a"],"outputs":["y"]}],"outputs":["y"]})json",
            "graph.json: value 'b': The inputs and weights up to here add up to more bytes than 63 bits hold.");
        row("a plan that adds up with its inputs to more than 63 bits",
            R"json({"schema":"plimsoll.graph/1","inputs":[
                {"name":"a","dtype":"uint8","shape":[9223372036854743040]},
                {"name":"b","dtype":"float32","shape":[4096]}],
                "nodes":[{"name":"n","op":"Neg","inputs":["b"],"outputs":["y"]}],"outputs":["y"]})json",
            "graph.json: The plan and what the caller brings add up to more bytes than 63 bits hold.");
        row("a result over 63 bits",
            symbol(R"json({"op":"_zeros","name":"z","attrs":{"shape":"(9223372036854775807, 3)"},"inputs":[]})json",
                   "[[1,0,0]]"),
            "graph.json: node 'z' (mxnet::_zeros): The size of 'z_output'");
        row("an identity of another size", declared(R"json({"kind":"identity","input":0})json", "float32"),
            "graph.json: node 'n', alias: Node 'n' declares its output 'y' to be the bytes of 'x', but one has 32 "
            "bytes and the other 16.");
        row("an identity of another type", declared(R"json({"kind":"identity","input":0})json", "float64"),
            "but one is float32 and the other float64.");
        row("a view that reaches beyond", declared(R"json({"kind":"view","input":0,"offset":24})json", "float32"),
            "reaches beyond 32 bytes.");
        const QByteArray states = R"json("inputs":[{"name":"i","dtype":"int64","shape":[]},
            {"name":"go","dtype":"bool","shape":[]},{"name":"s","dtype":"float32","shape":[4]}],"nodes":[])json";
        row("a loop whose body says nothing", looped("{}"),
            "graph.json: node 'loop' (Loop): Its body 'body' has no outputs.");
        row("a state that never comes back", looped("{" + states + R"json(,"outputs":["go"]})json"),
            "graph.json: node 'loop' (Loop): Its body 'body' takes a state as input 2 and hands none back.");
        row("a loop that hands out nothing", looped(R"json({"inputs":[{"name":"i","dtype":"int64","shape":[]},
            {"name":"go","dtype":"bool","shape":[]}],"nodes":[],"outputs":["go"]})json"),
            "has no output for 'y', output 0 of the node.");
        row("an alias of an input that is not there", declared(R"json({"kind":"identity","input":3})json", "float32"),
            "graph.json: nodes[0].alias.0.input: The node has 1 inputs; there is no number 3.");
    }

    void theFileThePlaceAndTheReasonAreTold()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, said);
        const QString file = write(text);
        for (const char* command : {"plan", "run"}) {
            const Finished finished = runCli({QString::fromLatin1(command), file});
            QVERIFY2(finished.err.contains(said), finished.err.constData());
            QCOMPARE(finished.status, 3);
            QVERIFY2(finished.out.isEmpty(), finished.out.constData());
        }
    }

    /// Judging goes on where planning makes no sense.
    void aFalseDeclarationIsAFindingForTheJudge()
    {
        const Finished finished =
            runCli({QStringLiteral("check"), write(declared(R"json({"kind":"identity","input":0})json", "float32"))});
        QCOMPARE(finished.status, 1);
        QVERIFY2(finished.out.contains("false-identity"), finished.out.constData());
    }

private:
    [[nodiscard]] QString write(const QByteArray& text) const
    {
        const QString path = m_folder.filePath(QStringLiteral("graph.json"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write %s", qPrintable(path));
        return path;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_CliBadGraphs)
#include "tst_cli_bad_graphs.moc"
