import { expect, test } from "vitest";
import { neighbour, replayPlaces } from "./replay-places.ts";

const places = replayPlaces({
  inputs: [{ seq: 2, turn: 1, artifact: "a", messages: 1 }],
  steps: [
    { index: 1, seq: 3, time: 0, model: "sonnet" },
    { index: 2, seq: 9, time: 0, model: null },
  ],
  decisions: [{ seq: 6, callId: "c", tool: "lookup", decision: "ask", rule: "rules[0]" }],
});

test("the places of a run are in the order of its events", () => {
  expect(places.map(({ seq, title }) => `${seq} ${title}`)).toEqual([
    "2 Sent to the model: 1 message",
    "3 Response 1, sonnet",
    "6 ask lookup by rules[0]",
    "9 Response 2",
  ]);
});

test("from any event the next place and the one before are found, and none at the ends", () => {
  expect(neighbour(places, 3, 1)).toBe(6);
  expect(neighbour(places, 5, -1)).toBe(3);
  expect(neighbour(places, 9, 1)).toBeUndefined();
  expect(neighbour(places, 2, -1)).toBeUndefined();
});
