#include "core/picture/groups/graph_groups.h"
#include "core/picture/groups/near_turns.h"
#include "core/picture/groups/repeated_blocks.h"

#include "tests/support/first_seed.h"

#include "core/graph/graph_builder.h"

#include <QtTest>

#include <random>
#include <ranges>
#include <set>

using namespace plimsoll;

namespace {

/// One operator per letter.
std::vector<std::string_view> operators(std::string_view letters)
{
    std::vector<std::string_view> items;
    for (std::size_t i = 0; i < letters.size(); ++i)
        items.push_back(letters.substr(i, 1));
    return items;
}

std::vector<std::int32_t> codes(std::string_view letters)
{
    return {letters.begin(), letters.end()};
}

/// What flows in a chain of residual blocks: each item is read by the next, the last of each block by that of the next
/// too.
RunFlow residualFlow(const std::vector<std::size_t>& ends)
{
    RunFlow flow {.stretches = {}, .nodes = ends.back()};
    for (std::size_t i = 0; i + 1 < flow.nodes; ++i)
        flow.stretches.push_back({.from = i, .to = i + 1});
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
        flow.stretches.push_back({.from = ends[i], .to = ends[i + 1] - 1, .forks = ends[i] - 1});
    return flow;
}

/// The text without its bars, cut anew: it is residual from bar to bar.
QString cutAnew(const QString& text)
{
    std::string letters;
    std::vector<std::size_t> ends;
    for (const QChar letter : text) {
        if (letter != u'|')
            letters += letter.toLatin1();
        else if (!letters.empty())
            ends.push_back(letters.size());
    }
    if (ends.back() < letters.size()) ends.push_back(letters.size());
    std::set<std::size_t> bars;
    for (const RepeatedBlocks& blocks : findRepeatedBlocks(operators(letters), residualFlow(ends))) {
        bars.insert(blocks.begin);
        bars.insert(blocks.ends.begin(), blocks.ends.end());
    }
    for (const std::size_t bar : std::views::reverse(bars))
        letters.insert(bar, "|");
    return QString::fromStdString(letters);
}

/// Residual blocks "Conv Exp Neg Tanh Add Relu", that of every fourth with a convolution on its way around.
Graph residual(int blocks)
{
    GraphBuilder builder("residual");
    ValueId last = builder.addInput("x", TensorType::dense(DType::Float32, {4}));
    int number = 0;
    const auto add = [&](const char* op, const ValueIds& inputs) {
        const std::string name = "n" + std::to_string(number++);
        return builder.output(builder.addNode({.name = name, .op = op}, inputs, {name + ".out"}), 0);
    };
    last = add("Abs", {last});
    for (int block = 0; block < blocks; ++block) {
        ValueId around = last;
        for (const char* op : {"Conv", "Exp", "Neg", "Tanh"})
            last = add(op, {last});
        if (block % 4 == 0) around = add("Conv", {around});
        last = add("Relu", {add("Add", {last, around})});
    }
    builder.addOutput(last);
    return std::move(builder).build().value();
}

} // namespace

/// Sequences that repeat with small differences.
class TestRepeatedBlocks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void turnsAreFollowedOverDifferences_data();
    void turnsAreFollowedOverDifferences();
    void differingTurnsAreFound_data();
    void differingTurnsAreFound();
    void anyTurnsWithOneEditAreCutWhereTheyBegin();
    void whatDoesNotRepeatHasNoBlocks();
    void turnsBeginWhereLittleFlowsAndSayHowTheyDiffer();
};

void TestRepeatedBlocks::turnsAreFollowedOverDifferences_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("lengths");
    QTest::newRow("equal") << QByteArray("abcdefghabcdefgh") << "8 8";
    QTest::newRow("one more") << QByteArray("abcXdefghabcdefgh") << "9 8";
    QTest::newRow("one fewer") << QByteArray("abcefghabcdefgh") << "7 8";
    QTest::newRow("another one") << QByteArray("abcXefghabcdefgh") << "8 8";
    QTest::newRow("another one at the end") << QByteArray("abcdefgXabcdefgh") << "8 8";
    QTest::newRow("one fewer at the end") << QByteArray("abcdefgabcdefgh") << "7 8";
    QTest::newRow("two more") << QByteArray("abcXYdefghabcdefgh") << "10 8";
    QTest::newRow("something else") << QByteArray("abcdefghqrstuvwx") << "8";
    QTest::newRow("too short") << QByteArray("abcd") << "";
}

