#include "core/lower/types/infer_types.h"

#include "graph_draft.h"

#include <QTest>

#include <fstream>

using namespace plimsoll;
using namespace std::string_literals;
using namespace plimsoll::test;

/// Types of whole graphs: bindings, shape arithmetic, and what the file says beside what follows.
class InferTypes : public QObject
{
    Q_OBJECT

private slots:
    void aSymbolIsOneUntilItIsBound_data();
    void aSymbolIsOneUntilItIsBound();
    void unnamedDimensionsAreNamedAfterTheirInput();
    void sizesThatCannotBeOneAreTriedUpwards();
    void whatTheGraphDoesNotHaveCannotBeBound_data();
    void whatTheGraphDoesNotHaveCannotBeBound();
    void shapeArithmeticIsEvaluated();
    void oneUnknownElementLeavesTheOthersKnown();
    void literalsInFilesAreReadWhenShapesNeedThem();
    void contradictionsWithTheFileAreErrors_data();
    void contradictionsWithTheFileAreErrors();
    void staleTypesGiveWayToReplacedShapes();
    void sizesOver63BitsAreErrors();
    void typesOfUnknownOperatorsComeFromTheFile();
    void whatStaysUnknownSaysWhy();
    void aStoppedInferenceSaysSo();
};

void InferTypes::aSymbolIsOneUntilItIsBound_data()
{
    QTest::addColumn<int>("how"); // 0: not at all, 1: by symbol, 2: by the shape of the input
    QTest::addColumn<QString>("type");
    QTest::addColumn<bool>("assumed");
    QTest::newRow("assumed") << 0 << "float32[1,3,2]" << true;
    QTest::newRow("by symbol") << 1 << "float32[8,3,2]" << false;
    QTest::newRow("by shape") << 2 << "float32[5,3,2]" << false;
}

void InferTypes::aSymbolIsOneUntilItIsBound()
{
    QFETCH(int, how);
    QFETCH(QString, type);
    QFETCH(bool, assumed);
    Draft draft;
    draft.input("x", symbolic({{-1, "batch"s}, {3, {}}, {2, {}}}));
    draft.input("y", symbolic({{-1, "batch"s}, {1, {}}, {1, {}}}));
    draft.node("Add x y -> z");
    draft.declare("z", symbolic({{-1, "other"s}, {3, {}}, {2, {}}}));
    InferenceRequest request;
    if (how == 1) request.dims["batch"] = 8;
    if (how == 2) request.shapes["x"] = {5, 3, 2};

    const auto inferred = draft.infer(request);

    QCOMPARE(typeOf(inferred, "z"), type);
    QCOMPARE(inferred.value().bindings.size(), std::size_t(1));
    QCOMPARE(inferred.value().bindings[0].dim, std::string("batch"));
    QCOMPARE(inferred.value().bindings[0].assumed, assumed);
}

void InferTypes::unnamedDimensionsAreNamedAfterTheirInput()
{
    Draft draft;
    draft.input("x", symbolic({{}, {3, {}}}));
    draft.node("Relu x -> y");
    InferenceRequest request;
    request.dims["x.0"] = 4;

    QCOMPARE(typeOf(draft.infer(), "y"), QStringLiteral("float32[1,3]"));
    QCOMPARE(typeOf(draft.infer(request), "y"), QStringLiteral("float32[4,3]"));
}

void InferTypes::sizesThatCannotBeOneAreTriedUpwards()
{
    Draft draft;
    draft.input("x", symbolic({{-1, "batch"s}, {1, {}}, {-1, "length"s}}));
    draft.builder.addParameter("w", floats({1, 1, 100}));
    draft.node("Conv x w -> y");

    const auto inferred = draft.infer();

    QCOMPARE(typeOf(inferred, "y"), QStringLiteral("float32[1,1,29]"));
    QCOMPARE(inferred.value().bindings[1], (Binding {"length", 128, true}));
}

