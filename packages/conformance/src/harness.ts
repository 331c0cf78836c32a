import { createAgentRuntime, type RuntimeOptions } from "@bridle/core";
import type { AgentRun, AgentRuntime, Backend, RunEvent, RunEventType } from "@bridle/protocol";
import { test } from "vitest";
import type { ScriptedCall, ScriptedModel, SentRequest } from "./scripted-model.ts";

/** One backend over a host whose model follows a script. */
export interface ScriptedHost {
  backend: Backend;
  /** A model name that the host knows. */
  model: string;
  sent(): readonly SentRequest[];
  close(): Promise<void>;
}

export interface ConformanceHarness {
  start(model: ScriptedModel): Promise<ScriptedHost>;
  /** A call of a tool of the host's own that only reads, and what its result contains; for hosts that have any. */
  builtin?: { call: ScriptedCall; output: string };
  /** Behaviours that this backend cannot show, by title, each with the reason. */
  skip?: Readonly<Record<string, string>>;
}

interface Stage {
  runtime: AgentRuntime;
  host: ScriptedHost;
}

export type Behaviour = (
  title: string,
  check: (stage: StageMaker, harness: ConformanceHarness) => Promise<void>,
) => void;
type StageMaker = (model: ScriptedModel, options?: Partial<RuntimeOptions>) => Promise<Stage>;

/** Declares behaviours as tests; each gets its own host, closed afterwards. */
export function createBehaviour(harness: ConformanceHarness): Behaviour {
  return (title, check) => {
    const reason = harness.skip?.[title];
    if (reason !== undefined) {
      test.skip(`${title} (not here: ${reason})`);
      return;
    }
    test(title, async () => {
      const stages: Stage[] = [];
      try {
        await check(async (model, options) => {
          const host = await harness.start(model);
          const runtime = createAgentRuntime({ backend: host.backend, models: { default: host.model }, ...options });
          stages.push({ runtime, host });
          return { runtime, host };
        }, harness);
      } finally {
        for (const { runtime, host } of stages) await runtime.close().finally(host.close);
      }
    });
  };
}

export async function collect(run: AgentRun): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

export function ofType<K extends RunEventType>(events: readonly RunEvent[], type: K): Extract<RunEvent, { type: K }>[] {
  return events.filter((event): event is Extract<RunEvent, { type: K }> => event.type === type);
}

/** Reads a run until an event of this type has come. */
export async function until(run: AgentRun, type: RunEventType): Promise<void> {
  for await (const event of run) if (event.type === type) return;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
