import { loadAgentFile } from "@bridle/app/agents";
import { readAttachments } from "@bridle/app/attachments";
import { loadTools } from "@bridle/app/modules";
import {
  type AgentPlan,
  authModes,
  backendNames,
  policyModeNames,
  policyModes,
  readInstructionsFlag,
} from "@bridle/app/runs";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import type { Flag, Flags, Given } from "../../command/command.ts";
import { projectFlags } from "../../command/project-flags.ts";

const text = z.string().min(1);
const maxSeconds = 31_536_000;
const seconds = {
  value: z.coerce.number().positive().max(maxSeconds),
  expected: `a number of seconds above 0, at most ${maxSeconds} (a year)`,
};

/** The flag of commands whose runs are in the project's event log, through which other processes can answer. */
export const approvalsFlag = {
  flag: "--approvals <how>",
  description: `when the rules require approval: wait for "bridle approvals answer" in another process, or deny
(default: ask on a terminal, otherwise deny)`,
  value: z.enum(["wait", "deny"]),
} satisfies Flag;

/** The flags of every command that runs an agent, in runs and in chats. */
export const agentFlags = {
  tools: {
    flag: "--tools <file>",
    description: "a TypeScript or JavaScript module with an array of tools as its default export",
    value: text,
    expected: "a file",
  },
  system: {
    flag: "--system <text>",
    description: "instructions; @file reads them from a file",
    value: text,
    expected: "a text",
  },
  file: {
    flag: "--file <path>",
    description: "send this file with the prompt: text, an image or a PDF (can be repeated)",
    value: z.array(text),
    expected: "a file",
    isRepeated: true,
  },
  role: {
    flag: "--role <role>",
    description: "the purpose of the run; bridle.yaml maps roles to models",
    value: text,
    excludes: ["model"],
    expected: "a name",
  },
  model: {
    flag: "--model <model>",
    description: "a model by alias or full id, instead of the role's model",
    value: text,
    expected: "a name",
  },
  policy: {
    flag: "--policy <file>",
    description: "a YAML file with rules for tool calls under the key policy, instead of the rules in bridle.yaml",
    value: text,
    expected: "a file",
  },
  mode: {
    flag: "--mode <mode>",
    description: `when to ask before a tool runs: ${policyModes.join(", ")}`,
    value: z.enum(policyModeNames),
  },
  steps: {
    flag: "--steps <n>",
    description: "maximum number of model responses (default: 20)",
    value: z.coerce.number().int().min(1),
    expected: "a whole number from 1",
  },
  backend: {
    flag: "--backend <backend>",
    description: `the host of the model: ${backendNames.join(", ")}`,
    value: z.enum(backendNames),
  },
  auth: {
    flag: "--auth <mode>",
    description: `the auth mode of claude-code: ${authModes.join(", ")}`,
    value: z.enum(authModes),
    excludes: ["rehearse"],
  },
  rehearse: {
    flag: "--rehearse <script>",
    description: "replace the model with a script: no login, no cost, everything else is real",
    value: text,
    expected: "a file",
  },
  onUsageLimit: {
    flag: "--on-usage-limit <what>",
    description:
      "when the usage window is used up: wait for the next one, or fail (default: fail on a terminal, otherwise wait)",
    value: z.enum(["wait", "fail"]),
  },
  maxWait: {
    flag: "--max-wait <seconds>",
    description: "the longest wait for a usage window; a longer wait fails at once (default: 5 hours)",
    ...seconds,
  },
  timeout: { flag: "--timeout <seconds>", description: "end the run after this time", ...seconds },
  ...projectFlags,
} satisfies Flags;

type AgentFlagValues = Given<typeof agentFlags>["flags"] & { readonly approvals?: "wait" | "deny" | undefined };

/** Reads an agent file, instructions and tools. Throws UsageError and ConfigError. */
export async function readAgentPlan(agent: string | undefined, flags: AgentFlagValues, cli: Cli): Promise<AgentPlan> {
  const { role, model, policy, mode, steps, timeout, onUsageLimit, maxWait, backend, auth, rehearse } = flags;
  const { approvals, system, tools, file = [] } = flags;
  return {
    role,
    model,
    policy,
    mode,
    steps,
    timeout,
    onUsageLimit,
    maxWait,
    backend,
    auth,
    rehearse,
    approvals,
    attachments: await readAttachments(file, cli.cwd),
    agent: agent === undefined ? undefined : await loadAgentFile(agent, cli),
    system: system === undefined ? undefined : await readInstructionsFlag(system, cli.cwd),
    tools: tools === undefined ? [] : await loadTools(tools, cli), // last: faults are watched from here on
  };
}
