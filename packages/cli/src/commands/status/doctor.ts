import type { ProjectSelector } from "@bridle/app";
import { type Check, checkProject } from "@bridle/app/status";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { nameCommands } from "../../command/name-commands.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { Interruption, reportInterrupt } from "../../terminal/interruption.ts";
import { createPaint } from "../../terminal/paint.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { whileWaiting } from "../../terminal/waiting-line.ts";
import { formatChecks } from "./format-checks.ts";

export const doctorCommand = defineCommand({
  description: "Check the requirements of a run, and suggest a remedy for each problem.",
  notes: `Exit codes:
  0 nothing failed; otherwise the code of the first failure: 3 configuration, 4 authentication (even without --live, if
  the host has no login on this machine), 5 backend`,
  flags: {
    ...projectFlags,
    json: jsonFlag,
    live: {
      flag: "--live",
      description: "test the credentials with one short request to the host, and embed one text",
      value: z.boolean(),
    },
    boundary: {
      flag: "--boundary",
      description: "prove on this machine that the model gets only what you pass to it; needs no login",
      value: z.boolean(),
    },
  },
  examples: ["bridle doctor", "bridle doctor --live", "bridle doctor --boundary --json"],
  async run({ flags }, cli) {
    const { live = false, boundary = false, json, ...location } = flags;
    if (live || boundary) cli.stderr.write("Asking the host. This takes some seconds.\n");
    const { checks, interrupt } = await check({ ...location, live, boundary }, cli);
    const failure = checks.find(({ ok }) => ok === false);
    if (json) printJson({ ok: failure === undefined, checks }, cli.stdout);
    else printChecks(checks, cli);
    if (interrupt) return reportInterrupt("The checks were", interrupt, cli);
    return failure ? exitCodes[failure.area] : exitCodes.natural;
  },
});

function printChecks(checks: readonly Check[], { stdout, environment }: Cli): void {
  const named = checks.map((check) => ({ ...check, ...nameIn(check, stdout) }));
  stdout.write(formatChecks(named, createPaint(stdout, environment), stdout.columns));
  if (!wasLoginLeftOut(checks)) return;
  stdout.write("\n");
  printSentence(unasked, stdout);
}

function nameIn({ detail, remedy }: Check, stdout: Cli["stdout"]): Partial<Check> {
  const named = { detail: nameCommands(detail, stdout) };
  return remedy === undefined ? named : { ...named, remedy: nameCommands(remedy, stdout) };
}

const unasked = 'The login was not checked. "bridle doctor --live" sends the host one short request.';

function wasLoginLeftOut(checks: readonly Check[]): boolean {
  return checks.some(({ id, ok, detail }) => id === "login" && ok === "skipped" && detail.startsWith("not checked"));
}

/** Shows a waiting line if the checks take long. An interrupt ends them early. */
async function check(options: ProjectSelector & { readonly live: boolean; readonly boundary: boolean }, cli: Cli) {
  const interruption = new Interruption(cli);
  try {
    const { signal } = interruption;
    const checks = await whileWaiting("checking", cli, () => checkProject({ ...options, signal }, cli));
    if (interruption.fault) throw interruption.fault.error;
    return { checks, interrupt: interruption.interrupt };
  } finally {
    interruption.dispose();
  }
}
