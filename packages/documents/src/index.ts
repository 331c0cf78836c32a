export { type Chunk, type ChunkOptions, chunkDocument } from "./chunk/chunk-document.ts";
export { DocumentsError } from "./documents-error.ts";
export { findDrift, type IndexDrift } from "./indexing/find-drift.ts";
export { type FoundFiles, findFiles, type SourceFile } from "./indexing/find-files.ts";
export type { DescribeChunk } from "./indexing/make-chunks.ts";
export { type ReadSource, readSource } from "./indexing/read-source.ts";
export type { ReportedFile } from "./indexing/reported-file.ts";
export type { OnProgress, UpdateReport } from "./indexing/update-index.ts";
export {
  type Documents,
  type DocumentsOptions,
  type Hit,
  type IndexStatus,
  indexStatus,
  openDocuments,
  type SearchMode,
  type SearchOptions,
  searchModes,
  type UpdateOptions,
} from "./open-documents.ts";
export type { Block, DocumentFile, LineRange } from "./parse/block.ts";
export { DocumentError } from "./parse/document-error.ts";
export { documentEndings, parseDocument } from "./parse/parse-document.ts";
export type { RecordOptions } from "./parse/record-options.ts";
export type { ReaderLimits } from "./reading/reader-limits.ts";
export {
  type WholeDocument,
  WholeDocumentReader,
  type WholeDocumentReaderOptions,
} from "./reading/whole-document-reader.ts";
export type {
  DocumentStore,
  FileRemark,
  FileToStore,
  FoundChunk,
  IndexedFile,
  LeftOutFile,
  RankedChunk,
  StoredChunk,
  VectorSpace,
} from "./store/document-store.ts";
export { openPostgresStore, type PostgresStoreOptions } from "./store/postgres-store.ts";
export { removeDamagedSqlite } from "./store/remove-damaged.ts";
export { openSqliteStore } from "./store/sqlite-store.ts";
export { DocumentStoreError, OtherSpaceError } from "./store/store-errors.ts";
