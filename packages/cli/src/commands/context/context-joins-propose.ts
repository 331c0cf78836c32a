import { UsageError } from "@bridle/app";
import { withProject } from "@bridle/app/project";
import { type ProposedJoinsResult, proposeContextJoins } from "@bridle/app/warehouses";
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
import { printProposedJoins } from "./print-proposed-joins.ts";

export const contextJoinsProposeCommand = defineCommand({
  description: `Ask a model to propose joins between the tables of the last scan, and check each proposal against the
data.
The model of the role "model" sees names, types and descriptions, but no values. Supported joins are shown as a diff of
the files in context/tables, and written if you agree. Later scans check them again.`,
  operand: { name: "connection", description: "the name of a connection in bridle.yaml (default: all)" },
  flags: {
    dryRun: { flag: "--dry-run", description: "show the changes without writing them", value: z.boolean() },
    yes: { flag: "--yes", description: "do not ask for confirmation", value: z.boolean() },
    backend: agentFlags.backend,
    auth: agentFlags.auth,
    rehearse: agentFlags.rehearse,
    json: jsonFlag,
    ...projectFlags,
  },
  examples: ["bridle context joins propose", "bridle context joins propose warehouse --dry-run"],
  notes: `Exit codes:
  0 done, or nothing to change, 1 you did not agree, or the model was not asked
  about some tables (each is listed), 2 usage, 3 configuration,
  4 credentials are refused, 5 the model or the warehouse cannot be reached,
  130 interrupted (143 by SIGTERM, 129 by SIGHUP)`,
  async run({ operand: connection, flags }, cli) {
    const { yes = false, dryRun = false, json = false, backend, auth, rehearse, ...location } = flags;
    if (!yes && !dryRun && cli.readLine === undefined)
      throw new UsageError("There is no terminal to ask. Add --yes, or --dry-run to see the difference.");
    const opened = await withProject(location, cli);
    const interruption = new Interruption(cli);
    const progress = new ProgressLine(cli.stderr, cli.environment);
    let isShown = false;
    try {
      const selection = { connection, dryRun, choices: { backend, auth, rehearse } };
      const proposed = await proposeContextJoins(selection, opened, {
        logger: createStderrLogger(cli.stderr),
        signal: interruption.signal,
        onProgress: ({ connection: name, done, total }) =>
          progress.show(() => `${name}: ${done} of ${total} tables shown to the model`),
        confirm: async (result) => {
          progress.stop();
          if (yes) return true;
          printProposedJoins(result, json ? cli.stderr : cli.stdout, opened);
          isShown = true;
          return confirmDifference(cli);
        },
      });
      progress.stop();
      if (json) printJson(proposed, cli.stdout);
      else if (!isShown) printProposedJoins(proposed, cli.stdout, opened);
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

function report({ proposals, changes, done }: ProposedJoinsResult, dryRun: boolean, cli: ProjectCli): number {
  const isRefused = changes.length > 0 && !done && !dryRun;
  if (done) printSentence("Written. The next scan measures these joins again.", cli.stderr);
  else printSentence(changes.length === 0 ? "There is nothing to write." : "Nothing was written.", cli.stderr);
  const isWhole = proposals.every(({ failed }) => failed.length === 0);
  return isRefused || !isWhole ? exitCodes.otherwise : exitCodes.natural;
}
