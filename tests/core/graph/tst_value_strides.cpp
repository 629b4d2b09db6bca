#include "core/graph/value_strides.h"

#include <QTest>

#include <random>
#include <set>

using namespace plimsoll;

Q_DECLARE_METATYPE(plimsoll::Shape)

namespace {

Value strided(Shape shape, Shape strides, DType dtype = DType::Float32)
{
    Value value;
    value.type = TensorType::dense(dtype, std::move(shape));
    value.at.edit().strides = std::move(strides);
    return value;
}

/// "[0, 4) [16, 20)"
QString textOf(const std::vector<Interval>& pieces)
{
    QStringList parts;
    for (const Interval piece : pieces)
        parts += QStringLiteral("[%1, %2)").arg(piece.begin).arg(piece.end);
    return parts.join(QLatin1Char(' '));
}

} // namespace

class TestValueStrides : public QObject
{
    Q_OBJECT

private slots:
    void aViewTakesItsSpan_data()
    {
        QTest::addColumn<Shape>("shape");
        QTest::addColumn<Shape>("strides");
        QTest::addColumn<qint64>("span");
        QTest::addColumn<QString>("pieces");
        QTest::addColumn<bool>("onItself");
        const auto row = [](const char* name, Shape shape, Shape strides, int span, const char* pieces, bool onItself) {
            QTest::newRow(name) << shape << strides << qint64(span) << QString::fromLatin1(pieces) << onItself;
        };
        row("one piece", {2, 3}, {3, 1}, 24, "[0, 24)", false);
        row("a column", {3}, {4}, 36, "[0, 4) [16, 20) [32, 36)", false);
        row("two columns", {3, 2}, {4, 1}, 40, "[0, 8) [16, 24) [32, 40)", false);
        row("transposed", {4, 3}, {1, 4}, 48, "[0, 48)", false);
        row("a diagonal", {3}, {4}, 36, "[0, 4) [16, 20) [32, 36)", false);
        row("repeated", {4, 8}, {0, 1}, 32, "[0, 32)", true);
        row("a repeated column", {4, 2}, {0, 3}, 16, "[0, 4) [12, 16)", true);
        row("rows that begin inside of one another", {3, 2}, {1, 1}, 16, "[0, 16)", true);
        row("rows that interleave", {2, 2}, {3, 2}, 24, "[0, 4) [8, 16) [20, 24)", false);
        row("one row, whatever its stride", {1, 3}, {0, 1}, 12, "[0, 12)", false);
        row("no elements", {0, 3}, {0, 0}, 0, "[0, 0)", false);
        row("no strides", {2, 3}, {}, 24, "[0, 24)", false);
        row("strides of another rank", {2, 3}, {1}, 24, "[0, 24)", false);
    }

    void aViewTakesItsSpan()
    {
        QFETCH(Shape, shape);
        QFETCH(Shape, strides);
        QFETCH(qint64, span);
        const Value value = strided(shape, strides);
        QCOMPARE(qint64(spanBytes(value).value()), span);
        QTEST(textOf(piecesOf(value)), "pieces");
        QTEST(liesOnItself(value), "onItself");
    }

    /// Of 2,000 shapes and strides: the bytes that the elements have, one by one.
    void piecesAreThoseOfTheElements()
    {
        constexpr unsigned Seed = 31;
        std::mt19937 random(Seed);
        for (int round = 0; round < 2000; ++round) {
            Shape shape;
            Shape strides;
            for (unsigned axis = 0; axis < 1 + random() % 4; ++axis) {
                shape.push_back(1 + random() % 4);
                strides.push_back(random() % 12);
            }
            const Value value = strided(shape, strides);
            std::multiset<std::int64_t> elements = {0};
            for (std::size_t axis = 0; axis < shape.size(); ++axis) {
                std::multiset<std::int64_t> more;
                for (const std::int64_t at : elements)
                    for (std::int64_t index = 0; index < shape[axis]; ++index)
                        more.insert(at + index * strides[axis]);
                elements = std::move(more);
            }
            std::set<std::int64_t> bytes;
            for (const Interval piece : piecesOf(value))
                for (std::int64_t byte = piece.begin; byte < piece.end; ++byte)
                    QVERIFY2(bytes.insert(byte).second, qPrintable(QString::number(round)));
            if (!isStrided(value)) continue;
            std::set<std::int64_t> expected;
            for (const std::int64_t at : elements)
                for (int byte = 0; byte < 4; ++byte)
                    expected.insert(at * 4 + byte);
            QVERIFY2(bytes == expected, qPrintable(QStringLiteral("seed %1, round %2").arg(Seed).arg(round)));
            const std::set<std::int64_t> distinct(elements.begin(), elements.end());
            QCOMPARE(liesOnItself(value), distinct.size() < elements.size());
            QCOMPARE(spanBytes(value).value(), *elements.rbegin() * 4 + 4);
        }
    }

    void whatIsTooLargeIsNotGuessed()
    {
        QVERIFY(!stridedView(strided({3}, {std::int64_t {1} << 62})));
        QVERIFY(!stridedView(strided({3}, {-1})));
        QCOMPARE(textOf(piecesOf(strided({5000}, {2}))), QStringLiteral("[0, 39996)"));
    }
};

QTEST_APPLESS_MAIN(TestValueStrides)
#include "tst_value_strides.moc"
