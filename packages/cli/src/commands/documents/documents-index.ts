import { indexDocuments } from "@bridle/app/documents";
import { withProject } from "@bridle/app/project";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag } from "../../command/project-flags.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { agentOperand } from "../agent/agent-operand.ts";
import { documentsFlags, whileIndexing } from "./documents-flags.ts";
import { formatIndexed } from "./format-documents.ts";

export const documentsIndexCommand = defineCommand({
  description: `Update the indexes of an agent's documents. Only changed files are read and embedded.
An agent also does this before it searches. Skipped files are listed with the reason.`,
  operand: agentOperand,
  flags: {
    ...documentsFlags,
    rebuild: {
      flag: "--rebuild",
      description: "rebuild the indexes from scratch, such as for another embedding model or after damage",
      value: z.boolean(),
    },
    json: jsonFlag,
  },
  examples: ["bridle documents index", "bridle documents index desk/agent.yaml --tool handbook --rebuild"],
  notes: `Exit codes:
  0 all documents are in the index, 1 some files could not be read (each is listed), 2 usage, 3 configuration,
  4 the embedding host refuses the credentials, 5 it fails,
  130 interrupted (143 by SIGTERM, 129 by SIGHUP): files read so far are kept`,
  run: ({ operand: file, flags: { rebuild = false, json, tool, ...location } }, cli) =>
    whileIndexing(cli, async (effects, progress) => {
      const indexed = await indexDocuments({ file, tool, rebuild }, await withProject(location, cli), effects);
      progress.stop();
      if (json) printJson(indexed, cli.stdout);
      else cli.stdout.write(indexed.documents.map(formatIndexed).join(""));
      return indexed.documents.some(({ failed }) => failed.length > 0) ? exitCodes.otherwise : exitCodes.natural;
    }),
});
