import type { Resumption } from "@bridle/protocol";
import type { Entry } from "./entry.ts";
import { rebuilt, type SessionRequest } from "./sessions.ts";

type Reason = Resumption["reason"];

/** Processes that hold the conversation of a session for its next run, and why those of others are not there any more. */
export interface Kept {
  of(session: string | undefined): Entry[];
  /** What a process that was found, or the lack of one, means to the request. */
  explain(request: SessionRequest, found: Entry | undefined): Resumption | undefined;
  isThere(entry: Entry): void;
  isLost(entry: Entry, reason: Reason): void;
}

/** Remembers why for so many sessions, those that lost theirs last. */
const remembered = 256;

/** Over the processes of a pool. */
export function createKept(entries: ReadonlyMap<unknown, Entry>): Kept {
  const reasons = new Map<string, Reason>();

  function of(session = ""): Entry[] {
    return [...entries.values()].filter(({ isKept, owner }) => isKept && owner === session);
  }

  function isLost({ owner, isKept }: Entry, reason: Reason): void {
    if (!isKept || owner === undefined) return;
    reasons.delete(owner);
    reasons.set(owner, reason);
    const [oldest] = reasons.keys();
    if (reasons.size > remembered && oldest !== undefined) reasons.delete(oldest);
  }

  return {
    of,
    isLost,
    isThere: ({ owner = "" }) => void reasons.delete(owner),
    explain({ spec }, found) {
      if (!found?.isKept) {
        return rebuilt(spec, of(spec.session).length > 0 ? "changed" : (reasons.get(spec.session ?? "") ?? "not-kept"));
      }
      if (found.owner !== spec.session) isLost(found, "taken"); // one of the two is a fork of the other
      return { resumed: "native", reason: "fingerprint-matched" };
    },
  };
}
