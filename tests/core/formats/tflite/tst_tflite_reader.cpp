#include "core/facts/english/english.h"
#include "core/lower/types/infer_types.h"
#include "core/ops/op_traits.h"
#include "tests/core/formats/damage.h"
#include "tests/core/formats/tflite/tflite_text.h"
#include "tests/support/temporary_folder.h"

#include <QFile>
#include <QtTest>

#include <set>

using namespace plimsoll;
using namespace plimsoll::test;

namespace {

QByteArray corpusBytes(const char* name)
{
    QFile file(corpusFile(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

constexpr std::string_view Small = "tensor x float32[1,4]\n"
                                   "tensor w float32[4] data=16\n"
                                   "tensor h float32[1,4]\n"
                                   "tensor y float32[1,4]\n"
                                   "input x\n"
                                   "op FULLY_CONNECTED x w - -> h\n"
                                   "op RELU h -> y\n"
                                   "output y\n";

} // namespace

class TfliteReader : public QObject
{
    Q_OBJECT

private slots:
    void operatorsKeepTheirNames()
    {
        const auto graph = readText(Small);
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(QString::fromStdString(nodesText(graph.value())),
                 QStringLiteral("FULLY_CONNECTED_0: h = tflite::FULLY_CONNECTED(x w -)\n"
                                "RELU_1: y = tflite::RELU(h)\n"));
        QCOMPARE(graph.value().file.format, std::string("tflite"));
        QCOMPARE(names(graph.value(), graph.value().top().inputs), std::string("x"));
        QCOMPARE(names(graph.value(), graph.value().top().outputs), std::string("y"));
        QCOMPARE(valueOf(graph.value(), "w").role, ValueRole::Parameter);
        QVERIFY(valueOf(graph.value(), "w").data->present());
        QCOMPARE(describe(valueOf(graph.value(), "h").type), std::string("float32[1,4]"));
        QVERIFY2(graph.value().notes.empty(), allNotes(graph.value()).c_str());
    }

    void customOperatorsHaveTheirCode()
    {
        const auto graph = readText("tensor x float32[2]\ntensor y float32[2]\ninput x\n"
                                    "custom SignalWindow x -> y\noutput y");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(nodesText(graph.value()), std::string("SignalWindow_0: y = tflite::SignalWindow(x)\n"));
    }

    void namesThatRepeatOrAreMissingAreMadeUnique()
    {
        const auto graph = readText("tensor a float32[2]\ntensor a float32[2]\ntensor _ float32[2]\ninput @0\n"
                                    "op RELU @0 -> @1\nop ABS @1 -> @2\noutput @2");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(nodesText(graph.value()), std::string("RELU_0: a#2 = tflite::RELU(a)\n"
                                                       "ABS_1: tensor2 = tflite::ABS(a#2)\n"));
    }

    /// A tensor that is written again is another value from there on.
    void aTensorMayBeWrittenTwice()
    {
        const auto graph = readText("tensor x float32[2]\ntensor y float32[2]\ninput x\n"
                                    "op RELU x -> y\nop ABS y -> y\nop NEG y -> x\noutput x y");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(nodesText(graph.value()), std::string("RELU_0: y = tflite::RELU(x)\n"
                                                       "ABS_1: y#2 = tflite::ABS(y)\n"
                                                       "NEG_2: x#2 = tflite::NEG(y#2)\n"));
        QCOMPARE(names(graph.value(), graph.value().top().outputs), std::string("x#2 y#2"));
    }

    void elementTypesHaveTheirBytes_data()
    {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("float32") << QByteArray("0") << QByteArray("float32[3]");
        QTest::newRow("float16") << QByteArray("1") << QByteArray("float16[3]");
        QTest::newRow("int32") << QByteArray("2") << QByteArray("int32[3]");
        QTest::newRow("uint8") << QByteArray("3") << QByteArray("uint8[3]");
        QTest::newRow("int64") << QByteArray("4") << QByteArray("int64[3]");
        QTest::newRow("string") << QByteArray("5") << QByteArray("string[3]");
        QTest::newRow("bool") << QByteArray("6") << QByteArray("bool[3]");
        QTest::newRow("int16") << QByteArray("7") << QByteArray("int16[3]");
        QTest::newRow("complex64") << QByteArray("8") << QByteArray("complex64[3]");
        QTest::newRow("int8") << QByteArray("9") << QByteArray("int8[3]");
        QTest::newRow("float64") << QByteArray("10") << QByteArray("float64[3]");
        QTest::newRow("complex128") << QByteArray("11") << QByteArray("complex128[3]");
        QTest::newRow("uint64") << QByteArray("12") << QByteArray("uint64[3]");
        QTest::newRow("a resource is a handle") << QByteArray("13") << QByteArray("int32[3]");
        QTest::newRow("uint32") << QByteArray("15") << QByteArray("uint32[3]");
        QTest::newRow("uint16") << QByteArray("16") << QByteArray("uint16[3]");
        QTest::newRow("int4") << QByteArray("17") << QByteArray("int4[3]");
        QTest::newRow("bfloat16") << QByteArray("18") << QByteArray("bfloat16[3]");
        QTest::newRow("int2") << QByteArray("19") << QByteArray("int2[3]");
        QTest::newRow("uint4") << QByteArray("20") << QByteArray("uint4[3]");
        QTest::newRow("float8e4m3fn") << QByteArray("21") << QByteArray("float8e4m3fn[3]");
        QTest::newRow("float8e5m2") << QByteArray("22") << QByteArray("float8e5m2[3]");
        QTest::newRow("not known here") << QByteArray("90") << QByteArray("unknown[3]");
    }
    void elementTypesHaveTheirBytes()
    {
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, expected);
        const auto graph = readText("tensor x " + type.toStdString() + "[3]\ntensor y float32[3]\ninput x\n" +
                                    "custom Any x -> y\noutput y");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(describe(valueOf(graph.value(), "x").type), expected.toStdString());
    }

    void bytesMayStandBehindTheFlatbuffer()
    {
        const TemporaryFolder folder;
        const auto path = folder.write("far.tflite", tfliteBytes("tensor x float32[2000]\n"
                                                                 "tensor w float32[2000] behind=8000\n"
                                                                 "tensor y float32[2000]\n"
                                                                 "input x\nop ADD x w -> y\noutput y"));
        const auto graph = readGraph(path, {});
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        const TensorData& data = *valueOf(graph.value(), "w").data;
        QCOMPARE(data.fileBytes, std::int64_t {8000});
        QCOMPARE(data.fileOffset + data.fileBytes, static_cast<std::int64_t>(std::filesystem::file_size(path)));

        std::string cut = tfliteBytes("tensor w float32[2] behind=8\ntensor y float32[2]\n"
                                      "op RELU w -> y\noutput y");
        cut.pop_back();
        QVERIFY2(errorOf(readBytes(cut)).find("beyond the end of the file") != std::string::npos,
                 errorOf(readBytes(cut)).c_str());
    }

    void whatIsKeptCompressedHasTheBytesOfTheFile()
    {
        const auto graph = readText("tensor w float32[100] data=12 sparse\ntensor t string[2] data=20\n"
                                    "tensor y float32[100]\ncustom Any w t -> y\noutput y");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(describe(valueOf(graph.value(), "w").type), std::string("uint8[12]"));
        QCOMPARE(describe(valueOf(graph.value(), "t").type), std::string("uint8[20]"));
        QVERIFY2(allNotes(graph.value()).starts_with("2 constants are planned as the bytes in the file"),
                 allNotes(graph.value()).c_str());
    }

    void traitsAreThoseOfTheKernels()
    {
        const auto graph = readText("tensor x float32[2,3]\ntensor r float32[6]\ntensor s int32[1]\n"
                                    "tensor a float32[6]\ninput x\n"
                                    "op RESHAPE x -> r\nop SHAPE r -> s\nop ADD r r -> a\noutput a s");
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        const auto kinds = [&](std::size_t node) {
            std::string text;
            for (const AliasTrait& trait : aliasTraits(graph.value(), NodeId(node)))
                text +=
                    (trait.kind == AliasKind::Identity ? "identity " : "in-place ") + std::to_string(trait.input) + " ";
            return text;
        };
        QCOMPARE(kinds(0), std::string("identity 0 "));
        QCOMPARE(kinds(1), std::string());
        QCOMPARE(kinds(2), std::string("in-place 0 in-place 1 "));
        QVERIFY(!readsContent(graph.value(), NodeId(std::size_t {1}), 0));
        QVERIFY(!isPure(graph.value(), NodeId(std::size_t {2}))); // its options are not read
    }

    void onlyASignatureOrASubgraphCanBeAskedFor()
    {
        const std::string_view text = "tensor x float32[2]\ntensor y float32[2]\ninput x\nop RELU x -> y\noutput y\n"
                                      "subgraph other\ntensor p float32[2]\ntensor q float32[2]\ninput p\n"
                                      "op ABS p -> q\noutput q\nsignature encode 0\nsignature decode 1\n";
        const auto first = readText(text);
        QVERIFY2(first.ok(), errorOf(first).c_str());
        QCOMPARE(nodesText(first.value()), std::string("RELU_0: y = tflite::RELU(x)\n"));
        QVERIFY2(allNotes(first.value()).find("several signatures: 'encode', 'decode'") != std::string::npos,
                 allNotes(first.value()).c_str());
        for (const char* name : {"decode", "other"}) {
            const auto second = readText(text, name);
            QVERIFY2(second.ok(), errorOf(second).c_str());
            QCOMPARE(nodesText(second.value()), std::string("ABS_0: q = tflite::ABS(p)\n"));
        }
        const std::string error = errorOf(readText(text, "none"));
        QVERIFY2(error.find("no signature 'none'. It has 'encode', 'decode'.") != std::string::npos, error.c_str());
    }

    void whatIsWrongIsSaidWithItsPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("input") << QByteArray("input @3")
                               << QByteArray("subgraphs[0].inputs: It lists tensor 3; there are 0.");
        QTest::newRow("absent output") << QByteArray("output -") << QByteArray("It lists tensor -1");
        QTest::newRow("operator's input")
            << QByteArray("tensor x float32[1]\nop ADD x @9 -> x")
            << QByteArray("subgraphs[0].operators[0] 'ADD', inputs: It lists tensor 9; there are 1.");
        QTest::newRow("buffer") << QByteArray("tensor x float32[1] buffer=7")
                                << QByteArray("It has buffer 7; there are 1.");
        QTest::newRow("subgraph") << QByteArray("op CALL_ONCE runs=4")
                                  << QByteArray("It runs subgraph 4; there are 1.");
        QTest::newRow("no subgraph") << QByteArray("op WHILE")
                                     << QByteArray("'WHILE': It does not say which subgraph it runs.");
        QTest::newRow("signature") << QByteArray("signature s 3") << QByteArray("It enters subgraph 3; there are 1.");
        QTest::newRow("later operator") << QByteArray("tensor x float32[1]\ntensor y float32[1]\nop ABS y -> x\n"
                                                      "op ABS x -> y\noutput y")
                                        << QByteArray("reads tensor 1 'y', which only a later operator makes");
        QTest::newRow("constant") << QByteArray(
                                         "tensor x float32[3] data=8\ntensor y float32[3]\nop ABS x -> y\noutput y")
                                  << QByteArray("A constant of type float32[3] takes 12 bytes; its buffer has 8.");
        QTest::newRow("runs itself") << QByteArray("op CALL_ONCE runs=0")
                                     << QByteArray("Subgraphs run each other more");
        QTest::newRow("plan cut off") << QByteArray("words 0 0") << QByteArray("The plan is cut off.");
        QTest::newRow("plan too short") << QByteArray("words 0 0 3 1")
                                        << QByteArray("says that it has 3 offsets; there are 1.");
        QTest::newRow("plan of another graph")
            << QByteArray("plan 0 7") << QByteArray("The plan is for subgraph 7; there are 1.");
        // 2^63 - 1 bytes, in a place of their own or as the scratch of an NPU
        const QByteArray all("tensor a int8[7,7,73,127,337,92737,649657]\ntensor b int8[1]\n");
        QTest::newRow("plan beyond all numbers")
            << all + "input a\nplan 0 1 1 0" << QByteArray("The plan places 'a' beyond what 63 bits hold.");
        QTest::newRow("scratch beyond all numbers")
            << all + "tensor y int8[1]\ncustom ethos-u a b -> y\noutput y\nplan 0 1 0 -2 0"
            << QByteArray("The plan places 'scratch:ethos-u_0' beyond what 63 bits hold.");
        QTest::newRow("plan too long") << QByteArray("plan 0 0 4 8") << QByteArray("has 2 offsets for the 0 tensors");
    }
    void whatIsWrongIsSaidWithItsPlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, error);
        const auto graph = readText(text.toStdString());
        QVERIFY2(errorOf(graph).find(error.toStdString()) != std::string::npos, errorOf(graph).c_str());
        QCOMPARE(graph.error().code, ErrorCode::BadInput);
    }

    /// Of an NPU the tensors without a maker are one region, from the first byte of any to the last.
    void scratchTensorsAreOneRegion_data()
    {
        QTest::addColumn<QByteArray>("plan");
        QTest::addColumn<qint64>("offset");
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("the second behind") << QByteArray("0 0 64 400") << qint64(64) << qint64(400);
        QTest::newRow("the second before") << QByteArray("0 0 400 64") << qint64(64) << qint64(592);
        QTest::newRow("the second within") << QByteArray("0 0 64 100") << qint64(64) << qint64(256);
    }
    void scratchTensorsAreOneRegion()
    {
        QFETCH(QByteArray, plan);
        const std::string bytes =
            tfliteBytes("tensor x int8[8]\ntensor y int8[8]\ntensor s int8[256]\ntensor f int8[64]\n"
                        "input x\ncustom ethos-u x s f -> y\noutput y\nplan 0 1 " +
                        plan.toStdString());
        const auto read = *readFile(FormatInput(bytes), {}).value().plan;
        QVERIFY2(read.ok(), read.ok() ? "" : describe(read.error()).c_str());
        const auto& entries = read.value().entries;
        const auto scratch = std::find_if(entries.begin(), entries.end(),
                                          [](const auto& entry) { return entry.value.starts_with("scratch:"); });
        QVERIFY(scratch != entries.end());
        QTEST(qint64(scratch->offset), "offset");
        QTEST(qint64(scratch->bytes), "bytes");
    }

    void theCorpusIsRead_data()
    {
        QTest::addColumn<int>("operators");
        QTest::addColumn<int>("inputs");
        QTest::addColumn<int>("outputs");
        QTest::addColumn<int>("constantBytes");
        QTest::newRow("person_detect.tflite") << 31 << 1 << 1 << 218928;
        QTest::newRow("person_detect_vela.tflite") << 1 << 1 << 1 << 268648;
        QTest::newRow("trained_lstm_int8.tflite") << 4 << 1 << 1 << 9808;
        QTest::newRow("audio_preprocessor_int8.tflite") << 22 << 1 << 1 << 2840;
        QTest::newRow("dynamic_shapes.bin") << 24 << 3 << 1 << 112;
        QTest::newRow("torchaudio_conformer.tflite") << 138 << 2 << 1 << 357608;
        QTest::newRow("pretrainedResnet_quant.tflite") << 16 << 1 << 1 << 78752;
    }
    void theCorpusIsRead()
    {
        QFETCH(int, operators);
        QFETCH(int, inputs);
        QFETCH(int, outputs);
        QFETCH(int, constantBytes);
        const QString path = corpusFile(QTest::currentDataTag());
        if (!QFile::exists(path)) QSKIP("the corpus of TensorFlow Lite models is not here");
        const auto graph = readGraph(path.toStdString(), {});
        QVERIFY2(graph.ok(), errorOf(graph).c_str());
        QCOMPARE(static_cast<int>(graph.value().nodes.size()), operators);
        QCOMPARE(static_cast<int>(graph.value().top().inputs.size()), inputs);
        QCOMPARE(static_cast<int>(graph.value().top().outputs.size()), outputs);
        const auto inferred = inferTypes(graph.value(), {}, {});
        QVERIFY2(inferred.ok(), inferred.ok() ? "" : describe(inferred.error()).c_str());
        std::int64_t bytes = 0;
        for (const Value& value : inferred.value().graph.values) {
            QVERIFY2(value.type.bytes().has_value(), value.name.c_str());
            if (value.data->present()) bytes += *value.type.bytes();
        }
        QCOMPARE(static_cast<int>(bytes), constantBytes);
    }

    /// Cut off anywhere and changed anywhere, a file is read or refused.
    void damagedFilesAreRefusedOrRead_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        const auto made = [](std::string_view text) { return QByteArray::fromStdString(tfliteBytes(text)); };
        QTest::newRow("small") << made(Small);
        QTest::newRow("plan") << made(std::string(Small) + "plan 0 1 0 -1 16 32");
        QTest::newRow("nested_while.bin") << corpusBytes("nested_while.bin");
        QTest::newRow("simple_group_norm_op.tflite") << corpusBytes("simple_group_norm_op.tflite");
        QTest::newRow("dynamic_shapes.bin") << corpusBytes("dynamic_shapes.bin");
    }
    void damagedFilesAreRefusedOrRead()
    {
        QFETCH(QByteArray, bytes);
        if (bytes.isEmpty()) QSKIP("the corpus of TensorFlow Lite models is not here");
        const std::string whole = bytes.toStdString();
        QVERIFY(readBytes(whole).ok());
        const int read = readDamaged(whole, [](const std::string& damaged) { return readBytes(damaged).ok(); });
        QVERIFY(read > 0);
        QVERIFY(read < DamagedCopies);
    }

    void whatIsDamagedHasAPlace()
    {
        const std::string whole = tfliteBytes(Small);
        std::set<std::string> places;
        for (std::size_t byte = 0; byte < whole.size(); ++byte) {
            std::string changed = whole;
            changed[byte] = '\x7F';
            const auto graph = readBytes(changed);
            if (graph.ok() || errorOf(graph).find("damaged or cut short") == std::string::npos) continue;
            places.insert(graph.error().where);
        }
        QVERIFY(!places.contains(""));
        for (const char* place : {"byte 0", "subgraphs", "subgraphs[0]", "subgraphs[0].tensors",
                                  "subgraphs[0].tensors[1]", "subgraphs[0].operators[1]", "buffers[1]"})
            QVERIFY2(places.contains(place), place);
    }
};

QTEST_APPLESS_MAIN(TfliteReader)
#include "tst_tflite_reader.moc"
