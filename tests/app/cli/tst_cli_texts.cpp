#include "app/cli/options.h"
#include "app/cli/summary.h"
#include "app/cli/text_table.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::cli;

class tst_CliTexts : public QObject
{
    Q_OBJECT

private slots:
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

    void rangesAreHalfOpen()
    {
        LiveRanges live({0, 4});
        live.add({6, 9});

        QCOMPARE(rangesText(live), std::string("[0, 4) [6, 9)"));
        QCOMPARE(rangesText({}), std::string("none"));
    }
};

QTEST_APPLESS_MAIN(tst_CliTexts)
#include "tst_cli_texts.moc"
