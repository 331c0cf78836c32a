import { createContext, useContext } from "react";
import { Signal, useSignal } from "../connection/signal.ts";

interface Line {
  readonly id: number;
  readonly text: string;
}

/** Lines that stay for screen readers, which read a line when it is added. */
const mostLines = 12;

/** What the page tells screen readers, one line after another. */
export class Announcer {
  readonly lines: Signal<readonly Line[]> = new Signal<readonly Line[]>([]);
  #count = 0;

  say(text: string): void {
    if (text.trim() === "") return;
    this.#count += 1;
    this.lines.set([...this.lines.get(), { id: this.#count, text }].slice(-mostLines));
  }
}

const AnnouncerContext = createContext(new Announcer());

export function useAnnouncer(): Announcer {
  return useContext(AnnouncerContext);
}

/** The one place of the page that speaks for itself. It waits until the person's own reading has come to an end. */
export function Announcements() {
  const lines = useSignal(useAnnouncer().lines);
  return (
    <div className="hidden-text announcements" aria-live="polite" aria-relevant="additions" aria-atomic="false">
      {lines.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