void InferTypes::whatTheGraphDoesNotHaveCannotBeBound_data()
{
    QTest::addColumn<QString>("dim");
    QTest::addColumn<QString>("input");
    QTest::addColumn<int>("rank");
    QTest::addColumn<QString>("mentions");
    QTest::newRow("symbol") << "bath"
                            << "" << 0 << "batch";
    QTest::newRow("input") << ""
                           << "xx" << 2 << "Its inputs: x";
    QTest::newRow("rank") << ""
                          << "x" << 3 << "number of dimensions";
    QTest::newRow("two sizes") << "batch"
                               << "x" << 2 << "two sizes";
}

void InferTypes::whatTheGraphDoesNotHaveCannotBeBound()
{
    QFETCH(QString, dim);
    QFETCH(QString, input);
    QFETCH(int, rank);
    QFETCH(QString, mentions);
    Draft draft;
    draft.input("x", symbolic({{-1, "batch"s}, {2, {}}}));
    InferenceRequest request;
    if (!dim.isEmpty()) request.dims[dim.toStdString()] = 7;
    if (!input.isEmpty()) request.shapes[input.toStdString()] = Shape(std::size_t(rank), 2);

    const auto inferred = draft.infer(request);

    QVERIFY(!inferred.ok());
    QCOMPARE(inferred.error().code, ErrorCode::BadUsage);
    QVERIFY2(errorOf(inferred).contains(mentions), qPrintable(errorOf(inferred)));
}

void InferTypes::shapeArithmeticIsEvaluated()
{
    Draft draft;
    draft.input("x", symbolic({{-1, "batch"s}, {6, {}}, {4, {}}}));
    draft.constant("zero", {0}, true);
    draft.constant("two", {2}, true);
    draft.constant("axis", {0});
    draft.constant("rest", {-1});
    draft.node("Shape x -> shape");
    draft.node("Gather shape zero -> batch");
    draft.node("Mul batch two -> twice");
    draft.node("Unsqueeze twice axis -> first");
    draft.node("Concat first rest -> wanted", {{"axis", std::int64_t {0}}});
    draft.node("Reshape x wanted -> y");
    InferenceRequest request;
    request.dims["batch"] = 3;

    const auto inferred = draft.infer(request);

    QCOMPARE(typeOf(inferred, "y"), QStringLiteral("float32[6,12]"));
    QVERIFY(inferred.value().contents[findValue(inferred.value().graph, "wanted").index()].complete());
}

void InferTypes::oneUnknownElementLeavesTheOthersKnown()
{
    Draft draft;
    draft.input("n", TensorType::dense(DType::Int64, {1}));
    draft.constant("three", {3});
    draft.node("Concat three n three -> wanted", {{"axis", std::int64_t {0}}});
    draft.node("ConstantOfShape wanted -> y");

    const auto inferred = draft.infer();

    QCOMPARE(typeOf(inferred, "y"), QStringLiteral("float32[3,?,3]"));
    QCOMPARE(reasonFor(inferred, "y"), QStringLiteral("the shape it is given is data"));
}

void InferTypes::literalsInFilesAreReadWhenShapesNeedThem()
{
    const auto path = std::filesystem::temp_directory_path() / "plimsoll_tst_infer_types.bin";
    const std::int64_t numbers[] = {99, 3, 2};
    std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(numbers), sizeof numbers);
    Draft draft;
    draft.input("x", floats({6}));
    TensorData data;
    data.file = path;
    data.fileOffset = 8;
    data.fileBytes = 16;
    draft.builder.addConstant("wanted", TensorType::dense(DType::Int64, {2}), data);
    draft.node("Reshape x wanted -> y");
    const auto read = draft.infer();
    draft.builder.graph()[draft.builder.find("wanted")].data.edit().fileBytes = 8;
    const auto tooShort = draft.infer();
    std::filesystem::remove(path);

    QCOMPARE(typeOf(read, "y"), QStringLiteral("float32[3,2]"));
    QCOMPARE(typeOf(tooShort, "y"), QStringLiteral("float32[?,?]"));
}

