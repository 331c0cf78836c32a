/** What the person does with the questions that are open. */
import type { Approval, ApprovalAnswer } from "@bridle/protocol";
import { keyMeaning, type QuestionView } from "./question-view.ts";
import type { Store } from "./store.ts";
import type { ChatView } from "./view.ts";

/** What is typed into the input line while a question is open. */
export type Typing = "words" | "input";

export interface QuestionPanel {
  /** The question that is shown; none where no question is open. */
  readonly shown: QuestionView | undefined;
  readonly typing: Typing | undefined;
  /** A key counts as an answer. Not before the question could be read: what was on its way belongs to the input line. */
  takesKeys(): boolean;
  /** Something was typed that was not meant for the question. */
  defer(): void;
  key(key: string): void;
  /** What was typed as words or as an input; an empty text leaves things as they are. */
  typed(text: string): void;
  /** Back to the keys. */
  cancelTyping(): void;
}

interface Parts {
  readonly store: Store<ChatView>;
  readonly by: string;
  readonly now: () => number;
  answer(id: string, answer: ApprovalAnswer & { inputHash: string }): void;
  /** Shows the picture again. */
  changed(): void;
  /** The input line is for something else now, and begins with a text. */
  beginTyping(text: string): void;
}

/** In milliseconds: nobody reads a question in less. */
const readingMs = 400;

export function createQuestionPanel({ store, by, now, answer, changed, beginTyping }: Parts): QuestionPanel {
  let id: string | undefined;
  let readableAt = 0;
  let isWhole = false;
  let words = "";
  let problem: string | undefined;
  let typing: Typing | undefined;

  /** The question that is looked at; another one begins anew. */
  function current(): Approval | undefined {
    const { questions } = store.value;
    const found = questions.find((each) => each.id === id) ?? questions[0];
    if (found?.id !== id) look(found);
    return found;
  }

  function look(approval: Approval | undefined): void {
    id = approval?.id;
    [isWhole, words, problem, typing] = [false, "", undefined, undefined];
    defer();
  }

  function defer(): void {
    readableAt = now() + readingMs;
    setTimeout(changed, readingMs + 10).unref();
  }

  function shown(): QuestionView | undefined {
    const approval = current();
    if (approval === undefined) return undefined;
    const { questions } = store.value;
    const place = [questions.indexOf(approval) + 1, questions.length] as const;
    return { approval, place, isWhole, words, ...(problem !== undefined && { problem }) };
  }

  function next(): void {
    const { questions } = store.value;
    const index = questions.findIndex((each) => each.id === id);
    look(questions[(index + 1) % questions.length]);
  }

  function give(approval: Approval, given: ApprovalAnswer): void {
    answer(approval.id, { ...given, by, inputHash: approval.inputHash });
  }

  function begin(kind: Typing, text: string): void {
    typing = kind;
    beginTyping(text);
  }

  function key(pressed: string): void {
    const view = shown();
    const meaning = view && keyMeaning(pressed, view);
    problem = undefined;
    if (!view || !meaning) return;
    if (meaning.kind === "answer") give(view.approval, meaning.answer);
    else if (meaning.kind === "view") isWhole = !isWhole;
    else if (meaning.kind === "words") begin("words", words);
    else if (meaning.kind === "edit") begin("input", JSON.stringify(view.approval.input, undefined, 2));
    else if (meaning.kind === "next") next();
    changed();
  }

  function typed(text: string): void {
    const approval = current();
    const kind = typing;
    typing = undefined;
    if (approval === undefined || kind === undefined) return;
    if (kind === "words") words = text.trim().replace(/\s+/g, " ");
    else if (text.trim() !== "") giveInput(approval, text);
    changed();
  }

  function giveInput(approval: Approval, text: string): void {
    try {
      give(approval, { decision: "allow", input: JSON.parse(text), ...(words !== "" && { message: words }) });
    } catch (error) {
      problem = `This is not JSON: ${error instanceof Error ? error.message : String(error)}`;
      begin("input", text);
    }
  }

  return {
    get shown() {
      return shown();
    },
    get typing() {
      return current() && typing;
    },
    takesKeys: () => current() !== undefined && typing === undefined && now() >= readableAt,
    defer,
    key,
    typed,
    cancelTyping() {
      typing = undefined;
      problem = undefined;
      changed();
    },
  };
}
