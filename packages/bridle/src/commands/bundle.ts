import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ConfigError, createRedactor } from "@bridle/core";
import { describeStatus, resolveSettings, settingsRedactor } from "@bridle/project";
import { z } from "zod";
import type { CheckedBundle } from "../bundle/check-bundle.ts";
import type { Cli } from "../cli/cli.ts";
import { defineCommand } from "../cli/command.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { type ProjectFlagValues, whereabouts } from "../cli/project-flag.ts";
import { findOnRecord, recordFlags, recordOperand, withRecord } from "../record/open-record.ts";
import { harmless } from "../run/harmless.ts";
import { claimOutput } from "../run/output-file.ts";

export const bundleCommand = defineCommand({
  description: `Put all that tells what happened in a run or a session into one .tar.gz, to hand to somebody else: events, a transcript,
configuration, versions, and a manifest with hashes that says what was left out. It is not written where a credential would be in it.`,
  operand: recordOperand,
  flags: {
    out: {
      flag: "--out <file>",
      description: "the file to write (default: bridle-<id>.tar.gz)",
      value: z.string().min(1),
      expected: "a file",
      excludes: ["check"],
    },
    force: { flag: "--force", description: "write over a file that is there", value: z.boolean() },
    artifacts: {
      flag: "--artifacts",
      description: "with the whole inputs of the model and results of tools",
      value: z.boolean(),
    },
    check: {
      flag: "--check <file>",
      description: "verify a bundle, and say what is in it",
      value: z.string().min(1),
      expected: "a file",
    },
    ...recordFlags,
  },
  examples: [
    "bridle bundle",
    "bridle bundle --artifacts --out failed.tar.gz support-42",
    "bridle bundle --check failed.tar.gz",
  ],
  notes: `Exit codes:
  0 written, or good, 1 the bundle that was checked is not good, 3 there is nothing to write, or a credential would be in it`,
  run: async ({ operand, flags: { check, ...flags } }, cli) =>
    check === undefined ? write(operand, flags, cli) : tellCheck(check, cli),
});

interface Wanted extends ProjectFlagValues {
  readonly out?: string;
  readonly force?: boolean;
  readonly artifacts?: boolean;
}

async function write(id: string | undefined, wanted: Wanted, cli: Cli): Promise<number> {
  const { cwd, version, stdout } = cli;
  const { out, force = false, artifacts = false } = wanted;
  const options = whereabouts(wanted, cli);
  const { makeBundle } = await import("../bundle/make-bundle.ts");
  return withRecord(wanted, cli, async (record) => {
    const target = findOnRecord(record, id);
    const name =
      out ?? `bridle-${("runId" in target ? target.runId : target.sessionId).replaceAll(/[^\w-]/g, "_")}.tar.gz`;
    const file = await claimOutput(name, { cwd, flag: "--out", force });
    const settings = await resolveSettings(options, cwd);
    const bundle = makeBundle({
      ...{ target, record, version, withArtifacts: artifacts, at: new Date() },
      status: await describeStatus(options, cwd),
      config: settings.configFile === undefined ? undefined : await readFile(settings.configFile, "utf8"),
      redactor: settingsRedactor(settings),
    });
    await file.write(bundle);
    stdout.write(`${name}\n`);
    return exitCodes.natural;
  });
}

async function tellCheck(name: string, { cwd, environment, stdout, stderr }: Cli): Promise<number> {
  const { checkBundle } = await import("../bundle/check-bundle.ts");
  const bytes = await readFile(resolve(cwd, name)).catch((cause) => {
    throw new ConfigError(`${name} cannot be read. Name a bundle after --check.`, { cause });
  });
  const checked = checkBundle(bytes, name, createRedactor({ environment }));
  stdout.write(harmless(summaryOf(checked)));
  for (const problem of checked.problems) stderr.write(harmless(`${name}: ${problem}.\n`));
  return checked.problems.length === 0 ? exitCodes.natural : exitCodes.otherwise;
}

function summaryOf({ manifest: { of, madeAt, runs, files, leftOut } }: CheckedBundle): string {
  const lines = [
    `The ${of.kind} ${of.id}, bundled at ${madeAt}`,
    ...runs.map(
      ({ runId, stopReason, error }) => `run ${runId}: ${stopReason ?? "no end"}${error ? `, ${error}` : ""}`,
    ),
    ...files.map(({ path, bytes }) => `file ${path}, ${bytes} bytes`),
    ...leftOut.map(({ what, why }) => `left out: ${what}, because ${why}`),
  ];
  return `${lines.join("\n")}\n`;
}