void InferTypes::contradictionsWithTheFileAreErrors_data()
{
    QTest::addColumn<TensorType>("declared");
    QTest::addColumn<QString>("mentions");
    QTest::newRow("size") << floats({2, 4}) << "float32[2,4], but float32[2,3]";
    QTest::newRow("rank") << floats({2}) << "float32[2], but";
    QTest::newRow("element type") << TensorType::dense(DType::Int32, {2, 3}) << "int32[2,3], but";
    QTest::newRow("a symbol is none") << symbolic({{-1, "n"s}, {3, {}}}) << "none";
}

void InferTypes::contradictionsWithTheFileAreErrors()
{
    QFETCH(TensorType, declared);
    QFETCH(QString, mentions);
    Draft draft;
    draft.input("x", floats({2, 3}));
    draft.input("free", symbolic({{-1, "n"s}})); // An assumed size elsewhere excuses nothing.
    draft.node("Relu x -> y");
    draft.declare("y", declared);

    QVERIFY2(errorOf(draft.infer()).contains(mentions), qPrintable(errorOf(draft.infer())));
}

void InferTypes::staleTypesGiveWayToReplacedShapes()
{
    Draft draft;
    draft.input("x", floats({2, 3}));
    draft.node("Relu x -> y");
    draft.declare("y", floats({2, 3}));
    InferenceRequest request;
    request.shapes["x"] = {7, 3};

    QCOMPARE(typeOf(draft.infer(request), "y"), QStringLiteral("float32[7,3]"));
}

void InferTypes::sizesOver63BitsAreErrors()
{
    Draft draft;
    draft.input("x", floats({1LL << 31, 1}));
    draft.input("y", floats({1, 1LL << 31}));
    draft.node("Add x y -> z");

    QVERIFY2(errorOf(draft.infer()).contains(QStringLiteral("63 bits")), qPrintable(errorOf(draft.infer())));
}

void InferTypes::typesOfUnknownOperatorsComeFromTheFile()
{
    Draft draft;
    draft.input("x", symbolic({{-1, "batch"s}}));
    draft.node("com.example::Foo x -> y z w");
    draft.declare("y", symbolic({{-1, "batch"s}, {5, {}}}));
    draft.declare("w", symbolic({{-1, {}}, {5, {}}}));

    const auto inferred = draft.infer();

    QCOMPARE(typeOf(inferred, "y"), QStringLiteral("float32[1,5]"));
    QCOMPARE(reasonFor(inferred, "z"),
             QStringLiteral("operator com.example::Foo is not known and the file gives no type"));
    QCOMPARE(reasonFor(inferred, "w"), QStringLiteral("float32[?,5] has sizes that only the run knows"));
}

void InferTypes::whatStaysUnknownSaysWhy()
{
    Draft draft;
    draft.input("x", floats({2, 3}));
    draft.node("NonZero x -> found");
    draft.node("Neg found -> after");

    const auto inferred = draft.infer();

    QCOMPARE(typeOf(inferred, "after"), QStringLiteral("int64[2,?]"));
    QCOMPARE(reasonFor(inferred, "found"), QStringLiteral("depends on data: NonZero"));
    QCOMPARE(reasonFor(inferred, "after"), QStringLiteral("input 'found' of it is unknown"));
}

void InferTypes::aStoppedInferenceSaysSo()
{
    Draft draft;
    draft.input("x0", floats({2}));
    for (int i = 0; i < 600; ++i)
        draft.node("Relu x" + std::to_string(i) + " -> x" + std::to_string(i + 1));
    std::stop_source source;
    source.request_stop();

    const auto inferred = inferTypes(draft.builder.graph(), {}, Context {source.get_token(), {}});

    QVERIFY(!inferred.ok());
    QCOMPARE(inferred.error().code, ErrorCode::Stopped);
}

QTEST_APPLESS_MAIN(InferTypes)
#include "tst_infer_types.moc"
