#include "core/facts/english/english.h"

#include "tests/core/verify/case.h"

#include <QTest>

#include <sstream>

using namespace plimsoll;

namespace {

constexpr const char* Chain = "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x)\nc: z = my::Op(y)\noutput z";
constexpr const char* Skip = "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x)\nc: z = my::Op(y)\n"
                             "d: w = my::Op(z,x)\noutput w";
constexpr const char* Apart = "arena 256\nx 0\ny 64\nz 128";
constexpr const char* Twins = "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:identity:0\noutput x y";
constexpr const char* Identity = "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:identity:0\noutput y";
constexpr const char* View = "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:view:0\noutput y";
constexpr const char* Two = "input in uint8[64]\na: x, y = my::Op(in)\noutput x";
constexpr const char* Loop = "input m int64[]\ninput k bool[]\ninput in uint8[64]\np: w = my::Op(in)\n"
                             "l: f, s = Loop(m,k,in)\nbody body\ninput n int64[]\ninput c bool[]\ninput v uint8[64]\n"
                             "a: t = my::Op(v,w)\nb: u = my::Op(t)\noutput c u t\nend\nq: z = my::Op(f,s)\noutput z";
#define LoopPlan                                                                                                       \
    "type s uint8[256]\narena 2048\nl/body/n 0\nl/body/c 8\nw 64\nl/body/v 128\nl/body/u 256\ns 320\nf 576\nz 640\n"
/// nb alone is computed on the device, where d and b lie.
constexpr const char* Device = "input x uint8[64]\nna: a = my::Op(x)\nup: d = plimsoll::CopyTo(a) space=\"cuda:0\"\n"
                               "nb: b = my::Op(d)\ndown: c = plimsoll::CopyTo(b) space=\"cpu\"\nnc: y = my::Op(c)\n"
                               "output y";
#define Arenas "arena 512\narena 512 space=cuda:0\n"

void row(const char* name, const char* graph, const char* plan, const char* said, bool ownPlan = false)
{
    QTest::newRow(name) << QByteArray(graph) << QByteArray(plan) << QString::fromUtf8(said) << ownPlan;
}

/// Beside what parseCase() takes: "!need n 16", the scratchpad that node n asks for; "!align x 32" and "!pin x 0", what
/// the graph says of x.
test::Case caseOf(const std::string& graph, const std::string& plan)
{
    std::string plain;
    std::vector<std::string> wishes;
    std::istringstream lines(plan);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("!"))
            wishes.push_back(line);
        else
            plain += line + "\n";
    }
    test::Case c = test::parseCase(graph, plain);
    for (const std::string& wish : wishes) {
        std::istringstream words(wish);
        std::string what;
        std::string name;
        std::int64_t number = 0;
        words >> what >> name >> number;
        if (what == "!need") c.implementations.at(findNode(c.graph, name)).scratchpadBytes = number;
        if (what == "!align") c.graph[c.value(name)].at.edit().alignment = number;
        if (what == "!pin") c.graph[c.value(name)].at.edit().pinnedOffset = number;
    }
    return c;
}

