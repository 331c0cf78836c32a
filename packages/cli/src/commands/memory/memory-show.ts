import { UsageError } from "@bridle/app";
import { showFact } from "@bridle/app/knowledge";
import { withProject } from "@bridle/app/project";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatWholeFact } from "./format-fact.ts";

export const memoryShowCommand = defineCommand({
  description: "Show a remembered text with its author, date and statements.",
  operand: { name: "id", description: "the id from bridle memory list" },
  flags: { json: jsonFlag, ...projectFlags },
  examples: ["bridle memory show 3f2a91c0"],
  async run({ operand, flags: { json, ...location } }, cli) {
    if (operand === undefined) throw new UsageError("The id is missing. Write bridle memory show ID.");
    const fact = await showFact(operand, await withProject(location, cli));
    if (json) printJson(fact, cli.stdout);
    else cli.stdout.write(formatWholeFact(fact, stdoutPage(cli)));
    return exitCodes.natural;
  },
});
