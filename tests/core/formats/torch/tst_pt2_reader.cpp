#include "tests/core/formats/torch/fx_text.h"

#include "core/formats/files/tensor_data.h"

#include <QtTest>

#include <fstream>
#include <iterator>
#include <random>

using namespace plimsoll;
using namespace plimsoll::test;
namespace fs = std::filesystem;

namespace {

const fs::path Corpus = fs::path(PLIMSOLL_SHARED_DIR) / "corpora" / "pytorch";

void addNumber(std::string& out, std::size_t number, int bytes)
{
    for (int i = 0; i < bytes; ++i, number /= 256)
        out += static_cast<char>(number % 256);
}

struct Member
{
    std::string name;
    std::string content;
    std::size_t method = 0;
};

/// A ZIP archive: for each file a header and its bytes, then the directory.
std::string zip(const std::vector<Member>& members)
{
    std::string files;
    std::string directory;
    for (const Member& member : members) {
        directory += "PK\x01\x02";
        addNumber(directory, 0, 6);
        addNumber(directory, member.method, 2);
        addNumber(directory, 0, 8);
        addNumber(directory, member.content.size(), 4); // Packed…
        addNumber(directory, member.content.size(), 4); // …and unpacked.
        addNumber(directory, member.name.size(), 2);
        addNumber(directory, 0, 12);
        addNumber(directory, files.size(), 4);
        directory += member.name;
        files += "PK\x03\x04" + std::string(22, '\0');
        addNumber(files, member.name.size(), 2);
        addNumber(files, 0, 2);
        files += member.name + member.content;
    }
    std::string end = "PK\x05\x06" + std::string(6, '\0');
    addNumber(end, members.size(), 2);
    addNumber(end, directory.size(), 4);
    addNumber(end, files.size(), 4);
    addNumber(end, 0, 2);
    return files + directory + end;
}

/// relu(x + w) with w[2] stored, under the changes of a test.
std::string program(const char* from = "", const char* to = "")
{
    const char* const Meta = R"json({"dtype": 7, "sizes": [{"as_int": 2}], "strides": [{"as_int": 1}],
        "device": {"type": "cpu", "index": null}})json";
    QString text = QString::fromLatin1(R"json({"graph_module": {"graph": {
        "inputs": [{"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "x"}}],
        "outputs": [{"as_tensor": {"name": "relu"}}],
        "nodes": [
          {"target": "torch.ops.aten.add.Tensor", "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}},
             {"name": "other", "arg": {"as_tensor": {"name": "p_w"}}}], "outputs": [{"as_tensor": {"name": "add"}}],
           "metadata": {"stack_trace": "STACK", "nn_module_stack": "L__self__,,m.Net;L__s___b_0,L['s'].b[0],m.Block;L__f,L['s'].b[0].f,torch.nn.modules.linear.Linear"}},
          {"target": "torch.ops.aten.relu.default", "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "add"}}}],
           "outputs": [{"as_tensor": {"name": "relu"}}]}],
        "tensor_values": {"p_w": META, "x": META, "add": META, "relu": META}},
      "signature": {"input_specs": [{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "layer.w"}},
                                    {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}]}}})json");
    text.replace(QLatin1String("META"), QLatin1String(Meta));
    text.replace(QLatin1String("STACK"), QLatin1String("File \\\"a/model.py\\\", line 9, in forward\\n    x + w"));
    if (*from != '\0') text.replace(QString::fromUtf8(from), QString::fromUtf8(to));
    const std::string weights =
        std::string(
            R"json({"config": {"layer.w": {"path_name": "weight_0", "use_pickle": false, "tensor_meta": )json") +
        Meta + "}}}";
    return zip({{"m/models/model.json", text.toStdString()},
                {"m/data/weights/weight_0", std::string("\0\0\x80\x3f\0\0\0\x40", 8)},
                {"m/data/weights/model_weights_config.json", weights}});
}

} // namespace

class Pt2ReaderTest : public QObject
{
    Q_OBJECT

private slots:
    void programsAreRead();
    void weightsAreReadWhereTheyLie();
    void theCorpusIsRead();
    void whatIsWrongIsSaidWithItsPlace_data();
    void whatIsWrongIsSaidWithItsPlace();
    void otherArchivesAreRefusedWithAdvice_data();
    void otherArchivesAreRefusedWithAdvice();
    void damagedArchivesNeverBreakTheReader();
};

void Pt2ReaderTest::programsAreRead()
{
    const auto graph = read(program());
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(drawn(graph.value()), QStringLiteral("Add x p_w -> add\nRelu add -> relu"));
    QCOMPARE(namesOf(graph.value(), graph.value().top().inputs), QStringLiteral("x"));
    QCOMPARE(graph.value()[findValue(graph.value(), "p_w")].role, ValueRole::Parameter);
    QCOMPARE(graph.value().nodes.front().from->source, std::string("a/model.py:9 in Block.forward"));
    QCOMPARE(graph.value().nodes.front().from->module, std::string("b.0.f"));
    QCOMPARE(graph.value().nodes.front().from->origin, (Origin {"aten", "add", "Tensor"}));
}

