#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// A template in the syntax of {fmt}: "{0}" is the first argument, "{0:node}" an amount with its noun ("1 node",
/// "2 nodes"), "{0:Knoten|Knoten}" the same where an "s" does not make the plural, "{0:?is|are}" what goes with an
/// amount, "{0:-}" a sentence without its full stop, and "{0:~}" one without its capital, too.
struct Sentence
{
    std::string_view id;
    std::string_view text;
};

/// How a front end names a remedy.
using RemedyWords = std::string (*)(const Remedy& remedy);

/// Those of the command line, and of files: "saved=exact", "--max-stored a=…".
[[nodiscard]] std::string optionWords(const Remedy& remedy);

/// The text of a message. A message without a template shows its id and arguments.
[[nodiscard]] std::string english(const Message& message);
[[nodiscard]] std::string english(const Message& message, RemedyWords words);

[[nodiscard]] std::vector<std::string> english(const std::vector<Message>& messages);

/// "file: where: message", leaving out what is empty.
[[nodiscard]] std::string describe(const Error& error, RemedyWords words = optionWords);

/// Policies, options and commands that a message names, in its order: what a front end can make buttons of.
[[nodiscard]] std::vector<Remedy> remediesIn(const Message& message);

/// \p id as the literal that a table has; empty where none has it.
[[nodiscard]] std::string_view knownId(std::string_view id);

/// Every template there is, one an id.
[[nodiscard]] std::vector<Sentence> englishSentences();

/// A word of ours that is shown by itself, in the language that is spoken: the title of a column, a role, a policy.
[[nodiscard]] std::string_view spoken(std::string_view word);

/// From now on other templates stand for the same ids, and other words for the English ones, which are their ids: a
/// translation. How they write "1,234.5" (the sentence "number"), all numbers are written. Expects texts that outlive
/// all use, and no other thread that renders at that moment. Empty: English.
void speak(const std::vector<Sentence>& sentences, const std::vector<Sentence>& words = {});

} // namespace plimsoll
