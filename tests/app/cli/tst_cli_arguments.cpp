#include "tests/app/support/cli_run.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using plimsoll::test::Finished;
using plimsoll::test::runCli;

namespace {

constexpr const char* Model = R"({
  "schema": "plimsoll.graph/1", "name": "model",
  "inputs": [{"name": "x", "dtype": "float32", "shape": ["batch", 16]}],
  "nodes": [{"name": "n0", "op": "Neg", "inputs": ["x"], "outputs": ["a"]},
            {"name": "n1", "op": "Relu", "inputs": ["a"], "outputs": ["b"]}],
  "outputs": ["b"]
})";

} // namespace

/// Words that are no command and no option, and options that contradict each other.
class tst_CliArguments : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QFile file(model());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(Model);
    }

    void wrongArgumentsAreNamed_data()
    {
        QTest::addColumn<QString>("arguments"); ///< MODEL is the file.
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const char* arguments, const char* said) {
            QTest::newRow(name) << QString::fromLatin1(arguments) << QString::fromLatin1(said);
        };
        row("a slip of the finger", "plna MODEL", "there is no command 'plna'; did you mean 'plan'?");
        row("near to nothing", "policies", "there is no command 'policies'; there are plan, check");
        row("the worker is none", "worker-s MODEL", "there is no command 'worker-s'; there are plan");
        row("what a terminal obeys", "plan --a\x1b[31mb MODEL", "'plan' has no option '--a\\x1b[31mb'");
        row("that as a number", "run MODEL --seed \x1b[31m", "\\x1b[31m");
        row("no such option", "plan --timeout 5 MODEL", "'plan' has no option '--timeout'");
        row("near to one", "plan --time-limt=5 MODEL", "no option '--time-limt'; did you mean '--time-limit'?");
        row("the beginning of one", "run MODEL --write", "no option '--write'; did you mean '--write-probe'?");
        row("too many files", "plan MODEL other.json", "other.json");
        row("two sizes", "plan MODEL --dim batch=8 --dim batch=9", "--dim is given 'batch=8' and 'batch=9'");
        row("two shapes", "plan MODEL --shape x=1x16 --shape x=2x16", "--shape is given 'x=1x16' and 'x=2x16'");
        row("a policy", "plan MODEL -p inplace=off -p inplace=on", "-p is given 'inplace=off' and 'inplace=on'");
        row("two outputs to one stream", "plan MODEL --json - --write-plan -", "cannot both go to standard output");
        row("a capacity of no memory", "plan MODEL -p capacity=sram=1KiB",
            "'sram', which neither the graph nor the plan has");
        row("a capacity in two", "plan MODEL -p capacity=cpu=1KiB -p capacity=sram=2KiB", "'capacity=sram=2KiB'");
        row("a capacity twice", "plan MODEL -p capacity=cpu=1KiB,cpu=2KiB", "Policy capacity names 'cpu' twice.");
        row("one side", "compare MODEL --a inplace=off --a inplace=on", "--a is given 'inplace=off' and 'inplace=on'");
        row("the other side", "compare MODEL --b inplace=off --b inplace=on", "--b is given 'inplace=off' and");
        row("two bounds", "plan MODEL --max-stored x=1 --max-stored x=2", "--max-stored is given 'x=1' and 'x=2'");
        row("two pins", "plan MODEL --pin n0=a --pin n0=b", "--pin is given 'n0=a' and 'n0=b'");
        row("two requests", "plan MODEL --gradient x=add --gradient x=null",
            "--gradient is given 'x=add' and 'x=null'");
        row("no policy at all", "compare MODEL --a streams", "A policy is given as id=value, not 'streams'.");
        row("no time", "plan MODEL --time-limit nan", "--time-limit: A number from 0 on is expected, not 'nan'.\n");
        row("for ever", "pack MODEL --time-limit inf", "--time-limit: A number from 0 on is expected, not 'inf'.\n");
        row("time that is gone", "plan MODEL --time-limit -1", "A number from 0 on is expected, not '-1'.\n");
        row("work that is gone", "pack MODEL --work-limit -1", "--work-limit: A number from 0 on is expected");
        row("no time at all", "replay . --time-limit 0", "--time-limit: A number above 0 is expected, not '0'.\n");
        row("no size", "replay . --max-memory much",
            "--max-memory: a size is a number of bytes, \"4096\" or \"256MiB\", not 'much'");
        row("a variable that is not set", "check MODEL --plan ", "--plan: it is empty");
        row("a graph that is not set", "plan ", "GRAPH: it is empty");
        row("two spellings of one file", "plan MODEL --json new.json --write-plan ./new.json", "are the same file");
        row("a seed below zero", "plan MODEL --seed -1", "--seed: a seed is a whole number");
        row("bytes from a step on, and none", "run MODEL --keep-from 3", "--keep-from goes with --keep-bytes");
        row("a node among two values", "explain MODEL n0 b", "'n0' is a node");
        row("a step of a value", "explain MODEL b --step 0", "--step goes with bytes, such as 0x36000..0x37000,");
        row("a step that is none", "explain MODEL 0x0 --step 99", "There is no step 99.");
        row("a step of two values", "explain MODEL a b --step 0", "Leave out these, or the second name.");
        row("every value of a dimension", "sweep MODEL --over batch=*", "There is no policy 'batch'");
        row("of a replay", "replay . -p inplace=off -p inplace=on", "-p is given 'inplace=off' and 'inplace=on'");
    }

    void wrongArgumentsAreNamed()
    {
        QFETCH(QString, arguments);
        QFETCH(QString, said);

        const Finished finished = runCli(words(arguments));

        QCOMPARE(finished.status, 2);
        QVERIFY2(finished.said().contains(said), finished.err.constData());
    }

    void whatDoesNotContradictIsTaken_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::newRow("twice the same") << QStringLiteral("plan MODEL -p inplace=off -p inplace=off");
        QTest::newRow("sizes of two dimensions") << QStringLiteral("plan MODEL --dim batch=8 -p inplace=off");
        QTest::newRow("a side against both") << QStringLiteral("compare MODEL -p inplace=off --a inplace=on");
    }

    void whatDoesNotContradictIsTaken()
    {
        QFETCH(QString, arguments);
        const Finished finished = runCli(words(arguments));
        QVERIFY2(finished.status == 0, finished.err.constData());
    }

    void aSideGoesBeforeWhatBothHave()
    {
        const Finished both = runCli(words(QStringLiteral("compare MODEL -p alignment=128")));
        const Finished one = runCli(words(QStringLiteral("compare MODEL -p alignment=128 --a alignment=4096")));
        QVERIFY(both.text().simplified().contains(QStringLiteral("peak 128 128 same")));
        QVERIFY2(one.text().simplified().contains(QStringLiteral("peak 4,096 (4.00 KiB) 128 −3,968 (−3.88 KiB)")),
                 one.out.constData());
    }

private:
    [[nodiscard]] QString model() const { return m_folder.filePath(QStringLiteral("model.json")); }

    [[nodiscard]] QStringList words(const QString& arguments) const
    {
        return QString(arguments).replace(QStringLiteral("MODEL"), model()).split(u' ');
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_CliArguments)
#include "tst_cli_arguments.moc"
