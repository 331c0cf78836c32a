import { showHiddenInDocument } from "@bridle/protocol";
import { Editor, matchesKey, type TUI } from "@earendil-works/pi-tui";
import type { Style } from "../style.ts";
import { createCompletions, type FindPaths } from "./completions.ts";
import { HistorySearch } from "./history-search.ts";
import { PromptHistory } from "./prompt-history.ts";

interface InputLineOptions {
  readonly tui: TUI;
  readonly style: Style;
  readonly findPaths: FindPaths;
  submit(text: string): void;
}

/** The maximum number of rows of an earlier prompt that the cursor moves through. */
const maxRows = 10_000;
const keys = { down: "\u001b[B", end: "\u001b[F" } as const;

/** The text that the user types, with the earlier prompts and the search in them. */
export class InputLine {
  readonly editor: Editor;
  readonly #history = new PromptHistory();
  #search: HistorySearch | undefined;
  /** The text that was in the line before a search or a question used it. */
  #saved: string | undefined;

  constructor({ tui, style, findPaths, submit }: InputLineOptions) {
    this.editor = new Editor(tui, style.editor, { autocompleteMaxVisible: 6 });
    this.editor.setAutocompleteProvider(createCompletions(findPaths));
    this.editor.onSubmit = submit;
  }

  /** The line that shows a search; `undefined` without a search. */
  get searchLine(): string | undefined {
    return this.#search?.line;
  }

  /**
   * Adds a prompt for Up and Ctrl-R. Hidden characters are escaped, because a program may have sent the prompt, and the editor would write
   * them to the terminal. Tabs become spaces, as in pasted text.
   */
  remember(prompt: string): void {
    const text = showHiddenInDocument(prompt).replaceAll("\t", "    ");
    this.editor.addToHistory(text);
    this.#history.add(text);
  }

  /** Inserts text before the current text. */
  draft(text: string): void {
    if (text === "") return;
    const before = this.editor.getExpandedText();
    this.editor.setText(before === "" ? text : `${text}\n${before}`);
  }

  /** Shows another text until `restore` is called. */
  borrow(text: string): void {
    this.#saved ??= this.editor.getExpandedText();
    this.editor.setText(text);
  }

  restore(): void {
    if (this.#saved === undefined) return;
    const text = this.#saved;
    this.#saved = undefined;
    this.editor.setText(text);
  }

  /** Handles the keys of the history. Returns false for all other keys, which the editor handles. */
  key(data: string): boolean {
    if (this.#search) return this.#keyOfSearch(this.#search, data);
    if (matchesKey(data, "ctrl+r")) {
      this.#search = new HistorySearch(this.#history);
      this.borrow("");
      return true;
    }
    if (!matchesKey(data, "up") || this.editor.isShowingAutocomplete()) return false;
    this.#showEarlier(data);
    return true;
  }

  #keyOfSearch(search: HistorySearch, data: string): boolean {
    const step = search.key(data);
    if (step === "continues") this.editor.setText(search.prompt ?? "");
    else this.#endSearch(step === "cancelled" || search.prompt === undefined);
    return step !== "other";
  }

  #endSearch(isCancelled: boolean): void {
    this.#search = undefined;
    if (isCancelled) this.restore();
    else this.#saved = undefined;
  }

  /** Moves the cursor to the end of an earlier prompt, because users change prompts there. The editor puts the cursor at the start. */
  #showEarlier(up: string): void {
    const before = this.editor.getText();
    this.editor.handleInput(up);
    if (this.editor.getText() === before) return;
    const last = this.editor.getLines().length - 1;
    for (let left = maxRows; left > 0 && this.editor.getCursor().line < last; left -= 1) {
      this.editor.handleInput(keys.down);
    }
    this.editor.handleInput(keys.end);
  }
}
