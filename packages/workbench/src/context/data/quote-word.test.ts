import { expect, test } from "vitest";
import { quoteWord } from "./quote-word.ts";

test("a name that a shell would read as more than a word is in quotes", () => {
  expect(quoteWord("orders.revenue")).toBe("orders.revenue");
  expect(quoteWord("orders.$(reboot)")).toBe("'orders.$(reboot)'");
  expect(quoteWord("a'b; c")).toBe("'a'\\''b; c'");
  expect(quoteWord("größe")).toBe("'größe'");
  expect(quoteWord("")).toBe("''");
});
