#include "core/facts/english/english.h"
#include "core/verify/verifier.h"

#include "tests/core/verify/case.h"

#include <QRegularExpression>
#include <QTest>

using namespace plimsoll;

namespace {

// in → a: x → b: y → c: z, each 64 bytes.
constexpr const char* Chain = R"(
    input in uint8[64]
    a: x = my::Op(in)
    b: y = my::Op(x)
    c: z = my::Op(y)
    output z
)";

// x is needed again by the last node.
constexpr const char* Skip = R"(
    input in uint8[64]
    a: x = my::Op(in)
    b: y = my::Op(x)
    c: z = my::Op(y)
    d: w = my::Op(z,x)
    output w
)";

qsizetype countIf(const std::vector<Finding>& findings, Rule rule)
{
    return std::count_if(findings.begin(), findings.end(),
                         [&](const Finding& finding) { return finding.rule == rule; });
}

void row(const char* name, const char* graph, const char* plan, const char* expected)
{
    QTest::newRow(name) << QString::fromLatin1(graph) << QString::fromLatin1(plan) << QString::fromLatin1(expected);
}

void addSpoiledReads()
{
    // bytes
    //  96 |      +--z--
    //  64 | +-x--|--+
    //  32 | |    +--|--
    //   0 | +-------+
    //     +-0----2--3---4-> step
    row("clobbered read, partly", Skip, "arena 256\nx 0\ny 128\nz 32\nw 192",
        "clobbered-read x z / d c / [2, 4) / [32, 64)");
    row("clobbered read, wholly", Skip, "arena 256\nx 0\ny 64\nz 0\nw 128",
        "clobbered-read x z / d c / [2, 4) / [0, 64)");
    row("clobbered output",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(in)\noutput x\nc: z = my::Op(y)\noutput z",
        "arena 256\nx 0\ny 0\nz 64", "clobbered-read x y / b / [1, 4) / [0, 64)");
    row("clobbered by a scratchpad", Skip, "arena 256\nx 0\ny 64\nz 128\nw 192\nscratch c 32:16",
        "clobbered-read x / d c / [2, 4) / [32, 48)");
    row("clobbered by padding", Skip, "arena 256\nx 64\ny 128\nz 0\nw 192\nneeds c 0 80",
        "clobbered-read x z / d c / [2, 4) / [64, 80)\nundersized z x / c / [2, 4) / [64, 80)");
}

void addCollisionsInOneStep()
{
    row("output over a read input", Chain, "arena 256\nx 0\ny 32\nz 128", "overlap x y / b / [1, 2) / [32, 64)");
    row("output exactly over an input without a trait", Chain, "arena 256\nx 0\ny 0\nz 128",
        "overlap x y / b / [1, 2) / [0, 64)");
    row("in place where the implementation cannot",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:in-place:0\noutput y",
        "arena 64\nx 0\ny 0\ninplace b", "overlap x y / b / [1, 2) / [0, 64)");
    row("in place over one input, which is also the other",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x,x) alias=0:in-place:0\noutput y", "arena 64\nx 0\ny 0",
        "overlap x y / b / [1, 2) / [0, 64)");
    row("in place beside the input",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:in-place:0\noutput y", "arena 256\nx 0\ny 16",
        "overlap x y / b / [1, 2) / [16, 64)");
    row("two outputs of one node", "input in uint8[64]\na: x, y = my::Op(in)\noutput x y", "arena 256\nx 0\ny 60",
        "overlap x y / a / [0, 2) / [60, 64)\noutput-aliasing x y / a / [0, 1) / [60, 64)");
    row("scratchpad over an input", Chain, "arena 256\nx 0\ny 64\nz 128\nscratch b 0:8",
        "overlap x / b / [1, 2) / [0, 8)");
    row("scratchpad over an output", Chain, "arena 256\nx 0\ny 64\nz 128\nscratch b 120:8",
        "overlap y / b / [1, 2) / [120, 128)");
}