void addOverlaps()
{
    row("two outputs of one node", "input in uint8[64]\na: x, y = my::Op(in)\noutput x\nb: z = my::Op(y)\noutput z",
        "arena 256\nx 0\ny 60\nz 128",
        "At step 0 node 'a' uses 'x' and writes 'y', and both lie on bytes [60, 64). → Give 'y' bytes of its own at "
        "this step, apart from 'x'.");
    row("over what the node reads", Chain, "arena 256\nx 0\ny 32\nz 128",
        "At step 1 node 'b' uses 'x' and writes 'y', and both lie on bytes [32, 64). → Give 'y' bytes of its own at "
        "this step, apart from 'x'.");
    row("a scratchpad over an output", Chain, "arena 256\nx 0\ny 64\nz 128\nscratch b 120:8",
        "At step 1 node 'b' uses 'y' and writes the scratchpad of 'b', and both lie on bytes [120, 128). → Give the "
        "scratchpad of 'b' bytes of its own at this step, apart from 'y'.");
    row("read after it was written over", Skip, "arena 256\nx 0\ny 64\nz 0\nw 128",
        "Value 'x' is read at step 3 by node 'd', but bytes [0, 64) were overwritten at step 2 by node 'c', which "
        "writes 'z'. → Keep 'z' off the bytes of 'x' during steps [2, 4).");
    row("in a second arena", Skip, "arena 256\narena 256 space=sram\nx 1@0\ny 0\nz 1@0\nw 64",
        "Value 'x' is read at step 3 by node 'd', but bytes [0, 64) of arena 1 (sram) were overwritten at step 2 by "
        "node 'c', which writes 'z'. → Keep 'z' off the bytes of 'x' during steps [2, 4).");
    row("an output that is spoiled",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(in)\nc: z = my::Op(y)\noutput x z",
        "arena 256\nx 0\ny 0\nz 64",
        "Output 'x' is not intact at the end, but bytes [0, 64) were overwritten at step 1 by node 'b', which writes "
        "'y'. → Keep 'y' off the bytes of 'x' during steps [1, 4).");
    row("under another name",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:identity:0\nc: z = my::Op(in)\nd: w = "
        "my::Op(y,z)\noutput w",
        "arena 256\nx 0\ny 0\nz 0\nw 64",
        "Value 'y', the same bytes as 'x', is read at step 3 by node 'd', but bytes [0, 64) were overwritten at step 2 "
        "by node 'c', which writes 'z'. → Keep 'z' off the bytes of 'x' during steps [2, 4).");
    row("padding over a neighbour", Skip, "arena 256\nx 64\ny 128\nz 0\nw 192\nneeds c 0 80",
        "Value 'x' is read at step 3 by node 'd', but bytes [64, 80) were overwritten at step 2 by node 'c', which "
        "writes 'z'. → Keep 'z' off the bytes of 'x' during steps [2, 4).\nValue 'z' has 64 bytes reserved but needs "
        "80 during steps [2, 4): bytes [64, 80) are missing, and node 'c' writes them; 'x' lies there. → Reserve 80 "
        "bytes for 'z'.");
    row("inside a branch",
        "input k bool[]\ninput in uint8[64]\np: x = my::Op(in)\ni: y = If(k)\nbody then_branch\n  a: t = my::Op(in)\n  "
        "output t\nend\nbody else_branch\n  b: e = my::Op(in)\n  output e\nend\nq: z = my::Op(y,x)\noutput z",
        "arena 256\nx 0\ny 64\nz 192\ni/then_branch/t 128\ni/else_branch/e 0",
        "Value 'x' is read at step 7 by node 'q', but inside a nested graph bytes [0, 64) were overwritten at step 4 "
        "by node 'i/else_branch/b', which writes 'i/else_branch/e'. → Keep 'i/else_branch/e' off the bytes of 'x' "
        "during steps [4, 8).");
    row("by the iteration before", Loop, LoopPlan "l/body/t 192\nl/body/u 64",
        "Value 'w' is read at step 2 by node 'l/body/a', but inside a nested graph bytes [64, 128) were overwritten at "
        "step 3 of the iteration before by node 'l/body/b', which writes 'l/body/u'. → Keep 'l/body/u' off the bytes "
        "of 'w' during steps [2, 4).");
}

