import { UsageError } from "@bridle/app";
import { explainKnowledge } from "@bridle/app/knowledge";
import { withProject } from "@bridle/app/project";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatWhy } from "./format-why.ts";

export const contextWhyCommand = defineCommand({
  description: `Show the evidence for a fact: each statement with its quotes, the documents and versions that contain
them, contradicting and replaced statements, and decisions by people.`,
  operand: {
    name: "key",
    description:
      "a page, a subject of statements, a table, a column, a join (a → b), a model, model.name of a measure or metric, or a statement by its id or words",
  },
  flags: { json: jsonFlag, ...projectFlags },
  examples: ["bridle context why fares", 'bridle context why "gross fare"', "bridle context why trips.revenue --json"],
  notes: `Exit codes:
  0 evidence was shown, 1 there is no evidence, 2 usage, 3 configuration,
  or nothing was ingested`,
  async run({ operand, flags: { json, ...location } }, cli) {
    if (operand === undefined) throw new UsageError("The key is missing. Write bridle context why KEY.");
    const answer = await explainKnowledge(operand, await withProject(location, cli));
    const isKnown = answer.kind !== null;
    if (json) printJson(answer, cli.stdout);
    else if (isKnown) cli.stdout.write(formatWhy(answer, stdoutPage(cli)));
    else printSentence(`No document mentions ${operand}.${describeNearest(answer.nearest)}`, cli.stderr);
    return isKnown ? exitCodes.natural : exitCodes.otherwise;
  },
});

function describeNearest(nearest: readonly string[]): string {
  return nearest.length === 0 ? "" : ` Did you mean ${nearest.slice(0, 3).join(" or ")}?`;
}
