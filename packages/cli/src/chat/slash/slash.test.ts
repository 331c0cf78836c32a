import { expect, test } from "vitest";
import { createCompletions } from "../input/completions.ts";
import { isShellLine, parseSlash, slashCommands } from "./slash.ts";

test("a line that begins with a slash and a word is a command, and the rest is its argument", () => {
  expect(parseSlash("/tools")).toEqual({ kind: "command", name: "tools", operand: undefined, changesSession: false });
  expect(parseSlash(" /Model sonnet ")).toMatchObject({ name: "model", operand: "sonnet", changesSession: true });
  expect(parseSlash("/sessions")).toMatchObject({ changesSession: false });
  expect(parseSlash("/sessions a")).toMatchObject({ changesSession: true });
  expect(parseSlash("/new")).toMatchObject({ changesSession: true });
});

test.each(["/etc/hosts: what is this?", "hello /tools", "/help me\nwith this", "a / b", ""])(
  "%j is a prompt",
  (text) => {
    expect(parseSlash(text)).toBeUndefined();
  },
);

test("an unknown command or argument is refused with the nearest known one", () => {
  expect(parseSlash("/sesions")).toEqual({
    kind: "unknown",
    message: 'Unknown command "/sesions". Did you mean "/sessions"? /help lists all commands.',
  });
  expect(parseSlash("/")).toMatchObject({ message: 'Unknown command "/". /help lists all commands.' });
  expect(parseSlash("/exit now")).toMatchObject({ message: "/exit has no operand. Type it alone." });
});

test("a command of a shell is recognised, and an exclamation is not", () => {
  expect(["!ls -l", "! cat x"].map(isShellLine)).toEqual([true, true]);
  expect([" !ls", "!", "!!!", "Stop!", "!?"].map(isShellLine)).toEqual([false, false, false, false, false]);
});

test("every command of a chat is listed in this order, and completes from its first letters", async () => {
  const wanted =
    "help new clear sessions resume fork tools policy model context cost compact remember export bundle exit".split(
      " ",
    );
  const completions = createCompletions(async () => []);
  expect(slashCommands.map(({ name }) => name)).toEqual(wanted);
  const options = { signal: new AbortController().signal };
  const found = await completions.getSuggestions(["/co"], 0, 3, options);
  expect(found?.items.map(({ value }) => value)).toEqual(["/context", "/cost", "/compact"]);
  const [, item] = found?.items ?? [];
  if (!item) throw new Error("nothing was found");
  expect(completions.applyCompletion(["/co"], 0, 3, item, "/co")).toEqual({
    lines: ["/cost"],
    cursorLine: 0,
    cursorCol: 5,
  });
  expect(await completions.getSuggestions(["say /co"], 0, 7, options)).toBeNull();
});

test("a long run of blanks in a prompt that starts with a slash is read", () => {
  const blanks = " ".repeat(1_000_000);
  expect(parseSlash(`/model${blanks}opus\nand more`)).toBeUndefined();
  expect(parseSlash(`/model${blanks}opus`)).toMatchObject({ name: "model", operand: "opus" });
});