void addWhatTheCallerSees()
{
    row("an identity of an output", Twins, "arena 64\nx 0\ny 0",
        "Outputs 'x' and 'y' share bytes [0, 64) during steps [1, 2): writing to one changes the other. → Give 'x' "
        "bytes of its own.");
    row("an identity, by a plan of ours", Twins, "arena 64\nx 0\ny 0",
        "Outputs 'x' and 'y' share bytes [0, 64) during steps [1, 2): writing to one changes the other. → The policy "
        "outputs=independent gives each output bytes of its own.",
        true);
    row("writes are refused", Twins, "arena 64\nx 0\ny 0\npolicy outputs read-only",
        "Outputs 'x' and 'y' share bytes [0, 64) during steps [1, 2): a write through either is refused. → Give 'x' "
        "bytes of its own.");
    row("writes move it", Twins, "arena 64\nx 0\ny 0\npolicy outputs copy-on-write",
        "Outputs 'x' and 'y' share bytes [0, 64) during steps [1, 2): the first write through one moves it to bytes of "
        "its own. → Give 'x' bytes of its own.");
    row("outputs are shared", Twins, "arena 64\nx 0\ny 0\npolicy outputs shared",
        "Outputs 'x' and 'y' share bytes [0, 64) during steps [1, 2): writing to one changes the other. → Give 'x' "
        "bytes of its own.");
    row("a declared view of an output",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:view:0\noutput x y",
        "arena 64\ntype y uint8[16]\nview b 8\nx 0\ny 8",
        "Outputs 'x' and 'y' share bytes [8, 24) during steps [1, 2): writing to one changes the other. → Write to "
        "neither of the two, or copy one of them in the model.");
    row("several declared views",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:view:0\nc: z = my::Op(x) "
        "alias=0:view:0\noutput x y z",
        "arena 64\ntype y uint8[16]\ntype z uint8[16]\nview b 8\nview c 32\nx 0\ny 8\nz 32",
        "2 pairs of outputs share bytes, as the graph declares, during steps [1, 3): 'x' and 'y', 'x' and 'z'; writing "
        "to one changes the other. → Write to neither of the two, or copy one of them in the model.");
    row("three outputs in one place",
        "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:identity:0\nc: z = my::Op(y) "
        "alias=0:identity:0\noutput x y z",
        "arena 64\nx 0\ny 0\nz 0",
        "3 pairs of outputs share bytes [0, 64) during steps [1, 3): 'x' and 'y', 'x' and 'z', 'y' and 'z'; writing to "
        "one changes the other. → Give each of these outputs bytes of its own.");
    row("an output in a placed input", "input in uint8[64]\na: y = my::Op(in) alias=0:identity:0\noutput y",
        "arena 64\nin 0\ny 0",
        "Output 'y' shares bytes [0, 64) with 'in' during steps [0, 1): writing to one changes the other. → Give 'y' "
        "bytes of its own.");
    row("an output in its input", "input in uint8[64]\na: y = my::Op(in) alias=0:identity:0\noutput y", "arena 0",
        "Output 'y' is given to the caller in the bytes of 'in': writing to one changes the other. → Give 'y' bytes of "
        "its own.");
    row("a declared view of an input", "input in uint8[64]\na: y = my::Op(in) alias=0:view:0\noutput y", "arena 0",
        "An output is a part of an input, as the graph declares: 'y' of 'in'. Writing to one changes the other. → "
        "Write to neither, or copy the part in the model.");
    row("a placed input is written over", Chain, "arena 256\nin 0\nx 0\ny 64\nz 128",
        "At step 0 node 'a' uses 'in' and writes 'x', and both lie on bytes [0, 64). → Give 'x' bytes of its own at "
        "this step, apart from 'in'.");
    row("a placed input is spoiled later", Chain, "arena 256\nin 0\nx 64\ny 128\nz 0",
        "Output 'z' shares bytes [0, 64) with 'in' during steps [2, 3): writing to one changes the other. → Give 'z' "
        "bytes of its own.\nAt step 2 node 'c' writes 'z' over bytes [0, 64) of 'in', which belong to the caller. → "
        "Place 'z' outside the bytes of 'in'.");
    row("the graph writes to its input",
        "input in uint8[64]\na: y = my::Op(in) alias=0:mutates:0\nb: z = my::Op(y)\noutput z", "arena 64\nz 0",
        "Node 'a' changes 'in', which belongs to the caller, at step 0. → Copy 'in' before it is changed, or expect it "
        "to differ after the run.");
    row("the graph writes to it twice",
        "input in uint8[64]\na: y = my::Op(in) alias=0:mutates:0\nb: w = my::Op(y) alias=0:mutates:0\nc: z = "
        "my::Op(w)\noutput z",
        "arena 64\nz 0",
        "Nodes 'a', 'b' change 'in', which belongs to the caller, from step 0 on. → Copy 'in' before it is changed, or "
        "expect it to differ after the run.");
    row("a replay writes over an output", Chain, "arena 256\nx 0\ny 64\nz 128\npolicy replay graph",
        "Output 'z' lies in bytes [128, 192) of the arena, which the next replay of the captured plan uses again. → "
        "Copy it out before the next replay.");
    row("one of two arenas is replayed", Chain, "arena 256\narena 64 space=sram\nx 0\ny 64\nz 1@0\npolicy replay graph",
        "Output 'z' lies in bytes [0, 64) of arena 1 (sram), which the next replay of the captured plan uses again. → "
        "Copy it out before the next replay.");
    row("a replay of a plan of ours", Chain, "arena 256\nx 0\ny 64\nz 128\npolicy replay graph",
        "Output 'z' lies in bytes [128, 192) of the arena, which the next replay of the captured plan uses again. → "
        "Copy it out before the next replay, or plan with outputs=external.",
        true);
}

