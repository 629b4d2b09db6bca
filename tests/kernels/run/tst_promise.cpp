#include "kernels/run/promise.h"

#include "core/facts/english/english.h"
#include "tests/support/planned.h"

#include <QTest>

using namespace plimsoll;
using kernels::RunRequest;

namespace {

std::string promise(std::string_view graph, const RunRequest& request = {}, std::string_view choices = {})
{
    return english(kernels::promiseOf(test::planned(graph, choices).program, request));
}

constexpr std::string_view Branch = "input c bool[]\ninput x float32[4]\ni: y = If(c)\nbody then_branch\n"
                                    "  k: p = Cos(x)\n  output p\nend\nbody else_branch\n  m: r = Neg(x)\n  output r\n"
                                    "end\noutput y\n";

} // namespace

/// What a run says ahead of its first step.
class PromiseTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void countsNodes();
    void namesWhatHasNoKernel();
    void saysWhichBranches();
    void saysThatTheCallerWrites();
};

void PromiseTest::countsNodes()
{
    QCOMPARE(promise("input x float32[4]\na: y = Neg(x)\noutput y\n"),
             std::string("To show: 1 node writes the same in planned memory as in separate memory"));
    QCOMPARE(promise("input x float32[4]\na: y = Neg(x)\nb: z = Exp(y)\noutput z\n"),
             std::string("To show: 2 nodes write the same in planned memory as in separate memory"));
}

void PromiseTest::namesWhatHasNoKernel()
{
    const std::string said = promise("input x float32[4]\na: y = my::Foo(x)\nb: z = Exp(y)\noutput z\n");
    QVERIFY2(said.ends_with("; a hash of what it reads stands in for my::Foo"), said.c_str());
}

void PromiseTest::saysWhichBranches()
{
    RunRequest request;
    QVERIFY(promise(Branch, request).ends_with("; also in branches and trip counts that the inputs do not lead to"));
    request.cover = RunRequest::Cover::Never;
    QVERIFY(promise(Branch, request).ends_with("; only in branches and trip counts that the inputs lead to"));
}

void PromiseTest::saysThatTheCallerWrites()
{
    RunRequest request;
    request.writeProbe = true;
    QVERIFY(promise("input x float32[4]\na: y = Neg(x)\noutput y\n", request)
                .ends_with("; writes by the caller reach what the plan says"));
}

QTEST_APPLESS_MAIN(PromiseTest)
#include "tst_promise.moc"
