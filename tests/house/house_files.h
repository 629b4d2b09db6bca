#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace plimsoll::test {

/// Every C++ source and header of the repository, as paths from its root ("core/base/ids.h").
[[nodiscard]] QStringList sourceFiles();
[[nodiscard]] QString readFile(const QString& path);

/// The project headers that a file includes ("core/base/ids.h"), and the others (<vector>, <QWidget>) without brackets.
struct Includes
{
    QStringList own;
    QStringList foreign;
};
[[nodiscard]] Includes includesOf(const QString& path);

/// A function body found by its braces: its first line and how many lines it has, from the line of the opening brace's
/// statement to the closing brace.
struct FunctionSize
{
    QString name;
    int line = 0;
    int lines = 0;
};
[[nodiscard]] std::vector<FunctionSize> functionsOf(const QString& text);

/// A class or struct with its data members; types that are declared in it are counted apart.
struct ClassSize
{
    QString name;
    int line = 0;
    int lines = 0;
    int members = 0;      ///< Data, static ones left out.
    bool program = false; ///< It has functions.
};
[[nodiscard]] std::vector<ClassSize> classesOf(const QString& text);

/// The lines in which a size, or the distance of two places in a container, is cast to a type of at most 32 bits.
[[nodiscard]] std::vector<int> narrowedSizesOf(const QString& text);

} // namespace plimsoll::test
