import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, extname, resolve } from "node:path";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import picomatch from "picomatch";
import type { DocumentsSettings } from "./documents-settings.ts";

/** The paths to search, and the files to read. */
export interface DocumentPlan {
  readonly root: string;
  readonly sources: readonly string[];
  /** Whether the source's path is a single file. */
  readonly isFile: boolean;
  readonly isWanted: (id: string) => boolean;
}

/** Formats that usually contain data rather than prose. Files in these formats are read only if `include` names them. */
const dataEndings = new Set([".json", ".jsonl", ".ndjson"]);

/** Plans what to read. Throws ConfigError if the path does not exist. */
export async function planDocuments(settings: DocumentsSettings, projectDir: string): Promise<DocumentPlan> {
  const { path, include, exclude = [] } = settings;
  const isExcluded = exclude.length > 0 ? picomatch([...exclude]) : () => false;
  const isIncluded = include ? picomatch([...include]) : (id: string) => !dataEndings.has(extname(id).toLowerCase());
  const isWanted = (id: string) => isIncluded(id) && !isExcluded(id);
  const whole = resolve(projectDir, path);
  const info = await infoOf(whole);
  if ("code" in info) return planGlob(path, projectDir, info, isWanted);
  if (!info.isFile()) return { root: whole, sources: [whole], isFile: false, isWanted };
  return { root: dirname(whole), sources: [whole], isFile: true, isWanted: (id) => id === basename(whole) };
}

async function planGlob(
  path: string,
  projectDir: string,
  { code }: { readonly code: string },
  isWanted: (id: string) => boolean,
): Promise<DocumentPlan> {
  const { base, glob, isGlob } = picomatch.scan(path);
  const root = resolve(projectDir, base);
  const info = isGlob ? await infoOf(root) : undefined;
  if (info === undefined || "code" in info || !info.isDirectory()) {
    const reason = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new ConfigError(`${path} ${reason}. Correct the path of the source.`);
  }
  const matches = picomatch(glob);
  return { root, sources: [root], isFile: false, isWanted: (id) => matches(id) && isWanted(id) };
}

async function infoOf(path: string): Promise<Stats | { readonly code: string }> {
  return stat(path).catch((error: unknown) => ({ code: systemErrorCode(error) }));
}
