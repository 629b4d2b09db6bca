#include "core/ops/inner_access.h"
#include "core/verify/inner_reads.h"

#include <QtTest>

#include <random>
#include <set>

using namespace plimsoll;

namespace {

using Kind = AccessMap::Kind;
using Elements = std::set<std::int64_t>;

std::int64_t countOf(const Shape& shape)
{
    return elementCount(shape).value_or(0);
}

std::vector<std::int64_t> indexOf(std::int64_t element, const Shape& shape)
{
    std::vector<std::int64_t> index(shape.size());
    for (std::size_t a = shape.size(); a-- > 0; element /= shape[a])
        index[a] = element % shape[a];
    return index;
}

/// Elements of an operand that element \p made of a result reads, index by index.
Elements readBy(const AccessMap& map, std::int64_t made, const Shape& to, const Shape& from,
                const std::vector<std::int64_t>& known)
{
    Elements read;
    if (map.kind == Kind::Nothing) return read;
    if (map.kind == Kind::Order) return {made};
    const auto at = indexOf(made, to);
    for (std::int64_t element = 0; element < countOf(from); ++element) {
        const auto index = indexOf(element, from);
        bool hit = true;
        for (std::size_t a = 0; map.kind == Kind::Axes && a < from.size(); ++a) {
            const AccessAxis& axis = map.axes[a];
            if (axis.from == AccessAxis::Any) continue;
            std::int64_t wanted = axis.start;
            if (axis.from >= 0) wanted += axis.step * at[static_cast<std::size_t>(axis.from)];
            for (const auto& [what, times] : axis.moved)
                wanted += times * known[what];
            hit = hit && wanted == index[a];
        }
        if (hit) read.insert(element);
    }
    return read;
}

/// Operations in a row, each over one or two that came before, or over the only input.
struct Fusion
{
    Graph graph;
    std::vector<Shape> shapes; ///< By operation.
    Shape input;
};

class RandomFusion
{
public:
    explicit RandomFusion(std::mt19937& random) : m_random(random) {}

    Fusion make()
    {
        Fusion fusion;
        fusion.input = Shape {number(2, 4), number(1, 3)};
        auto inside = std::make_shared<InnerOperations>();
        inside->operands.push_back({{false, 0, sameIndex(2)}});
        fusion.shapes.push_back(fusion.input);
        for (int i = number<int>(1, 5); i > 0; --i)
            addOperation(*inside, fusion.shapes);
        for (std::size_t i = 0; i < fusion.shapes.size(); ++i) {
            if (fusion.shapes[i] == fusion.input) inside->results = {i};
        }
        const TensorType type = TensorType::dense(DType::Float32, fusion.input);
        fusion.graph.values = {{"x", type, ValueRole::Input}, {"y", type}};
        fusion.graph.nodes.push_back({});
        Node& node = fusion.graph.nodes.back();
        node.inputs = {ValueId(0)};
        node.outputs = {ValueId(1)};
        node.declared.edit().inside = inside;
        return fusion;
    }

private:
    template <typename T = std::int64_t>
    T number(T low, T high)
    {
        return std::uniform_int_distribution<T>(low, high)(m_random);
    }

    AccessMap mapFor(const Shape& from, Shape& to)
    {
        AccessMap map = sameIndex(2);
        const auto axis = number<std::size_t>(0, 1);
        to = from;
        switch (number(0, 7)) {
        case 0: // slice
            map.axes[axis].start = number<std::int64_t>(0, from[axis] - 1);
            to[axis] = number<std::int64_t>(1, from[axis] - map.axes[axis].start);
            break;
        case 1: // what is put between others
            map.axes[axis].start = -number(0, 2);
            to[axis] = from[axis] - map.axes[axis].start + number(0, 1);
            break;
        case 2:
            std::swap(map.axes[0].from, map.axes[1].from);
            std::swap(to[0], to[1]);
            break;
        case 3:
            map.axes[axis] = {static_cast<int>(axis), -1, from[axis] - 1};
            break;
        case 4:
            map.axes[axis] = {};
            break;
        case 5: // a slice from where only a run knows
            to[axis] = 1;
            map.axes[axis].moved[number<std::size_t>(0, 1)] = 1;
            break;
        case 6: // an update of one row, from where only a run knows
            if (from[axis] != 1) break;
            to[axis] = 4;
            map.axes[axis].moved[number<std::size_t>(0, 1)] = -1;
            break;
        default:
            map = {number(0, 1) ? Kind::Order : Kind::Nothing};
            break;
        }
        return map;
    }

