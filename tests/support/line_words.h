#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

/// What the writers of models from lines of text share.
namespace plimsoll::test {

/// The number of the line called \p word: "-" is -1, "@9" is 9 whatever there is; a word that is no name is one too
/// far.
template <typename Line>
int numberOf(const std::vector<Line>& lines, const std::string& word)
{
    if (word == "-") return -1;
    if (word.front() == '@') return std::stoi(word.substr(1));
    const auto found = std::find_if(lines.begin(), lines.end(), [&](const Line& line) { return line.name == word; });
    return static_cast<int>(found - lines.begin());
}

template <typename Line>
std::vector<int> numbersOf(const std::vector<Line>& lines, const std::vector<std::string>& words)
{
    std::vector<int> numbers;
    for (const std::string& word : words)
        numbers.push_back(numberOf(lines, word));
    return numbers;
}

/// "1,-1,4"
inline std::vector<int> listedNumbers(const std::string& list)
{
    std::vector<int> all;
    std::istringstream in(list);
    for (std::string one; std::getline(in, one, ',');)
        all.push_back(std::stoi(one));
    return all;
}

} // namespace plimsoll::test
