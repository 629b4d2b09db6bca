#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QStringList>

#include <initializer_list>
#include <utility>

namespace plimsoll::test {

/// What a command has left; -1 where it did not end by itself.
struct Finished
{
    int status = -1;
    QByteArray out;
    QByteArray err;

    [[nodiscard]] QString text() const { return QString::fromUtf8(out); }
    [[nodiscard]] QString said() const { return QString::fromUtf8(err); }
    [[nodiscard]] QJsonObject json() const;
};

/// plimsoll-cli as it was built, with \p input on its standard input.
[[nodiscard]] Finished runCli(const QStringList& arguments, const QByteArray& input = {});

/// The same with variables of the environment set.
using Variables = std::initializer_list<std::pair<const char*, const char*>>;
[[nodiscard]] Finished runCliWith(const Variables& variables, const QStringList& arguments);

} // namespace plimsoll::test
