#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"

#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// What is said of a graph, its policies and what backends offer for it.
const struct
{
    const char* name;
    const char* graph;
    const char* said;
    const char* policies = "";
    const char* offers = "";
} Rows[] = {
    {"two outputs by identity", "input x float32[4]\nh = Neg(x)\na = Identity(h)\nb = Identity(h)\noutput a b\n",
     "finding: 'b' takes 16 bytes that it could share with 'h'. Two graph outputs would share: a write to one would "
     "show in the other. → outputs=read-only or outputs=copy-on-write would let the two share, and guard what is "
     "written."},
    {"an output and the buffer for it", "input x float32[4]\nh = Neg(x)\na = Relu(h)\noutput a\n",
     "finding: 'a' takes 16 bytes that it could share with 'h'. 'a' is written into the buffer that the caller "
     "brings for it. → Every other value of the policy outputs would let the plan put them together.",
     "outputs=external"},
    {"an identity of an input", "input x float32[4]\ni = Identity(x)\ny = Neg(i)\noutput y i\n",
     "finding: 'i' takes 16 bytes that it could share with 'x'. The caller may refill 'x', and 'i' would change "
     "with it. → outputs=shared would let it stay there, and change when the input is refilled.",
     "inputs=share-identity"},
    {"an input that stays unwritten", "input x float32[4]\ni = Identity(x)\ny = Neg(i)\noutput y\n",
     "finding: 'i' takes 16 bytes that it could share with 'x'. The bytes of 'x' are not the plan's to share. → "
     "inputs=share-identity would let it stay there while nothing writes it."},
    {"nothing in place", "input x float32[4]\na = my::F(x)\nvalue a float32[4]\nb = Relu(a)\noutput b\n",
     "finding: 'b' takes 16 bytes that it could share with 'a'. The policy inplace does not allow it. → inplace=on "
     "would allow it.",
     "inplace=off"},
    {"an output that is an input", "input x float32[4]\ny = Neg(x)\noutput x y\n",
     "x: Output 0 is 'x' itself, which the graph does not compute: a write to one is a write to the other."},
    {"an output that is listed twice", "input x float32[4]\ny = Neg(x)\noutput y y\n",
     "y: Output 1 is 'y' itself, like output 0: they depend on each other."},
    {"sizes that only the run can know", "input x float32[4]\nn = NonZero(x)\nt = Shape(n)\noutput n t\n",
     "n: depends on data: NonZero"},
    {"strings and sequences",
     "input x float32[4]\ninput s string[2]\nq = SequenceConstruct(x, x)\nu = Identity(s)\noutput q u\n",
     "note: Nothing in this graph needs planned bytes: 2 values outside the arenas (inputs, weights, constants and "
     "what lies in them), 0 without bytes, 2 of a size that is known at run time only.\nq: the length of a sequence "
     "is known at run time only\nu: strings have no fixed size"},
    {"a part of what is not known",
     "input x float32[4]\nn = my::F(x)\nvalue n float32[?]\nv = my::V(n) alias=0:view:0\nvalue v float32[?]\noutput "
     "v\n",
     "note: Nothing in this graph needs planned bytes: 1 value outside the arenas (inputs, weights, constants and "
     "what lies in them), 0 without bytes, 2 of a size that is known at run time only.\nn: float32[?] has sizes "
     "that only the run knows\nv: float32[?] has sizes that only the run knows"},
    {"dense temporaries",
     "input a float32[6,6]@row_sparse:3\ninput b float32[6,6]@row_sparse:2\nc: y = Add(a, b)\nd: z = MatMul(y, "
     "y)\noutput z\n",
     "finding: Node 'd' takes 144 bytes of dense temporaries ('y:dense'): nothing computes MatMul for "
     "row_sparse(float32[6,6], at most 5) + row_sparse(float32[6,6], at most 5). → Keep its tensors in a way that is "
     "computed as it is, or dense from the start."},
    {"a sparse tensor without a bound", "input a float32[6,6]@row_sparse\nc: z = Exp(a)\noutput z\n",
     "finding: Node 'c' takes 144 bytes of dense temporaries ('a:dense'): nothing computes Exp for "
     "row_sparse(float32[6,6]). → "
     "Keep its tensors in a way that is computed as it is, or dense from the start.\nnote: Nothing says how much of "
     "'a', row_sparse(float32[6,6]), is kept at most, so its bytes are counted nowhere; say it with --max-stored "
     "a=…."},
    {"a tensor that is kept for nothing",
     "input x float32[8]\nparam w float32[8]\na: p = Mul(x, w)\nb: q = Exp(x)\nd: f = Div(p, q)\nsum: l = "
     "ReduceSum(f) keepdims=0\noutput l\ngrad w\nloss l\n",
     "finding: 'p' (32 bytes) is kept from 'd' to 'backward:d', and no gradient that is wanted reads it: save-all. "
     "→ The policy saved=guarded lets it go.",
     "saved=save-all"},
    {"written after it was saved",
     "input x float32[8]\nparam w float32[8]\na: y = Mul(x, w)\nb: e = Exp(y)\nm: z = plimsoll::Relu_(e)\nsum: l = "
     "ReduceSum(z) keepdims=0\noutput l\ngrad w\nloss l\n",
     "finding: 'e', saved by 'b', is at version 1 when 'backward:b' begins; expected version 0. 'm' wrote in place "
     "first. PyTorch stops here. → Write after the backward pass, or write to a copy.\nfinding: Value 'e' is read "
     "at step 6 by node 'backward:b', but bytes [0, 32) were overwritten at step 2 by node 'm', which writes 'z'. → "
     "Keep 'z' off the bytes of 'e' during steps [2, 7)."},
    {"streams that the plan leaves out",
     "!streams\ninput x float32[4]\na: y = Exp(x)\nb: z = Exp(x)\nc: w = Add(y, z)\noutput w\n",
     "note: The graph file puts its nodes on 2 streams, and the plan runs them on one; -p streams=captured plans "
     "for those."},
    {"an opset of the future", "opset 99\ninput x float32[4]\na: y = Relu(x)\noutput y\n",
     "note: The graph is of opset 99 of ONNX, and 27 is the newest that is known here: operators are taken as they "
     "were defined then."},
    {"a plan without bytes", "input x float32[4]\noutput x\n",
     "note: Nothing in this graph needs planned bytes: 1 value outside the arenas (inputs, weights, constants and "
     "what lies in them), 0 without bytes, 0 of a size that is known at run time only.\nx: Output 0 is 'x' itself, "
     "which the graph does not compute: a write to one is a write to the other."},
    {"several passes without streams to part", "input x float32[4]\na: y = Relu(x)\noutput y\n",
     "note: backwards=2 has no effect: the file names no loss, and no node as the first of a "
     "backward half.",
     "backwards=2"},
    {"a device with an offer", "!space cuda:0\ninput x float32[4]\nn: y = Relu(x)\noutput y\n",
     "note: The graph was captured on cuda:0, and is planned with the kernels of the CPU, their layouts and "
     "scratchpads among them. -p backend=captured plans for its tensors alone, -p backend=cuda for kernels of a "
     "CUDA device.",
     "", "n onednn jit ms=0.001\n"},
    {"a capacity that is too low", "input x float32[16]\na = Neg(x)\nb = Exp(a)\nc = Add(a, b)\noutput c\n",
     "finding: Arena 0 (cpu) needs 128 bytes, 64 more than its capacity of 64: bytes above it are in use during "
     "steps [1, 3), at step 1 with the most in use by 'b'; with this sharing 128 bytes are in use at that step. → "
     "No plan of this order fits with these implementations, whatever shares: at step 1 at least 128 bytes are "
     "needed. Take a bigger memory; whether other policies would fit is not tried here, but by plimsoll-cli fit.",
     "capacity=cpu=64"},
    {"a memory that is not there", "input x float32[16]\na = Neg(x)\noutput a\n",
     "error: The policy capacity is given for the memory 'sram', which neither the graph nor the plan has. There "
     "is: 'cpu'.",
     "capacity=sram=64"},
    {"a gradient without a loss", "!gradient x\ninput x float32[16]\na = Neg(x)\noutput a\n",
     "error: The graph has no loss, so there is no gradient of 'x' to ask for."},
};

