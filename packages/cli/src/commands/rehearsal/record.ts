import { claimOutput, type OutputFile, UsageError } from "@bridle/app";
import { withProject } from "@bridle/app/project";
import { type RecordedRun, recordRun, saveCassette } from "@bridle/app/rehearsal";
import type { RunEffects } from "@bridle/app/runs";
import { counted, getErrorMessage, type RunResult } from "@bridle/protocol";
import { z } from "zod";
import type { Cli, ProjectCli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodeHelp, exitCodes } from "../../command/exit-codes.ts";
import { toPrintable } from "../../terminal/printable.ts";
import { agentFlag } from "../agent/agent-flag.ts";
import { showRun } from "../run/run-and-print.ts";
import { promptOperand, type RunOptions, readRunOptions, runFlags } from "../run/run-options.ts";

export const recordCommand = defineCommand({
  description: `Run an agent like "bridle run" and record the model's answers to a cassette.
A cassette is a rehearsal script: "bridle run --rehearse" and "bridle rehearse" play it on any backend. It contains no
credentials.`,
  notes: exitCodeHelp,
  operand: promptOperand,
  flags: {
    out: { flag: "--out <file>", description: "the cassette to write", value: z.string().min(1), expected: "a file" },
    force: { flag: "--force", description: "overwrite an existing file", value: z.boolean() },
    agent: agentFlag,
    ...runFlags,
  },
  examples: [
    'bridle record --out order.yaml --tools tools.ts "Where is order A-1001?"',
    'bridle run --rehearse order.yaml --tools tools.ts "Where is order A-1001?"',
  ],
  async run({ operand, flags: { out, force = false, ...flags } }, cli) {
    if (out === undefined) throw new UsageError("--out is missing. Name the cassette to write: --out cassette.yaml");
    const file = await claimOutput(out, { cwd: cli.cwd, flag: "--out", force });
    const options = await readRunOptions(operand, flags, cli);
    return recordAndSave(options, { name: out, file }, await withProject(flags, cli));
  },
});

interface NamedOutput {
  readonly name: string;
  readonly file: OutputFile;
}

/** Saves the cassette however the run ends. */
async function recordAndSave({ plan, form }: RunOptions, output: NamedOutput, cli: ProjectCli): Promise<number> {
  let recorded: RecordedRun | undefined;
  const perform = async (effects: RunEffects): Promise<{ result: RunResult }> => {
    recorded = await recordRun(plan, cli, effects);
    if (recorded.run.status === "rejected") throw recorded.run.reason;
    return { result: recorded.run.value };
  };
  const [printed] = await Promise.allSettled([showRun(plan, form, cli, perform)]);
  const isSaved = recorded === undefined || (await save(recorded.cassette, output, cli));
  if (printed.status === "rejected") throw printed.reason;
  const { code } = printed.value;
  return isSaved ? code : code || exitCodes.configuration;
}

/** Prints the location of the cassette, or the reason why it was not written. Resolves with false if writing failed. */
async function save(cassette: RecordedRun["cassette"], { name, file }: NamedOutput, cli: Cli): Promise<boolean> {
  const print = (sentence: string) => cli.stderr.write(toPrintable(`${sentence}\n`));
  const turns = cassette.script.turns.length;
  if (turns === 0) {
    print(`${name} was not written: the model gave no answer.`);
    return true;
  }
  try {
    await saveCassette(cassette, file, cli);
  } catch (error) {
    print(getErrorMessage(error));
    return false;
  }
  for (const warning of cassette.warnings) print(`warning: the cassette differs from the run: ${warning}.`);
  print(`Recorded to ${name} (${counted(turns, "turn")}).`);
  return true;
}
