import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import {
  type DocumentStore,
  type IndexStatus,
  indexStatus,
  openPostgresStore,
  openSqliteStore,
  removeDamagedSqlite,
} from "@bridle/documents";
import type { Surroundings } from "../opening/opened-tools.ts";
import type { DocumentsToolConfig } from "./documents-config.ts";

type Places = Pick<Surroundings, "baseDir" | "projectDir" | "stateDir">;

/** Where an index is kept. */
export interface IndexPlace {
  /** For people, without a password. */
  readonly shown: string;
  /** Of the embedded one. */
  readonly file?: string;
}

export function sourcesOf({ source }: Pick<DocumentsToolConfig, "source">): readonly string[] {
  return typeof source === "string" ? [source] : source;
}

export function placeOfIndex(config: DocumentsToolConfig, places: Places): IndexPlace {
  if (isPostgres(config)) return { shown: `PostgreSQL, index ${nameOf(config, places)}` };
  const file = join(places.stateDir, "documents", `${nameOf(config, places)}.db`);
  return { shown: relative(places.projectDir, file), file };
}

/** Removes the embedded index where it is damaged. Throws a DocumentStoreError. */
export function removeDamagedIndex(config: DocumentsToolConfig, places: Places): void {
  const { file } = placeOfIndex(config, places);
  if (file !== undefined) removeDamagedSqlite(file);
}

/** Throws a DocumentStoreError. */
export async function openIndex(config: DocumentsToolConfig, places: Places): Promise<DocumentStore> {
  const { file } = placeOfIndex(config, places);
  if (file !== undefined) return openSqliteStore(file);
  const { database } = config;
  const connectionString = typeof database === "object" ? database.connection_string : "";
  return openPostgresStore({ connectionString, name: nameOf(config, places) });
}

/** What the index holds now, without looking at the sources; undefined where there is none yet. */
export async function statusOfIndex(config: DocumentsToolConfig, places: Places): Promise<IndexStatus | undefined> {
  const { file } = placeOfIndex(config, places);
  if (file !== undefined && !existsSync(file)) return undefined;
  const store = await openIndex(config, places);
  return indexStatus(store).finally(() => store.close());
}

function isPostgres({ database }: DocumentsToolConfig): boolean {
  return typeof database === "object";
}

/** The same for the same documents of a project, wherever it lies; another one where two agents name theirs alike. */
function nameOf(config: DocumentsToolConfig, { baseDir, projectDir }: Places): string {
  const what = JSON.stringify([relative(projectDir, baseDir), sourcesOf(config)]);
  return `${config.name}-${createHash("sha256").update(what).digest("hex").slice(0, 8)}`;
}
