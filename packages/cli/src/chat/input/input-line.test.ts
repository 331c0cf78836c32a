import { type Terminal, TuiMainScreen } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { createStyle } from "../style.ts";
import { InputLine } from "./input-line.ts";

/** A terminal that shows nothing. */
const terminal: Terminal = {
  columns: 80,
  rows: 24,
  kittyProtocolActive: false,
  start() {},
  stop() {},
  write() {},
  moveBy() {},
  hideCursor() {},
  showCursor() {},
  clearLine() {},
  clearFromCursor() {},
  clearScreen() {},
  setTitle() {},
  setProgress() {},
  async drainInput() {},
};
const [up, enter, esc, search] = ["\u001b[A", "\r", "\u001b", "\u0012"];

function open(...prompts: string[]) {
  const style = createStyle((_colour, text) => text);
  const line = new InputLine({ tui: new TuiMainScreen(terminal), style, findPaths: async () => [], submit() {} });
  line.editor.render(80);
  for (const prompt of prompts) line.remember(prompt);
  const press = (...keys: string[]) => {
    for (const key of keys) if (!line.key(key)) line.editor.handleInput(key);
    return line.editor.getText();
  };
  return { line, press };
}

test("Up shows earlier prompts with the cursor at their end", () => {
  const { line, press } = open("first", "a prompt\nof two lines");
  expect(press(up)).toBe("a prompt\nof two lines");
  expect(line.editor.getCursor()).toEqual({ line: 1, col: 12 });
  expect(press("!")).toBe("a prompt\nof two lines!");
  expect(open("first", "second").press(up, up, "!")).toBe("first!");
});

test("Ctrl-R finds the newest prompt with the typed words, then older ones, and Enter takes it into the line", () => {
  const { line, press } = open("Where is order 1?", "Thanks", "Where is order 2?", "And now?");
  expect(press(search, ..."ORDER")).toBe("Where is order 2?");
  expect(line.searchLine).toBe("Search in earlier prompts: ORDER (Enter takes it, Ctrl-R an older one, Esc cancels)");
  expect(press(search)).toBe("Where is order 1?");
  expect(press(search)).toBe("Where is order 1?");
  expect(line.searchLine).toContain("no older one");
  expect(press(enter, "!")).toBe("Where is order 1?!");
  expect(line.searchLine).toBeUndefined();
});

test("Esc ends a search and brings the line back, and so does Enter if nothing was found", () => {
  for (const last of [esc, enter]) {
    const { line, press } = open("Thanks");
    expect(press(..."draft", search, ..."xyz")).toBe("");
    expect(line.searchLine).toContain("(not found; Esc cancels)");
    expect(press(last)).toBe("draft");
  }
});

test("an earlier prompt with hidden characters is shown with escapes, and can be taken by Up and Ctrl-R", () => {
  const odd = "see \u001b]0;title\u0007 and \u001b[2Jthis\u202e\tend";
  const shown = "see \\u{1b}]0;title\\u{7} and \\u{1b}[2Jthis\\u{202e}";
  for (const keys of [[up], [search, ..."title"]]) {
    const { line, press } = open(odd);
    expect(press(...keys)).toContain(shown);
    const drawn = line.editor.render(80).join("\n").replaceAll("\u001b[7m", "").replaceAll("\u001b[0m", ""); // the cursor
    expect(drawn).toContain("see \\u{1b}]0;title");
    expect(drawn).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  }
});
