import type { ChatStore, ChatView, QuestionQueue } from "@bridle/app/chat";
import { type Component, Editor, matchesKey, setCapabilities, TuiMainScreen } from "@earendil-works/pi-tui";
import { linesAbove, statusLine } from "./bottom-lines.ts";
import { slashCompletions } from "./completions.ts";
import { createConversationLines } from "./conversation-lines.ts";
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
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly questions: QuestionQueue;
  submit(text: string): void;
  stopRun(): void;
  leave(): void;
}

/** Two presses of Ctrl-C within this time leave the chat, in milliseconds. */
const twiceMs = 2000;
const tickMs = 1000;

/** A chat on a terminal: a growing conversation, questions, and an input line. */
export class ChatScreen {
  readonly #options: ScreenOptions;
  readonly #tui: TuiMainScreen;
  readonly #editor: Editor;
  readonly #panel: QuestionPanel;
  /** The input line before a question used it. */
  #savedInput: string | undefined;
  #hint: string | undefined;
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #ticking: NodeJS.Timeout | undefined;
  /** After the end, only the conversation stays on the terminal. */
  #isOver = false;

  constructor(options: ScreenOptions) {
    this.#options = options;
    const { streams, store, style, by, now, questions } = options;
    // A link with a hidden address can lead anywhere. A text chat needs no pictures.
    setCapabilities({ images: null, trueColor: false, hyperlinks: false });
    this.#tui = new TuiMainScreen(createTerminal(streams));
    this.#editor = new Editor(this.#tui, style.editor, { autocompleteMaxVisible: 6 });
    this.#panel = new QuestionPanel({
      ...{ store, by, now, changed: () => this.#refresh() },
      answer: (id, answer) => questions.answer(id, answer),
      beginTyping: (text) => this.#beginTyping(text),
    });
    this.#editor.setAutocompleteProvider(slashCompletions);
    this.#editor.onSubmit = (text) => this.#submit(text);
    this.#addComponents();
    this.#tui.setFocus(this.#editor);
    this.#tui.addInputListener((data) => this.#press(data));
    store.subscribe(() => this.#refresh());
  }

  start(): void {
    this.#tui.start();
    this.#ticking = setInterval(() => this.#options.store.value.run && this.#tui.requestRender(), tickMs);
  }

  stop(): void {
    clearInterval(this.#ticking);
    this.#isOver = true;
    this.#tui.renderNow();
    this.#tui.stop();
  }

  /** Puts a text into the input line, before the text that is there. */
  draft(text: string): void {
    if (text === "") return;
    const before = this.#editor.getExpandedText();
    this.#editor.setText(before === "" ? text : `${text}\n${before}`);
    this.#refresh();
  }

  /** Adds a prompt to the history of the input line. */
  remember(prompt: string): void {
    this.#editor.addToHistory(prompt);
  }

  #addComponents(): void {
    const { store, style, backend, now } = this.#options;
    const conversationLines = createConversationLines(style);
    const panel = this.#panel;
    const bottom = () => ({ view: store.value, question: panel.shown, typing: panel.typing, now: now() });
    const unlessOver = (render: (width: number) => string[]) => (width: number) => (this.#isOver ? [] : render(width));
    const renderers = [
      (width: number) => conversationLines(store.value, width),
      (width: number) => (this.#isOver ? [""] : linesAbove(bottom(), width, style)),
      unlessOver((width) => (panel.takesKeys() ? [] : this.#editor.render(width))),
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

  #beginTyping(text: string): void {
    this.#savedInput ??= this.#editor.getExpandedText();
    this.#editor.setText(text);
  }

  /** Draws the screen. Restores the input line if its question was answered elsewhere. */
  #refresh(): void {
    if (this.#savedInput !== undefined && this.#panel.typing === undefined) {
      const text = this.#savedInput;
      this.#savedInput = undefined;
      this.#editor.setText(text);
    }
    this.#tui.requestRender();
  }

  #press(data: string): { consume: boolean } | undefined {
    const { store, stopRun, leave } = this.#options;
    const panel = this.#panel;
    const isEscape = matchesKey(data, "escape");
    if (matchesKey(data, "ctrl+c")) return consume(() => this.#interrupt());
    if (panel.typing !== undefined) return isEscape ? consume(() => panel.cancelTyping()) : undefined;
    if (panel.takesKeys()) return consume(() => (isEscape ? stopRun() : panel.key(data)));
    if (panel.shown) panel.defer();
    if (isEscape && store.value.run && !this.#editor.isShowingAutocomplete()) return consume(stopRun);
    if (matchesKey(data, "ctrl+d") && this.#editor.getText() === "") return consume(leave);
    return undefined;
  }

  /** The first Ctrl-C clears the input line and says how to leave. The second one leaves. */
  #interrupt(): void {
    const { now, leave, store } = this.#options;
    const isSecond = now() - this.#interruptedAt < twiceMs;
    this.#interruptedAt = now();
    if (isSecond) leave();
    if (this.#panel.typing !== undefined) this.#panel.cancelTyping();
    else this.#editor.setText("");
    this.#hint = store.value.run
      ? "Ctrl-C again leaves and stops the run. Esc only stops the run."
      : "Ctrl-C again leaves.";
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
