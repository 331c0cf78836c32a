import { type Check, type DoctorOptions, runDoctor } from "@bridle/project";
import { type Cli } from "../../command-line/cli.ts";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { type ProjectFlagValues, projectFlags, whereabouts } from "../../command-line/project-flags.ts";
import { formatChecks } from "./format-checks.ts";
import { sayInterrupted, watchInterruptions } from "../../terminal/interruption.ts";
import { createPaint } from "../../terminal/paint.ts";
import { createWaiting } from "../../terminal/waiting.ts";
import { z } from "zod";

export const doctorCommand = defineCommand({
  description: "Check what a run needs, with a remedy for each fault.",
  notes: `Exit codes:
  0 nothing failed; else that of the first failure: 3 configuration, 4 authentication, 5 backend`,
  flags: {
    ...projectFlags,
    json: { flag: "--json", description: "print the checks as JSON", value: z.boolean() },
    live: {
      flag: "--live",
      description: "ask the host whether it accepts the credentials, with one short request; embed one text",
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
    const { live = false, boundary = false, json, ...where } = flags;
    if (live || boundary) cli.stderr.write("Asking the host; this takes some seconds.\n");
    const { checks, interrupt } = await check({ ...where, live, boundary }, cli);
    const failure = checks.find(({ ok }) => ok === false);
    cli.stdout.write(
      json
        ? `${JSON.stringify({ ok: failure === undefined, checks }, undefined, 2)}\n`
        : formatChecks(checks, createPaint(cli.stdout, cli.environment), cli.stdout.columns),
    );
    if (interrupt) return sayInterrupted("The checks were", interrupt, cli);
    return failure ? exitCodeOf(failure) : exitCodes.natural;
  },
});

/** Shows that it goes on where it takes long, and ends early at an interrupt. */
async function check(wanted: ProjectFlagValues & Pick<DoctorOptions, "live" | "boundary">, cli: Cli) {
  const interruption = watchInterruptions(cli);
  const waiting = createWaiting(cli.stderr, cli.environment);
  waiting.restart("checking");
  try {
    const { live = false, boundary = false, ...where } = wanted;
    const options = { ...whereabouts(where, cli), live, boundary, signal: interruption.signal };
    const checks = await runDoctor(options, cli.cwd);
    if (interruption.fault) throw interruption.fault.error;
    return { checks, interrupt: interruption.interrupt };
  } finally {
    waiting.stop();
    interruption.dispose();
  }
}

function exitCodeOf({ area }: Check): number {
  return exitCodes[area];
}