void addSpoiledByInPlace()
{
    row("in place while still read",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:in-place:0\n"
        "c: z = my::Op(y,x)\noutput z",
        "arena 256\nx 0\ny 0\nz 64", "clobbered-read x y / c b / [1, 3) / [0, 64)");
    row("identity of something spoiled names the original",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:identity:0\nc: z = my::Op(in)\nd: w = "
        "my::Op(y,z)\noutput w",
        "arena 256\nx 0\ny 0\nz 0\nw 64", "clobbered-read x z y / d c / [2, 4) / [0, 64)");
    row("read of the version before a mutation",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:mutates:0\nc: z = my::Op(y,x)\noutput z",
        "arena 256\nx 0\ny 0\nz 64", "clobbered-read x y / c b / [1, 3) / [0, 64)");
}

// Columns of a 4 x 4 matrix, one of which is written.
constexpr const char* Columns = R"(
    input in uint8[4,4]
    a: m = my::Op(in)
    b: left = my::Column(m) alias=0:view:0
    value left uint8[4] strides=[4]
    c: right = my::Column(m) alias=0:view:0:1
    value right uint8[4] strides=[4]
    d: set = my::Set(left) alias=0:mutates:0
    value set uint8[4] strides=[4]
)";

QByteArray columns(const char* more)
{
    return QByteArray(Columns) + more;
}

void addStridedViews()
{
    constexpr const char* Plan = "type m uint8[4,4]\narena 128\nm 0\nleft 0\nright 1\nset 0\n";
    const QByteArray reading = QByteArray(Plan) + "type y uint8[4]\ny 64\n";
    row("a column, after the one beside it is written", columns("e: y = my::Op(right)\noutput set y\n"), reading, "");
    row("what was written is read with the column beside it", columns("e: y = my::Op(set, right)\noutput y\n"), reading,
        "");
    row("the column itself", columns("e: y = my::Op(left)\noutput set y\n"), reading,
        "clobbered-read m set left / e d / [3, 5) / [0, 13)");
    row("the whole matrix", columns("e: y = my::Op(m)\noutput set y\n"), reading,
        "clobbered-read m set / e d / [3, 5) / [0, 13)");
    row("another value on the other's elements", columns("e: y = my::Op(right)\nf: z = my::Op(set)\noutput y z\n"),
        QByteArray(Plan) + "type y uint8[4]\ntype z uint8[4]\ny 2\nz 64\n",
        "overlap right y / e / [4, 5) / [5, 6)\nclobbered-read set y / f e / [4, 6) / [4, 5)");
    row("another value between the elements", columns("e: y = my::Op(right)\nf: z = my::Op(set)\noutput y z\n"),
        QByteArray(Plan) + "type y uint8[2]\ntype z uint8[4]\ny 2\nz 64\n", "");
    row("what reaches beyond",
        "input in uint8[4,4]\na: m = my::Op(in)\nb: r = my::Column(m) alias=0:view:0:8\n"
        "value r uint8[4] strides=[4]\nc: y = my::Op(r)\noutput y\n",
        "type m uint8[4,4]\ntype y uint8[4]\narena 128\nm 0\nr 8\ny 64\n", "false-identity r m / b / [1, 2) / [0, 0)");
    row("a write to what repeats",
        "input in uint8[1,8]\na: m = my::Op(in)\nb: e = my::Expand(m) alias=0:view:0\n"
        "value e uint8[4,8] strides=[0,1]\nc: s = my::Add(e) alias=0:mutates:0\n"
        "value s uint8[4,8] strides=[0,1]\nd: y = my::Op(s)\noutput y\n",
        "type m uint8[1,8]\ntype y uint8[4]\narena 128\nm 0\ne 0\ns 0\ny 64\n",
        "lies-on-itself s e / c / [2, 3) / [0, 8)");
    row("what repeats has room for its own elements only",
        "input in uint8[1,8]\na: m = my::Op(in)\nb: e = my::Expand(m) alias=0:view:0\n"
        "value e uint8[4,8] strides=[0,1]\nc: y = my::Op(e) alias=0:in-place:0\nvalue y uint8[4,8]\noutput y\n",
        "type m uint8[1,8]\narena 128\nm 0\ne 0\ny 0\n", "overlap e y / c / [2, 3) / [0, 8)");
}