    void addOperation(InnerOperations& inside, std::vector<Shape>& shapes)
    {
        const auto first = number<std::size_t>(0, shapes.size() - 1);
        Shape to;
        std::vector<InnerOperand> operands = {{true, first, mapFor(shapes[first], to)}};
        const auto second = number<std::size_t>(0, shapes.size() - 1);
        if (shapes[second] == to) operands.push_back({true, second, sameIndex(2)});
        inside.operands.push_back(std::move(operands));
        shapes.push_back(to);
    }

    std::mt19937& m_random;
};

/// What element by element says, for all that a run may bring.
bool readsElsewhereByElement(const Fusion& fusion)
{
    const InnerOperations& inside = *fusion.graph.nodes.front().declared->inside;
    for (std::int64_t a = 0; a < 4; ++a) {
        for (std::int64_t b = 0; b < 4; ++b) {
            std::vector<std::vector<Elements>> reads(fusion.shapes.size());
            for (std::size_t i = 0; i < reads.size(); ++i) {
                reads[i].resize(static_cast<std::size_t>(countOf(fusion.shapes[i])));
                for (std::size_t e = 0; e < reads[i].size(); ++e) {
                    for (const InnerOperand& operand : inside.operands[i]) {
                        const Shape& from = operand.inner ? fusion.shapes[operand.index] : fusion.input;
                        for (const std::int64_t one :
                             readBy(operand.map, static_cast<std::int64_t>(e), fusion.shapes[i], from, {a, b})) {
                            if (!operand.inner)
                                reads[i][e].insert(one);
                            else
                                reads[i][e].merge(Elements(reads[operand.index][static_cast<std::size_t>(one)]));
                        }
                    }
                }
            }
            const auto& made = reads[inside.results.front()];
            for (std::size_t e = 0; e < made.size(); ++e) {
                for (const std::int64_t one : made[e]) {
                    if (one != static_cast<std::int64_t>(e)) return true;
                }
            }
        }
    }
    return false;
}

} // namespace

/// Maps of several operations in a row, by the planner and by the judge, beside what single elements say.
class InnerReads : public QObject
{
    Q_OBJECT

private slots:
    void bothFindWhatSingleElementsSay()
    {
        bool given = false;
        auto seed = static_cast<std::uint32_t>(qEnvironmentVariableIntValue("PLIMSOLL_TEST_SEED", &given));
        if (!given) seed = std::random_device()();
        qInfo("PLIMSOLL_TEST_SEED=%u", seed);
        std::mt19937 random(seed);
        int elsewhere = 0;
        int strict = 0;
        constexpr int Rounds = 3000;
        for (int round = 0; round < Rounds; ++round) {
            const Fusion fusion = RandomFusion(random).make();
            const bool truth = readsElsewhereByElement(fusion);
            const bool planner = readsElsewhere(fusion.graph, NodeId(0), 0);
            const bool judge = !verifying::readElsewhere(fusion.graph, NodeId(0)).empty();
            QVERIFY2(!truth || planner, qPrintable(QString("round %1").arg(round)));
            QVERIFY2(!truth || judge, qPrintable(QString("round %1").arg(round)));
            QCOMPARE(judge, planner);
            elsewhere += truth ? 1 : 0;
            strict += planner && !truth ? 1 : 0;
        }
        QVERIFY2(elsewhere > Rounds / 10 && elsewhere < Rounds * 9 / 10, qPrintable(QString::number(elsewhere)));
        // 8.8 % of all fusions, measured over 60 seeds; 12 % is six standard deviations of 3,000 rounds away.
        QVERIFY2(strict < Rounds * 12 / 100, qPrintable(QString::number(strict)));
    }
};

QTEST_APPLESS_MAIN(InnerReads)
#include "tst_inner_reads.moc"
