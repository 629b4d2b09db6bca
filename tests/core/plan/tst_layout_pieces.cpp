#include "core/plan/layout_pieces.h"

#include <QTest>

#include <random>
#include <set>

using namespace plimsoll;

namespace {

/// "[16, 32)", or nothing.
QString text(const std::optional<Interval>& piece)
{
    return piece ? QStringLiteral("[%1, %2)").arg(piece->begin).arg(piece->end) : QString();
}

/// Where an element lies, in a layout that cuts no axis twice.
std::int64_t addressOf(const Layout& layout, const Shape& shape, const Shape& index)
{
    const Shape strides = blockStrides(layout, *paddedShape(layout, shape));
    std::int64_t address = 0;
    std::int64_t lane = 1;
    Shape outer = index;
    for (auto block = layout.blocks.rbegin(); block != layout.blocks.rend(); ++block) {
        address += index[block->axis] % block->size * lane;
        lane *= block->size;
        outer[block->axis] /= block->size;
    }
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        address += outer[axis] * strides[axis];
    return address;
}

template <typename Visit>
void visitAll(const Shape& shape, Visit visit)
{
    Shape index(shape.size(), 0);
    for (std::int64_t left = *elementCount(shape); left > 0; --left) {
        visit(index);
        for (std::size_t axis = shape.size(); axis-- > 0 && ++index[axis] == shape[axis];)
            index[axis] = 0;
    }
}

/// By looking at every element: those of the part lie as they do in it alone, and nobody else's lie between.
std::optional<Interval> pieceByElements(const Layout& layout, const Shape& part, const Shape& whole, const Shape& start)
{
    std::set<std::int64_t> shifts;
    std::set<std::int64_t> own;
    visitAll(part, [&](Shape index) {
        const std::int64_t alone = addressOf(layout, part, index);
        for (std::size_t axis = 0; axis < index.size(); ++axis)
            index[axis] += start[axis];
        own.insert(addressOf(layout, whole, index));
        shifts.insert(addressOf(layout, whole, index) - alone);
    });
    if (shifts.size() != 1) return std::nullopt;
    const Interval piece {*shifts.begin(), *shifts.begin() + *elementCount(*paddedShape(layout, part))};
    if (piece.begin < 0 || piece.end > *elementCount(*paddedShape(layout, whole))) return std::nullopt;
    bool alone = true;
    visitAll(whole, [&](const Shape& index) {
        const std::int64_t address = addressOf(layout, whole, index);
        alone = alone && (!piece.contains(address) || own.contains(address));
    });
    return alone ? std::optional(piece) : std::nullopt;
}

} // namespace

/// Parts of tensors that lie there as they would alone.
class tst_LayoutPieces : public QObject
{
    Q_OBJECT

private slots:
    void piecesLieWhereTheirElementsDo_data()
    {
        QTest::addColumn<std::string>("layout");
        QTest::addColumn<Shape>("part");
        QTest::addColumn<Shape>("whole");
        QTest::addColumn<Shape>("start");
        QTest::addColumn<QString>("piece");
        const auto row = [](const char* name, const char* layout, Shape part, Shape whole, Shape start,
                            const char* piece) {
            QTest::newRow(name) << std::string(layout) << std::move(part) << std::move(whole) << std::move(start)
                                << QString(piece);
        };
        row("channels, plain", "plain", {1, 2, 3, 3}, {1, 5, 3, 3}, {0, 3, 0, 0}, "[27, 45)");
        row("channels of a batch, plain", "plain", {2, 2, 3, 3}, {2, 5, 3, 3}, {0, 3, 0, 0}, "");
        row("whole blocks", "nChw16c", {1, 32, 2, 2}, {1, 64, 2, 2}, {0, 16, 0, 0}, "[64, 192)");
        row("whole blocks of a batch", "nChw16c", {2, 32, 2, 2}, {2, 64, 2, 2}, {0, 16, 0, 0}, "");
        row("from within a block", "nChw16c", {1, 16, 2, 2}, {1, 64, 2, 2}, {0, 8, 0, 0}, "");
        row("up to within a block", "nChw16c", {1, 24, 2, 2}, {1, 64, 2, 2}, {0, 16, 0, 0}, "");
        row("the last, with its pad lanes", "nChw16c", {1, 8, 2, 2}, {1, 24, 2, 2}, {0, 16, 0, 0}, "[64, 128)");
        row("the first, cut", "nChw8c", {1, 4, 2, 2}, {1, 8, 2, 2}, {0, 0, 0, 0}, "");
        row("channels last, joined by channels", "nhwc", {1, 16, 2, 2}, {1, 32, 2, 2}, {0, 0, 0, 0}, "");
        row("channels last, joined by rows", "nhwc", {1, 4, 3, 2}, {1, 4, 5, 2}, {0, 0, 2, 0}, "[16, 40)");
        row("rows in blocks of channels", "nChw8c", {1, 8, 3, 2}, {1, 8, 5, 2}, {0, 0, 2, 0}, "[32, 80)");
        row("rows of several blocks", "nChw8c", {1, 16, 3, 2}, {1, 16, 5, 2}, {0, 0, 2, 0}, "");
        row("images", "nChw8c", {1, 3, 2, 2}, {4, 3, 2, 2}, {2, 0, 0, 0}, "[64, 96)");
        row("a part of one row", "plain", {1, 2}, {3, 5}, {1, 2}, "[7, 9)");
        row("outside", "plain", {2}, {4}, {3}, "");
        row("in front", "plain", {2}, {4}, {-1}, "");
    }

    void piecesLieWhereTheirElementsDo()
    {
        QFETCH(std::string, layout);
        QFETCH(Shape, part);
        QFETCH(Shape, whole);
        QFETCH(Shape, start);
        QTEST(text(pieceOf(*layoutFromName(layout, whole.size()), part, whole, start)), "piece");
    }

    /// Every piece that is found lies as its elements say; what is not found would cut a block.
    void elementsAgree()
    {
        std::mt19937 random(7);
        const auto number = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        int found = 0;
        for (int trial = 0; trial < 6'000; ++trial) {
            constexpr const char* Names[] = {"plain", "nhwc", "nChw4c", "nChw2c", "NChw2n2c", "nhwC4c"};
            const auto layout = layoutFromName(Names[number(0, 5)], 4);
            QVERIFY(layout);
            Shape whole {number(1, 2), number(1, 9), number(1, 3), number(1, 3)};
            Shape part = whole;
            Shape start(4, 0);
            for (std::size_t axis = 0; axis < 4; ++axis) {
                if (number(0, 2) != 0) continue;
                part[axis] = number(1, whole[axis]);
                start[axis] = number(0, whole[axis] - part[axis]);
            }
            const auto piece = pieceOf(*layout, part, whole, start);
            if (piece || layout->blocks.empty())
                QCOMPARE(text(piece), text(pieceByElements(*layout, part, whole, start)));
            found += piece ? 1 : 0;
        }
        QVERIFY(found > 1'000 && found < 5'000);
    }
};

QTEST_APPLESS_MAIN(tst_LayoutPieces)
#include "tst_layout_pieces.moc"
