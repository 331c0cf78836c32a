import { type ListedPages, listWikiPages } from "@bridle/app/knowledge";
import { withProject } from "@bridle/app/project";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { indentLines, type Page } from "../../terminal/page.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { toPrintable, toPrintableLine } from "../../terminal/printable.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";

export const wikiListCommand = defineCommand({
  description: "List the pages of context/wiki with their titles and summaries, including pages hidden from agents.",
  flags: { json: jsonFlag, ...projectFlags },
  examples: ["bridle context wiki list", "bridle context wiki list --json"],
  async run({ flags: { json, ...location } }, cli) {
    const listed = await listWikiPages(await withProject(location, cli));
    if (json) printJson(listed, cli.stdout);
    else if (listed.pages.length > 0)
      cli.stdout.write(listed.pages.map((each) => formatHead(each, stdoutPage(cli))).join(""));
    else
      printSentence(
        'There are no pages. Write one to context/wiki/NAME.md, or run "bridle context ingest".',
        cli.stderr,
      );
    return exitCodes.natural;
  },
});

function formatHead({ page: name, title, summary, ...marks }: ListedPages["pages"][number], page: Page): string {
  const head = [page.paint("bold", toPrintableLine(name)), toPrintableLine(title), ...marksOf(marks)];
  const lines = summary === undefined ? [] : indentLines(toPrintable(summary), "  ", page);
  return `${[head.join("  "), ...lines].join("\n")}\n`;
}

function marksOf({ use, isDisputed }: Pick<ListedPages["pages"][number], "use" | "isDisputed">): readonly string[] {
  const uses = { always: ["in all instructions"], search: [], never: ["hidden from agents"] };
  return [...uses[use], ...(isDisputed ? ["disputed"] : [])].map((mark) => `(${mark})`);
}
