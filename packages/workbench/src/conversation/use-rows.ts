import { useRef, useState } from "react";
import type { SessionEntry } from "../connection/session-entries.ts";
import { useCommands } from "../keys/keyboard.tsx";
import { nextStep } from "./steps.ts";

export interface Rows {
  /** The index of the entry that the user moved to with keys. */
  readonly chosen: number | undefined;
  /** Goes to an entry. */
  choose(index: number): void;
  /** Focuses the element of the chosen entry when the element is visible. Call it with that element. */
  focus(element: HTMLElement | null): void;
}

interface RowActions {
  /** Returns the index of the entry to begin at. */
  first(): number;
  show(index: number): void;
  toggle(entry: SessionEntry): void;
  inspect(entry: SessionEntry): void;
  onChoose(entry: SessionEntry): void;
}

/** Handles keyboard navigation through the entries of a session. */
export function useRows(
  entries: readonly SessionEntry[],
  { first, show, toggle, inspect, onChoose }: RowActions,
): Rows {
  const [chosen, setChosen] = useState<number>();
  const wantsFocus = useRef(false);
  const choose = (index: number) => {
    const inside = Math.max(0, Math.min(index, entries.length - 1));
    wantsFocus.current = true;
    setChosen(inside);
    show(inside);
    const entry = entries[inside];
    if (entry !== undefined) onChoose(entry);
  };
  const move = (by: 1 | -1) => choose(chosen === undefined ? first() : chosen + by);
  const moveStep = (by: 1 | -1) => choose(nextStep(entries, chosen ?? first(), by));
  const withChosen = (act: (entry: SessionEntry) => void) => {
    const entry = chosen === undefined ? undefined : entries[chosen];
    if (entry !== undefined) act(entry);
  };
  useCommands([
    { id: "row-next", title: "Next entry", keys: "j", run: () => move(1) },
    { id: "row-previous", title: "Previous entry", keys: "k", run: () => move(-1) },
    { id: "step-next", title: "Next step", keys: "]", run: () => moveStep(1) },
    { id: "step-previous", title: "Previous step", keys: "[", run: () => moveStep(-1) },
    { id: "row-open", title: "Open or close the entry", keys: "o", run: () => withChosen(toggle) },
    { id: "row-inspect", title: "Inspect the entry", keys: "Enter", run: () => withChosen(inspect) },
  ]);
  return {
    chosen,
    choose,
    focus(element) {
      if (element === null || !wantsFocus.current) return;
      wantsFocus.current = false;
      element.focus({ preventScroll: true });
    },
  };
}