void addCallersBytes()
{
    row("two outputs at the same bytes by identity",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:identity:0\noutput x y", "arena 64\nx 0\ny 0",
        "output-aliasing x y / a b / [1, 2) / [0, 64)");
    row("the same under outputs=shared",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:identity:0\noutput x y",
        "arena 64\nx 0\ny 0\npolicy outputs shared", "output-aliasing warning x y / a b / [1, 2) / [0, 64)");
    row("an output that the graph declares a view of another",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:view:0\noutput x y",
        "arena 64\ntype y uint8[16]\nview b 8\nx 0\ny 8", "output-aliasing warning x y / a b / [1, 2) / [8, 24)");
    row("an output in the bytes of a placed input",
        "input in uint8[64]\na: y = my::Op(in) alias=0:identity:0\noutput y", "arena 64\nin 0\ny 0",
        "output-aliases-input y in / a / [0, 1) / [0, 64)");
    row("an output that is a view of an input", "input in uint8[64]\na: y = my::Op(in) alias=0:view:0\noutput y",
        "arena 0", "output-aliases-input warning y in / a / [0, 1) / [0, 0)");
    row("an output that lives in its input by choice",
        "input in uint8[64]\na: y = my::Op(in) alias=0:identity:0\noutput y", "arena 0",
        "output-aliases-input y in / a / [0, 1) / [0, 0)");

    row("a placed input is overwritten", Chain, "arena 256\nin 0\nx 64\ny 128\nz 0",
        "output-aliases-input z in / c / [2, 3) / [0, 64)\ninput-overwritten in z / c / [2, 3) / [0, 64)");
    row("a caller's input is mutated by the graph",
        "input in uint8[64]\na: y = my::Op(in) alias=0:mutates:0\nb: z = my::Op(y)\noutput z", "arena 64\nz 0",
        "input-overwritten warning in y / a / [0, 2) / [0, 0)");
}

