import type { ChatStore, ChatView } from "@bridle/app/chat";
import { type Approval, type ApprovalAnswer, getErrorMessage } from "@bridle/protocol";
import { matchesKey } from "@earendil-works/pi-tui";
import { formatJson } from "../terminal/print-sentence.ts";
import { keyMeaning, moveSelection, type QuestionView } from "./question-view.ts";

/** The kind of text that the input line accepts while a question is open. */
export type Typing = "words" | "input";

interface PanelOptions {
  readonly store: ChatStore<ChatView>;
  /** The name of the user. */
  readonly by: string;
  /** The current time, in milliseconds since the epoch. */
  readonly now: () => number;
  answer(id: string, answer: ApprovalAnswer & { inputHash: string }): void;
  /** Draws the screen again. */
  changed(): void;
  /** Uses the input line for the question, with a text to start from. */
  beginTyping(text: string): void;
}

/** How long keys are ignored so that the user can read the question, in milliseconds. */
const readingMs = 400;

/** Shows one of the open questions, and turns keys into answers. */
export class QuestionPanel {
  readonly #options: PanelOptions;
  #id: string | undefined;
  #readableAt = 0;
  #isWhole = false;
  #words = "";
  #selected: string | undefined;
  #problem: string | undefined;
  #typing: Typing | undefined;
  /** The input that was sent last, and its call. If the input is not valid for the tool, the user is asked about the call again. */
  #edited: { readonly callId: string; readonly text: string } | undefined;

  constructor(options: PanelOptions) {
    this.#options = options;
  }

  /** The question on the screen; `undefined` if no question is open. */
  get shown(): QuestionView | undefined {
    const approval = this.#current();
    if (approval === undefined) return undefined;
    const { questions } = this.#options.store.value;
    const position = [questions.indexOf(approval) + 1, questions.length] as const;
    const [isWhole, words, selected, problem] = [this.#isWhole, this.#words, this.#selected, this.#problem];
    return { approval, position, isWhole, words, selected, problem };
  }

  get typing(): Typing | undefined {
    return this.#current() && this.#typing;
  }

  /** Whether a key is an answer. Keys that arrive before the user could read the question go to the input line. */
  takesKeys(): boolean {
    return this.#current() !== undefined && this.#typing === undefined && this.#options.now() >= this.#readableAt;
  }

  /** Restarts the time in which keys are not answers, because the user typed something else. */
  defer(): void {
    this.#readableAt = this.#options.now() + readingMs;
    setTimeout(() => this.#options.changed(), readingMs + 10).unref();
  }

  key(typed: string): void {
    const view = this.shown;
    if (view === undefined) return;
    const step = stepOf(typed);
    if (step !== undefined) this.#selected = moveSelection(view, step);
    this.#act(step === undefined && matchesKey(typed, "enter") ? (view.selected ?? "") : typed, view);
    this.#options.changed();
  }

  #act(pressed: string, view: QuestionView): void {
    const meaning = keyMeaning(pressed, view);
    this.#problem = undefined;
    if (!meaning) return;
    if (meaning.kind === "answer") this.#answer(view.approval, meaning.answer);
    else if (meaning.kind === "view") this.#isWhole = !this.#isWhole;
    else if (meaning.kind === "words") this.#beginTyping("words", this.#words);
    else if (meaning.kind === "edit") this.#beginTyping("input", formatJson(view.approval.input, 2));
    else if (meaning.kind === "next") this.#showNext();
  }

  /** Accepts the typed message or input. An empty string changes nothing. */
  typed(text: string): void {
    const approval = this.#current();
    const kind = this.#typing;
    this.#typing = undefined;
    if (approval === undefined || kind === undefined) return;
    if (kind === "words") this.#words = text.trim().replace(/\s+/g, " ");
    else if (text.trim() !== "") this.#answerWithInput(approval, text);
    this.#options.changed();
  }

  /** Stops typing, so that keys are answers again. */
  cancelTyping(): void {
    this.#typing = undefined;
    this.#problem = undefined;
    this.#options.changed();
  }

  /** Finds the question to show, and resets the panel if it is another question. */
  #current(): Approval | undefined {
    const { questions } = this.#options.store.value;
    const found = questions.find((each) => each.id === this.#id) ?? questions[0];
    if (found?.id !== this.#id) this.#show(found);
    return found;
  }

  #show(approval: Approval | undefined): void {
    this.#id = approval?.id;
    [this.#isWhole, this.#words, this.#problem, this.#typing] = [false, "", undefined, undefined];
    this.#selected = undefined;
    this.defer();
    if (approval?.problem === undefined || this.#edited?.callId !== approval.callId) return;
    this.#beginTyping("input", this.#edited.text); // a key would be an answer about the input before the edit
  }

  #showNext(): void {
    const { questions } = this.#options.store.value;
    const index = questions.findIndex((each) => each.id === this.#id);
    this.#show(questions[(index + 1) % questions.length]);
  }

  #answer(approval: Approval, given: ApprovalAnswer): void {
    const { by } = this.#options;
    this.#options.answer(approval.id, { ...given, by, inputHash: approval.inputHash });
  }

  #beginTyping(kind: Typing, text: string): void {
    this.#typing = kind;
    this.#options.beginTyping(text);
  }

  #answerWithInput(approval: Approval, text: string): void {
    try {
      const message = this.#words === "" ? {} : { message: this.#words };
      const input: unknown = JSON.parse(text);
      this.#edited = { callId: approval.callId, text };
      this.#answer(approval, { decision: "allow", input, ...message });
    } catch (error) {
      this.#problem = `This is not valid JSON: ${getErrorMessage(error)}`;
      this.#beginTyping("input", text);
    }
  }
}

/** Returns 1 if a key moves to the next choice, -1 for the previous choice, and `undefined` for keys that are not arrows. */
function stepOf(key: string): 1 | -1 | undefined {
  if (matchesKey(key, "down") || matchesKey(key, "right")) return 1;
  return matchesKey(key, "up") || matchesKey(key, "left") ? -1 : undefined;
}
