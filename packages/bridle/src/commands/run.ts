import { z } from "zod";
import { defineCommand } from "../cli/command.ts";
import { exitCodeHelp } from "../cli/exit-codes.ts";
import { promptOperand, readPlan, runFlags } from "../run/options.ts";
import { performRun } from "../run/perform-run.ts";

export const runCommand = defineCommand({
  description: `Run an agent: the model works on the prompt with exactly the tools of one file, and nothing else.
Text goes to standard output, to a terminal as it comes, else step by step;
tool calls are shown on standard error.`,
  notes: exitCodeHelp,
  operand: promptOperand,
  flags: {
    ...runFlags,
    ephemeral: {
      flag: "--ephemeral",
      description: "keep nothing of the run on disk, instead of its events in the project's .bridle",
      value: z.boolean(),
    },
  },
  examples: [
    'bridle run "Say hello."',
    'bridle run --tools tools.ts --system @instructions.md "Where is order A-1001?"',
    "cat report.md | bridle run --schema summary.schema.json -",
    'bridle run --rehearse script.yaml --tools tools.ts --events "Where is order A-1001?"',
  ],
  async run({ operand, flags: { ephemeral = false, ...flags } }, cli) {
    return performRun({ ...(await readPlan({ operand, flags }, cli)), ephemeral }, cli);
  },
});
