import { type Check, runDoctor } from "@bridle/project";
import { z } from "zod";
import { defineCommand } from "../cli/command.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { formatChecks } from "../report/format-checks.ts";
import { watchInterruptions } from "../run/interruption.ts";
import { createPaint } from "../run/paint.ts";

export const doctorCommand = defineCommand({
  description: "Check what a run needs, with a remedy for each fault.",
  notes: `Exit codes:
  0 nothing failed; else that of the first failure: 3 configuration, 4 authentication, 5 backend`,
  flags: {
    json: { flag: "--json", description: "print the checks as JSON", value: z.boolean() },
    live: {
      flag: "--live",
      description: "ask the host whether it accepts the login, with one short request",
      value: z.boolean(),
    },
    boundary: {
      flag: "--boundary",
      description: "prove on this machine that nothing reaches the model but what was handed over; needs no login",
      value: z.boolean(),
    },
  },
  examples: ["bridle doctor", "bridle doctor --live", "bridle doctor --boundary --json"],
  async run({ flags }, cli) {
    const interruption = watchInterruptions(cli);
    const { live = false, boundary = false } = flags;
    const { signal } = interruption;
    if (live || boundary) cli.stderr.write("Running Claude Code; this takes some seconds.\n");
    const checks = await runDoctor({ live, boundary, signal, environment: cli.environment }, cli.cwd);
    interruption.dispose();
    const failure = checks.find(({ ok }) => ok === false);
    cli.stdout.write(
      flags.json
        ? `${JSON.stringify({ ok: failure === undefined, checks }, undefined, 2)}\n`
        : formatChecks(checks, createPaint(cli.stdout, cli.environment), cli.stdout.columns),
    );
    if (interruption.interrupt) return exitCodes[interruption.interrupt];
    return failure ? exitCodeOf(failure) : exitCodes.natural;
  },
});

function exitCodeOf({ area }: Check): number {
  return exitCodes[area];
}
