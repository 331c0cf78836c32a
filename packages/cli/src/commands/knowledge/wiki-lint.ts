import { type LintedWiki, lintWiki } from "@bridle/app/knowledge";
import { withProject } from "@bridle/app/project";
import { counted } from "@bridle/protocol";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";

export const wikiLintCommand = defineCommand({
  description: `Check the pages of context/wiki: their front matter, links to pages that do not exist, tables and metrics that do
not exist, marks such as [2] without a source, and pages that are too long.`,
  flags: { json: jsonFlag, ...projectFlags },
  examples: ["bridle context wiki lint"],
  notes: `Exit codes:
  0 everything is right, 1 something is wrong, 2 usage, 3 configuration`,
  async run({ flags: { json, ...location } }, cli) {
    const linted = await lintWiki(await withProject(location, cli));
    if (json) printJson(linted, cli.stdout);
    else if (linted.ok) printSentence(`${counted(linted.pages, "page")}, nothing is wrong.`, cli.stderr);
    else for (const problem of linted.problems) printSentence(formatLint(problem), cli.stdout);
    return linted.ok ? exitCodes.natural : exitCodes.otherwise;
  },
});

function formatLint({ file, line, column, message }: LintedWiki["problems"][number]): string {
  return `${[file, line, column].filter((part) => part !== undefined).join(":")}: ${message}`;
}
