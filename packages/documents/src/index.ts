export { type Chunk, type ChunkOptions, chunkDocument } from "./chunk/chunk-document.ts";
export { DocumentError } from "./document-error.ts";
export { DocumentsError } from "./documents-error.ts";
export {
  type Documents,
  type DocumentsOptions,
  type Hit,
  type IndexStatus,
  openDocuments,
  type SearchMode,
  type SearchOptions,
  searchModes,
} from "./open-documents.ts";
export type { Block, DocumentFile, LineRange } from "./parse/block.ts";
export { documentEndings, parseDocument } from "./parse/parse-document.ts";
export {
  type DocumentStore,
  DocumentStoreError,
  type Found,
  type FoundChunk,
  type IndexedFile,
  type StoredChunk,
  type VectorSpace,
} from "./store/document-store.ts";
export { openSqliteStore } from "./store/sqlite-store.ts";
export type { UpdateOptions, UpdateReport } from "./update-index.ts";
