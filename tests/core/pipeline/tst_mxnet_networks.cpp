#include "core/facts/english/english.h"
#include "core/formats/read_graph.h"
#include "core/pipeline/pipeline.h"
#include "tests/support/symbol_writer.h"

#include <QFile>
#include <QTest>

#include <set>

using namespace plimsoll;
using test::SymbolWriter;

namespace {

Result<Graph> read(const std::string& text)
{
    return readGraph(std::as_bytes(std::span(text)), {});
}

/// MXNet's own plan for \p shape of "data"; "id=value id=value" besides.
Result<Report> planned(const Graph& graph, const Shape& shape, const QByteArray& choices)
{
    PlanRequest request;
    request.policies.alignment = 1;
    request.policies.backend = BackendPolicy::Reference;
    request.policies.placement = "storage-reuse";
    request.policies.outputs = OutputsPolicy::Shared;
    request.shapes.shapes["data"] = shape;
    for (const QByteArray& choice : choices.split(' ')) {
        const qsizetype equals = choice.indexOf('=');
        if (equals > 0)
            PLIMSOLL_TRY(
                setPolicy(request.policies, choice.left(equals).constData(), choice.mid(equals + 1).constData()));
    }
    return analyse(graph, request, {});
}

std::int64_t sumOfOutputs(const Report& report)
{
    std::int64_t bytes = 0;
    for (std::size_t value = 0; value < report.program.values.size(); ++value) {
        const bool made = report.program.graph->values[value].role == ValueRole::Intermediate;
        bytes += made ? report.program.values[value].logicalBytes : 0;
    }
    return bytes;
}

std::size_t blocks(const Report& report)
{
    std::set<std::int64_t> offsets;
    for (const Storage& storage : report.program.storages)
        if (storage.arena.valid()) offsets.insert(storage.offset);
    return offsets.size();
}

std::string textOfCorpus(const char* name)
{
    QFile file(QStringLiteral(PLIMSOLL_SHARED_DIR "/corpora/mxnet/") + QString::fromLatin1(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace

/// Whole networks under MXNet's planner. The totals of those that the research notes planned are theirs.
class tst_MxnetNetworks : public QObject
{
    Q_OBJECT

private slots:
    void networksTakeWhatMxnetPlans_data();
    void networksTakeWhatMxnetPlans();
    void everyNetworkIsPlannedLegallyAndSoon_data();
    void everyNetworkIsPlannedLegallyAndSoon();
    void dialectsPlanAlike();
};

void tst_MxnetNetworks::networksTakeWhatMxnetPlans_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<QByteArray>("policies");
    QTest::addColumn<Shape>("shape");
    QTest::addColumn<qint64>("sum");
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<int>("blocks");
    const auto row = [](const char* name, const std::string& text, const Shape& shape, qint64 sum, const char* policies,
                        qint64 bytes, int count) {
        QTest::addRow("%s %s", name, policies) << text << QByteArray(policies) << shape << sum << bytes << count;
    };
    const Shape picture = {1, 3, 224, 224};
    const std::string resnet = test::symbols::resnet18();
    row("resnet18", resnet, picture, 32'965'952, "match-range=0", 20'716'960, 83);
    row("resnet18", resnet, picture, 32'965'952, "match-range=1", 10'950'048, 23);
    row("resnet18", resnet, picture, 32'965'952, "match-range=16", 7'432'096, 7);
    row("resnet18", resnet, picture, 32'965'952, "match-range-search=on", 7'432'096, 7);
    row("resnet18", resnet, picture, 32'965'952, "colours=2", 8'339'360, -1);
    const std::string excited = test::symbols::squeezeExcite({3, 4, 6, 3});
    row("se-resnet50", excited, picture, 166'468'288, "match-range=0", 85'849'184, 263);
    row("se-resnet50", excited, picture, 166'468'288, "match-range=1", 18'701'920, 31);
    row("se-resnet50", excited, picture, 166'468'288, "match-range=16", 9'842'688, 7);
    row("se-resnet50", excited, picture, 166'468'288, "colours=2", 13'070'336, -1);
    const std::string residual = test::symbols::inceptionResnet();
    const Shape larger = {1, 3, 299, 299};
    row("inception_resnet_v2", residual, larger, 420'208'832, "match-range=0", 178'120'352, 907);
    row("inception_resnet_v2", residual, larger, 420'208'832, "match-range=1", 56'386'848, 95);
    row("inception_resnet_v2", residual, larger, 420'208'832, "match-range=16", 14'839'296, 9);
    row("inception_resnet_v2", residual, larger, 420'208'832, "match-range-search=on", 14'017'920, 10);
    row("inception_resnet_v2", residual, larger, 420'208'832, "colours=2", 24'437'376, -1);
    const std::string trunk = textOfCorpus("dnnl_model1-symbol.json");
    const Shape batch = {32, 3, 300, 300};
    row("VGG trunk", trunk, batch, 6'800'251'904, "match-range=0", 3'585'684'480, 22);
    row("VGG trunk", trunk, batch, 6'800'251'904, "match-range=1", 3'004'118'016, 15);
    row("VGG trunk", trunk, batch, 6'800'251'904, "match-range=16", 1'522'136'064, 6);
    row("VGG trunk", trunk, batch, 6'800'251'904, "match-range-search=on", 1'522'136'064, 6);
    row("VGG trunk", trunk, batch, 6'800'251'904, "colours=2", 1'522'136'064, -1);
}

void tst_MxnetNetworks::networksTakeWhatMxnetPlans()
{
    QFETCH(std::string, text);
    QFETCH(QByteArray, policies);
    QFETCH(Shape, shape);
    QFETCH(qint64, sum);
    QFETCH(int, blocks);
    if (text.empty()) QSKIP("the corpus of MXNet symbols is not here");
    const Result<Graph> graph = read(text);
    QVERIFY2(graph.ok(), graph.ok() ? "" : describe(graph.error()).c_str());

    const Result<Report> report = planned(graph.value(), shape, policies);

    QVERIFY2(report.ok(), report.ok() ? "" : describe(report.error()).c_str());
    QCOMPARE(qint64(sumOfOutputs(report.value())), sum);
    QTEST(qint64(report.value().memory.peakBytes), "bytes");
    if (blocks >= 0) QCOMPARE(int(::blocks(report.value())), blocks);
    QCOMPARE(countFindings(report.value(), Severity::Error), std::size_t(0));
}

void tst_MxnetNetworks::everyNetworkIsPlannedLegallyAndSoon_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<int>("nodes");
    const auto row = [](const char* name, const std::string& text, int nodes) { QTest::newRow(name) << text << nodes; };
    row("resnet18", test::symbols::resnet18(), 174);
    row("mobilenet", test::symbols::mobilenet(), 224);
    row("densenet", test::symbols::densenet(4, 12), 532);
    row("inception", test::symbols::inception(12), 616);
    row("se-resnet50", test::symbols::squeezeExcite({3, 4, 6, 3}), 621);
    row("detector, five heads", test::symbols::detector(20), 402);
    row("se-resnet, deep", test::symbols::squeezeExcite({8, 18, 26, 9}), 2241);
}

void tst_MxnetNetworks::everyNetworkIsPlannedLegallyAndSoon()
{
    QFETCH(std::string, text);
    const Result<Graph> graph = read(text);
    QVERIFY2(graph.ok(), graph.ok() ? "" : describe(graph.error()).c_str());
    std::size_t variables = 0;
    for (const Value& value : graph.value().values)
        variables += value.role == ValueRole::Intermediate ? 0 : 1;
    QTEST(int(graph.value().nodes.size() + variables), "nodes");

    for (const char* policies : {"", "placement=best outputs=independent", "match-range-search=on colours=3"}) {
        const Result<Report> report = planned(graph.value(), {1, 3, 224, 224}, policies);

        QVERIFY2(report.ok(), report.ok() ? "" : describe(report.error()).c_str());
        QCOMPARE(countFindings(report.value(), Severity::Error), std::size_t(0));
        QVERIFY(report.value().memory.unplanned.empty());
        QVERIFY(report.value().memory.lowerBoundBytes <= report.value().memory.peakBytes);
        QVERIFY2(report.value().planning.ms < 3000, qPrintable(QString::number(report.value().planning.ms)));
    }
}

void tst_MxnetNetworks::dialectsPlanAlike()
{
    using Dialect = SymbolWriter::Dialect;
    const Graph graph = read(test::symbols::mobilenet()).value();
    const Report wanted = planned(graph, {1, 3, 224, 224}, {}).value();
    for (const Dialect dialect : {Dialect::Attr, Dialect::Param}) {
        const Result<Graph> other = read(test::symbols::mobilenet(dialect));
        QVERIFY2(other.ok(), other.ok() ? "" : describe(other.error()).c_str());
        const Result<Report> report = planned(other.value(), {1, 3, 224, 224}, {});
        QVERIFY2(report.ok(), report.ok() ? "" : describe(report.error()).c_str());
        QCOMPARE(report.value().memory.peakBytes, wanted.memory.peakBytes);
        QCOMPARE(report.value().program.storages.size(), wanted.program.storages.size());
        QCOMPARE(report.value().memory.parameterBytes, wanted.memory.parameterBytes);
    }
}

QTEST_APPLESS_MAIN(tst_MxnetNetworks)
#include "tst_mxnet_networks.moc"
