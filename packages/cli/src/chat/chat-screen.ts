import type { ChatStore, ChatView, QuestionQueue } from "@bridle/app/chat";
import { type Component, matchesKey, setCapabilities, TuiMainScreen } from "@earendil-works/pi-tui";
import { linesAbove, statusLine } from "./bottom-lines.ts";
import { ChoicePanel, type ChoiceQuestion } from "./choice-panel.ts";
import { createConversationLines } from "./conversation-lines.ts";
import type { FindPaths } from "./input/completions.ts";
import { InputLine } from "./input/input-line.ts";
import { QuestionPanel } from "./question-panel.ts";
import type { Style } from "./style.ts";
import { createTerminal, type TerminalStreams } from "./terminal.ts";

interface ScreenOptions {
  readonly streams: TerminalStreams;
  readonly store: ChatStore<ChatView>;
  readonly style: Style;
  readonly backend: string;
  /** The name of the user. */
  readonly by: string;
  /** The current time, in milliseconds since the epoch. */
  readonly now: () => number;
  readonly questions: QuestionQueue;
  /** Finds paths to complete. */
  readonly findPaths: FindPaths;
  submit(text: string): void;
  /** `key` names the key that was pressed. */
  stopRun(key: "Esc" | "Ctrl-C"): void;
  leave(): void;
}

/** How soon the second Ctrl-C has to follow the first to leave the chat, in milliseconds. */
const twiceMs = 2000;
const tickMs = 1000;
const ctrlC = "\u0003";

/** Shows a chat on a terminal: a growing conversation, questions, and an input line. */
export class ChatScreen {
  readonly #options: ScreenOptions;
  readonly #tui: TuiMainScreen;
  readonly #input: InputLine;
  readonly #panel: QuestionPanel;
  readonly #choice: ChoicePanel;
  #hint: string | undefined;
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #ticking: NodeJS.Timeout | undefined;
  /** Whether the chat has ended. Only the conversation then stays on the terminal. */
  #isOver = false;

  constructor(options: ScreenOptions) {
    this.#options = options;
    const { streams, store, style, by, now, questions, findPaths } = options;
    // A link with a hidden address can lead anywhere, and a text chat needs no pictures.
    setCapabilities({ images: null, trueColor: false, hyperlinks: false });
    this.#tui = new TuiMainScreen(createTerminal(streams));
    this.#input = new InputLine({
      tui: this.#tui,
      style,
      findPaths,
      submit: (text) => this.#submit(text),
    });
    this.#choice = new ChoicePanel(now, () => this.#refresh());
    this.#panel = new QuestionPanel({
      store,
      by,
      now,
      changed: () => this.#refresh(),
      answer: (id, answer) => questions.answer(id, answer),
      beginTyping: (text) => this.#input.borrow(text),
    });
    this.#addComponents();
    this.#tui.setFocus(this.#input.editor);
    this.#tui.addInputListener((data) => this.#press(data));
    store.subscribe(() => this.#refresh());
  }

  start(): void {
    this.#tui.start();
    this.#ticking = setInterval(() => this.#options.store.value.run && this.#tui.requestRender(), tickMs);
  }

  /** Asks the user to choose. Resolves with the index of the choice, or with `undefined`. */
  choose(question: ChoiceQuestion): Promise<number | undefined> {
    return this.#choice.ask(question);
  }

  stop(): void {
    clearInterval(this.#ticking);
    this.#isOver = true;
    this.#tui.renderNow();
    this.#tui.stop();
  }

  /** Inserts text before the current text of the input line. */
  draft(text: string): void {
    this.#input.draft(text);
    this.#refresh();
  }

  /** Adds a prompt to the history of the input line. */
  remember(prompt: string): void {
    this.#input.remember(prompt);
  }

  #addComponents(): void {
    const { store, style, backend, now } = this.#options;
    const conversationLines = createConversationLines(style);
    const [panel, choice, input] = [this.#panel, this.#choice, this.#input];
    const bottom = () => ({
      view: store.value,
      question: panel.shown,
      typing: panel.typing,
      now: now(),
      choice: panel.shown ? undefined : choice,
      search: input.searchLine,
    });
    const hidesInput = () => panel.takesKeys() || (panel.shown === undefined && choice.isOpen);
    const unlessOver = (render: (width: number) => string[]) => (width: number) => (this.#isOver ? [] : render(width));
    const renderers = [
      (width: number) => conversationLines(store.value, width),
      (width: number) => (this.#isOver ? [""] : linesAbove(bottom(), width, style)),
      unlessOver((width) => (hidesInput() ? [] : input.editor.render(width))),
      unlessOver((width) => [statusLine(store.value, backend, this.#hint, width, style)]),
    ];
    for (const render of renderers) this.#tui.addChild(createComponent(render));
  }

  #submit(text: string): void {
    if (this.#panel.typing === undefined) this.#options.submit(text);
    else {
      this.#panel.typed(text);
      this.#refresh();
    }
  }

  /** Draws the screen. Restores the input line if its question was answered elsewhere. */
  #refresh(): void {
    if (this.#panel.typing === undefined && this.#input.searchLine === undefined) this.#input.restore();
    this.#tui.requestRender();
  }

  #press(data: string): { consume: boolean } | undefined {
    const { stopRun } = this.#options;
    const panel = this.#panel;
    const isEscape = matchesKey(data, "escape");
    if (matchesKey(data, "ctrl+c")) return consume(() => this.#interrupt());
    if (panel.typing !== undefined) return isEscape ? consume(() => panel.cancelTyping()) : undefined;
    if (panel.takesKeys()) return consume(() => (isEscape ? stopRun("Esc") : panel.key(data)));
    if (panel.shown) panel.defer();
    else if (this.#choice.isOpen) return consume(() => this.#choice.key(data));
    return this.#pressInput(data, isEscape);
  }

  #pressInput(data: string, isEscape: boolean): { consume: boolean } | undefined {
    const { store, stopRun, leave } = this.#options;
    const { editor } = this.#input;
    if (this.#input.key(data)) return consume(() => this.#refresh());
    if (isEscape && store.value.run && !editor.isShowingAutocomplete()) return consume(() => stopRun("Esc"));
    if (matchesKey(data, "ctrl+d") && editor.getText() === "") return consume(leave);
    return undefined;
  }

  /** Handles Ctrl-C. The first one stops the run or clears the input line, and shows how to leave. The second one leaves. */
  #interrupt(): void {
    const { now, leave, store, stopRun } = this.#options;
    const isSecond = now() - this.#interruptedAt < twiceMs;
    this.#interruptedAt = now();
    if (isSecond) leave();
    if (this.#panel.typing !== undefined) this.#panel.cancelTyping();
    else if (this.#choice.isOpen) this.#choice.close();
    else if (store.value.run) stopRun("Ctrl-C");
    else if (!this.#input.key(ctrlC)) this.#input.editor.setText("");
    this.#hint = "Ctrl-C again leaves.";
    setTimeout(() => {
      this.#hint = undefined;
      this.#refresh();
    }, twiceMs).unref();
    this.#refresh();
  }
}

function consume(act: () => void): { consume: boolean } {
  act();
  return { consume: true };
}

function createComponent(render: (width: number) => string[]): Component {
  return { render, invalidate() {} };
}
