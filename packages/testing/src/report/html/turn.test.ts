import { expect, test } from "vitest";
import { sampleRun } from "../sample-run-for-tests.ts";
import { write } from "./markup.ts";
import { turnSection } from "./turn.ts";

const [turn] = sampleRun({ cases: 1 }).cases[0]?.trials[0]?.turns ?? [];

test("an expected call is as expected or not, also a forbidden one", () => {
  if (turn === undefined) throw new Error("The sample has no turn.");
  const expectedTools = [
    { expected: "refund (exactly 0 calls)", ok: true, message: null },
    { expected: 'lookup_order { id: "A-1" }', ok: false, message: "lookup_order was called with another id." },
  ];
  const page = write(turnSection({ ...turn, expectedTools }, { number: 1, of: 1 }));
  expect([...page.matchAll(/<\/code> <span class="muted">([^<]*)</g)].map(([, word]) => word)).toEqual([
    "as expected",
    "not as expected",
  ]);
});
