#include "core/graph/dim_expression.h"

#include <QTest>

using namespace plimsoll;

class tst_DimExpression : public QObject
{
    Q_OBJECT

private slots:
    void expressionsAreEvaluated_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<qint64>("value"); ///< With a = 7, b = 2; -99 is none.
        const auto row = [](const char* text, const QStringList& names, qint64 value) {
            QTest::newRow(text) << QByteArray(text) << names << value;
        };
        const QStringList a {QStringLiteral("a")};
        const QStringList ab {QStringLiteral("a"), QStringLiteral("b")};
        row("a*2", a, 14);
        row("a + 1", a, 8);
        row("1+a", a, 8);
        row("2*a - 3*b", ab, 8);
        row("a - b - 1", ab, 4);
        row("a - (b - 1)", ab, 6);
        row("a-2", a, 5);
        row("a//b", ab, 3);
        row("(1 - a)//b", ab, -3);
        row("-a//b", ab, -4);
        row("((a - 1)//2) + 1", a, 4);
        row("a*a", a, 49);
        row("a//(b - 2)", ab, -99);
        row("a*9223372036854775807", a, -99);
        row("a + unknown", {QStringLiteral("a"), QStringLiteral("unknown")}, -99);
    }

    void expressionsAreEvaluated()
    {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, names);
        const auto expression = DimExpression::parse(text.toStdString());
        QVERIFY(expression);
        QStringList found;
        for (const std::string& name : expression->names())
            found.append(QString::fromStdString(name));
        QCOMPARE(found, names);
        const auto value = expression->evaluate({{"a", 7}, {"b", 2}});
        QTEST(qint64(value.value_or(-99)), "value");
    }

    void whatIsNoneIsAName_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"a",          "batch-size",
                                 "batch_size", "x.0",
                                 "8",          "2*3",
                                 "(a)",        "",
                                 "a +",        "* a",
                                 "a b",        "a**2",
                                 "a / b",      "a % 2",
                                 "Max(1, a)",  "floor(a/2)",
                                 "2a",         "a + 99999999999999999999",
                                 "a + (b",     "batch-size-2x"})
            QTest::newRow(text) << QByteArray(text);
        QTest::newRow("too deep") << QByteArray(100, '(') + "a+1" + QByteArray(100, ')');
        QTest::newRow("too long") << QByteArray("a") + QByteArray("+a").repeated(400);
    }

    void whatIsNoneIsAName()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!DimExpression::parse(text.toStdString()));
    }

    void hyphensBelongToNames()
    {
        const auto expression = DimExpression::parse("batch-size*2 + x.1");
        QVERIFY(expression);
        QCOMPARE(expression->names(), (std::vector<std::string> {"batch-size", "x.1"}));
        QCOMPARE(expression->evaluate({{"batch-size", 3}, {"x.1", 4}}), std::optional<std::int64_t>(10));
    }
};

QTEST_APPLESS_MAIN(tst_DimExpression)
#include "tst_dim_expression.moc"
