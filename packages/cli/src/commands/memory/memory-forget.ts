import { UsageError } from "@bridle/app";
import { forgetFacts } from "@bridle/app/knowledge";
import { withProject } from "@bridle/app/project";
import { counted } from "@bridle/protocol";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { Interruption } from "../../terminal/interruption.ts";
import { createStderrLogger } from "../../terminal/logger.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";

export const memoryForgetCommand = defineCommand({
  description: `Forget remembered texts: remove them from the memory files, related decisions, the data stored by
ingest, and the pages. Earlier versions in git are kept.`,
  operand: { name: "id", description: "the ids from bridle memory list", isRepeated: true },
  flags: { json: jsonFlag, ...projectFlags },
  examples: ["bridle memory forget 3f2a91c0"],
  notes: `Exit codes:
  0 forgotten, 1 a file could not be written and may still contain it (it is
  listed), 2 usage, 3 configuration, an id is unknown, or an ingest is in
  progress`,
  async run({ operands, flags: { json, ...location } }, cli) {
    if (operands.length === 0) throw new UsageError("The id is missing. Write bridle memory forget ID.");
    const opened = await withProject(location, cli);
    const interruption = new Interruption(cli);
    try {
      const logger = createStderrLogger(cli.stderr);
      const forgotten = await forgetFacts([...new Set(operands)], opened, { logger, signal: interruption.signal });
      if (json) printJson(forgotten, cli.stdout);
      else {
        const pages = forgotten.files.length === 0 ? "" : ` ${counted(forgotten.files.length, "file")} written again.`;
        printSentence(`Forgotten: ${forgotten.ids.join(", ")}.${pages}`, cli.stdout);
        for (const left of forgotten.left) printSentence(left, cli.stderr);
      }
      return forgotten.failed.length === 0 ? exitCodes.natural : exitCodes.otherwise;
    } finally {
      interruption.dispose();
    }
  },
});
