#include "tests/app/support/app_samples.h"
#include "core/facts/english/english.h"

#include "tests/support/graph_text.h"

#include <cstdio>
#include <cstdlib>

namespace plimsoll::test {

Graph smallGraph()
{
    return graphFromText("graph small\n"
                         "input x float32[4,256]\n"
                         "param w float32[256,256]\n"
                         "first: a = MatMul(x, w)\n"
                         "act: b = Relu(a)\n"
                         "second: c = MatMul(b, w)\n"
                         "unread: d = Neg(b)\n"
                         "join: e = Add(c, x)\n"
                         "third: f = MatMul(e, w)\n"
                         "last: g = Relu(f)\n"
                         "output g\n");
}

app::Engine unsearchingEngine()
{
    app::Engine engine = app::Engine();
    engine.analyse = [](const Graph& graph, PlanRequest request, const Context& context) {
        if (!request.search.secondsLimit) request.search.workLimit = 0;
        return analyse(graph, request, context);
    };
    return engine;
}

std::shared_ptr<const Report> planned(const Graph& graph, const Policies& policies)
{
    PlanRequest request;
    request.policies = policies;
    Result<Report> report = analyse(graph, request, {});
    if (!report.ok()) {
        std::fprintf(stderr, "%s\n", describe(report.error()).c_str());
        std::abort();
    }
    return std::make_shared<const Report>(std::move(report).value());
}

QString exampleFile(const QString& name)
{
    return QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples/") + name;
}

} // namespace plimsoll::test