void addPlacements()
{
    row("undersized", Chain, "arena 256\nx 0:48\ny 64\nz 128", "undersized x / a / [0, 2) / [48, 64)");
    row("undersized, with a neighbour in the missing bytes", Skip, "arena 256\nx 0:48\ny 48\nz 128\nw 192",
        "undersized x y / a / [0, 4) / [48, 64)\noverlap x y / b / [1, 4) / [48, 64)");
    const char* const found = "input in float32[4]\na: i = NonZero(in)\nb: y = Cast(i) to=1\noutput y";
    row("undersized for what a run may find", found,
        "arena 64\ntype i int64[1,?]\ntype y float32[1,?]\ni 0:24\ny 32:16", "undersized i / a / [0, 2) / [24, 32)");
    row("no larger than what a run may find", found,
        "arena 64\ntype i int64[1,?]\ntype y float32[1,?]\ni 0:48\ny 32:16", "");
    row("misaligned", Chain, "arena 256 align=16\nx 8\ny 80\nz 144", "misaligned x / a / [0, 2) / [8, 72)");
    row("a view below a storage that begins off the grid",
        "input in uint8[64]\na: x = my::Op(in)\nb: v = my::Op(x) alias=0:view:0\nc: z = my::Op(v)\noutput z",
        "arena 256 align=16\ntype v uint8[16]\nview b 20\nx 4\nv 24\nz 128", "misaligned x / a / [0, 2) / [4, 68)");
    row("in place in a view, by an implementation that demands more",
        "input in uint8[64]\na: x = my::Op(in)\nb: v = my::Op(x) alias=0:view:0\n"
        "c: w = my::Op(v) alias=0:mutates:0\nd: z = my::Op(w)\noutput z",
        "arena 256 align=16\ntype v uint8[16]\ntype w uint8[16]\nview b 20\nx 0\nv 20\nw 20\nz 128\naligns c 16",
        "misaligned w / c / [2, 4) / [20, 36)");
    row("a new version in a view, whatever was there",
        "input in uint8[64]\na: x = my::Op(in)\nb: v = my::Op(x) alias=0:view:0\n"
        "c: w = my::Op(v) alias=0:mutates:0 ignores=[0]\nd: z = my::Op(w)\noutput z",
        "arena 256 align=16\ntype v uint8[16]\ntype w uint8[16]\nview b 20\nx 0\nv 20\nw 20\nz 128", "");
    row("elsewhere than what was there",
        "input in uint8[64]\na: x = my::Op(in)\nb: v = my::Op(x) alias=0:view:0\n"
        "c: w = my::Op(v) alias=0:mutates:0 ignores=[0]\nd: z = my::Op(w)\noutput z",
        "arena 256 align=16\ntype v uint8[16]\ntype w uint8[16]\nview b 20\nx 0\nv 20\nw 68\nz 128",
        "misaligned w / c / [2, 4) / [68, 84)");
    row("aligned less than asked", Chain, "arena 256 align=8\nx 8\ny 128\nz 192\npolicy alignment 64",
        "misaligned warning x / a / [0, 2) / [8, 72)");
    row("beyond the arena", Chain, "arena 256\nx 0\ny 224\nz 128", "beyond-capacity y / b / [1, 3) / [224, 288)");
    row("before the arena", Chain, "arena 256\nx -16\ny 64\nz 128", "beyond-capacity x / a / [0, 2) / [-16, 48)");
    row("in no arena of the plan", Chain, "arena 256\nx 0\ny 3@64\nz 128",
        "beyond-capacity y / b / [1, 3) / [64, 128)");
    row("arena above its capacity", Chain, "arena 256 cap=200\nx 0\ny 64\nz 128",
        "beyond-capacity / / [0, 0) / [200, 256)");
    row("space above the policy's capacity", Chain, "arena 256\nx 0\ny 64\nz 128\npolicy capacity cpu=100",
        "beyond-capacity y / b / [1, 3) / [100, 192)");
    row("missing allocation", Chain, "arena 256\nx 0\nz 128", "missing-allocation y / b / [1, 3) / [0, 0)");
}

void addDeclarations()
{
    row("false identity", "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:identity:0\noutput y",
        "arena 256\ntype y uint8[32]\nx 0\ny 64", "false-identity y x / b / [1, 2) / [0, 0)");
    row("identity of another type",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:identity:0\noutput y",
        "arena 256\ntype y int8[64]\nx 0\ny 64", "false-identity y x / b / [1, 2) / [0, 0)");
    row("view beyond its base", "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:view:0\noutput y",
        "arena 256\ntype y uint8[32]\nview b 48\nx 0\ny 64", "false-identity y x / b / [1, 2) / [0, 0)");
    row("view that the plan parts from its base",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:view:0\noutput y",
        "arena 256\ntype y uint8[32]\nx 0\ny 64", "false-identity x y / b / [1, 2) / [64, 96)");
    row("a new version on the bytes of the other operand",
        "input in float32[16]\na: x = Relu(in)\nb: w = Tanh(in)\nc: y = plimsoll::Add_(x, w)\noutput y",
        "arena 128\nx 0\nw 64\ny 64", "false-identity x y / c / [2, 3) / [64, 128)");
    row("dead output", "input in uint8[64]\na: x, y = my::Op(in)\noutput x", "arena 128\nx 0\ny 64",
        "dead-output advice y / a / [0, 1) / [64, 128)");
    row("dead outputs", "input in uint8[64]\na: x, y, z = my::Op(in)\nb: u, v = my::Op(x)\noutput u",
        "arena 320\nx 0\ny 64\nz 128\nu 192\nv 256", "dead-output advice y z v / a b / [0, 0) / [0, 0)");
}

} // namespace

