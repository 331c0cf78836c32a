import type { TurnFacts } from "../result/turn-facts.ts";

/** Creates a turn with these facts, and defaults for all others. */
export function factsForTests(facts: Partial<TurnFacts> = {}): TurnFacts {
  return {
    caseName: "first",
    turn: 1,
    config: {},
    input: "Where is A-1001?",
    answer: "It has shipped.",
    retrievalContext: [],
    calls: [],
    transcript: [],
    steps: 3,
    durationMs: 1500,
    ...facts,
  };
}
