import { type EventDraft, noNestedTotals } from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createEventRedaction } from "./event-redaction.ts";
import { createRedactor } from "./redactor.ts";

/** `npm run soak` sets a larger factor. */
const runs = { numRuns: 100 * Number(process.env.SOAK_FACTOR ?? 1) };

const known = "tulip meadow in the early morning 9931";
const token = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vX7zA9cF1hJ3lM5"}`;
const password = "orchid-winter-7";

/** Returns the logged form of a text that arrives in pieces. */
function told(pieces: readonly string[]): string {
  const redact = createEventRedaction(createRedactor({ secrets: [known] }));
  const drafts = pieces.map((text) => redact("run", { type: "text.delta", text }));
  return drafts.map((draft) => (draft.type === "text.delta" ? draft.text : "")).join("");
}

function piecesOf(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => cut % text.length).toSorted((a, b) => a - b), text.length];
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

test.each([
  ["a known text", known],
  ["a token", token],
  ["a password in an address", `postgres://shop:${password}@db.example`],
  ["a password under its name", `{"password": "${password}"}`],
])("%s in pieces is not logged, except for at most its first four letters, wherever it is cut", (_, secret) => {
  const text = `Grüße! Use ${secret} für 日本 today.`;
  const hidden = [known, token, password].find((each) => secret.includes(each)) ?? "";
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 80 }), (cuts) => {
      const kept = told(piecesOf(text, cuts));
      expect(kept).toMatch(/\[secret: \d+ characters( with spaces or symbols)?\]/);
      expect(kept).not.toContain(hidden.slice(0, 5));
      expect(kept).not.toContain(hidden.slice(-5));
      expect(kept.startsWith("Grüße! Use ")).toBe(true);
      expect(kept.endsWith(" für 日本 today.")).toBe(true);
    }),
    runs,
  );
});

test("a text without credentials is unchanged, and only the possible beginning of a credential is delayed", () => {
  const words = fc.string({ unit: "grapheme", maxLength: 12 });
  fc.assert(
    fc.property(fc.array(words), (pieces) => {
      const text = pieces.join(" ");
      fc.pre(createRedactor({ secrets: [known] }).text(text) === text);
      const kept = told(pieces.map((piece) => `${piece} `).concat("\n "));
      expect(kept).toBe(`${pieces.map((piece) => `${piece} `).join("")}\n `);
    }),
    runs,
  );
  expect(told(["Hello, ", "wor", "ld and tul"])).toBe("Hello, world and tul");
});

test("a credential in pieces of a call's input is not logged, beside the pieces of another call", () => {
  const redact = createEventRedaction(createRedactor({ secrets: [known] }));
  const say = (block: string, text: string) => redact("run", { type: "input.delta", block, tool: "look", text });
  const drafts = [...`{"key":"${token}","note":"${known}","end":1}`].flatMap((text) => [
    say("1", text),
    say("2", text),
  ]);
  for (const block of ["1", "2"]) {
    const logged = drafts
      .map((draft) => (draft.type === "input.delta" && draft.block === block ? draft.text : ""))
      .join("");
    expect(logged).toMatch(/^\{"key":"[^"]*\[secret: 40 characters\]","note":"[^"]*\[secret: [^"]*\]","end":1\}$/);
    expect(logged).not.toContain(token.slice(0, 8));
    expect(logged).not.toContain("meadow");
  }
});

test("the names by which a run, its caller and their questions refer to each other are logged as they are", () => {
  const redact = createEventRedaction(createRedactor({ secrets: [known] }));
  const nested = { runId: token, sessionId: known, callId: token };
  const drafts: EventDraft[] = [
    { type: "nested.started", callId: token, nestedRunId: token, nestedSessionId: known, backend: "b", model: "m" },
    { type: "nested.finished", callId: token, nestedRunId: token, stopReason: "natural", totals: noNestedTotals },
    {
      type: "approval.decided",
      approvalId: token,
      callId: token,
      nested,
      decision: "deny",
      source: "answer",
      scope: "once",
    },
  ];
  for (const draft of drafts) expect(redact("run", draft)).toBe(draft);
  const parents = { parentRunId: token, parentCallId: token, parentSessionId: known };
  const limits = { tools: [], builtins: [], stepBudget: 1, policy: "p" };
  const started: EventDraft = {
    type: "run.started",
    operation: "loop",
    backend: "b",
    model: "m",
    ...limits,
    ...parents,
  };
  expect(redact("run", started)).toBe(started);
});
