import { z } from "zod";
import { agentFlag } from "../agent/agent-flag.ts";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodeHelp } from "../../command-line/exit-codes.ts";
import { UsageError } from "@bridle/app";
import { approvalsFlag, promptOperand, readPlan, runFlags } from "./run-options.ts";
import { performRun } from "./perform-run.ts";
import { chooseSession } from "../sessions/choose-session.ts";
import { sessionIdFlag } from "../sessions/session-id-flag.ts";

export const runCommand = defineCommand({
  description: `Run an agent: the model works on the prompt with exactly the tools of one file, and nothing else.
The file is an agent's (--agent), or a module of tools (--tools).
Text goes to standard output, to a terminal as it comes, else step by step;
tool calls are shown on standard error.`,
  notes: exitCodeHelp,
  operand: promptOperand,
  flags: {
    agent: agentFlag,
    ...runFlags,
    session: {
      flag: "--session <id>",
      description: "a run of this session: it is told all that was said before; an unknown id begins one",
      excludes: ["continue", "schema", "ephemeral"],
      ...sessionIdFlag,
    },
    continue: {
      flag: "--continue",
      description: "a run of the newest session of the project",
      value: z.boolean(),
      excludes: ["schema", "ephemeral"],
    },
    approvals: approvalsFlag,
    ephemeral: {
      flag: "--ephemeral",
      description: "keep nothing of the run on disk, instead of its events in the project's .bridle",
      value: z.boolean(),
    },
  },
  examples: [
    'bridle run "Say hello."',
    'bridle run --tools tools.ts --system @instructions.md "Where is order A-1001?"',
    'bridle run --agent agent.yaml "Where is order A-1001?"',
    'bridle run --session support-42 "And when was it shipped?"',
    "cat report.md | bridle run --schema summary.schema.json -",
    'bridle run --rehearse script.yaml --tools tools.ts --events "Where is order A-1001?"',
  ],
  async run({ operand, flags: { ephemeral = false, approvals, session, continue: goOn, ...flags } }, cli) {
    if (ephemeral && approvals === "wait") {
      throw new UsageError("--approvals wait and --ephemeral exclude each other: answers come by way of the record.");
    }
    const plan = await readPlan({ operand, flags }, cli);
    const chosen = await chooseSession({ ...flags, session, goOn }, cli);
    return performRun({ ...plan, ...chosen, ephemeral, ...(approvals !== undefined && { approvals }) }, cli);
  },
});
