#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::test {

/// Runs one operator through its schema and says what came out, in the notation of the case:
///
///     "Conv@11 float32[1,3,32,32] float32[8,3,3,3] pads=1,1,1,1" gives "float32[1,8,32,32]"
///     "Gather int64[3]={4,?,6} int64[]={2}"                      gives "int64[]={6}"
///     "MatMul float32[2,3] float32[4,5]"                         gives "error: float32[2,3] and …"
///
/// An input that is left out is "_". A ? is a dimension or an element that is not known; "[?…]" an unknown rank.
/// Attributes: name=1 (int), name=1.5 (float), name=1,2 or name=1, (ints), name=0.5,2.0 (floats), name='text',
/// name='a|b' (texts). "out=2" asks for two outputs.
[[nodiscard]] std::string inferred(const std::string& operatorCase);

/// What the node requires of its inputs: " | 1 float32[8,3,3,3] 2 float32[8]"; nothing where that is nothing.
[[nodiscard]] std::string required(const std::string& operatorCase);

/// The outputs with how they are kept. Of an input, "float32[4,3]@csr:5" keeps 5 elements at most.
[[nodiscard]] std::string stored(const std::string& operatorCase);

/// The lines "NODE -> RESULT" of a text.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> casesIn(const std::string& text);

/// The rows of a test, one for each of these lines, and the comparison of a row: outputs, then what the node requires.
/// The result "error" stands for any error. \p domain is put before the node: "mxnet::".
void addNodeRows(std::initializer_list<std::string> texts);
void compareNodeRow(const std::string& domain = {});

/// What comes out when the inputs hold what the row of the operator says that they must for the outputs behind the
/// arrow: "Slice float32[10] int64[1] int64[1] -> float32[4]" gives "float32[4]".
[[nodiscard]] std::string solved(const std::string& operatorCase);

/// What is wrong with the form of the node, whatever the shapes: "error: It has 2 inputs; Mish takes 1."; else nothing.
[[nodiscard]] std::string formOf(const std::string& operatorCase);

} // namespace plimsoll::test