void addPlaces()
{
    row("too small", Chain, "arena 256\nx 0:48\ny 64\nz 128",
        "Value 'x' has 48 bytes reserved but needs 64 during steps [0, 2): bytes [48, 64) are missing, and node 'a' "
        "writes them. → Reserve 64 bytes for 'x'.");
    row("too small, beside a neighbour", Skip, "arena 256\nx 0:48\ny 48\nz 128\nw 192",
        "Value 'x' has 48 bytes reserved but needs 64 during steps [0, 4): bytes [48, 64) are missing, and node 'a' "
        "writes them; 'y' lies there. → Reserve 64 bytes for 'x'.\nAt step 1 node 'b' uses 'x' and writes 'y', and "
        "both lie on bytes [48, 64). → Give 'y' bytes of its own at this step, apart from 'x'.");
    row("off the grid of its arena", Chain, "arena 256 align=16\nx 8\ny 80\nz 144",
        "The plan puts 'x' at bytes [8, 72) during steps [0, 2), and 8 is not a multiple of the alignment 16 of the "
        "arena. → Move it to a multiple of 16.");
    row("off what the implementation wants", Chain, "arena 256\nx 8\ny 80\nz 144\naligns a 16",
        "The plan puts 'x' at bytes [8, 72) during steps [0, 2), and 8 is not a multiple of 16, which the "
        "implementation of node 'a' demands. → Move it to a multiple of 16.");
    row("a grid that is too fine", Chain, "arena 256 align=8\nx 8\ny 128\nz 192\npolicy alignment 64",
        "Arena 0 is planned with alignment 8, below the 64 of the policies; 'x' at byte 8 is the first of 1 values "
        "that it leaves off the grid. → Set the policy alignment=8, or plan with 64.");
    row("beyond the arena", Chain, "arena 256\nx 0\ny 224\nz 128",
        "The plan puts 'y' at bytes [224, 288) during steps [1, 3), outside the 256 bytes of arena 0. → Move it inside "
        "the arena, or reserve 288 bytes for the arena.");
    row("before and beyond it", Chain, "arena 32\nx -16\ny 64\nz 128",
        "The plan puts 'x' at offset -16 of arena 0 during steps [0, 2), and an arena begins at 0. → Give it an offset "
        "of 0 or more.\nThe plan puts 'y' at bytes [64, 128) during steps [1, 3), outside the 32 bytes of arena 0. → "
        "Move it inside the arena, or reserve 128 bytes for the arena.\nThe plan puts 'z' at bytes [128, 192) during "
        "steps [2, 3), outside the 32 bytes of arena 0. → Move it inside the arena, or reserve 192 bytes for the "
        "arena.");
    row("in an arena that is not there", Chain, "arena 256\nx 0\ny 3@64\nz 128",
        "The plan puts 'y' into arena 3, but it has only 1. → Place it in an arena that the plan declares.");
    row("nowhere", Chain, "arena 256\nx 0\nz 128",
        "Value 'y' of 64 bytes is in use during steps [1, 3), but the plan gives it no place. → Give it 64 bytes in an "
        "arena.");
    row("a scratchpad that is too small", Chain, "arena 256\nx 0\ny 64\nz 128\nscratch b 192:8\n!need b 16",
        "The scratchpad of node 'b' has 8 bytes reserved but needs 16 at steps [1, 2). → Reserve 16 bytes for it.");
    row("no scratchpad", Chain, "arena 256\nx 0\ny 64\nz 128\n!need b 16",
        "Node 'b' needs a scratchpad of 16 bytes at steps [1, 2), but the plan gives it no place. → Give its "
        "scratchpad 16 bytes in an arena, or judge the plan on its own terms with backend=captured.");
    row("no scratchpad, on the plan's own terms", Chain,
        "arena 256\nx 0\ny 64\nz 128\npolicy backend captured\n!need b 16",
        "Node 'b' needs a scratchpad of 16 bytes at steps [1, 2), but the plan gives it no place. → Give its "
        "scratchpad 16 bytes in an arena.");
    row("off its own alignment", Chain, "arena 256\nx 8\ny 80\nz 144\n!align x 32",
        "The plan puts 'x' at bytes [8, 72), and 8 is not a multiple of its own alignment 32. → Move it to a multiple "
        "of 32.");
    row("moved from its pin", Chain, "arena 256\nx 8\ny 80\nz 144\n!pin x 0",
        "The plan puts 'x' at bytes [8, 72), but the graph pins it to byte 0. → Put it at byte 0.");
}

