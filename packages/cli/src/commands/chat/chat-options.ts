import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { sessionIdPattern } from "@bridle/core";
import { type Cli } from "../../command-line/cli.ts";
import { type Flags, type Given } from "../../command-line/command.ts";
import { UsageError } from "@bridle/app";
import { approvalsFlag, runFlags } from "../run/run-options.ts";
import { readSystem, type ChatPlan } from "@bridle/app/runs";
import { loadTools } from "@bridle/app/modules";
import { z } from "zod";

const { schema: _schema, events: _events, json: _json, ...shared } = runFlags;
const { excludes: _of, ...tools } = runFlags.tools;
const { excludes: _ofSteps, ...steps } = runFlags.steps;

export const agentOperand = {
  name: "agent",
  description: "the file of an agent (default: agent.yaml, if it is there; else the project's model)",
};

/** The options of `bridle chat`: those of a run, but for what is of one answer only. */
export const chatFlags = {
  ...shared,
  tools,
  steps,
  resume: {
    flag: "--resume [id]",
    description: "go on with this session, or with one that you choose from a list",
    value: z.union([z.literal(true), z.string().regex(sessionIdPattern)]),
    expected: "the id of a session",
    excludes: ["continue"],
  },
  continue: {
    flag: "--continue",
    description: "go on with the newest session of the project",
    value: z.boolean(),
  },
  approvals: approvalsFlag,
  json: {
    flag: "--json",
    description: "print every event as one line of JSON, as bridle run --events does",
    value: z.boolean(),
  },
} satisfies Flags;

const defaultAgent = "agent.yaml";

/** What an agent's file says itself, and these would say otherwise. */
const ofTheAgent = ["tools", "system"] as const;

/** Reads all that a chat is made of. Throws UsageError and ConfigError. */
export async function readChatPlan(
  { operand, flags }: Pick<Given<typeof chatFlags>, "operand" | "flags">,
  cli: Cli,
): Promise<ChatPlan> {
  const { tools: file, system, resume, continue: goOn, json = false, ...rest } = flags;
  const agent = agentOf({ operand, flags }, cli);
  return {
    ...rest,
    json,
    ...(agent !== undefined && { agent }),
    ...(resume === true && { resume: "choose" as const }),
    ...(typeof resume === "string" && { resume: { id: resume } }),
    ...(goOn && { resume: "newest" as const }),
    ...(system !== undefined && { system: await readSystem(system, cli.cwd) }),
    tools: file === undefined ? [] : await loadTools(file, cli), // last: what it starts is watched from here on
  };
}

function agentOf({ operand, flags }: Pick<Given<typeof chatFlags>, "operand" | "flags">, { cwd }: Cli) {
  const rival = ofTheAgent.find((key) => flags[key] !== undefined);
  if (operand !== undefined && rival !== undefined) {
    throw new UsageError(`--${rival} and an agent exclude each other: the agent's file says it. Keep one.`);
  }
  if (operand !== undefined) return operand;
  return rival === undefined && existsSync(resolve(cwd, defaultAgent)) ? defaultAgent : undefined;
}
