import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentRuntime } from "@bridle/core";
import { defineTool, type RunEvent } from "@bridle/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { modelRequests, sentRequests } from "./support/codex-wire.ts";
import { startCodex } from "./support/test-backend.ts";
import { forgedCalls, plantTraps, trapVariables, trapWord } from "./support/traps.ts";

let project = "";
let home = "";
let proofs = "";
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "bridle-project-"));
  home = await mkdtemp(join(tmpdir(), "bridle-home-"));
  proofs = await mkdtemp(join(tmpdir(), "bridle-proof-"));
});
afterEach(async () => {
  for (const folder of [project, home, proofs]) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({ at: z.string() }),
  execute: async () => "seen",
});

for (const model of ["gpt-5.5", "gpt-6-sol", "gpt-5.6-terra", "a-model-of-tomorrow"]) {
  test(`among traps of every kind, ${model} gets the caller's input and tools only, and forged calls run nothing`, async () => {
    const traps = await plantTraps({ home, project, proof: join(proofs, "ran") });
    const forged = forgedCalls(traps.proof);
    const { backend, rehearsal, close } = await startCodex(
      {
        rehearsal: 1,
        turns: [{ steps: [{ calls: [...forged, { call: "look", with: { at: "it" } }] }, { say: "Done." }] }],
      },
      { environment: { HOME: home, ...trapVariables } },
    );
    const runtime = createAgentRuntime({ backend, models: { default: model } });
    try {
      const prompt = "$trap [$trap](skill://trap) @note.md @AGENTS.md /trap !touch trap";
      const run = runtime.runAgentLoop({
        prompt,
        system: "You are OURS.",
        tools: [look],
        stepBudget: 3,
        projectDir: project,
      });
      const events: RunEvent[] = [];
      for await (const event of run) events.push(event);
      expect(await run.result).toMatchObject({ stopReason: "natural", text: "Done.", steps: 2 });
      const [first, ...more] = sentRequests(rehearsal.requests);
      expect(first).toMatchObject({ system: "You are OURS.", texts: [prompt] });
      for (const request of [first, ...more]) expect(request?.tools.map(({ name }) => name)).toEqual(["look"]);
      const refused = events.flatMap((event) => (event.type === "tool.denied" ? [event] : []));
      expect(refused).toHaveLength(forged.length);
      expect(events.filter(({ type }) => type === "tool.started")).toHaveLength(1);
      const sent = JSON.stringify(rehearsal.requests);
      for (const word of [trapWord, "trap-of", "trap-org", "trap-project", "trap-originator", home, project])
        expect(sent).not.toContain(word);
      const paid = modelRequests(rehearsal.requests).map(({ headers }) => headers.authorization);
      expect(new Set(paid)).toEqual(new Set(["Bearer sk-of-the-test"]));
    } finally {
      await runtime.close();
      await close();
    }
    expect(await traps.hasRun()).toBe(false);
  });
}
