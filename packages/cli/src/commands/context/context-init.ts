import { withProject } from "@bridle/app/project";
import { type ContextInit, type FoundDatabase, initContext } from "@bridle/app/warehouses";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { Interruption } from "../../terminal/interruption.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";

export const contextInitCommand = defineCommand({
  description: `Find databases and add them to bridle.yaml as connections. Searches for SQLite, DuckDB, Parquet and CSV
files below this folder, for addresses in environment variables such as DATABASE_URL, and for the service files of
PostgreSQL and MySQL in your home folder. Credentials are never written: the file refers to variables.`,
  flags: {
    yes: { flag: "--yes", description: "add every database that is found, without asking", value: z.boolean() },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: ["bridle context init", "bridle context init --yes"],
  notes: `Exit codes:
  0 added, or nothing to add, 1 databases were found and none was chosen,
  2 usage, 3 configuration, 130 interrupted (143 by SIGTERM, 129 by SIGHUP):
  nothing was written`,
  async run({ flags: { yes, json, ...location } }, cli) {
    const opened = await withProject(location, cli);
    const interruption = new Interruption(cli);
    try {
      const isAsking = cli.readLine !== undefined && !yes && !json;
      const choose = yes ? async (found: readonly FoundDatabase[]) => found : chooser(isAsking, interruption.signal);
      return report(await initContext(choose, opened), json, cli);
    } catch (error) {
      if (!(error instanceof Error && error.name === "Cancelled")) throw error;
      cli.stderr.write("Nothing was written.\n");
      return exitCodes.SIGINT;
    } finally {
      interruption.dispose();
    }
  },
});

function chooser(isAsking: boolean, signal: AbortSignal) {
  return async (found: readonly FoundDatabase[]): Promise<readonly FoundDatabase[]> =>
    isAsking ? (await import("./choose-databases.ts")).chooseDatabases(found, signal) : [];
}

function report(result: ContextInit, json: boolean | undefined, cli: Cli): number {
  const { file, found, added, kept } = result;
  if (json) printJson(result, cli.stdout);
  else if (found.length === 0) printSentence(nothingFound, cli.stderr);
  else if (added.length === 0 && kept.length === 0) {
    const names = found.map(({ name, source }) => `  ${name}: ${source}`);
    printSentence(`Found:\n${names.join("\n")}\nNothing was added. Add --yes to add all of them.`, cli.stderr);
  } else {
    if (kept.length > 0) printSentence(`In ${file} already: ${kept.join(", ")}.`, cli.stderr);
    if (added.length > 0) printSentence(`Added to ${file}: ${added.join(", ")}. Next: bridle context scan`, cli.stdout);
  }
  return found.length > 0 && added.length === 0 && kept.length === 0 ? exitCodes.otherwise : exitCodes.natural;
}

const nothingFound =
  "No database was found: no SQLite, DuckDB, Parquet or CSV file below this folder, no address in the environment, and no service file. Write context.connections in bridle.yaml yourself, or set DATABASE_URL.";
