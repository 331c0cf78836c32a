import { withProject } from "@bridle/app/project";
import { type ListedChanges, listContextChanges } from "@bridle/app/warehouses";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { formatMinute, indentLines, type Page } from "../../terminal/page.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { toPrintable, toPrintableLine } from "../../terminal/printable.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";

/** The default maximum number of listed changes. */
const maxShown = 50;

export const contextChangesCommand = defineCommand({
  description: `List changes to the context files by people, agents and models, newest first, with their reasons. Edits
in an editor are recorded only by git.`,
  flags: {
    last: {
      flag: "--last <n>",
      description: `number of newest changes to list (default: ${maxShown}, or all with --json)`,
      value: z.coerce.number().int().min(1),
      expected: "a whole number from 1",
    },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: ["bridle context changes", "bridle context changes --last 5 --json"],
  async run({ flags: { last, json, ...location } }, cli) {
    const all = await listContextChanges(await withProject(location, cli));
    const changes = all.changes.slice(0, last ?? (json ? undefined : maxShown));
    if (json) printJson({ changes }, cli.stdout);
    else if (changes.length > 0) cli.stdout.write(changes.map((each) => formatChange(each, stdoutPage(cli))).join(""));
    else printSentence("No file of the context has been changed through Bridle.", cli.stderr);
    return exitCodes.natural;
  },
});

function formatChange(change: ListedChanges["changes"][number], page: Page): string {
  const { at, author, kind, subject, before, after, reason, file, commit } = change;
  const title = `${page.paint("bold", formatMinute(at))}  ${toPrintableLine(`${kind} of ${subject}, by ${author}`)}`;
  const values = before === undefined ? JSON.stringify(after) : `${JSON.stringify(before)} → ${JSON.stringify(after)}`;
  const place = commit === undefined ? file : `${file}, commit ${commit.slice(0, 10)}`;
  const texts = [values, ...(reason === undefined ? [] : [`reason: ${reason}`]), place];
  return [title, ...texts.flatMap((text) => indentLines(toPrintable(text), "  ", page))]
    .map((line) => `${line}\n`)
    .join("");
}
