import { expect, test } from "vitest";
import { shellWord } from "./shell-word.ts";

test("a name that a shell would read as more than a word is in quotes", () => {
  expect(shellWord("orders.revenue")).toBe("orders.revenue");
  expect(shellWord("orders.$(reboot)")).toBe("'orders.$(reboot)'");
  expect(shellWord("a'b; c")).toBe('"a\'b; c"');
  expect(shellWord("a'b; $c")).toBe("'a'\\''b; $c'");
  expect(shellWord("größe")).toBe('"größe"');
  expect(shellWord("")).toBe('""');
});
