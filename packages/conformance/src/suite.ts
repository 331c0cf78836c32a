import { beforeAll, describe } from "vitest";
import { compactionLaws } from "./compaction-laws.ts";
import { endingLaws } from "./ending-laws.ts";
import { eventDetailLaws } from "./event-detail-laws.ts";
import { type Behaviour, type ConformanceHarness, createBehaviour } from "./harness.ts";
import { hostLaws } from "./host-laws.ts";
import { imageLaws } from "./image-laws.ts";
import { limitLaws } from "./limit-laws.ts";
import { objectLaws } from "./object-laws.ts";
import { policyLaws } from "./policy-laws.ts";
import { rulesOfRunLaws } from "./rules-of-run-laws.ts";
import { runLaws } from "./run-laws.ts";
import { sessionLaws } from "./session-laws.ts";
import { stepLaws } from "./step-laws.ts";
import { toolLaws } from "./tool-laws.ts";

export type { ConformanceHarness, ScriptedHost } from "./harness.ts";

/**
 * Declares the conformance suite for one backend. The titles, read from top to bottom, are the specification of a backend. If a host cannot
 * show a behaviour, skip its test by the title, with the reason.
 *
 * @example
 * testBackend("my-host", {
 *   async start(script) {
 *     const server = await startScriptedServer(script); // answers according to the script, and records requests
 *     return { backend: createMyBackend(server.url), model: "m", sent: server.sent, close: server.close };
 *   },
 *   skip: { "run in parallel if they are read-only": "the host makes one call at a time" },
 * });
 */
export function testBackend(name: string, harness: ConformanceHarness): void {
  const unknown = new Set(Object.keys(harness.skip ?? {}));
  const declare = createBehaviour(harness);
  const behaviour: Behaviour = (title, check) => {
    unknown.delete(title);
    declare(title, check);
  };
  describe(name, () => {
    beforeAll(() => {
      if (unknown.size > 0)
        throw new Error(`The suite has no behaviour with these titles: ${[...unknown].join(", ")}. Correct "skip".`);
    });
    describe("a run", () => {
      runLaws(behaviour);
      eventDetailLaws(behaviour);
    });
    describe("the steps of a run", () => stepLaws(behaviour));
    describe("tools", () => toolLaws(behaviour));
    describe("images", () => imageLaws(behaviour));
    describe("rules", () => {
      policyLaws(behaviour);
      rulesOfRunLaws(behaviour);
    });
    describe("the end of a run", () => endingLaws(behaviour));
    describe("an object", () => objectLaws(behaviour));
    describe("a host", () => hostLaws(behaviour));
    describe("a session", () => sessionLaws(behaviour));
    describe("a conversation", () => compactionLaws(behaviour));
    describe("an account", () => limitLaws(behaviour));
  });
}
