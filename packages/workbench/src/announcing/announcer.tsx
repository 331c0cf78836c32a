import { createContext, useContext } from "react";
import { Signal, useSignal } from "../connection/signal.ts";

interface Line {
  readonly id: number;
  readonly text: string;
}

/** The maximum number of lines to keep. Screen readers read a line when it is added. */
const maxLines = 12;

/** The messages for screen readers, in order. Text from models is kept apart from questions of the page. */
export class Announcer {
  readonly answers: Signal<readonly Line[]> = new Signal<readonly Line[]>([]);
  readonly questions: Signal<readonly Line[]> = new Signal<readonly Line[]>([]);
  #count = 0;

  say(sentence: string): void {
    this.#add(this.answers, sentence);
  }

  ask(question: string): void {
    this.#add(this.questions, question);
  }

  #add(lines: Signal<readonly Line[]>, text: string): void {
    if (text.trim() === "") return;
    this.#count += 1;
    lines.set([...lines.get(), { id: this.#count, text }].slice(-maxLines));
  }
}

const AnnouncerContext = createContext(new Announcer());

export function useAnnouncer(): Announcer {
  return useContext(AnnouncerContext);
}

/**
 * The only live regions of the page. Answers are announced when the screen reader is idle. Questions are announced as alerts, so text from
 * a model, such as "A question: may it run?", cannot be mistaken for a question of the page.
 */
export function Announcements() {
  const { answers, questions } = useAnnouncer();
  return (
    <>
      <div className="hidden-text announcements" aria-live="polite" aria-relevant="additions" aria-atomic="false">
        {useSignal(answers).map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
      <section className="hidden-text" aria-label="New questions">
        {useSignal(questions).map(({ id, text }) => (
          <p key={id} role="alert">
            {text}
          </p>
        ))}
      </section>
    </>
  );
}
