/** Indexes and searches the documents of an agent. */

export { formatSource, searchModes } from "@bridle/agent";
export {
  describeDocuments,
  type IndexDocumentsOptions,
  indexDocuments,
  readDocumentChunks,
  type SearchDocumentsEffects,
  type SearchDocumentsOptions,
  searchDocuments,
} from "./documents.ts";
export {
  type DocumentChunk,
  type DocumentsStatus,
  documentChunkSchema,
  documentsStatusSchema,
  type FoundDocuments,
  foundDocumentsSchema,
  type IndexedDocuments,
  indexedDocumentsSchema,
} from "./documents-schemas.ts";
export type { DocumentsEffects, DocumentsSelection } from "./with-documents.ts";
