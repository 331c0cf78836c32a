import { UsageError } from "@bridle/app";
import { type ProposedMetrics, proposeMetrics } from "@bridle/app/metrics";
import { withProject } from "@bridle/app/project";
import { z } from "zod";
import type { ProjectCli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { confirmDifference } from "../../terminal/confirm-difference.ts";
import { Interruption, reportInterrupt } from "../../terminal/interruption.ts";
import { createStderrLogger } from "../../terminal/logger.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { ProgressLine } from "../../terminal/progress-line.ts";
import { agentFlags } from "../run/agent-flags.ts";
import { printProposedMetrics } from "./print-proposed-metrics.ts";

export const metricsProposeCommand = defineCommand({
  description: `Draft models from the last scan: keys, joins, times, groups, and a measure for each number that is not
a key. Past statements add the measures, segments and joins that people use: from pg_stat_statements of PostgreSQL, or
from a file with --history. Each measure is computed and shown with its value. With --describe, the model of the role
"model" selects, names and describes the drafts. The changes are shown as a diff, and written if you agree. Existing
models are only extended.`,
  operand: {
    name: "table",
    description: "draft this table and the tables that its joins lead to (default: all, at most 30)",
  },
  flags: {
    history: {
      flag: "--history <file>",
      description: "a query log: CSV or JSON lines with a column query and, optionally, calls",
      value: z.string().min(1),
      expected: "a file",
    },
    describe: {
      flag: "--describe",
      description: "select, name and describe with a model, limited by context.scan.tokens in bridle.yaml",
      value: z.boolean(),
    },
    dryRun: { flag: "--dry-run", description: "show the changes without writing them", value: z.boolean() },
    yes: { flag: "--yes", description: "do not ask for confirmation", value: z.boolean() },
    backend: agentFlags.backend,
    auth: agentFlags.auth,
    rehearse: agentFlags.rehearse,
    json: jsonFlag,
    ...projectFlags,
  },
  examples: [
    "bridle metrics propose",
    "bridle metrics propose orders --dry-run",
    "bridle metrics propose --history queries.csv",
    "bridle metrics propose --describe",
  ],
  notes: `Exit codes:
  0 done, or nothing to change, 1 you did not agree, or no model improved
  some drafts (each is listed), 2 usage, 3 configuration, 4 credentials are
  refused, 5 the model or a warehouse cannot be reached,
  130 interrupted (143 by SIGTERM, 129 by SIGHUP)`,
  async run({ operand: table, flags }, cli) {
    const { yes = false, dryRun = false, json = false, describe = false, history, ...others } = flags;
    const { backend, auth, rehearse, ...location } = others;
    const choices = { backend, auth, rehearse };
    if (!describe && Object.values(choices).some((value) => value !== undefined))
      throw new UsageError("The model is that of descriptions. Add --describe.");
    if (!yes && !dryRun && cli.readLine === undefined)
      throw new UsageError("There is no terminal to ask. Add --yes, or --dry-run to see the difference.");
    const opened = await withProject(location, cli);
    const interruption = new Interruption(cli);
    const progress = new ProgressLine(cli.stderr, cli.environment);
    let isShown = false;
    try {
      const selection = { table, history, dryRun, describe: describe ? choices : undefined };
      const proposed = await proposeMetrics(selection, opened, {
        logger: createStderrLogger(cli.stderr),
        signal: interruption.signal,
        onProgress: ({ done, total }) => progress.show(() => `${done} of ${total} drafts shown to the model`),
        confirm: async (result) => {
          progress.stop();
          if (yes) return true;
          printProposedMetrics(result, json ? cli.stderr : cli.stdout, opened);
          isShown = true;
          return confirmDifference(cli);
        },
      });
      progress.stop();
      if (json) printJson(proposed, cli.stdout);
      else if (!isShown) printProposedMetrics(proposed, cli.stdout, opened);
      return report(proposed, dryRun, opened);
    } catch (error) {
      if (interruption.interrupt === undefined) throw error;
      return reportInterrupt("Nothing was written. The proposals were", interruption.interrupt, cli);
    } finally {
      progress.stop();
      interruption.dispose();
    }
  },
});

function report({ models, failed, done }: ProposedMetrics, dryRun: boolean, cli: ProjectCli): number {
  const next = 'Check the models with "bridle metrics validate", and ask with "bridle query".';
  if (done) printSentence(`Written. ${next}`, cli.stderr);
  else printSentence(models.length === 0 ? "There is nothing to add." : "Nothing was written.", cli.stderr);
  const isRefused = models.length > 0 && !done && !dryRun;
  return isRefused || failed.length > 0 ? exitCodes.otherwise : exitCodes.natural;
}
