#include "core/pipeline/pipeline.h"

#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QTest>

using namespace plimsoll;

namespace {

Report planned(std::string_view text, std::string_view offers, std::string_view calls)
{
    PlanRequest request;
    test::choose(request.policies, {{"calls", calls}});
    request.catalogue = std::make_shared<const Catalogue>(test::catalogueFromText(offers));
    return analyse(test::graphFromText(text), request, {}).value();
}

/// "a, b+c": which nodes a backend computes faster than the reference, with what is computed along.
QString fastNodes(const Report& report)
{
    QStringList names;
    for (std::size_t i = 0; i < report.program.graph->nodes.size(); ++i) {
        const Implementation& chosen = report.program.implementations[NodeId(i)];
        if (chosen.backend != "fast" || report.program.graph->decided[NodeId(i)].fusedInto.valid()) continue;
        QString name = QString::fromStdString(report.program.graph->nodes[i].name);
        for (const std::string& fused : chosen.fuses)
            name += u'+' + QString::fromStdString(fused);
        names.append(name);
    }
    return names.join(QStringLiteral(", "));
}

} // namespace

/// Libraries are asked about the graph as it was captured; its copies get the same answers, and no others do.
class tst_PipelineCopies : public QObject
{
    Q_OBJECT

private slots:
    void offersAreForCopiesToo_data();
    void offersAreForCopiesToo();
};

void tst_PipelineCopies::offersAreForCopiesToo_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("offers");
    QTest::addColumn<QByteArray>("calls");
    QTest::addColumn<QString>("fast");
    const QByteArray chain("input x float32[1,8,4,4]\na: u = Relu(x)\nb: v = Sigmoid(u)\noutput v\n");
    const QByteArray both("a fast jit ms=1 with=b\na reference loops ms=9\nb fast jit ms=2\nb reference loops ms=9\n");
    QTest::newRow("called once") << chain << both << QByteArray("once") << QStringLiteral("a+b");
    QTest::newRow("what is fused is copied alike")
        << chain << both << QByteArray("infer,infer,infer") << QStringLiteral("a+b, a@2+b@2, a@3+b@3");

    const QByteArray named("input x float32[1,8,4,4]\na: u = Relu(x)\na@b: v = Relu(u)\na@2: w = Relu(v)\noutput w\n");
    const QByteArray one("a fast jit ms=1\na reference loops ms=9\n");
    QTest::newRow("a name makes no copy") << named << one << QByteArray("once") << QStringLiteral("a");
    QTest::newRow("nor where there are copies, too")
        << named << one << QByteArray("infer,infer") << QStringLiteral("a, a@2#2");

    const QByteArray nested("input x float32[4]\ninput c bool[]\nchoose: y = If(c)\n"
                            "body then_branch\n  t: p = Relu(x)\n  output p\nend\n"
                            "body else_branch\n  e: q = Abs(x)\n  output q\nend\noutput y\n");
    QTest::newRow("inside of an owner that is copied")
        << nested << QByteArray("choose/then_branch/t fast jit ms=1\nchoose/then_branch/t reference loops ms=9\n")
        << QByteArray("infer,infer") << QStringLiteral("choose/then_branch/t, choose@2/then_branch/t");
}

void tst_PipelineCopies::offersAreForCopiesToo()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, offers);
    QFETCH(QByteArray, calls);
    QFETCH(QString, fast);
    const Report report = planned(text.toStdString(), offers.toStdString(), calls.toStdString());
    QCOMPARE(fastNodes(report), fast);
    QVERIFY(countFindings(report, Severity::Error) == 0);
}

QTEST_GUILESS_MAIN(tst_PipelineCopies)
#include "tst_pipeline_copies.moc"
