#include "core/graph/shape_text.h"

#include <QtTest>

using namespace plimsoll;

class ShapeTextTest : public QObject
{
    Q_OBJECT

private slots:
    void shapeOfAText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<Shape>("shape");
        QTest::newRow("scalar") << "" << Shape();
        QTest::newRow("vector") << "7" << Shape {7};
        QTest::newRow("picture") << "1x3x224x224" << Shape {1, 3, 224, 224};
        QTest::newRow("nothing in it") << "0x5" << Shape {0, 5};
        QTest::newRow("as large as a size may be") << "9223372036854775807" << Shape {INT64_MAX};
    }
    void shapeOfAText()
    {
        QFETCH(QString, text);
        QFETCH(Shape, shape);

        const auto read = shapeFromText(text.toStdString());
        QVERIFY(read.has_value());
        QCOMPARE(*read, shape);
        QCOMPARE(QString::fromStdString(shapeText(shape)), text);
    }

    void noShape_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"x", "3x", "x3", "3xx4", "-1", "3x-1", "a", "3xa", "3 x4", "1.5", "9223372036854775808"})
            QTest::newRow(text) << text;
    }
    void noShape()
    {
        QFETCH(QString, text);
        QVERIFY(!shapeFromText(text.toStdString()));
    }
};

QTEST_APPLESS_MAIN(ShapeTextTest)
#include "tst_shape_text.moc"
