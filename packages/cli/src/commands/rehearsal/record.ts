import { createMemoryEventLog } from "@bridle/core";
import { resolveSettings, settingsRedactor } from "@bridle/project";
import { agentFlag } from "../agent/agent-flag.ts";
import { type Cli } from "../../command-line/cli.ts";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodeHelp, exitCodes } from "../../command-line/exit-codes.ts";
import { whereabouts } from "../../command-line/project-flags.ts";
import { UsageError, harmless, claimOutput, type OutputFile } from "@bridle/app";
import { promptOperand, readPlan, runFlags } from "../run/run-options.ts";
import { performRun } from "../run/perform-run.ts";
import { type RunPlan } from "@bridle/app/runs";
import { z } from "zod";

export const recordCommand = defineCommand({
  description: `Run an agent as "bridle run" does, and write what the model said to a cassette.
A cassette is a rehearsal script: "bridle run --rehearse" and "bridle rehearse" play it, on every backend. Credentials are left out of it.`,
  notes: exitCodeHelp,
  operand: promptOperand,
  flags: {
    out: { flag: "--out <file>", description: "the cassette to write", value: z.string().min(1), expected: "a file" },
    force: { flag: "--force", description: "write over a file that is there", value: z.boolean() },
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
    const plan = await readPlan({ operand, flags }, cli);
    return recordRun(plan, { name: out, file }, cli);
  },
});

interface Target {
  readonly name: string;
  readonly file: OutputFile;
}

/** However the run ends, what the model said is kept. */
async function recordRun(plan: RunPlan, target: Target, cli: Cli): Promise<number> {
  const { createCassetteRecorder } = await import("@bridle/rehearsal/cassette");
  const { environment } = cli;
  const settings = await settingsOf(plan, cli);
  const secrets = settings.values.map(({ value }) => value);
  const record = createMemoryEventLog({ redactor: settingsRedactor(settings) });
  const recorder = createCassetteRecorder({ secrets, environment, readArtifact: record.artifact });
  const [run] = await Promise.allSettled([performRun(plan, cli, { record, onEvent: recorder.onEvent })]);
  const isSaved = await save(recorder.cassette(), target, cli);
  if (run.status === "rejected") throw run.reason;
  return isSaved ? run.value : run.value || exitCodes.configuration;
}

type Saved = Parameters<typeof import("@bridle/rehearsal/cassette").writeCassette>[0];

/** Says where the cassette is, or why there is none; false where it could not be written. */
async function save(cassette: Saved, { name, file }: Target, { stderr, version }: Cli): Promise<boolean> {
  const { writeCassette } = await import("@bridle/rehearsal/cassette");
  const say = (sentence: string) => stderr.write(harmless(`${sentence}\n`));
  const turns = cassette.script.turns.length;
  if (turns === 0) {
    say(`${name} was not written: the model gave no answer.`);
    return true;
  }
  try {
    await file.write(
      writeCassette(cassette, { at: new Date(), versions: { Bridle: version, "Node.js": process.versions.node } }),
    );
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return false;
  }
  for (const warning of cassette.warnings) say(`warning: not as it was: ${warning}.`);
  say(`Recorded to ${name} (${turns === 1 ? "1 turn" : `${turns} turns`}).`);
  return true;
}

async function settingsOf(plan: RunPlan, cli: Cli) {
  const { backend, auth } = plan;
  const options = { ...(backend && { backend }), ...(auth && { auth }), ...whereabouts(plan, cli) };
  return resolveSettings(options, cli.cwd);
}
