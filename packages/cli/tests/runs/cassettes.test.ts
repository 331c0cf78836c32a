/**
 * Tests that a cassette from one backend plays on every other, with the same transcript, and that recording gives the same cassette again.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BackendName, createRuntime } from "@bridle/project";
import { type AgentRuntime, buildTranscript, defineTool, type RunEvent } from "@bridle/protocol";
import { createCassetteRecorder, writeCassette } from "@bridle/rehearsal/cassette";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createPlace, type Place } from "../support/command.ts";

/** One host with its own loop, and one that uses Bridle's loop. */
const origins = ["claude-code", "openai"] as const satisfies BackendName[];
/** One backend for every protocol. */
const players = ["claude-code", "anthropic", "openai", "openai-compatible"] as const satisfies BackendName[];

/** The model that gives the recorded answers. */
const model = `
rehearsal: 1
turns:
  - when: { user: /^This call to the tool/ }
    steps: [{ say: No., forever: true }]
  - when: { user: my order }
    steps:
      - think: Which?
        say: Two of them.
        calls: [{ call: lookup_order, with: { id: A-1 } }, { call: lookup_order, with: { id: B-2, note: "{{ x }}" } }]
      - { call: lookup_order, with: { id: 7 } }
      - { call: find_nothing, with: { at: once } }
      - say: 'Use {{ "{{" }} lookup_order.result }} — naïve 😀'
  - when: { user: flaky }
    steps: [{ status: 529 }, { say: It works. }]
  - when: { user: object }
    steps: [{ object: { n: 7, nested: { list: [1, "{{", null] } } }]
  - when: { user: broke }
    steps: [{ status: 402, headers: { x-should-retry: "false" } }]
  - when: { user: stranger }
    steps: [{ status: 401, headers: { x-should-retry: "false" } }]
  - when: { user: overlong }
    steps: [{ status: 400, error_type: context_length_exceeded }]
  - when: { user: nowhere }
    steps: [{ status: 404, headers: { x-should-retry: "false" } }]
  - when: { user: busy }
    steps: [{ status: 529, headers: { x-should-retry: "false" } }]
  - when: { user: eager }
    steps: [{ status: 429, headers: { x-should-retry: "false" } }]
`;

const prompts = ["Where is my order?", "flaky", "broke", "stranger", "overlong", "nowhere", "busy", "eager"];

const lookupOrder = defineTool({
  name: "lookup_order",
  description: "Find one order by its number.",
  input: z.object({ id: z.string(), note: z.string().optional() }),
  execute: async ({ id, note = "" }) => `Order ${id} ${note}`,
});

let place: Place;
beforeAll(async () => {
  place = await createPlace();
  await writeFile(join(place.project, "model.yaml"), model);
});
afterAll(() => place.remove());

interface Recording {
  readonly events: readonly RunEvent[];
  /** Reads the file. */
  readonly cassette: string;
  readonly turns: readonly unknown[];
  readonly warnings: readonly string[];
}

/** Runs all prompts in parallel, so that their events are mixed. */
async function runAll(runtime: AgentRuntime): Promise<void> {
  const schema = z.object({ n: z.number(), nested: z.looseObject({}) });
  await Promise.all([
    ...prompts.map((prompt) => runtime.runAgentLoop({ prompt, tools: [lookupOrder], stepBudget: 9 }).result),
    runtime.generateObject({ prompt: "an object", schema }),
  ]);
}

/** Runs all prompts on a backend with a scripted model, and records them. */
async function record(backend: BackendName, rehearse: string, name: string): Promise<Recording> {
  const events: RunEvent[] = [];
  const recorder = createCassetteRecorder();
  const { environment, project } = place;
  const runtime = await createRuntime({
    projectDir: project,
    environment,
    backend,
    model: backend === "claude-code" ? "sonnet" : "claude-sonnet-5-5",
    rehearse,
    onEvent(event) {
      events.push(event);
      recorder.onEvent(event);
    },
  });
  await runAll(runtime).finally(() => runtime.close());
  const recorded = await recorder.cassette();
  const cassette = join(project, `${name}.yaml`);
  await writeFile(cassette, writeCassette(recorded, { at: new Date(0) }));
  return { events, cassette, turns: recorded.script.turns.toSorted(byText), warnings: recorded.warnings };
}

/** Returns the transcript of each run, without values that differ in every run and without the host's own texts. */
function told(events: readonly RunEvent[]) {
  const runs = Map.groupBy(events, ({ runId }) => runId);
  const all = [...runs.values()].map((own) => {
    const { entries, result } = buildTranscript(own);
    const shown = entries.map((entry) => {
      if (entry.kind !== "tool") return entry;
      const { tool, input, state, output } = entry;
      return { tool, input, state, ...(state === "succeeded" && { output }) };
    });
    const { stopReason, text, object, steps, toolCalls, toolFailures, error } = result ?? {};
    return { shown, stopReason, text, object, steps, toolCalls, toolFailures, error: error?.code };
  });
  return all.toSorted(byText);
}

/** Sorts the runs, because runs that begin at the same time have no order. */
function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

describe.each(origins)("a cassette made on %s", (origin) => {
  let original: Recording;
  beforeAll(async () => {
    original = await record(origin, join(place.project, "model.yaml"), origin);
  });

  test("contains every prompt, and only answers that it plays unchanged", () => {
    expect(original.turns).toHaveLength(prompts.length + 2); // an object, and calls that stay unchanged
    expect(original.warnings).toEqual([]);
    const codes = told(original.events).map(({ error }) => error ?? "none");
    expect(codes.sort()).toEqual([
      "authentication",
      "billing",
      "context_overflow",
      "model_not_found",
      "none",
      "none",
      "none",
      "overloaded",
      "rate_limit",
    ]);
  });

  test.each(players)("plays on %s with the same transcripts, and records the same cassette again", async (other) => {
    const played = await record(other, original.cassette, `${origin}-on-${other}`);
    expect(told(played.events)).toEqual(told(original.events));
    expect(played.turns).toEqual(original.turns);
  });
});
