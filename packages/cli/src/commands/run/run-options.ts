import { type AgentRunPlan, readSchemaFile } from "@bridle/app/runs";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import type { Flags, Given } from "../../command/command.ts";
import type { OutputForm } from "../../run-view/run-view.ts";
import type { agentFlag } from "../agent/agent-flag.ts";
import { agentFlags, readAgentPlan } from "./agent-flags.ts";
import { readPrompt } from "./read-prompt.ts";

export const promptOperand = { name: "prompt", description: 'the task; "-" reads it from standard input' };

/** The flags of every command that performs one run. */
export const runFlags = {
  ...agentFlags,
  tools: { ...agentFlags.tools, excludes: ["schema"] },
  steps: { ...agentFlags.steps, excludes: ["schema"] },
  schema: {
    flag: "--schema <file>",
    description: "a JSON Schema file; the answer is a JSON object that matches it",
    value: z.string().min(1),
    expected: "a file",
  },
  events: {
    flag: "--events",
    description: "print every event as one line of JSON instead of the text",
    value: z.boolean(),
    excludes: ["json"],
  },
  json: { flag: "--json", description: "print the result as JSON instead of the text", value: z.boolean() },
} satisfies Flags;

type RunFlagValues = Given<typeof runFlags & { agent: typeof agentFlag }>["flags"] & {
  readonly approvals?: "wait" | "deny" | undefined;
};

/** The plan of a run, and the form of its output. */
export interface RunOptions {
  readonly plan: AgentRunPlan;
  readonly form: OutputForm;
}

/** Reads everything that a run needs. Throws UsageError and ConfigError. */
export async function readRunOptions(operand: string | undefined, flags: RunFlagValues, cli: Cli): Promise<RunOptions> {
  const prompt = await readPrompt(operand, cli.stdin);
  const schema = flags.schema === undefined ? undefined : await readSchemaFile(flags.schema, cli.cwd);
  const plan = { ...(await readAgentPlan(flags.agent, flags, cli)), prompt, schema };
  return { plan, form: flags.events ? "events" : flags.json ? "json" : "text" };
}
