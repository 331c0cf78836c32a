import { expect, test } from "vitest";
import { toSentence } from "./sentence.ts";

test.each([
  ["Not found", "Not found."],
  [" Syntax error\n  at [1:2] ", "Syntax error at [1:2]."],
  ["Try again!", "Try again!"],
])("a message of a service is one line that ends like a sentence: %j", (message, sentence) => {
  expect(toSentence(message)).toBe(sentence);
});