class TestVerifier : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyRuleIsFoundWithBothOffendersStepsAndBytes_data();
    void everyRuleIsFoundWithBothOffendersStepsAndBytes();
    void legalSharingIsSilent_data();
    void legalSharingIsSilent();
    void anInputThatNobodySeesMayBeWrittenOver();
    void aMapThatIsTooShortNamesWhatIsMissing();
    void aViewWithStridesReachesToItsLastRow();
    void anEmptyGraphIsFine();
    void hugeOffsetsDoNotOverflow();
    void thousandsOfFindingsAreAllTold();
    void errorsComeFirstThenSteps();
    void messagesAreSentencesWithNamesAndAFix();
    void aStopRequestEndsEarly();
};

void TestVerifier::everyRuleIsFoundWithBothOffendersStepsAndBytes_data()
{
    QTest::addColumn<QString>("graph");
    QTest::addColumn<QString>("plan");
    QTest::addColumn<QString>("expected");

    addSpoiledReads();
    addCollisionsInOneStep();
    addSpoiledByInPlace();
    addStridedViews();
    addCallersBytes();
    addPlacements();
    addDeclarations();
}

void TestVerifier::everyRuleIsFoundWithBothOffendersStepsAndBytes()
{
    QFETCH(QString, graph);
    QFETCH(QString, plan);
    QFETCH(QString, expected);

    QCOMPARE(QString::fromStdString(test::verdict(graph.toStdString(), plan.toStdString())), expected);
}

