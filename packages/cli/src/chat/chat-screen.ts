/** The chat on a terminal: a conversation that grows upwards, questions, and a line to type in. */
import { type Component, Editor, matchesKey, setCapabilities, TuiMainScreen } from "@earendil-works/pi-tui";
import { linesAbove, statusLine } from "./bottom-lines.ts";
import { slashCompletions } from "./completions.ts";
import { createConversationLines } from "./conversation-lines.ts";
import { type QuestionDesk, type Store, type ChatView } from "@bridle/app/chat";
import { createQuestionPanel } from "./question-panel.ts";
import { type Style } from "./style.ts";
import { createTerminal, type TerminalStreams } from "./terminal.ts";

export interface ChatScreen {
  start(): void;
  stop(): void;
  /** Puts a text into the input line. */
  draft(text: string): void;
  /** Something to go back to with the arrow up. */
  remember(prompt: string): void;
}

interface Parts {
  readonly streams: TerminalStreams;
  readonly store: Store<ChatView>;
  readonly style: Style;
  readonly backend: string;
  /** Who answers. */
  readonly by: string;
  readonly now: () => number;
  readonly desk: QuestionDesk;
  submit(text: string): void;
  /** Escape, while something runs. */
  stopRun(): void;
  leave(): void;
}

/** Between two presses of Ctrl-C that leave, in milliseconds. */
const twiceMs = 2000;
const tickMs = 1000;

export function createChatScreen(parts: Parts): ChatScreen {
  const { streams, store, style, backend, by, now, desk, submit, stopRun, leave } = parts;
  // A link whose address is hidden may lead anywhere; pictures are not for a chat in text.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  const tui = new TuiMainScreen(createTerminal(streams));
  const editor = new Editor(tui, style.editor, { autocompleteMaxVisible: 6 });
  const conversationLines = createConversationLines(style);
  let kept: string | undefined;
  let hint: string | undefined;
  let interruptedAt = Number.NEGATIVE_INFINITY;
  let ticking: NodeJS.Timeout | undefined;
  /** Of a chat that was left, the conversation stays on the terminal, and nothing else. */
  let isOver = false;

  const panel = createQuestionPanel({
    ...{ store, by, now, changed: refresh },
    answer: (id, answer) => desk.answer(id, answer),
    beginTyping(text) {
      kept ??= editor.getExpandedText();
      editor.setText(text);
    },
  });

  /** A question may have been answered elsewhere while somebody typed: what stood there before comes back. */
  function refresh(): void {
    if (kept !== undefined && panel.typing === undefined) {
      const text = kept;
      kept = undefined;
      editor.setText(text);
    }
    tui.requestRender();
  }

  function press(data: string): { consume: boolean } | undefined {
    if (matchesKey(data, "ctrl+c")) return consumed(interrupt);
    if (panel.typing !== undefined) return matchesKey(data, "escape") ? consumed(panel.cancelTyping) : undefined;
    if (panel.takesKeys()) return consumed(() => (matchesKey(data, "escape") ? stopRun() : panel.key(data)));
    if (panel.shown) panel.defer();
    if (matchesKey(data, "escape") && store.value.run && !editor.isShowingAutocomplete()) return consumed(stopRun);
    if (matchesKey(data, "ctrl+d") && editor.getText() === "") return consumed(leave);
    return undefined;
  }

  /** Once: clears what is typed, or says how to leave. Twice in a row: leaves. */
  function interrupt(): void {
    const isSecond = now() - interruptedAt < twiceMs;
    interruptedAt = now();
    if (isSecond) leave();
    if (panel.typing !== undefined) panel.cancelTyping();
    else editor.setText("");
    hint = store.value.run ? "Ctrl-C again leaves and stops the run; Esc only stops it." : "Ctrl-C again leaves.";
    setTimeout(() => {
      hint = undefined;
      refresh();
    }, twiceMs).unref();
    refresh();
  }

  editor.setAutocompleteProvider(slashCompletions);
  editor.onSubmit = (text) => {
    if (panel.typing === undefined) return submit(text);
    panel.typed(text);
    refresh();
  };
  const bottom = () => ({ view: store.value, question: panel.shown, typing: panel.typing, now: now() });
  tui.addChild(component((width) => conversationLines(store.value, width)));
  tui.addChild(component((width) => (isOver ? [""] : linesAbove(bottom(), width, style))));
  tui.addChild(component((width) => (isOver || panel.takesKeys() ? [] : editor.render(width))));
  tui.addChild(component((width) => (isOver ? [] : [statusLine(store.value, backend, hint, width, style)])));
  tui.setFocus(editor);
  tui.addInputListener(press);
  store.subscribe(refresh);

  return {
    start() {
      tui.start();
      ticking = setInterval(() => store.value.run && tui.requestRender(), tickMs);
    },
    stop() {
      clearInterval(ticking);
      isOver = true;
      tui.renderNow();
      tui.stop();
    },
    draft(text) {
      if (text === "") return;
      const before = editor.getExpandedText();
      editor.setText(before === "" ? text : `${text}\n${before}`);
      refresh();
    },
    remember: (prompt) => editor.addToHistory(prompt),
  };
}

function consumed(act: () => void): { consume: boolean } {
  act();
  return { consume: true };
}

function component(render: (width: number) => string[]): Component {
  return { render, invalidate() {} };
}
