import { UsageError } from "@bridle/app";
import { withProject } from "@bridle/app/project";
import { type FoundKnowledge, searchKnowledge } from "@bridle/app/warehouses";
import { counted } from "@bridle/protocol";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { Interruption } from "../../terminal/interruption.ts";
import { indentLines, type Page } from "../../terminal/page.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { toPrintable, toPrintableLine } from "../../terminal/printable.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatFoundPage } from "../knowledge/format-found-page.ts";
import { formatJoin } from "./format-joins.ts";

export const contextSearchCommand = defineCommand({
  description: "Search tables, columns, values, joins, metrics, dimensions and pages by keyword, as an agent would.",
  operand: { name: "words", description: "the words to search for", isRepeated: true },
  flags: {
    top: {
      flag: "--top <n>",
      description: "maximum number of tables, metrics and pages to show, each (default: 8)",
      value: z.coerce.number().int().min(1).max(100),
      expected: "a whole number from 1 to 100",
    },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: ["bridle context search revenue by category", "bridle context search customer --top 3 --json"],
  async run({ operands, flags: { top: limit = 8, json, ...location } }, cli) {
    const query = operands.join(" ").trim();
    if (query === "") throw new UsageError("The words are missing. Write bridle context search WORDS.");
    const opened = await withProject(location, cli);
    const interruption = new Interruption(cli);
    try {
      const found = await searchKnowledge({ query, limit, signal: interruption.signal }, opened);
      if (json) printJson(found, cli.stdout);
      else if (found.tables.length + found.metrics.length + found.pages.length > 0)
        cli.stdout.write(formatFoundKnowledge(found, stdoutPage(cli)));
      else
        printSentence(
          'Nothing was found. Try other words, or run "bridle context status" to see the scanned connections.',
          cli.stderr,
        );
      return exitCodes.natural;
    } finally {
      interruption.dispose();
    }
  },
});

function formatFoundKnowledge({ tables, metrics, joins, pages }: FoundKnowledge, page: Page): string {
  const named = metrics.map((metric) => formatMetric(metric, page));
  return [
    ...named,
    ...pages.map((each) => formatFoundPage(each, page)),
    ...tables.map((table) => formatHit(table, page)),
    ...joins.map((join) => formatJoin(join, page)),
  ].join("");
}

function formatMetric({ kind, name, formula, description }: FoundKnowledge["metrics"][number], page: Page): string {
  const title = `${page.paint("bold", toPrintableLine(name))}  ${kind}`;
  const texts = [formula, description].filter((text) => text !== undefined);
  const lines = texts.flatMap((text) => indentLines(toPrintable(text), "  ", page));
  return `${[title, ...lines].join("\n")}\n`;
}

function formatHit({ id, rows, description, columns }: FoundKnowledge["tables"][number], page: Page): string {
  const size = rows === undefined ? "" : `  ${counted(rows, "row")}`;
  const title = `${page.paint("bold", toPrintableLine(id))}${size}`;
  const texts = [...(description === undefined ? [] : [description]), columns.join(", ")];
  const lines = texts.flatMap((text) => indentLines(toPrintable(text), "  ", page));
  return `${[title, ...lines].join("\n")}\n`;
}
