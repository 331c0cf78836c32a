import { describe } from "vitest";
import { compactionLaws } from "./compaction-laws.ts";
import { endingLaws } from "./ending-laws.ts";
import { type ConformanceHarness, createBehaviour } from "./harness.ts";
import { hostLaws } from "./host-laws.ts";
import { limitLaws } from "./limit-laws.ts";
import { objectLaws } from "./object-laws.ts";
import { policyLaws } from "./policy-laws.ts";
import { runLaws } from "./run-laws.ts";
import { sessionLaws } from "./session-laws.ts";
import { stepLaws } from "./step-laws.ts";
import { toolLaws } from "./tool-laws.ts";

export type { ConformanceHarness, ScriptedHost } from "./harness.ts";

/**
 * Declares the whole conformance suite for one backend. Its titles, read from top to bottom, are the specification
 * of the port. What a backend cannot do is skipped by title, with the reason.
 *
 * @example
 * testBackend("my-host", { start: async (model) => ({ backend, model: "m", sent: () => [], close: async () => {} }) });
 */
export function testBackend(name: string, harness: ConformanceHarness): void {
  const behaviour = createBehaviour(harness);
  describe(name, () => {
    describe("a run", () => runLaws(behaviour));
    describe("its steps", () => stepLaws(behaviour));
    describe("its tools", () => toolLaws(behaviour));
    describe("its rules", () => policyLaws(behaviour));
    describe("its end", () => endingLaws(behaviour));
    describe("an object", () => objectLaws(behaviour));
    describe("the host", () => hostLaws(behaviour));
    describe("a session", () => sessionLaws(behaviour));
    describe("a conversation", () => compactionLaws(behaviour));
    describe("its account", () => limitLaws(behaviour));
  });
}