void TestVerifier::legalSharingIsSilent_data()
{
    QTest::addColumn<QString>("graph");
    QTest::addColumn<QString>("plan");
    const auto add = [](const char* name, const char* graph, const char* plan) {
        QTest::newRow(name) << QString::fromLatin1(graph) << QString::fromLatin1(plan);
    };
    add("touching in time", Chain, "arena 128\nx 0\ny 64\nz 0");
    add("touching in space", Chain, "arena 192\nx 0\ny 64\nz 128");
    add("no arena at all", "input in uint8[64]\noutput in", "");
    add("in place, and nothing needs the input any more",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:in-place:0\noutput y",
        "arena 64\nx 0\ny 0\ninplace b 0 0");
    add("in place over either input",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x,x) alias=0:in-place:0+0:in-place:1\noutput y",
        "arena 64\nx 0\ny 0");
    // x, its identity y and the view v of y are all read after one another: the same bytes under three names.
    add("identity and view chain",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:identity:0\nc: v = my::Op(y) alias=0:view:0\n"
        "d: z = my::Op(v,x,y)\noutput z",
        "arena 128\ntype v uint8[16]\nview c 8\nx 0\ny 0\nv 8\nz 64");
    add("a view needs only its own part of the base",
        "input in uint8[64]\na: x = my::Op(in)\nb: p = my::Op(x) alias=0:view:0\nc: q = my::Op(p) alias=0:in-place:0\n"
        "d: v = my::Op(x) alias=0:view:0\ne: z = my::Op(v,q)\noutput z",
        "arena 128\ntype p uint8[16]\ntype q uint8[16]\ntype v uint8[16]\nview d 16\nx 0\np 0\nq 0\nv 16\nz 64");
    add("mutation whose old version nobody reads",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:mutates:0\noutput y", "arena 64\nx 0\ny 0");
    add("content that is not read may be spoiled",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(in)\nc: z = my::Op(y,x) ignores=[1]\noutput z",
        "arena 128\nx 0\ny 0\nz 64");
    add("spoiled when nobody reads it any more", Skip, "arena 192\nx 0\ny 64\nz 128\nw 64");
    add("the same value twice as output", "input in uint8[64]\na: x = my::Op(in)\noutput x x", "arena 64\nx 0");
    add("of unknown size", Chain, "arena 128\ntype y uint8[?]\nx 0\nz 64");
    add("a view of something unknown",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:view:0\nc: z = my::Op(y)\noutput z",
        "arena 64\ntype x uint8[?]\nz 0");
    add("scratchpads reuse bytes", Chain, "arena 256\nx 0\ny 64\nz 0\nscratch a 128:32\nscratch b 128:64");
    add("nothing takes no place", Chain, "arena 128\ntype y uint8[0]\nx 0\nz 64");
    // The alignment holds where a storage begins; a view of an implementation that demands more is written by nothing.
    add("a view off the grid",
        "input in uint8[64]\na: x = my::Op(in)\nb: v = my::Op(x) alias=0:view:0\n"
        "c: w = my::Op(v) alias=0:mutates:0\nd: z = my::Op(w)\noutput z",
        "arena 256 align=16\ntype v uint8[16]\ntype w uint8[16]\nview b 20\nx 0\nv 20\nw 20\nz 128\naligns b 16\n"
        "policy alignment 16");
    add("loop state that stays in a view",
        "input in uint8[64]\ninput trips int64[]\ninput go bool[]\na: x = my::Op(in)\nb: v = my::Op(x) "
        "alias=0:view:0\nl: z = Loop(trips, go, v)\nbody body\n input i int64[]\n input c bool[]\n"
        " input s uint8[16]\n t: u = my::Op(s) alias=0:in-place:0\n k: c2 = Identity(c)\n output c2 u\nend\n"
        "n: y = my::Op(z)\noutput y",
        "arena 512 align=16\ntype v uint8[16]\ntype z uint8[16]\ntype l/body/u uint8[16]\nview b 20\nx 0\nv 20\n"
        "l/body/i 64\nl/body/c 80\nl/body/s 20\nl/body/u 20\nl/body/c2 160\nz 20\ny 256");
    add("a view that nothing reads", "input in uint8[64]\na: x = my::Op(in)\nb: v = my::Op(x) alias=0:view:0\noutput x",
        "arena 64\ntype v uint8[16]\nx 0\nv 0");
    add("no bytes, and nothing reads them", "input in uint8[64]\na: x, y = my::Op(in)\noutput x",
        "arena 64\ntype y uint8[0]\nx 0");
    add("alignment of the plan", Chain, "arena 256 align=64\nx 0\ny 64\nz 128\npolicy alignment 64");
}

void TestVerifier::legalSharingIsSilent()
{
    QFETCH(QString, graph);
    QFETCH(QString, plan);
    const test::Case c = test::parseCase(graph.toStdString(), plan.toStdString());

    const std::vector<Finding> findings = c.judge();

    QCOMPARE(QString::fromStdString(test::summary(c, findings)), QString());
}

void TestVerifier::anInputThatNobodySeesMayBeWrittenOver()
{
    test::Case c = test::parseCase(Chain, "arena 192\nin 0\nx 64\ny 128\nz 0");
    c.graph[c.value("in")].visible = false;

    QCOMPARE(QString::fromStdString(test::summary(c, c.judge())), QString());
}

void TestVerifier::aMapThatIsTooShortNamesWhatIsMissing()
{
    test::Case c = test::parseCase(Chain, "arena 256\nx 0\ny 64\nz 128");
    c.map.values.resize(3);
    c.implementations = {};
    c.map.scratch = {{NodeId(), {}}, {NodeId(77), {ArenaId(0), 0, 8}}};

    const std::vector<Finding> findings = c.judge();

    QCOMPARE(QString::fromStdString(test::summary(c, findings)),
             QStringLiteral("missing-allocation z / c / [2, 3) / [0, 0)"));
}