/// A first line "!…" says what the text of a graph cannot: the streams or the memory of its capture, a wanted gradient.
Result<Report> planned(const std::string& text, const char* policies, const char* offers)
{
    const std::string first = text.starts_with("!") ? text.substr(0, text.find('\n') + 1) : std::string();
    Graph graph = test::graphFromText(text.substr(first.size()));
    PlanRequest request;
    test::chooseFromText(request.policies, policies);
    const Catalogue catalogue = test::catalogueFromText(offers);
    if (!catalogue.offers.empty()) request.catalogue = std::make_shared<const Catalogue>(catalogue);
    for (std::size_t i = 0; first == "!streams\n" && i < graph.nodes.size(); ++i)
        graph.nodes[i].at.edit().stream = static_cast<std::int64_t>(i % 2);
    for (Value& value : graph.values)
        if (first.starts_with("!space ")) value.at.edit().space = first.substr(7, first.size() - 8);
    if (first.starts_with("!gradient "))
        request.constraints.gradients[first.substr(10, first.size() - 11)] = GradientRequest::Write;
    return analyse(graph, request, {});
}

QString quoted(const char* what, const std::string& text)
{
    return QLatin1String(what) + QStringLiteral(": ") + QString::fromStdString(text);
}

} // namespace

/// What a report says beside its numbers, word by word: what is wrong and what would mend it, what is noted, and what
/// is decided about values that are not planned or stand for something else.
class ReportSaidTest : public QObject
{
    Q_OBJECT

private slots:
    void reportsSayWhatTheyFound_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<QByteArray>("policies");
        QTest::addColumn<QByteArray>("offers");
        QTest::addColumn<QString>("said");
        for (const auto& row : Rows)
            QTest::newRow(row.name) << QByteArray(row.graph) << QByteArray(row.policies) << QByteArray(row.offers)
                                    << QString::fromUtf8(row.said);
    }
    void reportsSayWhatTheyFound()
    {
        QFETCH(QByteArray, graph);
        QFETCH(QByteArray, policies);
        QFETCH(QByteArray, offers);
        const Result<Report> report = planned(graph.toStdString(), policies.constData(), offers.constData());
        QStringList all;
        if (!report.ok()) {
            all << quoted("error", describe(report.error()));
        } else {
            for (const Finding& finding : report.value().verdict.findings)
                all << quoted("finding", english(finding.message) + " → " + english(finding.fix));
            for (const std::string& note : english(report.value().notes))
                all << quoted("note", note);
            for (const Decision& decision : report.value().decisions) {
                const bool said =
                    decision.kind == DecisionKind::Unplanned || decision.kind == DecisionKind::PassThrough;
                if (said) all << quoted(decision.subject.c_str(), english(decision.reason));
            }
        }
        QTEST(all.join(u'\n'), "said");
    }
};

QTEST_APPLESS_MAIN(ReportSaidTest)
#include "tst_report_said.moc"