void TestRepeatedBlocks::turnsAreFollowedOverDifferences()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, lengths);
    const auto told = [](const std::vector<Turn>& turns) {
        QStringList words;
        for (const Turn& turn : turns)
            words << QString::number(turn.length);
        return words.join(u' ');
    };
    std::size_t work = 0;
    const std::vector<std::int32_t> items = codes(text.toStdString());
    QCOMPARE(told(turnsAfter(codes("abcdefgh"), {items, {}}, work)), lengths);

    const std::vector<std::int32_t> mirrored(items.rbegin(), items.rend());
    QCOMPARE(told(turnsBefore(codes("hgfedcba"), {mirrored, {}}, work)), lengths);
}

void TestRepeatedBlocks::differingTurnsAreFound_data()
{
    QTest::addColumn<QString>("cut");
    QTest::newRow("first differs") << "xy|abcXdefghi|abcdefghi|abcdefghi|abcdefghi|z";
    QTest::newRow("last differs") << "xy|abcdefghi|abcdefghi|abcdefghi|abcdfghi|z";
    QTest::newRow("one in the middle differs") << "|abcdefghi|abcdefghi|abcdXXefghi|abcdefghi|abcdefghi|";
    QTest::newRow("every second differs") << "|abcdefghij|abcdXfghij|abcdefghij|abcdXfghij|abcdefghij|abcdXfghij|";
    QTest::newRow("all differ") << "|abcdefghijk|aXbcdefghijk|abcdeghijk|abcdefgXijk|abcdefghYjk|";
    QTest::newRow("two stages") << "|abcdefgh|abcdXefgh|abcdefgh|abcdefgh|QRQ|stuvwx|stuvwx|stuvwx|stuYvwx|Z";
    QTest::newRow("beside one operator over and over")
        << "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa|bcdefgh|bcdefgh|bcdefgh|";
}

void TestRepeatedBlocks::differingTurnsAreFound()
{
    QFETCH(QString, cut);

    QCOMPARE(cutAnew(cut), cut);
}

/// A random block of up to 14 operators, with one more, one fewer or another one in each turn.
void TestRepeatedBlocks::anyTurnsWithOneEditAreCutWhereTheyBegin()
{
    const unsigned seed = test::firstSeed(1);
    int right = 0; // a few with an edit at every cut come out as pairs of turns
    QStringList missed;
    for (unsigned round = 0; round < 300; ++round) {
        std::mt19937 draw(seed + round);
        const std::size_t period = 12 + draw() % 30;
        const std::size_t turns = 5 + draw() % 12;
        std::string block;
        for (std::size_t i = 0; i < period; ++i)
            block += static_cast<char>('a' + draw() % 14);
        std::string letters;
        std::vector<std::size_t> ends;
        for (std::size_t i = 0; i < turns; ++i) {
            std::string turn = block;
            const std::size_t at = draw() % period;
            const unsigned kind = draw() % 4;
            if (kind == 0) turn.insert(at, 1, 'X');
            if (kind == 1) turn.erase(at, 1);
            if (kind == 2) turn[at] = 'Y';
            letters += turn;
            ends.push_back(letters.size());
        }

        const std::vector<RepeatedBlocks> found = findRepeatedBlocks(operators(letters), residualFlow(ends));

        const auto isNear = [](std::size_t one, std::size_t other) { return one <= other + 1 && other <= one + 1; };
        if (found.size() == 1 && std::ranges::equal(found.front().ends, ends, isNear))
            ++right;
        else
            missed << QString::number(seed + round);
    }
    QVERIFY2(right >= 270, qPrintable(QStringLiteral("missed with seeds ") + missed.join(u' ')));
}

void TestRepeatedBlocks::whatDoesNotRepeatHasNoBlocks()
{
    const unsigned seed = test::firstSeed(1);
    for (unsigned round = 0; round < 40; ++round) {
        std::mt19937 draw(seed + round);
        std::string letters;
        for (std::size_t i = 0; i < 100 + 40 * round; ++i)
            letters += static_cast<char>('a' + draw() % 12);

        const QByteArray told = QByteArray("seed ") + QByteArray::number(seed + round);
        QVERIFY2(findRepeatedBlocks(operators(letters)).empty(), told.constData());
    }
}

void TestRepeatedBlocks::turnsBeginWhereLittleFlowsAndSayHowTheyDiffer()
{
    const Graph graph = residual(8);

    const GroupTree tree = groupNodes(graph);

    QStringList turns;
    for (const Group& group : tree.groups)
        if (group.kind == GroupKind::Repeat)
            turns << QString::fromStdString(graph[group.nodes.front()].op + " … " + graph[group.nodes.back()].op + ' ' +
                                            group.differs);
    const QString plain = QStringLiteral("Conv … Relu ");
    const QString other = QStringLiteral("Conv … Relu + Conv");
    QCOMPARE(turns, QStringList({other, plain, plain, plain, other, plain, plain, plain}));
}

QTEST_APPLESS_MAIN(TestRepeatedBlocks)
#include "tst_repeated_blocks.moc"
