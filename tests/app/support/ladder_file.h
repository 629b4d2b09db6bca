#pragma once

#include <QByteArray>

namespace plimsoll::test {

/// a and b are alive at once; c may lie in a.
inline constexpr const char* Ladder = R"({
  "schema": "plimsoll.graph/1", "name": "ladder",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [64]}],
  "nodes": [{"name": "n0", "op": "Relu", "inputs": ["x"], "outputs": ["a"]},
            {"name": "n1", "op": "Sigmoid", "inputs": ["a"], "outputs": ["b"]},
            {"name": "n2", "op": "Add", "inputs": ["a", "b"], "outputs": ["c"]}],
  "outputs": ["c"]
})";

/// A plan of it with a at 0.
[[nodiscard]] inline QByteArray ladderPlan(int offsetOfB, int offsetOfC)
{
    return QByteArray(R"({"schema": "plimsoll.plan/1", "graph": null, "steps": null,
  "arenas": [{"space": "cpu", "alignment": 64, "bytes": )") +
           QByteArray::number(offsetOfC + 256) + R"(}],
  "allocations": [{"value": "a", "offset": 0, "bytes": 256}, {"value": "b", "bytes": 256, "offset": )" +
           QByteArray::number(offsetOfB) + R"(}, {"value": "c", "bytes": 256, "offset": )" +
           QByteArray::number(offsetOfC) + "}]}";
}

} // namespace plimsoll::test
