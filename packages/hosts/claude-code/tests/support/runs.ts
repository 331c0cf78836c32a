import { createAgentRuntime, type RuntimeOptions } from "@bridle/core";
import { type AgentRuntime, defineTool, type RunEvent } from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";
import { onTestFinished } from "vitest";
import { z } from "zod";
import type { ClaudeCodeOptions } from "../../src/options.ts";
import { type HostTestContext, startTestContext } from "./test-context.ts";

export type Steps = ScriptInput["turns"][number]["steps"];

export interface ScriptedContext extends HostTestContext {
  runtime: AgentRuntime;
}

/**
 * Starts a runtime on the real Claude Code. Its model answers any message with these steps. The runtime is closed after
 * the test.
 */
export function startScript(
  steps: Steps,
  options?: Partial<ClaudeCodeOptions>,
  runtimeOptions?: Partial<RuntimeOptions>,
): Promise<ScriptedContext> {
  return startScriptTurns([{ steps }], options, runtimeOptions);
}

/** Like `startScript`, with different answers to different messages. */
export async function startScriptTurns(
  turns: ScriptInput["turns"],
  options: Partial<ClaudeCodeOptions> = {},
  runtimeOptions: Partial<RuntimeOptions> = {},
): Promise<ScriptedContext> {
  const context = await startTestContext({ rehearsal: 1, turns }, options);
  const { backend, home } = context;
  const models = { default: "sonnet" };
  const runtime = createAgentRuntime({ backend, models, projectDir: home.project, ...runtimeOptions });
  onTestFinished(() => runtime.close().finally(context.close));
  return { ...context, runtime };
}

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({ at: z.string().default("") }),
  annotations: { readOnly: true },
  execute: async () => "seen",
});

/** Runs a loop with `look` to its end. */
export async function loop(runtime: AgentRuntime, request: Partial<Parameters<AgentRuntime["runAgentLoop"]>[0]> = {}) {
  const run = runtime.runAgentLoop({ prompt: "Go", tools: [look], stepBudget: 5, ...request });
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return { events, result: await run.result };
}
