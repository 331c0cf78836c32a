import {
  type AgentRun,
  type AnyTool,
  counted,
  cutText,
  defineTool,
  given,
  omitUndefined,
  optionsCheck,
  type ResultWith,
  type SendOptions,
  type ToolContext,
  type ToolOutput,
} from "@bridle/protocol";
import { z } from "zod";
import { agentAnnotations, reachableTools } from "./agent-promises.ts";
import type { CallableAgent } from "./callable-agent.ts";
import { NestedProgress } from "./nested-progress.ts";

type CallLimits = Pick<AgentToolOptions, "stepBudget" | "timeoutMs" | "maxCostUsd">;

/** Options of the tool. Its limits apply to one call, in addition to those in the agent file and those of the calling run. */
export interface AgentToolOptions extends Pick<SendOptions, "stepBudget" | "timeoutMs" | "maxCostUsd"> {
  /** The name of the tool. Default: the name of the agent. */
  readonly name?: string | undefined;
  /** The purpose of the agent, for the model that may call it. Default: the description in the agent file. */
  readonly description?: string | undefined;
}

const checkOptions = optionsCheck<AgentToolOptions>("agentTool", {
  name: given.text.optional(),
  description: given.text.optional(),
  stepBudget: given.number.optional(),
  timeoutMs: given.number.optional(),
  maxCostUsd: given.number.optional(),
});

/** Practically no limit: a year, in milliseconds. The nested run has its own time limit. */
const callMs = 365 * 86_400_000;

/**
 * Makes an agent a tool of another agent. Each call is a run in its own session, under the rules, questions and budgets of the calling run.
 * Keep the agent open while the tool is in use, and close it afterwards.
 *
 * @example
 * const researcher = await openAgent(await loadAgent("researcher.yaml", { environment: process.env }));
 * const run = runtime.runAgentLoop({ prompt: "Compare the two offers.", tools: [agentTool(researcher)] });
 */
export function agentTool(agent: CallableAgent, options: AgentToolOptions = {}): AnyTool {
  checkOptions(options);
  const { name = agent.name, description = agent.definition.config.description, ...limits } = options;
  return defineTool({
    name,
    description: description ?? `Asks the agent ${agent.name}, which works on a task and returns its answer.`,
    input: z.object({
      task: z
        .string()
        .min(1)
        .describe("The task, with everything that is needed for it. The agent does not see this conversation."),
    }),
    annotations: agentAnnotations(agent),
    nestedTools: reachableTools(agent),
    timeoutMs: callMs,
    execute: async ({ task }, context) => callAgent(agent, task, smallest(limits, ofFile(agent)), context),
  });
}

function ofFile({ request, limits }: CallableAgent): CallLimits {
  return { stepBudget: request.stepBudget, ...limits };
}

/** Combines the limits of the call with those in the agent file. */
function smallest(a: CallLimits, b: CallLimits): CallLimits {
  const min = (one = Number.POSITIVE_INFINITY, other = Number.POSITIVE_INFINITY) => {
    const found = Math.min(one, other);
    return found === Number.POSITIVE_INFINITY ? undefined : found;
  };
  return omitUndefined({
    stepBudget: min(a.stepBudget, b.stepBudget),
    timeoutMs: min(a.timeoutMs, b.timeoutMs),
    maxCostUsd: min(a.maxCostUsd, b.maxCostUsd),
  });
}

/** Runs the agent in the folder and with the variables of its caller. */
async function callAgent(
  agent: CallableAgent,
  task: string,
  limits: CallLimits,
  { call, signal, progress, projectDir, environment }: ToolContext,
): Promise<ToolOutput> {
  if (call === undefined) throw new Error("An agent is called by a run, and no run calls it here.");
  const session = await agent.openSession();
  try {
    const run = await session.send(task, { ...limits, parent: call, signal, projectDir, environment });
    await report(run, progress);
    return toOutput(agent.name, { runId: run.id, sessionId: session.id }, await run.result);
  } finally {
    await session.close();
  }
}

/** Reports the run's activity as progress of the call. */
async function report(run: AgentRun, progress: ToolContext["progress"]): Promise<void> {
  const shown = new NestedProgress();
  for await (const event of run) {
    const line = shown.next(event);
    if (line !== undefined) progress(shorten(line));
  }
}

function shorten(line: string): string {
  const cut = cutText(line, 200);
  return cut === undefined ? line : `${cut.head} … ${cut.tail}`;
}

interface Ids {
  readonly runId: string;
  readonly sessionId: string;
}

function toOutput(agent: string, ids: Ids, result: ResultWith<unknown>): ToolOutput {
  const { stopReason, text, object, steps } = result;
  const structured = { agent, ...ids, stopReason, steps, ...(object !== undefined && { object }) };
  if (stopReason === "natural") {
    return { markdown: object === undefined ? text : JSON.stringify(object), structured };
  }
  return { markdown: explain(agent, result), structured, isError: true };
}

function explain(agent: string, { stopReason, error, text, steps }: ResultWith<unknown>): string {
  const reason =
    stopReason === "budget"
      ? `it reached a budget after ${counted(steps, "step")}`
      : (error?.message ?? "it was stopped").replace(/\.$/, "");
  const said = text.trim() === "" ? "" : `\n\nIts last words, which may be incomplete:\n\n${text}`;
  return `The agent ${agent} did not finish: ${reason}.${said}`;
}