void addCapacities()
{
    row("a value above the line", Chain, "arena 256 cap=180\nx 0\ny 64\nz 128",
        "Arena 0 (cpu) needs 256 bytes, 76 more than its capacity of 180: bytes above it are in use during steps [2, "
        "3), at step 2 with the most in use by 'z'. → Try another placement, allow more sharing, or raise the "
        "capacity.");
    row("in use at once", Chain, "arena 256 cap=100\nx 0\ny 64\nz 128",
        "Arena 0 (cpu) needs 256 bytes, 156 more than its capacity of 100: bytes above it are in use during steps [1, "
        "3), at step 1 with the most in use by 'y'; with this sharing 128 bytes are in use at that step. → Try another "
        "placement, allow more sharing, or raise the capacity.");
    row("a space of two arenas", Chain, "arena 64\narena 128\nx 0\ny 1@0\nz 1@64\npolicy capacity cpu=100",
        "Memory space 'cpu' needs 192 bytes, 92 more than its capacity of 100: bytes above it are in use during steps "
        "[1, 3), at step 2 with the most in use by 'z', 'y'; with this sharing 128 bytes are in use at that step. → "
        "Try another placement, allow more sharing, or raise the capacity.");
    row("nothing lies there", Chain, "arena 256 cap=200\nx 0\ny 64\nz 128",
        "Arena 0 (cpu) reserves 256 bytes, 56 more than its capacity of 200, though nothing lies above it. → Reserve "
        "no more than 200 bytes.");
}

void addDeclarations()
{
    row("an identity of another type", Identity, "arena 256\ntype y int8[64]\nx 0\ny 64",
        "Node 'b' declares its output 'y' to be the bytes of 'x', but one is uint8 and the other int8. → Correct the "
        "type of 'y' or of 'x' in the file.");
    row("an identity of another size", Identity, "arena 256\ntype y uint8[32]\nx 0\ny 64",
        "Node 'b' declares its output 'y' to be the bytes of 'x', but one has 64 bytes and the other 32. → Correct the "
        "type of 'y' or of 'x' in the file.");
    row("a view that ends too late", View, "arena 256\ntype y uint8[32]\nview b 48\nx 0\ny 64",
        "Node 'b' declares its output 'y' to be the bytes of 'x', but a view of 32 bytes from byte 48 reaches beyond "
        "64 bytes. → Correct the type of 'y' or of 'x' in the file.");
    row("a view that begins too early", View, "arena 256\ntype y uint8[32]\nview b -8\nx 0\ny 64",
        "Node 'b' declares its output 'y' to be the bytes of 'x', but the view begins at byte -8, before the first. → "
        "Correct the type of 'y' or of 'x' in the file.");
    row("a view that the plan parts", View, "arena 256\ntype y uint8[32]\nx 0\ny 64",
        "Node 'b' declares 'y' to be the bytes of 'x' from byte 0 on, but the plan puts it elsewhere. → Place 'y' on "
        "the bytes of 'x'.");
    row("a view that the plan puts at another byte", View, "arena 256\ntype y uint8[32]\nview b 16\nx 0\ny 32",
        "Node 'b' declares 'y' to be the bytes of 'x' from byte 16 on, but the plan puts it at byte 32 of them. → "
        "Place "
        "'y' on the bytes of 'x'.");
    row("a new version that the plan parts",
        "input in float32[16]\na: x = Relu(in)\nc: y = plimsoll::Relu_(x)\noutput y", "arena 128\nx 0\ny 64",
        "Node 'c' declares 'y' to be the bytes of 'x' from byte 0 on, but the plan puts it elsewhere. → Place 'y' on "
        "the bytes of 'x'.");
    row("an output that nothing reads", Two, "arena 128\nx 0\ny 64",
        "Node 'a' computes 'y' of 64 bytes at steps [0, 1), and nothing reads it. → Leave the output out of the "
        "graph.");
    row("of unknown size", Two, "arena 64\ntype y uint8[?]\nx 0",
        "Node 'a' computes 'y' at steps [0, 1), and nothing reads it. → Leave the output out of the graph.");
    row("several that nothing reads", "input in uint8[64]\na: x, y, z = my::Op(in)\nb: u, v = my::Op(x)\noutput u",
        "arena 320\nx 0\ny 64\nz 128\nu 192\nv 256",
        "3 values of 192 bytes are computed, and nothing reads them: 'y', 'z', 'v'. → Leave them out of the graph.");
}

