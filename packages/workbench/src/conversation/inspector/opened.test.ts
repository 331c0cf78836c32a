import { expect, test } from "vitest";
import type { SessionEntry } from "../../connection/session-entries.ts";
import { findOpened, readOpened, writeOpened } from "./opened.ts";

const place = (seq: number) => ({ runId: "r", seq, time: seq });
const entries: readonly SessionEntry[] = [
  { kind: "user", message: { role: "user", content: "order" }, ...place(2) },
  {
    kind: "tool",
    callId: "c",
    tool: "look",
    input: {},
    step: 1,
    state: "succeeded",
    progress: [],
    endSeq: 9,
    ...place(4),
  },
  { kind: "text", text: "…", complete: true, step: 2, ...place(14) },
];

test("an address names an event and what is shown of it, and anything else in it closes nothing and opens nothing", () => {
  expect(readOpened(new URLSearchParams("open=12&show=events"))).toEqual({ seq: 12, part: "events" });
  expect(readOpened(new URLSearchParams("open=12&show=all"))).toEqual({ seq: 12, part: "content" });
  for (const none of ["", "open=", "open=-3", "open=1.5", "open=x"])
    expect(readOpened(new URLSearchParams(none)).seq).toBeUndefined();
});

test("an address that is written and read again is the same, and keeps what else it says", () => {
  const address = writeOpened(new URLSearchParams("q=1"), { seq: 7, part: "context" });
  expect(`${address}`).toBe("q=1&open=7&show=context");
  expect(readOpened(address)).toEqual({ seq: 7, part: "context" });
  expect(`${writeOpened(address, { seq: undefined, part: "content" })}`).toBe("q=1");
});

test("an event leads to the entry that it began, to the call that it is within, or to the text that is completed next", () => {
  const found = [2, 4, 6, 9, 10, 14, 15].map((seq) => findOpened(entries, seq));
  expect(found).toEqual([0, 1, 1, 1, 2, 2, -1]);
  expect(findOpened(entries, undefined)).toBe(-1);
});
