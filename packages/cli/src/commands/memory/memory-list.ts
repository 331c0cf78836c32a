import { listMemory } from "@bridle/app/knowledge";
import { withProject } from "@bridle/app/project";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatFact } from "./format-fact.ts";

export const memoryListCommand = defineCommand({
  description: "List remembered facts about the data, newest first.",
  flags: {
    scope: {
      flag: "--scope <scope>",
      description: "only facts of the project, or only yours: project, user (default: both)",
      value: z.enum(["project", "user"]),
    },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: ["bridle memory list", "bridle memory list --scope user --json"],
  async run({ flags: { scope, json, ...location } }, cli) {
    const listed = await listMemory({ scope }, await withProject(location, cli));
    if (json) printJson(listed, cli.stdout);
    else if (listed.facts.length > 0)
      cli.stdout.write(listed.facts.map((fact) => formatFact(fact, stdoutPage(cli))).join(""));
    else printSentence('Nothing is remembered. "bridle context remember TEXT" remembers something.', cli.stderr);
    return exitCodes.natural;
  },
});
