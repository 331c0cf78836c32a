import { UsageError } from "@bridle/app";
import { type IngestedContext, ingestContext, isWholeIngest } from "@bridle/app/ingest";
import { withProject } from "@bridle/app/project";
import { z } from "zod";
import type { ProjectCli } from "../../../command/cli.ts";
import { defineCommand } from "../../../command/command.ts";
import { exitCodes } from "../../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../../command/project-flags.ts";
import { confirmDifference, printDifference } from "../../../terminal/confirm-difference.ts";
import { Interruption, reportInterrupt } from "../../../terminal/interruption.ts";
import { createStderrLogger } from "../../../terminal/logger.ts";
import { printJson, printSentence } from "../../../terminal/print-sentence.ts";
import { ProgressLine } from "../../../terminal/progress-line.ts";
import { stdoutPage } from "../../../terminal/stdout-page.ts";
import { agentFlags } from "../../run/agent-flags.ts";
import { readAll } from "../../run/read-prompt.ts";
import { formatIngest } from "./format-ingest.ts";
import { formatIngestProgress } from "./ingest-progress.ts";

const text = z.string().min(1);
const count = { value: z.coerce.number().int().min(1), expected: "a whole number from 1" };

export const contextIngestCommand = defineCommand({
  description: `Read documents and tools, extract facts with models, check them, and write pages, metric models and
notes about tables, with sources. Run it again after changes: models see only changed content, and facts that no
document supports are removed. Roles in llm.models: triage, extract, default, curator, reconcile.`,
  operand: {
    name: "source",
    description: "a name in context.sources, a path, or - for standard input (default: all of context.sources)",
    isRepeated: true,
  },
  flags: {
    dryRun: {
      flag: "--dry-run",
      description: "call the models and show the changes without writing them; answers are kept for the next run",
      value: z.boolean(),
    },
    review: {
      flag: "--review",
      description: "ask for confirmation of each file",
      value: z.boolean(),
      excludes: ["dryRun", "json"],
    },
    only: {
      flag: "--only <item>",
      description: "call models only for these documents: an id, a title or a glob (can be repeated)",
      value: z.array(text),
      expected: "an id, a title or a glob",
      isRepeated: true,
    },
    remove: {
      flag: "--remove <source>",
      description: "remove an ingested path or text, with the facts that only it supports (can be repeated)",
      value: z.array(text),
      expected: "a source as bridle context status shows it, or a path",
      isRepeated: true,
    },
    concurrency: { flag: "--concurrency <n>", description: "number of parallel model calls (default: 4)", ...count },
    steps: {
      flag: "--steps <n>",
      description: "maximum number of model responses for a document (default: 30)",
      ...count,
    },
    budgetUsd: {
      flag: "--budget-usd <dollars>",
      description: "stop before a call that could exceed this cost; the next run continues",
      value: z.coerce.number().positive(),
      expected: "a number of dollars above 0",
    },
    output: {
      flag: "--output <file>",
      description: "write a report to this file: FILE.html, .md or .json",
      value: text,
      expected: "a file",
    },
    force: { flag: "--force", description: "replace an existing report", value: z.boolean() },
    backend: agentFlags.backend,
    auth: agentFlags.auth,
    rehearse: agentFlags.rehearse,
    json: jsonFlag,
    ...projectFlags,
  },
  examples: [
    "bridle context ingest",
    "bridle context ingest docs/wiki dbt --dry-run",
    "bridle context ingest --budget-usd 2 --output report.html",
    "bridle context ingest --remove docs/old",
  ],
  notes: `Exit codes:
  0 complete, 1 a read, a model call or a write failed (each is listed; the
  next run continues), 2 usage, 3 configuration, or another ingest is in
  progress, 4 credentials are refused, 5 the model or the warehouse cannot be
  reached, 130 interrupted (143 by SIGTERM, 129 by SIGHUP): the next run
  continues`,
  async run({ operands, flags }, cli) {
    const { dryRun = false, review = false, json = false, backend, auth, rehearse } = flags;
    const { only, remove, concurrency, steps, budgetUsd, output, force, projectDir, namespace } = flags;
    if (review && cli.readLine === undefined)
      throw new UsageError("There is no terminal to ask. Leave --review out, or use --dry-run to see the differences.");
    if (review && operands.includes("-"))
      throw new UsageError("Standard input is the text, so it cannot answer questions. Leave --review out.");
    const opened = await withProject({ projectDir, namespace }, cli);
    const interruption = new Interruption(cli);
    const progress = new ProgressLine(cli.stderr, cli.environment);
    const selection = {
      sources: operands,
      remove,
      only,
      dryRun,
      concurrency,
      budgetUsd,
      stepBudget: steps,
      output,
      force,
    };
    try {
      const report = await ingestContext({ ...selection, choices: { backend, auth, rehearse } }, opened, {
        logger: createStderrLogger(cli.stderr),
        readInput: () => readAll(cli.stdin),
        signal: interruption.signal,
        onProgress: (state) => progress.show((elapsedMs) => formatIngestProgress(state, elapsedMs)),
        ...(review && {
          confirm: async (file) => {
            progress.stop();
            if (!interruption.signal.aborted) printDifference(file, cli.stderr);
            return confirmDifference(cli, interruption.signal);
          },
        }),
      });
      progress.stop();
      print(report, json, opened);
      if (interruption.interrupt !== undefined) return reportInterrupt(continuing, interruption.interrupt, cli);
      return isWholeIngest(report) ? exitCodes.natural : exitCodes.otherwise;
    } catch (error) {
      progress.stop();
      if (interruption.interrupt === undefined) throw error;
      return reportInterrupt(continuing, interruption.interrupt, cli);
    } finally {
      progress.stop();
      interruption.dispose();
    }
  },
});

const continuing = "What models answered is kept, and the next run of the same command continues. Ingest was";

function print(report: IngestedContext, json: boolean, cli: ProjectCli): void {
  if (json) printJson(report, cli.stdout);
  else {
    cli.stdout.write(formatIngest(report, stdoutPage(cli), cli.stdout));
    for (const change of report.differences) printDifference(change, cli.stdout);
  }
  if (report.state === "planned") printSentence("Nothing was written.", cli.stderr);
  if (report.ended === "budget" || report.ended === "limit") printSentence(describeEnd(report), cli.stderr);
}

function describeEnd({ endReason = "It did not suffice.", opensAt }: IngestedContext): string {
  const when = opensAt === undefined ? "" : ` It opens again at ${opensAt}.`;
  return `${endReason}${when} Run the same command again to continue: nothing is asked twice.`;
}
