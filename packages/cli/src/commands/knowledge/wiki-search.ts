import { UsageError } from "@bridle/app";
import { type FoundPages, searchWikiPages } from "@bridle/app/knowledge";
import { withProject } from "@bridle/app/project";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { Interruption } from "../../terminal/interruption.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatFoundPage } from "./format-found-page.ts";

export const wikiSearchCommand = defineCommand({
  description:
    "Search the pages of context/wiki by keyword, as an agent would. Shows the best matching section of each page.",
  operand: { name: "words", description: "the words to search for", isRepeated: true },
  flags: {
    top: {
      flag: "--top <n>",
      description: "maximum number of pages to show (default: 5)",
      value: z.coerce.number().int().min(1).max(100),
      expected: "a whole number from 1 to 100",
    },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: ["bridle context wiki search when is an order late"],
  async run({ operands, flags: { top: limit = 5, json, ...location } }, cli) {
    const query = operands.join(" ").trim();
    if (query === "") throw new UsageError("The words are missing. Write bridle context wiki search WORDS.");
    const opened = await withProject(location, cli);
    const interruption = new Interruption(cli);
    try {
      const found: FoundPages = await searchWikiPages({ query, limit, signal: interruption.signal }, opened);
      if (json) printJson(found, cli.stdout);
      else if (found.pages.length > 0)
        cli.stdout.write(found.pages.map((each) => formatFoundPage(each, stdoutPage(cli))).join(""));
      else printSentence("No page was found. Try other words.", cli.stderr);
      return exitCodes.natural;
    } finally {
      interruption.dispose();
    }
  },
});