void Pt2ReaderTest::weightsAreReadWhereTheyLie()
{
    const QTemporaryDir folder;
    const fs::path file = fs::path(folder.path().toStdString()) / "m.pt2";
    const std::string bytes = program();
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const auto graph = readGraph(file, {});
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    const auto weight = loadBytes(graph.value()[findValue(graph.value(), "p_w")]);
    QVERIFY(weight.ok());
    const std::array<float, 2> wanted = {1, 2};
    QVERIFY(std::equal(weight.value().begin(), weight.value().end(), std::as_bytes(std::span(wanted)).begin()));
}

void Pt2ReaderTest::theCorpusIsRead()
{
    if (!fs::exists(Corpus)) QSKIP("The corpora are not beside the sources.");
    const auto graph = readGraph(Corpus / "linear.pt2", {});
    QVERIFY2(graph.ok(), qPrintable(errorOf(graph)));
    QCOMPARE(drawn(graph.value()), QStringLiteral("Reshape x linear.rows -> linear.matrix\n"
                                                  "Gemm linear.matrix p_linear_weight p_linear_bias -> linear.product\n"
                                                  "Reshape linear.product linear.shape -> linear"));
    QCOMPARE(typeOf(graph.value(), "p_linear_weight"), QStringLiteral("float32[3,3]"));
    QCOMPARE(graph.value()[findValue(graph.value(), "p_linear_weight")].data->fileBytes, std::int64_t {36});
    QCOMPARE(graph.value()[findValue(graph.value(), "p_linear_bias")].data->fileBytes, std::int64_t {12});
}

void Pt2ReaderTest::whatIsWrongIsSaidWithItsPlace_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("error");
    QTest::newRow("unknown name") << "\"arg\": {\"as_tensor\": {\"name\": \"add\"}}"
                                  << "\"arg\": {\"as_tensor\": {\"name\": \"sub\"}}"
                                  << "m/models/model.json: graph_module.graph.nodes[1]: 'sub' is read here";
    QTest::newRow("twice") << "\"outputs\": [{\"as_tensor\": {\"name\": \"add\"}}]"
                           << "\"outputs\": [{\"as_tensor\": {\"name\": \"x\"}}]"
                           << "nodes[0].outputs[0]: 'x' is computed a second time";
    QTest::newRow("no target") << "\"target\": \"torch.ops.aten.relu.default\", "
                               << ""
                               << "nodes[1]: \"target\" is missing";
    QTest::newRow("element type") << "\"dtype\": 7"
                                  << "\"dtype\": 77"
                                  << "tensor_values.add.dtype: There is no element type 77.";
    QTest::newRow("size") << "{\"as_int\": 2}"
                          << "{\"as_int\": \"two\"}"
                          << "sizes[0]";
    QTest::newRow("no graph") << "graph_module"
                              << "graph_modulo"
                              << "this is no exported program";
    QTest::newRow("no JSON") << "{\"graph_module\": {"
                             << "{\"graph_module\": {{"
                             << "m/models/model.json: ";
}

void Pt2ReaderTest::whatIsWrongIsSaidWithItsPlace()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, error);
    const auto graph = read(program(qPrintable(from), qPrintable(to)));
    QVERIFY(!graph.ok());
    QCOMPARE(graph.error().code, ErrorCode::BadInput);
    QVERIFY2(errorOf(graph).contains(error), qPrintable(errorOf(graph)));
}

void Pt2ReaderTest::otherArchivesAreRefusedWithAdvice_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("error");
    const auto bytes = [](const std::string& text) { return QByteArray::fromStdString(text); };
    QTest::newRow("checkpoint") << bytes(zip({{"m/data.pkl", "x"}})) << "holds no exported program; a PyTorch .pt file";
    QTest::newRow("compressed") << bytes(zip({{"m/models/model.json", "x", 8}})) << "is compressed. Save it with";
    QTest::newRow("no files") << bytes("PK\x03\x04" + zip({})) << "holds no exported program";
    QTest::newRow("cut") << bytes(program().substr(0, 900)) << "its directory is missing";
}

void Pt2ReaderTest::otherArchivesAreRefusedWithAdvice()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, error);
    const auto graph = read(bytes.toStdString());
    QVERIFY(!graph.ok());
    QCOMPARE(graph.error().code, ErrorCode::BadInput);
    QVERIFY2(errorOf(graph).contains(error), qPrintable(errorOf(graph)));
}

/// Sizes and offsets that lie among them: no byte outside of the archive is read.
void Pt2ReaderTest::damagedArchivesNeverBreakTheReader()
{
    const std::string whole = program();
    const auto attempt = [](const std::string& damaged) {
        const auto graph = read(damaged);
        if (!graph.ok()) QVERIFY(graph.error().code == ErrorCode::BadInput && !graph.error().message.empty());
    };
    for (std::size_t part = 0; part < 16; ++part)
        attempt(whole.substr(0, whole.size() * part / 16));
    const unsigned seed = 20261121;
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 3000; ++i) {
        std::string damaged = whole;
        const std::size_t at = i % 2 == 0 ? random() % damaged.size() : damaged.size() - 1 - random() % 300;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << (random() % 8)));
        attempt(damaged);
    }
}

QTEST_APPLESS_MAIN(Pt2ReaderTest)
#include "tst_pt2_reader.moc"
