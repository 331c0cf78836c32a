import { UsageError } from "@bridle/app";
import { withProject } from "@bridle/app/project";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { exitCodeHelp } from "../../command/exit-codes.ts";
import { agentFlag } from "../agent/agent-flag.ts";
import { chooseSession } from "../sessions/choose-session.ts";
import { sessionIdFlag } from "../sessions/session-id-flag.ts";
import { approvalsFlag } from "./agent-flags.ts";
import { runAndPrint } from "./run-and-print.ts";
import { promptOperand, readRunOptions, runFlags } from "./run-options.ts";

export const runCommand = defineCommand({
  description: `Run an agent on a prompt, with exactly the tools in one file: an agent (--agent) or a module of tools
(--tools).
Text goes to standard output: on a terminal as it arrives, otherwise step by step.
Tool calls are shown on standard error.`,
  notes: exitCodeHelp,
  operand: promptOperand,
  flags: {
    agent: agentFlag,
    ...runFlags,
    session: {
      flag: "--session <id>",
      description: "continue the conversation of this session; an unknown id starts a new session",
      excludes: ["continue", "schema", "ephemeral"],
      ...sessionIdFlag,
    },
    continue: {
      flag: "--continue",
      description: "continue the newest session of the project",
      value: z.boolean(),
      excludes: ["schema", "ephemeral"],
    },
    approvals: approvalsFlag,
    ephemeral: {
      flag: "--ephemeral",
      description: "do not store the run on disk (default: store its events in the project's .bridle)",
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
  async run({ operand, flags }, cli) {
    const { ephemeral = false, approvals } = flags;
    if (ephemeral && approvals === "wait") {
      throw new UsageError(
        "--approvals wait and --ephemeral cannot be combined: answers arrive through the event log.",
      );
    }
    const { plan, form } = await readRunOptions(operand, flags, cli);
    const opened = await withProject(flags, cli);
    const sessionId = await chooseSession(flags, opened);
    return runAndPrint({ ...plan, sessionId, ephemeral }, form, opened);
  },
});
