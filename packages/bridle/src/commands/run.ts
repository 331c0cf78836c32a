import { defineCommand } from "../cli/command.ts";
import { exitCodeHelp } from "../cli/exit-codes.ts";
import { promptOperand, readPlan, runFlags } from "../run/options.ts";
import { performRun } from "../run/perform-run.ts";

export const runCommand = defineCommand({
  description: `Run an agent: the model works on the prompt with exactly the tools of one file, and nothing else.
Text is streamed to standard output; tool calls are shown on standard error.`,
  notes: exitCodeHelp,
  operand: promptOperand,
  flags: runFlags,
  examples: [
    'bridle run "Say hello."',
    'bridle run --tools tools.ts --system @instructions.md "Where is order A-1001?"',
    "cat report.md | bridle run --schema summary.schema.json -",
    'bridle run --rehearse script.yaml --tools tools.ts --events "Where is order A-1001?"',
  ],
  run: async (given, cli) => performRun(await readPlan(given, cli), cli),
});
