import { UsageError } from "@bridle/app";
import { withProject } from "@bridle/app/project";
import { type ScannedContext, scanContext } from "@bridle/app/warehouses";
import { z } from "zod";
import type { ProjectCli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { Interruption, reportInterrupt } from "../../terminal/interruption.ts";
import { createStderrLogger } from "../../terminal/logger.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { ProgressLine } from "../../terminal/progress-line.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { agentFlags } from "../run/agent-flags.ts";
import { formatScan } from "./format-scan.ts";
import { formatScanProgress } from "./scan-progress.ts";

export const contextScanCommand = defineCommand({
  description: `Scan the warehouses of the project for tables, value profiles, keys and joins. Only reads data.
Run it again after changes: unchanged tables are skipped, and an interrupted scan continues.
With --describe, the model of the role "describe" then describes changed tables and columns.`,
  operand: { name: "connection", description: "the name of a connection in bridle.yaml (default: all)" },
  flags: {
    refresh: { flag: "--refresh", description: "scan every table again", value: z.boolean() },
    describe: {
      flag: "--describe",
      description: "then describe the tables with a model, limited by context.scan.tokens in bridle.yaml",
      value: z.boolean(),
    },
    backend: agentFlags.backend,
    auth: agentFlags.auth,
    rehearse: agentFlags.rehearse,
    json: jsonFlag,
    ...projectFlags,
  },
  examples: ["bridle context scan", "bridle context scan warehouse --json", "bridle context scan --describe"],
  notes: `Exit codes:
  0 scanned, 1 a connection failed, some tables could not be read or
  described, or the budget was too small (each is listed), 2 usage,
  3 configuration, 4 the warehouse refuses the credentials, 5 it cannot be
  reached, 130 interrupted (143 by SIGTERM, 129 by SIGHUP): the next scan
  continues`,
  async run({ operand: connection, flags }, cli) {
    const { refresh, json, describe: isDescribed = false, backend, auth, rehearse, ...location } = flags;
    const choices = { backend, auth, rehearse };
    if (!isDescribed && Object.values(choices).some((value) => value !== undefined)) {
      throw new UsageError("The model is that of descriptions. Add --describe.");
    }
    const opened = await withProject(location, cli);
    const interruption = new Interruption(cli);
    const progress = new ProgressLine(cli.stderr, cli.environment);
    try {
      const scanned = await scanContext({ connection, refresh, describe: isDescribed ? choices : undefined }, opened, {
        logger: createStderrLogger(cli.stderr),
        signal: interruption.signal,
        onProgress: (state) => progress.show((elapsedMs) => formatScanProgress(state, elapsedMs)),
        onReport: () => progress.stop(),
      });
      return report(scanned, json, opened);
    } catch (error) {
      progress.stop();
      if (interruption.interrupt === undefined) throw error;
      return reportInterrupt(
        "What was measured is kept, and the next scan continues. It was",
        interruption.interrupt,
        cli,
      );
    } finally {
      progress.stop();
      interruption.dispose();
    }
  },
});

function report(scanned: ScannedContext, json: boolean | undefined, cli: ProjectCli): number {
  if (json) printJson(scanned, cli.stdout);
  else cli.stdout.write(scanned.scans.map((scan) => formatScan(scan, stdoutPage(cli), cli.stdout)).join(""));
  for (const { connection, problem } of scanned.failed)
    printSentence(`${connection} was not scanned: ${problem}`, cli.stderr);
  const isWhole = scanned.scans.every(
    ({ problems, missing, descriptions }) =>
      problems.length === 0 && missing.length === 0 && (descriptions?.failed.length ?? 0) === 0,
  );
  return isWhole && scanned.failed.length === 0 ? exitCodes.natural : exitCodes.otherwise;
}