/// Column 1 of a 4 x 4 matrix: what is written into its last row is read.
void TestVerifier::aViewWithStridesReachesToItsLastRow()
{
    const char* graph = "input in uint8[4,4]\na: x = my::Op(in)\nb: v = my::Op(x) alias=0:view:0\n"
                        "c: y = my::Op(in)\nd: z = my::Op(v)\noutput y z";
    const auto said = [&](const char* place, bool strided) {
        test::Case c = test::parseCase(
            graph, std::string("arena 64\ntype x uint8[4,4]\ntype v uint8[4]\ntype y uint8[2]\ntype z uint8[4]\n"
                               "view b 1\nx 0\ny 12\nz 32\nv ") +
                       place);
        if (strided) c.graph[c.value("v")].at.edit().strides = {4};
        return QString::fromStdString(test::summary(c, c.judge()));
    };
    QCOMPARE(said("1", false), QString());
    QCOMPARE(said("1", true), QStringLiteral("clobbered-read x y v / d c / [2, 4) / [13, 14)"));
    QVERIFY(said("40", true).startsWith(QStringLiteral("false-identity ")));
}

void TestVerifier::anEmptyGraphIsFine()
{
    test::Case c;
    c.schedule = scheduleInCapturedOrder(c.graph);
    QVERIFY(c.judge().empty());
}

void TestVerifier::hugeOffsetsDoNotOverflow()
{
    test::Case c = test::parseCase(Chain, "arena 256\nx 9223372036854775807\ny -9223372036854775808\nz 128:-5");

    const std::vector<Finding> findings = c.judge();

    QCOMPARE(countIf(findings, Rule::BeyondCapacity), qsizetype {2});
    QCOMPARE(countIf(findings, Rule::Undersized), qsizetype {1});
}

void TestVerifier::thousandsOfFindingsAreAllTold()
{
    std::string graph = "input in uint8[64]\n";
    for (int i = 0; i < 3000; ++i)
        graph += "n" + std::to_string(i) + ": v" + std::to_string(i) + " = my::Op(in)\n";
    graph += "output in";
    const test::Case c = test::parseCase(graph, "arena 64");

    const std::vector<Finding> findings = c.judge();

    QCOMPARE(findings.size(), std::size_t {3001}); // a missing place each, and one for all that is not read
    QCOMPARE(countIf(findings, Rule::DeadOutput), qsizetype {1});
}

void TestVerifier::errorsComeFirstThenSteps()
{
    const test::Case c = test::parseCase("input in uint8[64]\na: x, u = my::Op(in)\nb: y = my::Op(x)\noutput y",
                                         "arena 64\nu 0\nx 8:32");

    const QString text = QString::fromStdString(test::summary(c, c.judge()));

    const QStringList lines = text.split(QLatin1Char('\n'));
    QVERIFY2(lines.front().startsWith(QStringLiteral("overlap")) ||
                 lines.front().startsWith(QStringLiteral("clobbered")),
             qPrintable(text));
    QVERIFY2(lines.back().startsWith(QStringLiteral("dead-output advice u")), qPrintable(text));
}

void TestVerifier::messagesAreSentencesWithNamesAndAFix()
{
    const test::Case c = test::parseCase(Skip, "arena 256\nx 0\ny 128\nz 32\nw 192");

    const Finding finding = c.judge().at(0);

    QCOMPARE(QString::fromStdString(english(finding.message)),
             QStringLiteral(
                 "Value 'x' is read at step 3 by node 'd', but bytes [32, 64) were overwritten at step 2 by node 'c', "
                 "which writes 'z'."));
    QCOMPARE(QString::fromStdString(english(finding.fix)),
             QStringLiteral("Keep 'z' off the bytes of 'x' during steps [2, 4)."));
}

void TestVerifier::aStopRequestEndsEarly()
{
    const test::Case c = test::parseCase(Skip, "arena 256\nx 0\ny 128\nz 32\nw 192");
    std::stop_source stop;
    stop.request_stop();

    const auto findings = c.judge(false, {stop.get_token(), {}});

    QVERIFY(findings.empty());
}

QTEST_APPLESS_MAIN(TestVerifier)
#include "tst_verifier.moc"
