#include "kernel_case.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace plimsoll;
using namespace plimsoll::kernels;
using namespace plimsoll::kernels::test;

namespace {

using Ints = std::vector<std::int64_t>;

std::vector<Row> movementRows1()
{
    const auto matrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});
    return {
        {"Transpose", OpCase("Transpose").input(matrix), "float32[3,2] 1 4 2 5 3 6"},
        {"Transpose below a byte", OpCase("Transpose").input(numbers(DType::Int4, {2, 3}, {1, 2, 3, -4, -5, -6})),
         "int4[3,2] 1 -4 2 -5 3 -6"},
        {"Reshape copies and infers", OpCase("Reshape").input(matrix).input(ints({3}, {0, -1, 1})),
         "float32[2,3,1] 1 2 3 4 5 6"},
        {"Reshape that cannot be", OpCase("Reshape").input(matrix).input(ints({1}, {4})),
         "error: node 'node': Reshape: float32[2,3] cannot have the shape [4]."},
        {"Flatten", OpCase("Flatten").input(floats({1, 2, 2}, {1, 2, 3, 4})).set("axis", std::int64_t {2}),
         "float32[2,2] 1 2 3 4"},
        {"Squeeze", OpCase("Squeeze").input(floats({1, 2, 1}, {1, 2})).input(ints({1}, {-1})), "float32[1,2] 1 2"},
        {"Unsqueeze", OpCase("Unsqueeze").input(floats({2}, {1, 2})).input(ints({2}, {0, -1})), "float32[1,2,1] 1 2"},
        {"Expand", OpCase("Expand").input(floats({2, 1}, {1, 2})).input(ints({2}, {1, 2})), "float32[2,2] 1 1 2 2"},
        {"Tile", OpCase("Tile").input(floats({1, 2}, {1, 2})).input(ints({2}, {2, 2})), "float32[2,4] 1 2 1 2 1 2 1 2"},
        {"Concat", OpCase("Concat").input(matrix).input(floats({2, 1}, {7, 8})).set("axis", std::int64_t {1}),
         "float32[2,4] 1 2 3 7 4 5 6 8"},
        {"Slice backwards",
         OpCase("Slice")
             .input(matrix)
             .input(ints({1}, {-1}))
             .input(ints({1}, {-100}))
             .input(ints({1}, {1}))
             .input(ints({1}, {-2})),
         "float32[2,2] 3 1 6 4"},
        {"Slice of nothing", OpCase("Slice").input(matrix).input(ints({1}, {5})).input(ints({1}, {9})), "float32[0,3]"},
        {"Slice by attributes",
         OpCase("Slice", 9).input(matrix).set("starts", Ints {1}).set("ends", Ints {3}).set("axes", Ints {1}),
         "float32[2,2] 2 3 5 6"},
    };
}

std::vector<Row> movementRows2()
{
    const auto matrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});
    return {
        {"Gather from behind", OpCase("Gather").input(matrix).input(ints({2}, {-1, 0})).set("axis", std::int64_t {1}),
         "float32[2,2] 3 1 6 4"},
        {"Gather of texts", OpCase("Gather").input(texts({2}, {"a", "b"})).input(ints({1}, {1})), "string[1] 'b'"},
        {"Gather outside", OpCase("Gather").input(matrix).input(ints({1}, {2})),
         "error: node 'node': Gather: index 2 is outside a dimension of 2."},
        {"GatherElements",
         OpCase("GatherElements")
             .input(floats({2, 2}, {1, 2, 3, 4}))
             .input(ints({2, 2}, {0, 0, 1, 0}))
             .set("axis", std::int64_t {1}),
         "float32[2,2] 1 1 4 3"},
        {"GatherND", OpCase("GatherND").input(floats({2, 2}, {1, 2, 3, 4})).input(ints({2, 2}, {0, 0, 1, -1})),
         "float32[2] 1 4"},
        {"ScatterElements over its data",
         OpCase("ScatterElements")
             .input(floats({3}, {1, 2, 3}))
             .input(ints({2}, {2, 0}))
             .input(floats({2}, {7, 8}))
             .inPlace(0),
         "float32[3] 8 2 7"},
        {"ScatterElements adds",
         OpCase("ScatterElements")
             .input(floats({2}, {1, 2}))
             .input(ints({2}, {1, 1}))
             .input(floats({2}, {7, 8}))
             .set("reduction", std::string("add")),
         "float32[2] 1 17"},
        {"ScatterND",
         OpCase("ScatterND").input(floats({2, 2}, {1, 2, 3, 4})).input(ints({1, 1}, {1})).input(floats({1, 2}, {8, 9})),
         "float32[2,2] 1 2 8 9"},
        {"TensorScatter around the end",
         OpCase("TensorScatter", 24)
             .input(floats({1, 3, 1}, {1, 2, 3}))
             .input(floats({1, 2, 1}, {8, 9}))
             .input(ints({1}, {2}))
             .set("mode", std::string("circular")),
         "float32[1,3,1] 9 2 8"},
        {"Pad reflects",
         OpCase("Pad").input(floats({3}, {1, 2, 3})).input(ints({2}, {2, 1})).set("mode", std::string("reflect")),
         "float32[6] 3 2 1 2 3 2"},
        {"Pad wraps",
         OpCase("Pad").input(floats({3}, {1, 2, 3})).input(ints({2}, {1, 1})).set("mode", std::string("wrap")),
         "float32[5] 3 1 2 3 1"},
        {"Pad cuts and fills",
         OpCase("Pad").input(floats({3}, {1, 2, 3})).input(ints({2}, {-1, 2})).input(floats({}, {9})),
         "float32[4] 2 3 9 9"},
        {"DepthToSpace",
         OpCase("DepthToSpace").input(floats({1, 4, 1, 1}, {1, 2, 3, 4})).set("blocksize", std::int64_t {2}),
         "float32[1,1,2,2] 1 2 3 4"},
    };
}

