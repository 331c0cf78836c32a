import { policyModeNames, policyModes } from "@bridle/core";
import { authModes, backendNames } from "@bridle/project";
import { type agentFlag } from "../agent/agent-flag.ts";
import { loadAgentFile } from "@bridle/app/agents";
import { type Cli } from "../../command-line/cli.ts";
import { type Flag, type Flags, type Given } from "../../command-line/command.ts";
import { projectFlags } from "../../command-line/project-flags.ts";
import { loadTools } from "@bridle/app/modules";
import { type RunPlan, readSchemaFile, readSystem } from "@bridle/app/runs";
import { readPrompt } from "./read-prompt.ts";
import { z } from "zod";

const text = z.string().min(1);
const longestSeconds = 31_536_000;
const seconds = z.coerce.number().positive().max(longestSeconds);
const someSeconds = `a number of seconds above 0, at most ${longestSeconds} (a year)`;

export const promptOperand = { name: "prompt", description: 'what to do; "-" reads it from standard input' };

/** For commands whose runs the project keeps: answers come by way of the record. */
export const approvalsFlag = {
  flag: "--approvals <how>",
  description: `what becomes of a question where the rules ask: wait for "bridle approvals answer" of another
process, without a terminal too, or deny (default: ask on a terminal, else deny)`,
  value: z.enum(["wait", "deny"]),
} satisfies Flag;

/** The options of every command that runs an agent. */
export const runFlags = {
  tools: {
    flag: "--tools <file>",
    description: "a TypeScript or JavaScript module whose default export is an array of tools",
    value: text,
    excludes: ["schema"],
    expected: "a file",
  },
  system: {
    flag: "--system <text>",
    description: "instructions; @file reads them from a file",
    value: text,
    expected: "a text",
  },
  role: {
    flag: "--role <role>",
    description: "what the run is for; bridle.yaml binds roles to models",
    value: text,
    excludes: ["model"],
    expected: "a name",
  },
  model: {
    flag: "--model <model>",
    description: "a model by alias or full id, instead of the role's",
    value: text,
    expected: "a name",
  },
  policy: {
    flag: "--policy <file>",
    description: "rules over the calls of tools: a YAML file with the key policy, instead of that of bridle.yaml",
    value: text,
    expected: "a file",
  },
  mode: {
    flag: "--mode <mode>",
    description: `how much is asked before a tool runs: ${policyModes.join(", ")}`,
    value: z.enum(policyModeNames),
  },
  steps: {
    flag: "--steps <n>",
    description: "responses that the model may give (default: 20)",
    value: z.coerce.number().int().min(1),
    excludes: ["schema"],
    expected: "a whole number from 1",
  },
  schema: {
    flag: "--schema <file>",
    description: "a JSON Schema file: the answer is an object that fits it, as JSON",
    value: text,
    expected: "a file",
  },
  backend: {
    flag: "--backend <backend>",
    description: `the host of the model: ${backendNames.join(", ")}`,
    value: z.enum(backendNames),
  },
  auth: {
    flag: "--auth <mode>",
    description: `who pays on claude-code: ${authModes.join(", ")}`,
    value: z.enum(authModes),
    excludes: ["rehearse"],
  },
  rehearse: {
    flag: "--rehearse <script>",
    description: "let the model follow a script: no login, no cost, all else is real",
    value: text,
    expected: "a file",
  },
  onUsageLimit: {
    flag: "--on-usage-limit <what>",
    description: "wait until a used-up usage window opens again, or fail (default: fail on a terminal, else wait)",
    value: z.enum(["wait", "fail"]),
  },
  maxWait: {
    flag: "--max-wait <seconds>",
    description: "the longest such wait; a longer one fails at once (default: 5 hours)",
    value: seconds,
    expected: someSeconds,
  },
  timeout: {
    flag: "--timeout <seconds>",
    description: "end the run after this time",
    value: seconds,
    expected: someSeconds,
  },
  ...projectFlags,
  events: {
    flag: "--events",
    description: "print every event as one line of JSON instead of the text",
    value: z.boolean(),
    excludes: ["json"],
  },
  json: { flag: "--json", description: "print the result as JSON instead of the text", value: z.boolean() },
} satisfies Flags;

/** Reads all that a run is made of. Throws UsageError and ConfigError. */
export async function readPlan(
  { operand, flags }: Pick<Given<typeof runFlags & { agent: typeof agentFlag }>, "operand" | "flags">,
  cli: Cli,
): Promise<RunPlan> {
  const prompt = await readPrompt(operand, cli.stdin);
  const { agent, tools, schema, system, events, json, ...rest } = flags;
  return {
    ...rest,
    prompt,
    form: events ? "events" : json ? "json" : "text",
    ...(schema !== undefined && { schema: await readSchemaFile(schema, cli.cwd) }),
    ...(agent !== undefined && { agent: await loadAgentFile(agent, cli) }),
    ...(system !== undefined && { system: await readSystem(system, cli.cwd) }),
    tools: tools === undefined ? [] : await loadTools(tools, cli), // last: what it starts is watched from here on
  };
}
