import { createMemoryBackend } from "@bridle/conformance";
import {
  createAgentRuntime,
  createMemoryEventLog,
  createPolicy,
  type PolicyRules,
  policyModeNames,
} from "@bridle/core";
import {
  type AnyTool,
  type Backend,
  type EventLog,
  noUsage,
  type Policy,
  type ToolAnnotations,
  type TurnContext,
} from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { previewRules } from "./preview-rules.ts";
import type { Rules } from "./rule-schemas.ts";

/** The number of rounds: 50 in the soak run. */
const sets = process.env.SOAK_FACTOR === undefined ? 10 : 50;

const annotationsOf: Readonly<Record<string, ToolAnnotations>> = {
  reader: { readOnly: true },
  fetcher: { readOnly: true, openWorld: true },
  writer: { destructive: false, openWorld: false },
  sender: { destructive: false },
  wiper: { destructive: true, idempotent: true },
  unknown: {},
};
const builtins = { Read: { readOnly: true }, Shell: {}, Fetch: { readOnly: true, openWorld: true } };
const toolNames = [...Object.keys(annotationsOf), ...Object.keys(builtins)];

/** Schemas of inputs. Rules check the parsed input: the output of the schema, with its defaults and transformed values. */
const schemas = [
  z.looseObject({}),
  z.object({
    amount: z.number().default(12),
    path: z
      .string()
      .transform((text) => text.trim().toLowerCase())
      .optional(),
    order: z.object({ id: z.string().default("A-1"), lines: z.array(z.unknown()).optional() }).prefault({}),
  }),
];

const tools: readonly AnyTool[] = Object.entries(annotationsOf).map(([name, annotations], index) => ({
  name,
  annotations,
  description: "For this test.",
  input: schemas[index % schemas.length] ?? z.looseObject({}),
  execute: async () => "done",
}));

const text = fc.constantFrom(
  "",
  "a",
  "AB",
  " /etc/Passwd ",
  "drop table",
  "DROP\u200b TABLE",
  "ﬁle",
  "ä",
  "7",
  "x".repeat(300),
);
const json = fc.oneof(
  text,
  fc.integer({ min: -3, max: 120 }),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 3 }),
);
const input = fc.record(
  {
    amount: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 0, max: 2000 }) }, { weight: 1, arbitrary: text }),
    path: text,
    Path: text,
    order: fc.record({ id: text, lines: fc.array(json, { maxLength: 3 }) }, { requiredKeys: [] }),
    "order.id": json,
    extra: json,
  },
  { requiredKeys: [] },
);
const plannedCall = fc.record({ tool: fc.constantFrom(...toolNames, "nothing"), input });
type PlannedCall = typeof plannedCall extends fc.Arbitrary<infer Call> ? Call : never;

const decision = fc.constantFrom("allow", "ask", "deny");
const expression = fc.constantFrom(
  "^a",
  "drop\\s+table",
  "^\\d{1,2}$",
  ".",
  "etc",
  "^\\[",
  "null",
  "true",
  "^fi",
  "^x+$",
  "[^a]$",
);
const field = fc.constantFrom("amount", "path", "order", "order.id", "order.lines", "extra", "missing");
const rule = fc.record(
  {
    tool: fc.constantFrom(...toolNames),
    when: fc.dictionary(field, expression, { minKeys: 1, maxKeys: 2 }),
    then: decision,
  },
  { requiredKeys: ["tool", "then"] },
);
const rules: fc.Arbitrary<Rules> = fc.record(
  {
    mode: fc.constantFrom(...policyModeNames),
    disable: fc.uniqueArray(fc.constantFrom(...toolNames), { maxLength: 2 }),
    rules: fc.array(rule, { maxLength: 12 }),
    annotations: fc.record({ readOnly: decision, destructive: decision, openWorld: decision }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

/** Creates a backend with a model that makes these calls. */
function calling(calls: readonly PlannedCall[], name: string): Backend {
  const memory = createMemoryBackend([], { builtins });
  const turn = async (_input: unknown, host: TurnContext) => {
    host.emit({ type: "step.started", model: "m" });
    host.emit({ type: "step.finished", usage: noUsage });
    for (const [index, call] of calls.entries()) {
      const asked = { ...call, callId: `${name}-${index}` };
      if (!Object.hasOwn(builtins, call.tool)) await host.callTool(asked);
      else if ((await host.authorizeHostTool(asked)).allow) host.completeHostTool(asked.callId, true, "done");
    }
    return { reason: "natural" } as const;
  };
  const conversation = { promptContext: { implicitSources: [], hostAdds: [] }, turn, close: async () => {} };
  return { ...memory, open: async () => conversation };
}

interface PlannedRun {
  readonly calls: readonly PlannedCall[];
  /** The rules of the agent. */
  readonly own: PolicyRules | undefined;
}

/** Makes the calls of each run, and returns the event log with the decisions about them. */
async function perform(runs: readonly PlannedRun[], policy: Policy | undefined): Promise<EventLog> {
  const eventLog = createMemoryEventLog();
  for (const [index, { calls, own }] of runs.entries()) {
    const runtime = createAgentRuntime({
      backend: calling(calls, `run${index}`),
      models: { default: "m" },
      eventLog,
      approve: () => ({ decision: "deny" as const }),
      ...(policy && { policy }),
    });
    const session = await runtime.openSession({
      tools,
      builtins: Object.keys(builtins),
      stepBudget: 3,
      ...(own && { policy: createPolicy(own) }),
    });
    const { stopReason } = await (await session.send("go")).result;
    expect(stopReason).toBe("natural");
    await runtime.close();
  }
  return eventLog;
}

/** Collects the first decision about each call, which is that of the rules about the input from the model. */
async function decisionsOn(eventLog: EventLog): Promise<ReadonlyMap<string, string>> {
  const decisions = new Map<string, string>();
  for (const { sessionId } of await eventLog.sessions({ last: 100 })) {
    for (const event of await eventLog.read({ sessionId })) {
      if (event.type === "tool.evaluated" && !decisions.has(event.callId)) {
        decisions.set(event.callId, `${event.decision} by ${event.rule}`);
      }
    }
  }
  return decisions;
}

test("what a preview says of 500 recorded calls is what random sets of rules decide about the same calls", async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const calls = fc.sample(plannedCall, { numRuns: 500, seed });
  const [onlyOne, two] = fc.sample(rules, { numRuns: 2, seed });
  const runs = [undefined, onlyOne, { mode: "yolo" }, two, undefined].map((own, index) => ({
    calls: calls.slice(index * 100, (index + 1) * 100),
    own: own as PolicyRules | undefined,
  }));
  const recorded = await perform(runs, createPolicy({ mode: "yolo" }));
  await fc.assert(
    fc.asyncProperty(rules, async (after) => {
      const preview = await previewRules(recorded, { before: { mode: "yolo" }, after, max: 1000 });
      const decided = await decisionsOn(await perform(runs, createPolicy(after as PolicyRules)));
      expect(preview.length).toBeGreaterThan(200);
      const differing = preview.flatMap(({ callId, tool, input: shown, after: { decision: previewed, rule: by } }) => {
        const real = decided.get(callId) ?? "nothing";
        const isHidden = real === "deny by known-tool"; // the model does not see a disabled tool
        const said = `${previewed} by ${isHidden ? "known-tool" : by}`;
        return said === real ? [] : [{ callId, tool, shown, said, real }];
      });
      expect(differing, `with the calls of seed ${seed}`).toEqual([]);
    }),
    { numRuns: sets, endOnFailure: true },
  );
});
