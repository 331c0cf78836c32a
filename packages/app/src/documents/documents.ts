import { omitUndefined } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";
import {
  type DocumentChunk,
  type DocumentsStatus,
  documentChunkSchema,
  documentsStatusSchema,
  type FoundDocuments,
  foundDocumentsSchema,
  type IndexedDocuments,
  indexedDocumentsSchema,
} from "./documents-schemas.ts";
import { type DocumentsEffects, type DocumentsSelection, type SearchMode, withDocuments } from "./with-documents.ts";

export interface IndexDocumentsOptions extends DocumentsSelection {
  /** Whether to rebuild the indexes. Default: they are updated. */
  readonly rebuild: boolean;
}

/** Updates the indexes of an agent's documents. Only changed files are read and embedded again. */
export function indexDocuments(
  { rebuild, ...selection }: IndexDocumentsOptions,
  context: ProjectContext,
  effects: DocumentsEffects,
): Promise<{ readonly documents: readonly IndexedDocuments[] }> {
  return withDocuments(selection, context, async (all) => {
    const indexed: IndexedDocuments[] = [];
    for (const { name, location, open, removeDamaged } of all) {
      if (rebuild) removeDamaged();
      const documents = await open();
      try {
        const report = await (rebuild ? documents.rebuild(effects) : documents.update(effects));
        indexed.push({ tool: name, location, ...report });
      } finally {
        await documents.close();
      }
    }
    return indexedDocumentsSchema.parse({ documents: indexed });
  });
}

export interface SearchDocumentsOptions extends DocumentsSelection {
  readonly query: string;
  readonly topK?: number | undefined;
  /** Overrides the mode in the agent file. */
  readonly mode?: SearchMode | undefined;
  /** Whether to search the existing index without reading any document. Default: false. */
  readonly asIndexed?: boolean | undefined;
}

export interface SearchDocumentsEffects extends DocumentsEffects {
  /** Called when the index of a tool is up to date, with the problems of files that cannot be read. */
  onUpdated(problems: readonly string[]): void;
}

/** Updates the indexes of an agent's documents, and searches them as the agent's model would. */
export function searchDocuments(
  { query, topK, mode, asIndexed = false, ...selection }: SearchDocumentsOptions,
  context: ProjectContext,
  { signal, onProgress, onUpdated }: SearchDocumentsEffects,
): Promise<{ readonly query: string; readonly documents: readonly FoundDocuments[] }> {
  return withDocuments(selection, context, async (all) => {
    const found: FoundDocuments[] = [];
    for (const { name, searchMode, open } of all) {
      const documents = await open();
      try {
        if (!asIndexed) {
          const { failed } = await documents.update({ signal, onProgress });
          onUpdated(failed.map(({ problem }) => problem));
        }
        const hits = await documents.search(query, { signal, ...omitUndefined({ topK, mode }) });
        found.push({ tool: name, mode: mode ?? searchMode, hits });
      } finally {
        await documents.close();
      }
    }
    return foundDocumentsSchema.parse({ query, documents: found });
  });
}

/** Reads the passages of a file in the index, in their order; undefined if the index does not exist. Does not read the document. */
export function readDocumentChunks(
  { documentFile, ...selection }: DocumentsSelection & { readonly documentFile: string },
  context: ProjectContext,
): Promise<readonly DocumentChunk[] | undefined> {
  return withDocuments(selection, context, async ([documents]) => {
    const chunks = await documents?.chunks(documentFile);
    return chunks?.map((chunk) => documentChunkSchema.parse(chunk));
  });
}

/** Describes the indexes of an agent's documents, and which files have changed since the last update. Reads no document. */
export function describeDocuments(
  selection: DocumentsSelection,
  context: ProjectContext,
): Promise<{ readonly documents: readonly DocumentsStatus[] }> {
  return withDocuments(selection, context, async (all) => {
    const documents = all.map(async ({ name, location, searchMode, status }): Promise<DocumentsStatus> => {
      const index = await status();
      return {
        tool: name,
        location,
        mode: searchMode,
        index: index ? { ...index, files: index.files.length } : null,
      };
    });
    return documentsStatusSchema.parse({ documents: await Promise.all(documents) });
  });
}