void addLayouts()
{
    row("read as plain", Chain,
        "arena 512\ntype x float32[1,22,1,1]\nx 0:96\ny 128\nz 256\nneeds a 0 96\nwrites a 0 nChw8c",
        "Node 'b' reads 'x' as plain at steps [1, 2), but it is written as nChw8c. → Put a reorder between the two.");
    row("kept as rows", Chain, "arena 256\nx 0\ny 64\nz 128\nreads b 0 csr",
        "Node 'b' reads 'x' as csr at steps [1, 2), but it is kept as dense. → Put a conversion between the two.");
    row("handed out in blocks", Chain,
        "arena 512\ntype z float32[1,22,1,1]\nx 0\ny 64\nz 128:96\nneeds c 0 96\nwrites c 0 nChw8c",
        "'z' is handed to the caller as nChw8c: its pad lanes show. → Put a reorder to plain behind 'c'.");
}

void addSpaces()
{
    row("read on the host", Device, Arenas "device nb cuda:0\na 0\nc 0\ny 64\nd 128\nb 1@64",
        "Node 'up' writes 'd' in the memory of the CPU, but computes in 'cuda:0'. → Place it in the arena of 'cuda:0', "
        "or put a copy in between.\nNode 'nb' reads 'd' in the memory of the CPU, but computes in 'cuda:0'. → Place it "
        "in the arena of 'cuda:0', or put a copy in between.");
    row("written on the host", Device, Arenas "device nb cuda:0\na 0\nc 0\ny 64\nd 1@0\nb 128",
        "Node 'nb' writes 'b' in the memory of the CPU, but computes in 'cuda:0'. → Place it in the arena of 'cuda:0', "
        "or put a copy in between.");
    row("handed out on the device", Device, Arenas "device nb cuda:0\na 0\nc 0\ny 1@64\nd 1@0\nb 1@64",
        "Node 'nc' writes 'y' in 'cuda:0', but computes in the memory of the CPU. → Place it in the arena of the "
        "memory of the CPU, or put a copy in between.");
    row("a scratchpad on the host", Device, Arenas "device nb cuda:0\na 0\nc 0\ny 64\nd 1@0\nb 1@64\nscratch nb 128:16",
        "The scratchpad of node 'nb' lies in the memory of the CPU, but the node computes in 'cuda:0'. → Place it in "
        "the arena of 'cuda:0', or put a copy in between.");
    row("a space of another name", Device, Arenas "a 0\nc 0\ny 64\nd 192\nb 1@64",
        "The plan puts 'b' into the memory 'cuda:0', but node 'nb' computes in the memory of the CPU, and the graph "
        "does not say that it lives there. → Place it in the arena of the memory of the CPU, or put a copy in "
        "between.");
    row("not where the graph says", Device, Arenas "arena 512 space=sram\na 0\nc 64\ny 256\nd 2@0\nb 128",
        "The plan puts 'd' into the memory 'sram', but the graph says that it lives in 'cuda:0'. → Place it in the "
        "arena of 'cuda:0', or put a copy in between.");
    row("a scratchpad of another name", Device, Arenas "a 0\nc 0\ny 64\nd 1@0\nb 128\nscratch nb 1@256:16",
        "The plan puts the scratchpad of node 'nb' into the memory 'cuda:0', but the node computes in the memory of "
        "the CPU. → Place it in the arena of the memory of the CPU, or put a copy in between.");
}

} // namespace

/// What the judge says, word by word: what is wrong, where and when, and what would mend it.
class FindingsSaidTest : public QObject
{
    Q_OBJECT

private slots:
    void findingsSayWhatIsWrongAndWhatMendsIt_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<QByteArray>("plan");
        QTest::addColumn<QString>("said");
        QTest::addColumn<bool>("ownPlan");
        addOverlaps();
        addWhatTheCallerSees();
        addPlaces();
        addCapacities();
        addDeclarations();
        addLayouts();
        addSpaces();
    }
    void findingsSayWhatIsWrongAndWhatMendsIt()
    {
        QFETCH(QByteArray, graph);
        QFETCH(QByteArray, plan);
        QFETCH(QString, said);
        QFETCH(bool, ownPlan);
        const test::Case c = caseOf(graph.toStdString(), plan.toStdString());
        QStringList all;
        for (const Finding& finding : c.judge(ownPlan))
            all += QString::fromStdString(english(finding.message) + " → " + english(finding.fix));
        QCOMPARE(all.join(u'\n'), said);
    }
};

QTEST_APPLESS_MAIN(FindingsSaidTest)
#include "tst_findings_said.moc"
