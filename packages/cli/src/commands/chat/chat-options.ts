import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "@bridle/app";
import { defaultAgentFile } from "@bridle/app/agents";
import type { AgentChatPlan } from "@bridle/app/runs";
import { sessionIdPattern } from "@bridle/app/sessions";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import type { Flags, Given } from "../../command/command.ts";
import { agentFlags, approvalsFlag, readAgentPlan } from "../run/agent-flags.ts";

export const chatOperand = {
  name: "agent",
  description: "the agent file (default: agent.yaml if it exists, otherwise the project's model)",
};

export const chatFlags = {
  ...agentFlags,
  resume: {
    flag: "--resume [id]",
    description: "resume this session, or choose one from a list",
    value: z.union([z.literal(true), z.string().regex(sessionIdPattern)]),
    expected: "the id of a session",
    excludes: ["continue"],
  },
  continue: {
    flag: "--continue",
    description: "resume the newest session of the project",
    value: z.boolean(),
  },
  approvals: approvalsFlag,
  json: {
    flag: "--json",
    description: "print every event as one line of JSON, like bridle run --events",
    value: z.boolean(),
  },
} satisfies Flags;

type GivenChat = Pick<Given<typeof chatFlags>, "operand" | "flags">;

/** A chat, the form of its output, and the session to resume. */
export interface ChatOptions {
  readonly plan: AgentChatPlan;
  readonly json: boolean;
  /** An id, the newest session, or a session that the user chooses from a list. */
  readonly resume: { readonly id: string } | "newest" | "choose" | undefined;
}

/** Reads everything that a chat needs. Throws UsageError and ConfigError. */
export async function readChatOptions({ operand, flags }: GivenChat, cli: Cli): Promise<ChatOptions> {
  const plan = await readAgentPlan(chooseAgent({ operand, flags }, cli), flags, cli);
  return { plan, json: flags.json ?? false, resume: chooseResume(flags) };
}

function chooseResume({ resume, continue: isContinued }: GivenChat["flags"]): ChatOptions["resume"] {
  if (isContinued) return "newest";
  if (resume === undefined) return undefined;
  return resume === true ? "choose" : { id: resume };
}

/** Flags that replace settings in an agent file. */
const agentParts = ["tools", "system"] as const;

function chooseAgent({ operand, flags }: GivenChat, { cwd }: Cli): string | undefined {
  const given = agentParts.find((key) => flags[key] !== undefined);
  if (operand !== undefined && given !== undefined) {
    throw new UsageError(`--${given} and an agent cannot be combined: the agent file has its own. Keep one.`);
  }
  if (operand !== undefined) return operand;
  return given === undefined && existsSync(resolve(cwd, defaultAgentFile)) ? defaultAgentFile : undefined;
}
