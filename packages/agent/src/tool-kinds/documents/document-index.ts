import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import {
  type DocumentStore,
  findDrift,
  type IndexDrift,
  type IndexStatus,
  indexStatus,
  openPostgresStore,
  openSqliteStore,
  removeDamagedSqlite,
  type StoredChunk,
} from "@bridle/documents";
import type { ToolKindContext } from "@bridle/protocol";
import { type DocumentsToolConfig, maxBytesOf, searchModeOf, sourcesOf } from "./documents-config.ts";

type Folders = Pick<ToolKindContext, "baseDir" | "projectDir" | "stateDir" | "isRehearsed">;

/** The location of an index. */
export interface IndexLocation {
  /** The location for display, without a password. */
  readonly shown: string;
  /** The path of an embedded index; undefined for PostgreSQL. */
  readonly file?: string;
}

export function locateIndex(config: DocumentsToolConfig, folders: Folders): IndexLocation {
  if (isPostgres(config) && !folders.isRehearsed) return { shown: `PostgreSQL, index ${indexName(config, folders)}` };
  const state = hasRehearsedContent(config, folders) ? join(folders.stateDir, "rehearsal") : folders.stateDir;
  const file = join(state, "documents", `${indexName(config, folders)}.db`);
  return { shown: relative(folders.projectDir, file), file };
}

/** Removes an embedded index if it is damaged. Throws a DocumentStoreError. */
export function removeDamagedIndex(config: DocumentsToolConfig, folders: Folders): void {
  const { file } = locateIndex(config, folders);
  if (file !== undefined) removeDamagedSqlite(file);
}

/** Throws a DocumentStoreError. */
export async function openIndex(config: DocumentsToolConfig, folders: Folders): Promise<DocumentStore> {
  const { file } = locateIndex(config, folders);
  if (file !== undefined) return openSqliteStore(file);
  const { database } = config;
  const connectionString = typeof database === "object" ? database.connection_string : "";
  return openPostgresStore({ connectionString, name: indexName(config, folders) });
}

/** The content of an index, and how much of it is out of date. */
export interface ComparedIndex extends IndexStatus {
  readonly behind: IndexDrift;
}

/** Reads the content of the index, compared with the current state of its sources; undefined if the index does not exist yet. */
export async function readIndexStatus(
  config: DocumentsToolConfig,
  folders: Folders,
): Promise<ComparedIndex | undefined> {
  const { file } = locateIndex(config, folders);
  if (file !== undefined && !existsSync(file)) return undefined;
  const store = await openIndex(config, folders);
  try {
    const { baseDir } = folders;
    const behind = await findDrift(store, { sources: sourcesOf(config), baseDir, maxFileBytes: maxBytesOf(config) });
    return { ...(await indexStatus(store)), behind };
  } finally {
    await store.close();
  }
}

/** Reads the chunks of a file in the index, in their order; undefined if the index does not exist yet. Does not read the document. */
export async function readIndexChunks(
  config: DocumentsToolConfig,
  folders: Folders,
  file: string,
): Promise<readonly StoredChunk[] | undefined> {
  const index = locateIndex(config, folders);
  if (index.file !== undefined && !existsSync(index.file)) return undefined;
  const store = await openIndex(config, folders);
  return store.chunksOf(file).finally(() => store.close());
}

/**
 * Whether a rehearsal needs its own index, because the rehearsal would store meaningless vectors and descriptions, or connect to a server.
 */
function hasRehearsedContent(config: DocumentsToolConfig, { isRehearsed = false }: Folders): boolean {
  return (
    isRehearsed && (searchModeOf(config) !== "keyword" || config.contextual_embeddings === true || isPostgres(config))
  );
}

function isPostgres({ database }: DocumentsToolConfig): boolean {
  return typeof database === "object";
}

/**
 * Returns an identifier that stays the same if the project moves, and differs between two agents that use the same name for their
 * documents.
 */
function indexName(config: DocumentsToolConfig, { baseDir, projectDir }: Folders): string {
  const identity = JSON.stringify([relative(projectDir, baseDir), sourcesOf(config)]);
  return `${config.name}-${createHash("sha256").update(identity).digest("hex").slice(0, 8)}`;
}