std::vector<Row> movementRows3()
{
    const auto matrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});
    return {
        {"SpaceToDepth",
         OpCase("SpaceToDepth").input(floats({1, 1, 2, 2}, {1, 2, 3, 4})).set("blocksize", std::int64_t {2}),
         "float32[1,4,1,1] 1 2 3 4"},
        {"Trilu", OpCase("Trilu").input(floats({2, 2}, {1, 2, 3, 4})).set("upper", std::int64_t {0}),
         "float32[2,2] 1 0 3 4"},
        {"ReverseSequence",
         OpCase("ReverseSequence").input(floats({3, 2}, {1, 2, 3, 4, 5, 6})).input(ints({2}, {3, 2})),
         "float32[3,2] 5 4 3 2 1 6"},
        {"Compress",
         OpCase("Compress").input(matrix).input(numbers(DType::Bool, {3}, {1, 0, 1})).set("axis", std::int64_t {1}),
         "float32[2,2] 1 3 4 6"},
        {"Compress with flags to spare",
         OpCase("Compress").input(floats({2}, {1, 2})).input(numbers(DType::Bool, {4}, {0, 1, 0, 0})), "float32[1] 2"},
        {"NonZero", OpCase("NonZero").input(floats({2, 2}, {1, 0, 0, 4})), "int64[2,2] 0 1 0 1"},
        {"Shape", OpCase("Shape").input(matrix).set("start", std::int64_t {-1}), "int64[1] 3"},
        {"Range", OpCase("Range").input(ints({}, {5})).input(ints({}, {0})).input(ints({}, {-2})), "int64[3] 5 3 1"},
        {"OneHot", OpCase("OneHot").input(ints({2}, {1, -1})).input(ints({}, {3})).input(floats({2}, {0, 5})),
         "float32[2,3] 0 5 0 0 0 5"},
        {"EyeLike", OpCase("EyeLike").input(floats({2, 2}, {7, 7, 7, 7})).set("k", std::int64_t {1}),
         "float32[2,2] 0 1 0 0"},
        {"CumSum backwards without itself",
         OpCase("CumSum")
             .input(floats({3}, {1, 2, 3}))
             .input(ints({}, {0}))
             .set("reverse", std::int64_t {1})
             .set("exclusive", std::int64_t {1}),
         "float32[3] 5 3 0"},
        {"CumProd", OpCase("CumProd", 26).input(floats({3}, {2, 3, 4})).input(ints({}, {0})), "float32[3] 2 6 24"},
        {"CenterCropPad", OpCase("CenterCropPad").input(floats({3, 1}, {1, 2, 3})).input(ints({2}, {1, 3})),
         "float32[1,3] 0 2 0"},
    };
}

} // namespace

class TestMovementKernels : public QObject
{
    Q_OBJECT

private slots:
    void elementsMoveToTheirPlaces_data() { addRows({movementRows1(), movementRows2(), movementRows3()}); }
    void elementsMoveToTheirPlaces() { compareRow(); }
};

QTEST_APPLESS_MAIN(TestMovementKernels)
#include "tst_movement_kernels.moc"
