import { type LintedWiki, lintWiki } from "@bridle/app/knowledge";
import { withProject } from "@bridle/app/project";
import { counted } from "@bridle/protocol";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";

export const wikiLintCommand = defineCommand({
  description: `Check the pages of context/wiki for invalid front matter, links to missing pages, unknown tables and
metrics, marks such as [2] without a source, and excessive length.`,
  flags: { json: jsonFlag, ...projectFlags },
  examples: ["bridle context wiki lint"],
  notes: `Exit codes:
  0 no problems, 1 problems were found, 2 usage, 3 configuration`,
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
