import { expect, test } from "vitest";
import { admitsIgnorance, findWords } from "./said-words.ts";

test.each([
  ["I do not know. The database has no prices of purchase.", true],
  ["That can’t be answered from these tables.", true],
  ["**I don't know**: costs are missing.", true],
  ["This cannot be determined from the data.", true],
  ["No table says what a test order is, so I assume the channel test. 42 orders.", false],
  ["The value is unknown for 3 of 42 orders.", false],
  ["", false],
])("the answer %j is recognised as one that says that it is none: %s", (answer, expected) => {
  expect(admitsIgnorance(answer)).toBe(expected);
});

test("words are found whole, in any case, and whatever stands between them", () => {
  expect(findWords("Counted by **Order\n date**.", ["ship date", "order date"])).toBe("order date");
  expect(findWords("The orders", ["order"])).toBeUndefined();
  expect(findWords("Umsätze nach Größe", ["größe"])).toBe("größe");
});
