import { z } from "zod";
import { agentOperand } from "../agent/agent-operand.ts";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { type IndexedDocuments, indexedDocumentsSchema, documentsFlags, withDocuments } from "@bridle/app/documents";
import { formatIndexed } from "./format-documents.ts";

export const documentsIndexCommand = defineCommand({
  description: `Bring the indexes of an agent's documents to what the files are now. Only what changed is read and embedded again;
the agent does the same before it searches.`,
  operand: agentOperand,
  flags: {
    ...documentsFlags,
    rebuild: {
      flag: "--rebuild",
      description: "make the indexes anew, such as for another embedding model, or where one is damaged",
      value: z.boolean(),
    },
    json: { flag: "--json", description: "print what was done as JSON", value: z.boolean() },
  },
  examples: ["bridle documents index", "bridle documents index desk/agent.yaml --tool handbook --rebuild"],
  notes: `Exit codes:
  0 all files are in the index, 1 some could not be read and are named, 2 usage, 3 configuration,
  4 the host of the embeddings refuses the credentials, 5 it does not answer as it should,
  130 interrupted (143 by SIGTERM, 129 by SIGHUP): what was read is kept`,
  run: ({ operand, flags: { rebuild = false, json = false, ...flags } }, cli) =>
    withDocuments(operand, flags, cli, async (all, { signal, progress }) => {
      const done: IndexedDocuments[] = [];
      for (const { name, place, open, removeDamaged } of all) {
        if (rebuild) removeDamaged();
        const documents = await open();
        try {
          const options = { signal, onProgress: progress.told };
          const report = await (rebuild ? documents.rebuild(options) : documents.update(options));
          done.push({ tool: name, place, ...report });
        } finally {
          await documents.close();
        }
      }
      progress.stop();
      cli.stdout.write(
        json
          ? `${JSON.stringify(indexedDocumentsSchema.parse({ documents: done }), undefined, 2)}\n`
          : done.map(formatIndexed).join(""),
      );
      return done.some(({ failed }) => failed.length > 0) ? exitCodes.otherwise : exitCodes.natural;
    }),
});
