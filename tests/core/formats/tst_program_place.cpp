#include "core/formats/program_place.h"

#include <QTest>

using namespace plimsoll;

/// Where a node was written, from what PyTorch notes of it.
class ProgramPlaceTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theInnermostPlaceIsTaken_data();
    void theInnermostPlaceIsTaken();
    void classesOfPyTorchAreNobodysCode();
    void modulesAreNamedByTheirPath_data();
    void modulesAreNamedByTheirPath();
};

void ProgramPlaceTest::theInnermostPlaceIsTaken_data()
{
    QTest::addColumn<QString>("stack");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("place");
    QTest::newRow("a method") << "  File \"m.py\", line 27, in forward\n    for b in s.b: x=b(x)\n"
                                 "  File \"m.py\", line 18, in forward\n    q=s.qkv(x)\n"
                              << "Block"
                              << "m.py:18 in Block.forward";
    QTest::newRow("a function") << "File \"a b/m.py\", line 3, in gelu\n"
                                << "Block"
                                << "a b/m.py:3 in gelu";
    QTest::newRow("of no known class") << "File \"m.py\", line 3, in forward"
                                       << ""
                                       << "m.py:3 in forward";
    QTest::newRow("without a function") << "File \"m.py\", line 3"
                                        << "Block"
                                        << "m.py:3";
    QTest::newRow("no stack") << "None"
                              << "Block"
                              << "";
    QTest::newRow("cut off") << "File \"m.py"
                             << "Block"
                             << "";
    QTest::newRow("cut off before the line") << "File \"m.py\", line "
                                             << ""
                                             << "m.py:";
    QTest::newRow("nothing") << ""
                             << ""
                             << "";
}

void ProgramPlaceTest::theInnermostPlaceIsTaken()
{
    QFETCH(QString, stack);
    QFETCH(QString, type);
    QFETCH(QString, place);
    QCOMPARE(QString::fromStdString(placeInStack(stack.toStdString(), type.toStdString())), place);
}

void ProgramPlaceTest::classesOfPyTorchAreNobodysCode()
{
    const std::vector<std::string> classes = {"models.Net", "models.Block", "torch.nn.modules.linear.Linear"};
    QCOMPARE(ownClass(classes), std::string("Block"));
    QCOMPARE(ownClass(std::span(classes).last(1)), std::string());
    QCOMPARE(ownClass({}), std::string());
}

void ProgramPlaceTest::modulesAreNamedByTheirPath_data()
{
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("path");
    QTest::newRow("the model") << ""
                               << "";
    QTest::newRow("itself") << "L['self']"
                            << "";
    QTest::newRow("a list") << "L['s'].b[0]"
                            << "b.0";
    QTest::newRow("a dictionary") << "L['self'].heads['left'].out"
                                  << "heads.left.out";
    QTest::newRow("a path") << "encoder.layer.0"
                            << "encoder.layer.0";
    QTest::newRow("cut off") << "L['s"
                             << "";
}

void ProgramPlaceTest::modulesAreNamedByTheirPath()
{
    QFETCH(QString, expression);
    QFETCH(QString, path);
    QCOMPARE(QString::fromStdString(modulePath(expression.toStdString())), path);
}

QTEST_GUILESS_MAIN(ProgramPlaceTest)
#include "tst_program_place.moc"
