import { Editor, type Terminal, TuiMainScreen } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { slashCommands } from "../slash/slash.ts";
import { createStyle } from "../style.ts";
import { createCompletions } from "./completions.ts";

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

/** Types bursts of keys. The list of completions arrives between bursts, but not within a burst. */
async function submitAfter(bursts: readonly string[][]) {
  const editor = createEditor();
  const submitted: string[] = [];
  const shown: string[] = [];
  editor.onSubmit = (text) => submitted.push(text);
  for (const burst of bursts) {
    for (const key of burst) {
      shown.push(editor.getText());
      editor.handleInput(key);
    }
    await listArrives();
  }
  return { submitted, shown: shown.at(-1) ?? "" };
}

function createEditor(): Editor {
  const editor = new Editor(new TuiMainScreen(terminal), createStyle((_colour, text) => text).editor);
  editor.setAutocompleteProvider(createCompletions(async () => ["notes.md", "docs/"]));
  return editor;
}

const listArrives = () => new Promise((resolve) => setTimeout(resolve, 5));

const [enter, tab, clear, backspace] = ["\r", "\t", "\u0015", "\u007f"];
const [close, up, down, left] = ["\u001b", "\u001b[A", "\u001b[B", "\u001b[D"];
const [toStart, cutRest, cutWord] = ["\u0001", "\u000b", "\u0017"];
const paste = (text: string) => `\u001b[200~${text}\u001b[201~`;
const keys = (text: string) => [...text];

test.each<[what: string, bursts: string[][]]>([
  ["after the line was cleared", [keys("/se"), [tab], [clear, ...keys("/clear"), enter]]],
  ["after the line was cleared without Tab", [keys("/se"), [clear, ...keys("/clear"), enter]]],
  ["after more letters", [keys("/se"), [...keys("nd it"), enter]]],
  ["after fewer letters", [keys("/se"), [backspace, backspace, ...keys("x"), enter]]],
  ["after a prompt replaced the command", [keys("/ex"), [clear, ...keys("Delete nothing"), enter]]],
  ["after a paste replaced the command", [keys("/ex"), [clear, paste("Delete nothing"), enter]]],
  ["after a paste continued the command", [keys("/se"), [paste("nd it"), enter]]],
  ["after a pasted command got another letter", [[paste("/se")], [...keys("x"), enter]]],
  ["after another entry was selected", [keys("/s"), [down], [...keys("x"), enter]]],
  ["after the list was closed", [keys("/se"), [close, ...keys("x"), enter]]],
  ["after the word was cut", [keys("/se"), [cutWord, ...keys("/cost"), enter]]],
  ["after the line was cut from its start", [keys("/se"), [toStart, cutRest, ...keys("/cost"), enter]]],
  ["with everything in one burst", [[...keys("/se"), tab, clear, ...keys("/clear"), enter]]],
])("Enter sends the text as it is in the input line, %s", async (_what, bursts) => {
  const { submitted, shown } = await submitAfter(bursts);
  expect(submitted).toEqual([shown]);
});

test("Tab with an old list of completions leaves the text as it is", async () => {
  const { submitted } = await submitAfter([keys("/se"), [clear, ...keys("/clear"), tab], [enter]]);
  expect(submitted).toEqual(["/clear"]);
});

test("Enter chooses from a list that fits the text, and Tab completes it first", async () => {
  expect((await submitAfter([keys("/se"), [enter]])).submitted).toEqual(["/sessions"]);
  expect((await submitAfter([keys("/ses"), [tab], [enter]])).submitted).toEqual(["/sessions"]);
});

/** Generates numbers from 0 to 1 that are the same in every test run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const anyKey = [
  "/",
  "/",
  "s",
  "e",
  "x",
  "c",
  "o",
  " ",
  paste("/se"),
  paste("send it"),
  paste("/exit"),
  tab,
  clear,
  backspace,
  close,
  up,
  down,
  left,
  toStart,
  cutRest,
  cutWord,
];

/** Whether Enter may send a command in place of its typed beginning, because the displayed list is for the text. */
function isCompletionOf(shown: string, sent: string): boolean {
  return /^\/[a-z]*$/.test(shown) && sent.startsWith(shown) && slashCommands.some(({ name }) => sent === `/${name}`);
}

test("whatever keys come in whatever bursts, Enter sends the input line, or a command that begins with it", async () => {
  const random = numbersFrom(7);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  let completed = 0;
  for (let round = 0; round < 400; round += 1) {
    const editor = createEditor();
    let sent: string | undefined;
    editor.onSubmit = (text) => {
      sent = text;
    };
    const typed: string[] = [];
    const length = 1 + Math.floor(10 * random());
    for (let count = 0; count < length; count += 1) {
      const key = pick(anyKey);
      typed.push(key);
      editor.handleInput(key);
      if (random() < 0.3) await listArrives();
    }
    if (random() < 0.5) await listArrives();
    const shown = editor.getText().trim();
    editor.handleInput(enter);
    await listArrives();
    if (sent === undefined || sent === shown) continue;
    expect(isCompletionOf(shown, sent), JSON.stringify({ typed, shown, sent })).toBe(true);
    completed += 1;
  }
  expect(completed).toBeGreaterThan(0); // verifies that lists arrived and completed texts
});
