import { UsageError } from "@bridle/app";
import { readWikiPage, type ShownPage } from "@bridle/app/knowledge";
import { withProject } from "@bridle/app/project";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { indentLines, type Page } from "../../terminal/page.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { toPrintable } from "../../terminal/printable.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";

export const wikiReadCommand = defineCommand({
  description: "Show a page with its text, related tables and metrics, and numbered sources.",
  operand: { name: "page", description: "the file name without .md, or the title" },
  flags: { json: jsonFlag, ...projectFlags },
  examples: ["bridle context wiki read fares", "bridle context wiki read fares --json"],
  async run({ operand, flags: { json, ...location } }, cli) {
    if (operand === undefined)
      throw new UsageError(
        "The page is missing. Name it: bridle context wiki read PAGE. bridle context wiki list lists them.",
      );
    const shown = await readWikiPage(operand, await withProject(location, cli));
    if (json) printJson(shown, cli.stdout);
    else cli.stdout.write(formatShownPage(shown, stdoutPage(cli)));
    return exitCodes.natural;
  },
});

function formatShownPage({ text, title, file, sources, tables, metrics, refs }: ShownPage, page: Page): string {
  const lines = (content: string, indent = "") => indentLines(toPrintable(content), indent, page);
  const list = (label: string, names: readonly string[]) =>
    names.length === 0 ? [] : lines(`${label}: ${names.join(", ")}`);
  const isTitled = /^#\s/.test(text);
  const about = [...list("Tables", tables), ...list("Metrics", metrics), ...list("Read next", refs)];
  return [
    ...(isTitled ? [] : [page.paint("bold", toPrintable(`# ${title}`)), ""]),
    ...lines(text),
    "",
    ...sources.flatMap((source, index) => lines(`[${index + 1}] ${formatPageSource(source)}`)),
    ...about,
    ...lines(file).map((line) => page.paint("dim", line)),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function formatPageSource({ source, item, title, updated, location }: ShownPage["sources"][number]): string {
  const place = location ?? item;
  const name = title === undefined || title === place ? place : `${title}, ${place}`;
  return `${name} (${source}${updated === undefined ? "" : `, changed ${updated}`})`;
}
