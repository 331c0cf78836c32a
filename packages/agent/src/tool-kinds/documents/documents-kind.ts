import type { ToolKind } from "@bridle/protocol";
import { checkDocuments } from "./check-documents.ts";
import { documentEffects } from "./document-effects.ts";
import { documentsToolConfig, searchModeOf, sourcesOf } from "./documents-config.ts";

export const documentsKind: ToolKind<typeof documentsToolConfig> = {
  type: "documents",
  summary: "Folders and files of documents, with a tool that searches them.",
  schema: documentsToolConfig,
  example: { type: "documents", name: "handbook", description: "The employee handbook.", source: "handbook/" },
  files: [{ path: ["source"] }, { path: ["source", "*"] }],
  secrets: { keys: ["connection_string"] },
  describe: (config) => `${searchModeOf(config)} search of ${sourcesOf(config).join(", ")}`,
  needsEmbeddings: (config) => searchModeOf(config) !== "keyword",
  retrieval: () => "hits",
  effects: documentEffects,
  names: ({ name }) => [name],
  check: checkDocuments,
  async open(config, context) {
    const { openDocumentsTool } = await import("./open-documents-tool.ts");
    return openDocumentsTool(config, context);
  },
};
