import { readBundle, writeBundle } from "@bridle/app/bundles";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { projectFlags } from "../../command/project-flags.ts";
import { toPrintable } from "../../terminal/printable.ts";
import { eventsOperand } from "../events/events-operand.ts";

export const bundleCommand = defineCommand({
  description: `Export a run or session to a .tar.gz file that you can share: a summary, a transcript, the events,
configuration, versions, and a manifest with hashes and omissions. The file is not written if it would contain a
credential.`,
  operand: eventsOperand,
  flags: {
    out: {
      flag: "--out <file>",
      description: "the file to write (default: .bridle/bundles/bridle-<id>.tar.gz, which git ignores)",
      value: z.string().min(1),
      expected: "a file",
      excludes: ["check"],
    },
    force: { flag: "--force", description: "overwrite an existing file", value: z.boolean() },
    artifacts: {
      flag: "--artifacts",
      description: "include full model inputs and tool results",
      value: z.boolean(),
    },
    check: {
      flag: "--check <file>",
      description: "verify a bundle and show its summary",
      value: z.string().min(1),
      expected: "a file",
    },
    ...projectFlags,
  },
  examples: [
    "bridle bundle",
    "bridle bundle --artifacts --out failed.tar.gz support-42",
    "bridle bundle --check failed.tar.gz",
  ],
  notes: `Exit codes:
  0 written, or the checked bundle is valid, 1 the checked bundle is not valid,
  3 nothing to write, or the file would contain a credential`,
  async run({ operand, flags: { check, ...options } }, cli) {
    if (check !== undefined) return printCheck(check, options, cli);
    cli.stdout.write(`${await writeBundle(operand, options, cli)}\n`);
    return exitCodes.natural;
  },
});

async function printCheck(name: string, location: Parameters<typeof readBundle>[1], cli: Cli): Promise<number> {
  const { description, problems } = await readBundle(name, location, cli);
  cli.stdout.write(toPrintable(description));
  for (const problem of problems) cli.stderr.write(toPrintable(`${name}: ${problem}.\n`));
  return problems.length === 0 ? exitCodes.natural : exitCodes.otherwise;
}
