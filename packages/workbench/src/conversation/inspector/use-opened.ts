import { useSearchParams } from "wouter";
import { type InspectorPart, readOpened, writeOpened } from "./opened.ts";

export interface Opened {
  /** An event of the entry that the inspector shows. Undefined if the inspector is closed. */
  readonly seq: number | undefined;
  readonly part: InspectorPart;
  open(seq: number): void;
  show(part: InspectorPart): void;
  close(): void;
}

/** Returns the inspector's state. It is stored in the URL, so that users can share it. */
export function useOpened(): Opened {
  const [search, setSearch] = useSearchParams();
  const { seq, part } = readOpened(search);
  return {
    seq,
    part,
    open: (next) => setSearch((before) => writeOpened(before, { seq: next, part }), { replace: seq !== undefined }),
    show: (next) => setSearch((before) => writeOpened(before, { seq, part: next }), { replace: true }),
    close: () => setSearch((before) => writeOpened(before, { seq: undefined, part: "content" }), { replace: true }),
  };
}
