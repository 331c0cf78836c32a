/** Helpers for tests of the engine: a backend with replaceable answers, and the rules that every run obeys. */
import { randomUUID } from "node:crypto";
import { createMemoryBackend } from "@bridle/conformance";
import {
  type AgentRun,
  type AnyTool,
  type Backend,
  type Conversation,
  type LoopRequest,
  noUsage,
  type RunEvent,
  type RunResult,
  runEventSchema,
  type TurnContext,
  type TurnEnd,
  type Usage,
} from "@bridle/protocol";
import { expect } from "vitest";
import { z } from "zod";
import { createAgentRuntime, type RuntimeOptions } from "./runtime.ts";

export const forever = new Promise<never>(() => {});
export const someUsage: Usage = { ...noUsage, inputTokens: 1, outputTokens: 2 };

/** Creates a backend that calls this function for each turn. Its other methods behave correctly unless replaced. */
export function createTestBackend(
  turn: (host: TurnContext) => unknown,
  parts: Partial<Backend & Conversation> = {},
): Backend {
  const { open, close, checkAuth, ...conversation } = parts;
  const memory = createMemoryBackend([], { builtins: { Read: {}, List: { readOnly: true } } });
  return {
    id: "hostile",
    account: randomUUID(),
    features: memory.features,
    checkAuth: checkAuth ?? memory.checkAuth,
    close: close ?? (async () => {}),
    open: open ?? (async () => createTestConversation(turn, conversation)),
  };
}

export function createTestConversation(
  turn: (host: TurnContext) => unknown,
  parts: Partial<Conversation> = {},
): Conversation {
  return {
    promptContext: { implicitSources: [], hostAdds: [] },
    turn: (_input, host) => turn(host) as Promise<TurnEnd>,
    close: async () => {},
    ...parts,
  };
}

export const natural = { reason: "natural" } as const;

export function step(host: TurnContext, text = ""): void {
  host.emit({ type: "step.started", model: "m" });
  if (text) host.emit({ type: "text.completed", text });
  host.emit({ type: "step.finished", usage: someUsage });
}

export function begin(
  backend: Backend,
  request: Partial<LoopRequest> = {},
  options: Partial<RuntimeOptions> = {},
): AgentRun {
  const runtime = createAgentRuntime({ backend, models: { default: "m" }, ...options });
  return runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 9, ...request });
}

export interface EndedRun {
  events: RunEvent[];
  result: RunResult;
}

/** Reads a run to its end, which must come soon, and checks the rules that every run obeys. */
export async function expectLaws(run: AgentRun): Promise<EndedRun> {
  const before = performance.now();
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  const result = await run.result;
  expect(performance.now() - before).toBeLessThan(20_000);
  const ends = events.filter(({ type }) => type === "run.finished");
  expect(ends).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: "run.finished", result });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  for (const event of events) runEventSchema.parse(JSON.parse(JSON.stringify(event)));
  expectOutcomes(events);
  return { events, result };
}

const courseOfCall = /^requested evaluated( asked answered)*( evaluated)?( denied| started finished)$/;

/** Expects exactly one outcome for every requested call, in order: denied, or started and finished. */
function expectOutcomes(events: readonly RunEvent[]): void {
  const told = new Map<string, string[]>();
  for (const event of events) {
    if (!("callId" in event) || event.type === "tool.progress") continue;
    const { callId, type } = event;
    const word = { "approval.requested": "asked", "approval.decided": "answered" }[type as string] ?? type.slice(5);
    told.set(callId, [...(told.get(callId) ?? []), word]);
  }
  for (const [callId, words] of told) expect(words.join(" "), callId).toMatch(courseOfCall);
}

export function createTestTool(name: string, execute: AnyTool["execute"], parts: Partial<AnyTool> = {}): AnyTool {
  return { name, description: "For tests.", input: z.looseObject({}), execute, ...parts };
}
