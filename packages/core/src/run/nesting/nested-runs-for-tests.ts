/** Helpers for tests of nested runs: agents on separate backends, each a tool of the next. */
import type { AgentRun, AnyTool, Backend, Cost, LoopRequest, RunEvent, TurnContext, TurnEnd } from "@bridle/protocol";
import { createTestBackend, createTestTool, natural, someUsage } from "../../runtime/runs-for-tests.ts";
import { createAgentRuntime, type RuntimeOptions } from "../../runtime/runtime.ts";

/** Sends a complete response. */
export function respondOnce(host: TurnContext, text = "", cost?: Cost): void {
  host.emit({ type: "step.started", model: "m" });
  if (text) host.emit({ type: "text.completed", text });
  host.emit({ type: "step.finished", usage: someUsage, ...(cost && { cost }) });
}

/** Creates a model that calls these tools, all in its first response, and then answers. */
export function callsThenAnswers(tools: readonly string[], answer = "done", cost?: Cost) {
  return async (host: TurnContext): Promise<TurnEnd> => {
    respondOnce(host, "", cost);
    await Promise.all(tools.map((tool, index) => host.callTool({ callId: `${tool}-${index}`, tool, input: {} })));
    if (host.signal.aborted) return { reason: "budget" };
    respondOnce(host, answer, cost);
    return natural;
  };
}

/** Creates a model that calls a tool in each response, forever. */
export function callsForever(tool: string, cost?: Cost) {
  return async (host: TurnContext): Promise<TurnEnd> => {
    for (let index = 0; !host.signal.aborted; index++) {
      respondOnce(host, "", cost);
      await host.callTool({ callId: `call-${index}`, tool, input: {} });
    }
    return { reason: "budget" };
  };
}

/** Creates a tool that runs an agent on this backend. `runs` collects the runs that the tool started. */
export function agentOn(
  name: string,
  backend: Backend,
  request: Partial<LoopRequest> = {},
  { runs = [], parts, ...options }: Partial<RuntimeOptions> & { runs?: AgentRun[]; parts?: Partial<AnyTool> } = {},
): AnyTool {
  const runtime = createAgentRuntime({ backend, models: { default: name }, ...options });
  const readOnly = { annotations: { readOnly: true } };
  return createTestTool(
    name,
    async (_input, { call, signal }) => {
      const run = runtime.runAgentLoop({
        prompt: "go",
        tools: [],
        labels: { agent: name },
        ...request,
        signal,
        parent: call,
      });
      runs.push(run);
      const { text, stopReason } = await run.result;
      return `${stopReason}: ${text}`;
    },
    { ...readOnly, ...parts },
  );
}

export const hostThat = createTestBackend;

export async function eventsOf(run: AgentRun): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}
