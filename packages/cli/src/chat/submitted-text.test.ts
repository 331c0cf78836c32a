import { Editor, type Terminal, TuiMainScreen } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { slashCompletions } from "./completions.ts";
import { createStyle } from "./style.ts";

/** A terminal that shows nothing. */
const terminal: Terminal = {
  ...{ columns: 80, rows: 24, kittyProtocolActive: false },
  ...{ start() {}, stop() {}, write() {}, moveBy() {}, hideCursor() {}, showCursor() {}, clearLine() {} },
  ...{ clearFromCursor() {}, clearScreen() {}, setTitle() {}, setProgress() {}, async drainInput() {} },
};

/** Types bursts of keys. Between two bursts, the list of completions arrives; within one it does not. */
async function submitAfter(bursts: readonly string[][]) {
  const editor = new Editor(new TuiMainScreen(terminal), createStyle((_colour, text) => text).editor);
  editor.setAutocompleteProvider(slashCompletions);
  const submitted: string[] = [];
  editor.onSubmit = (text) => submitted.push(text);
  const shown: string[] = [];
  for (const burst of bursts) {
    for (const key of burst) {
      shown.push(editor.getText());
      editor.handleInput(key);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return { submitted, shown: shown.at(-1) ?? "" };
}

const [enter, tab, clear, backspace] = ["\r", "\t", "\u0015", "\u007f"];
const keys = (text: string) => [...text];

test.each<[what: string, bursts: string[][]]>([
  ["after the line was cleared", [keys("/se"), [tab], [clear, ...keys("/clear"), enter]]],
  ["after the line was cleared without Tab", [keys("/se"), [clear, ...keys("/clear"), enter]]],
  ["after more letters", [keys("/se"), [...keys("nd it"), enter]]],
  ["after fewer letters", [keys("/se"), [backspace, backspace, ...keys("x"), enter]]],
  ["after a prompt replaced the command", [keys("/ex"), [clear, ...keys("Delete nothing"), enter]]],
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
