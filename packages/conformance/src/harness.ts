import { createAgentRuntime, type RuntimeOptions } from "@bridle/core";
import type { AgentRun, AgentRuntime, Backend, RunEvent, RunEventType } from "@bridle/protocol";
import { test } from "vitest";
import type { ScriptedCall, ScriptedModel, SentRequest } from "./scripted-model.ts";

/** A backend and its host, whose model follows a script. */
export interface ScriptedHost {
  backend: Backend;
  /** A model name that the host accepts. */
  model: string;
  /** The requests that reached the model so far, oldest first. */
  sent(): readonly SentRequest[];
  /** Ends the host. Called after the runtime is closed. */
  close(): Promise<void>;
}

/** Adapts the suite to one backend. */
export interface ConformanceHarness {
  /** Starts a host with a model that answers according to `model`. Called for each test. */
  start(model: ScriptedModel): Promise<ScriptedHost>;
  /**
   * A call to one of the host's own tools, and a string in its result. If the tool can write, also set the folder that it may change, and
   * skip the behaviour that needs a read-only tool. Omit this field if the host has no tools of its own.
   */
  builtin?: { call: ScriptedCall; output: string; projectDir?: string };
  /**
   * Behaviours that the host cannot show: their titles, each with the reason. A table in the docs lists them. The suite fails if a title is
   * unknown.
   */
  skip?: Readonly<Record<string, string>>;
}

interface TestContext {
  runtime: AgentRuntime;
  host: ScriptedHost;
}

export type Behaviour = (
  title: string,
  check: (start: StartTestContext, harness: ConformanceHarness) => Promise<void>,
) => void;
type StartTestContext = (model: ScriptedModel, options?: Partial<RuntimeOptions>) => Promise<TestContext>;

/** Returns a function that declares behaviours as tests. Each test gets its own host, which is closed afterwards. */
export function createBehaviour(harness: ConformanceHarness): Behaviour {
  return (title, check) => {
    const reason = harness.skip?.[title];
    if (reason !== undefined) {
      test.skip(`${title} (not here: ${reason})`);
      return;
    }
    test(title, async () => {
      const contexts: TestContext[] = [];
      try {
        await check(async (model, options) => {
          const host = await harness.start(model);
          const runtime = createAgentRuntime({ backend: host.backend, models: { default: host.model }, ...options });
          contexts.push({ runtime, host });
          return { runtime, host };
        }, harness);
      } finally {
        for (const { runtime, host } of contexts) await runtime.close().finally(host.close);
      }
    });
  };
}

/** Returns all events of a run. */
export async function collect(run: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

export function ofType<K extends RunEventType>(events: readonly RunEvent[], type: K): Extract<RunEvent, { type: K }>[] {
  return events.filter((event): event is Extract<RunEvent, { type: K }> => event.type === type);
}

/** Lists the caller's tools in a request. Excludes the tool that some hosts add to read truncated results. */
export function passedTools({ backend, sent }: ScriptedHost, request = 0): string[] {
  const names = sent()[request]?.tools.map(({ name }) => name) ?? [];
  return backend.features.offersLater === false ? names.filter((name) => name !== "read_result") : names;
}

/** Reads a run until an event of this type. */
export async function until(run: AgentRun, type: RunEventType): Promise<void> {
  for await (const event of run) if (event.type === type) return;
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
