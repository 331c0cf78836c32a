/** The documents of an agent: their indexes, and searching them. */
export { describeDocuments, indexDocuments, searchDocuments } from "./documents.ts";
export {
  type DocumentsStatus,
  documentsStatusSchema,
  type FoundDocuments,
  foundDocumentsSchema,
  type IndexedDocuments,
  indexedDocumentsSchema,
} from "./documents-schemas.ts";
export { type DocumentsEffects, type DocumentsSelection } from "./with-documents.ts";
export { sayPlace, searchModes } from "@bridle/agent";
