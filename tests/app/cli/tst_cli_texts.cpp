#include "app/cli/arguments.h"
#include "app/cli/commands/explanation.h"
#include "app/cli/commands/summary.h"
#include "app/cli/options.h"
#include "app/cli/printed.h"
#include "app/cli/text_table.h"
#include "core/graph/graph_builder.h"
#include "core/pipeline/pipeline.h"
#include "tests/support/planned.h"

#include <QRegularExpression>
#include <QTest>

#include <stdexcept>

using namespace plimsoll;
using namespace plimsoll::cli;

class tst_CliTexts : public QObject
{
    Q_OBJECT

private slots:
    void namesCannotCommandATerminal_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("plain") << QByteArray("größe 😀") << QByteArray("größe 😀");
        QTest::newRow("a colour") << QByteArray("a\x1b[31mred") << QByteArray("a\\x1b[31mred");
        QTest::newRow("a zero") << QByteArray("a\0b", 3) << QByteArray("a\\x00b");
        QTest::newRow("a tab") << QByteArray("a\tb") << QByteArray("a\\x09b");
        QTest::newRow("a carriage return") << QByteArray("a\rb") << QByteArray("a\\x0db");
        QTest::newRow("a line break") << QByteArray("gr\nname") << QByteArray("gr\\x0aname");
        QTest::newRow("two line breaks") << QByteArray("gr\nna\nme") << QByteArray("gr\\x0ana\\x0ame");
        QTest::newRow("delete") << QByteArray("a\x7f") << QByteArray("a\\x7f");
        QTest::newRow("a control of one byte more") << QByteArray("a\xc2\x9b") << QByteArray("a\\u009b");
        QTest::newRow("turned round") << QByteArray("\xe2\x80\xaeRTL") << QByteArray("\\u202eRTL");
        QTest::newRow("isolated") << QByteArray("\xe2\x81\xa6i") << QByteArray("\\u2066i");
        QTest::newRow("no UTF-8") << QByteArray("\xff\xfe") << QByteArray("\\xff\\xfe");
    }

    void namesCannotCommandATerminal()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, shown);
        Graph graph;
        graph.name = name.toStdString();

        const std::string text = printable("first\n" + graph.name + ": fine\n'" + graph.name + "'\n", {&graph});

        const std::string wanted = shown.toStdString();
        QCOMPARE(QByteArray::fromStdString(text),
                 QByteArray::fromStdString("first\n" + wanted + ": fine\n'" + wanted + "'\n"));
    }

    void longNamesLoseTheirMiddle()
    {
        const std::string name(1'000, 'x');
        const std::string text = printable("value " + name + ": float32\n");
        QCOMPARE(text, "value " + std::string(100, 'x') + "…(801 bytes)…" + std::string(99, 'x') + ": float32\n");
    }

    void explanationsListTheFirstFew()
    {
        std::string text = "input v0 float32[16]\n";
        for (int i = 0; i < 300; ++i)
            text += "v" + std::to_string(i + 1) + " = Relu(v" + std::to_string(i) + ")\n";
        const Report report = analyse(test::graphFromText(text + "output v300\n"), {}, {}).value();

        const QString said = QString::fromStdString(explanation(report, findSubject(report, "v50", -1).value()));

        const QString tenants =
            said.section(QStringLiteral("Shares its storage with\n"), 1).section(QStringLiteral("\n\n"), 0, 0);
        QCOMPARE(tenants.count(QStringLiteral(", in-place\n")), 199); // and v1, which is written into fresh bytes
        QVERIFY2(tenants.endsWith(QStringLiteral("\n  …: and 99 more")), qPrintable(said));
    }

    void theOptionThatGivesASizeIsNamed()
    {
        const Report report =
            analyse(test::graphFromText("input x float32[...]\na: y = Relu(x)\noutput y\n"), {}, {}).value();
        const QString reason = QStringLiteral("the file gives no shape for 'x'");
        const QString option = QStringLiteral("; give one with --shape x=…\n");

        const QString said = QString::fromStdString(summaryText(report));

        QVERIFY2(said.contains(QStringLiteral("incomplete: 2 of 2 values have no size (%1)%2").arg(reason, option)),
                 qPrintable(said));
        QVERIFY2(said.contains(QRegularExpression(QStringLiteral("\n  y +") +
                                                  QRegularExpression::escape(reason + option.chopped(1)))),
                 qPrintable(said));
        QVERIFY(QString::fromStdString(explanation(report, findSubject(report, "y", -1).value()))
                    .contains(reason + option));
    }

    void whereTheTypeOfElementsIsMissingThatIsSaid()
    {
        GraphBuilder builder("g");
        const ValueId x = builder.addInput("x", TensorType::dense(DType::Unknown, {4}));
        builder.addOutput(builder.output(builder.addNode({.name = "r", .op = "Relu"}, {x}, {"y"}), 0));

        const QString said =
            QString::fromStdString(summaryText(analyse(std::move(builder).build().value(), {}, {}).value()));

        QVERIFY2(said.contains(QStringLiteral("(the file gives no type of elements for 'x'); say the type of 'x'")),
                 qPrintable(said));
    }

    void nodesOfOneNameAreNamedTogether()
    {
        GraphBuilder builder("g");
        const ValueId x = builder.addInput("x", TensorType::dense(DType::Float32, {4}));
        const NodeId first = builder.addNode({.name = "r", .op = "Relu"}, {x}, {"a"});
        const NodeId second = builder.addNode({.name = "r", .op = "Sigmoid"}, {builder.output(first, 0)}, {"y"});
        builder.addOutput(builder.output(second, 0));
        const Report report = analyse(std::move(builder).build().value(), {}, {}).value();

        const QString said = QString::fromStdString(explanation(report, findSubject(report, "r", -1).value()));

        QVERIFY2(said.contains(QStringLiteral("  Operator: Relu\n  Of the same name: r#2 (Sigmoid, step 1)\n")),
                 qPrintable(said));
    }

    void aStepThatIsNotThereIsSaid()
    {
        const Report report = test::planned("input x float32[64]\nn0: a = Relu(x)\nn1: b = Exp(a)\noutput b\n");
        QVERIFY(findSubject(report, "0x0", 1).ok());
        QCOMPARE(english(findSubject(report, "0x0", 2).error().message),
                 std::string("There is no step 2. The plan has 2 steps, the first of which is 0."));
    }

    void columnsAreAlignedByCharacters()
    {
        TextTable table({TextTable::Align::Left, TextTable::Align::Right});
        table.add({"größe", "1"});
        table.add({"a", "234"});

        QCOMPARE(table.text(2), std::string("  größe    1\n  a      234\n"));
    }

    void shapesComeFromText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("fine");
        QTest::newRow("sizes") << "x=1x3x224" << true;
        QTest::newRow("scalar") << "x=" << true;
        QTest::newRow("a name with an equals sign") << "a=b=2" << true;
        QTest::newRow("zero") << "x=0" << true;
        QTest::newRow("trailing x") << "x=1x" << false;
        QTest::newRow("leading x") << "x=x1" << false;
        QTest::newRow("negative") << "x=-1" << false;
        QTest::newRow("no name") << "=1" << false;
        QTest::newRow("no equals sign") << "x" << false;
        QTest::newRow("beyond 63 bits") << "x=9223372036854775808" << false;
    }

    void shapesComeFromText()
    {
        QFETCH(QString, text);
        GraphOptions options;
        options.shapes = {text.toStdString()};

        const Result<PlanRequest> request = makeRequest(options);

        QTEST(request.ok(), "fine");
        if (!request.ok()) QCOMPARE(request.error().code, ErrorCode::BadUsage);
    }

    void sizesOfShapesAreRead()
    {
        GraphOptions options;
        options.shapes = {"x=1x3x224", "s="};
        options.dims = {"batch=8"};

        const PlanRequest request = makeRequest(options).value();

        QVERIFY(request.shapes.shapes.at("x") == (Shape {1, 3, 224}));
        QVERIFY(request.shapes.shapes.at("s").empty());
        QCOMPARE(request.shapes.dims.at("batch"), 8);
    }

    /// Names may contain a sign of equality; policies do not.
    void contradictionsAreOfOneName()
    {
        const std::vector<std::string> texts = {"a=1=x", "a=2=x"};
        QVERIFY(refuseContradictions("--pin", texts).ok());
        QVERIFY(!refuseContradictions("-p", texts).ok());
        QVERIFY(!refuseContradictions("--pin", {"a=1=x", "a=1=y"}).ok());
    }

    void whatIsThrownIsSaidAndEndsWithAStatus()
    {
        const auto burst = []() -> Result<ExitStatus> { throw std::length_error("too long"); };
        const Command program = {
            .name = "p", .meaning = "p", .commands = {{.name = "burst", .meaning = "", .run = burst}}};
        const char* words[] = {"p", "burst"};

        QCOMPARE(runProgram(program, {}, 2, words), static_cast<int>(ExitStatus::Unreadable));
    }
};

QTEST_APPLESS_MAIN(tst_CliTexts)
#include "tst_cli_texts.moc"
