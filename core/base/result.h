#pragma once

#include "core/base/message.h"

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace plimsoll {

/// What kind of trouble an Error is. The command line turns it into an exit status.
enum class ErrorCode {
    BadInput,    ///< A file or a request that cannot be read or is not valid: exit 3.
    BadUsage,    ///< An argument or a policy that does not exist: exit 2.
    Unsupported, ///< Cannot run here: no kernel, library or device: exit 4.
    Stopped,     ///< The user asked for it to stop.
    Internal,    ///< A broken promise of our own. Always a bug.
};

/// What went wrong, where, and what to do about it. Written for its reader.
struct Error
{
    ErrorCode code = ErrorCode::BadInput;
    Message message;   ///< One sentence; says what and, where it can, what to do.
    std::string where; ///< Place in the input: "byte 512", "nodes[3].inputs[0]", "node 'conv1'". May be empty.
    std::string file;  ///< The file that was read, if any.

    friend bool operator==(const Error&, const Error&) = default;
};

/// "file: where: message", leaving out what is empty: an error as the argument of another message.
[[nodiscard]] inline Message toMessage(const Error& error)
{
    Message message = error.message;
    for (const std::string* place : {&error.where, &error.file}) {
        if (!place->empty()) message = say("error.at", *place, std::move(message));
    }
    return message;
}

/// A value or an Error. Not convertible to bool, so that a Result<bool> cannot be misread.
///
///     Result<Graph> graph = readGraph(path);
///     if (!graph.ok()) return graph.error();
///     use(graph.value());
template <typename T>
class [[nodiscard]] Result
{
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return m_state.index() == 0; }

    [[nodiscard]] T& value() &
    {
        assert(ok());
        return *std::get_if<0>(&m_state);
    }
    [[nodiscard]] const T& value() const&
    {
        assert(ok());
        return *std::get_if<0>(&m_state);
    }
    [[nodiscard]] T&& value() &&
    {
        assert(ok());
        return std::move(*std::get_if<0>(&m_state));
    }
    [[nodiscard]] const Error& error() const
    {
        assert(!ok());
        return *std::get_if<1>(&m_state);
    }

private:
    std::variant<T, Error> m_state;
};

/// Success without a value, or an Error.
class [[nodiscard]] Status
{
public:
    Status() = default;
    Status(Error error) : m_error(std::move(error)) {}

    [[nodiscard]] bool ok() const { return !m_error.has_value(); }
    [[nodiscard]] const Error& error() const
    {
        assert(m_error.has_value());
        return *m_error;
    }

private:
    std::optional<Error> m_error;
};

/// A name for each use, so that one may stand inside another.
#define PLIMSOLL_RESULT_NAMED(number) plimsollResult##number
#define PLIMSOLL_RESULT_NUMBERED(number) PLIMSOLL_RESULT_NAMED(number)
#define PLIMSOLL_RESULT PLIMSOLL_RESULT_NUMBERED(__COUNTER__)

/// Leaves the current function with the error of \p expression, if it has one.
#define PLIMSOLL_TRY(expression) PLIMSOLL_TRY_AS(PLIMSOLL_RESULT, expression)
#define PLIMSOLL_TRY_AS(result, expression)                                                                            \
    do {                                                                                                               \
        if (auto result = (expression); !result.ok()) return result.error();                                           \
    } while (false)

/// Gives \p target the value of \p expression, or leaves the current function with its error.
#define PLIMSOLL_SET(target, expression) PLIMSOLL_SET_AS(PLIMSOLL_RESULT, target, expression)
#define PLIMSOLL_SET_AS(result, target, expression)                                                                    \
    do {                                                                                                               \
        auto result = (expression);                                                                                    \
        if (!result.ok()) return result.error();                                                                       \
        target = std::move(result).value();                                                                            \
    } while (false)

/// Declares \p name as the value of \p expression, or leaves the current function with its error.
#define PLIMSOLL_ASSIGN(name, expression)                                                                              \
    auto name##Result = (expression);                                                                                  \
    if (!name##Result.ok()) return name##Result.error();                                                               \
    auto name = std::move(name##Result).value()

} // namespace plimsoll
