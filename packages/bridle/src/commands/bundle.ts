import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createRedactor, type Redactor } from "@bridle/core";
import { collectSupportFacts, resolveSettings, settingsRedactor } from "@bridle/project";
import { ConfigError, isBridleError, StoreError } from "@bridle/protocol";
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
  description: `Put all that tells what happened in a run or a session into one .tar.gz, to hand to somebody else: a summary, a transcript,
the events, configuration, versions, and a manifest with hashes that says what was left out. It is not written where a credential would be in it.`,
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
      description: "verify a bundle, and say what happened",
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
    check === undefined ? write(operand, flags, cli) : tellCheck(check, flags, cli),
});

interface Wanted extends ProjectFlagValues {
  readonly out?: string;
  readonly force?: boolean;
  readonly artifacts?: boolean;
}

async function write(id: string | undefined, wanted: Wanted, cli: Cli): Promise<number> {
  const { cwd, version, stdout } = cli;
  const { out, force = false, artifacts = false } = wanted;
  const { makeBundle } = await import("../bundle/make-bundle.ts");
  const facts = await collectSupportFacts(whereabouts(wanted, cli), cwd);
  const pack = async (happened?: Happened, untold?: string) => {
    const file = await claimOutput(out ?? nameFor(happened), { cwd, flag: "--out", force });
    await file.write(
      makeBundle({
        ...(happened && { happened }),
        ...(untold && { untold }),
        facts,
        version,
        withArtifacts: artifacts,
        at: new Date(),
      }),
    );
    stdout.write(`${out ?? nameFor(happened)}\n`);
    return exitCodes.natural;
  };
  if (facts.fault !== undefined && id === undefined)
    return pack(undefined, `where they are is not known: ${facts.fault}`);
  const bundled = withRecord(wanted, cli, async (record) => {
    if (id === undefined && record.runs({ last: 1 }).length === 0) return pack();
    return pack({ target: findOnRecord(record, id), record });
  });
  return bundled.catch((error: unknown) => {
    if (id === undefined && error instanceof StoreError) return pack(undefined, error.message);
    throw error;
  });
}

type Happened = NonNullable<Parameters<typeof import("../bundle/make-bundle.ts").makeBundle>[0]["happened"]>;

function nameFor(happened: Happened | undefined): string {
  if (happened === undefined) return "bridle-project.tar.gz";
  const { target } = happened;
  const id = "runId" in target ? target.runId : target.sessionId;
  return `bridle-${id.replaceAll(/[^\w-]/g, "_")}.tar.gz`;
}

/** Credentials that the project knows are looked for as well, where it is one. */
async function tellCheck(name: string, wanted: ProjectFlagValues, cli: Cli): Promise<number> {
  const { cwd, stdout, stderr } = cli;
  const { checkBundle } = await import("../bundle/check-bundle.ts");
  const bytes = await readFile(resolve(cwd, name)).catch((cause) => {
    throw new ConfigError(`${name} cannot be read. Name a bundle after --check.`, { cause });
  });
  const redactor = await redactorOf(wanted, cli);
  const checked = checkBundle(bytes, name, redactor);
  stdout.write(harmless(redactor.text(await describeBundle(checked))));
  for (const problem of checked.problems) stderr.write(harmless(`${name}: ${problem}.\n`));
  return checked.problems.length === 0 ? exitCodes.natural : exitCodes.otherwise;
}

async function redactorOf(wanted: ProjectFlagValues, cli: Cli): Promise<Redactor> {
  const options = whereabouts(wanted, cli);
  try {
    return settingsRedactor(await resolveSettings(options, cli.cwd));
  } catch (error) {
    if (isBridleError(error)) return createRedactor({ environment: cli.environment });
    throw error;
  }
}

async function describeBundle({ manifest, events }: CheckedBundle): Promise<string> {
  const { summaryText } = await import("../bundle/summary-text.ts");
  const { of, madeAt, files, leftOut } = manifest;
  const subject = of.kind === "project" ? "The project, without a run" : `The ${of.kind} ${of.id}`;
  const lines = [
    `${subject}, bundled at ${madeAt}`,
    `${files.length} files: ${files.map(({ path }) => path.replace(/([0-9a-f]{8})[0-9a-f]{56}/, "$1…")).join(", ")}`,
    ...leftOut.map(({ what, why }) => `left out: ${what}, because ${why}`),
  ];
  return `${lines.join("\n")}\n${events.length > 0 ? `\n${summaryText(events)}` : ""}`;
}
