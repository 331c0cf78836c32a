/** Folders of documents. Each file is an item, and its id is its path in the folder. */
import { stat } from "node:fs/promises";
import { basename, dirname, extname, resolve } from "node:path";
import { DocumentError, findFiles, readSource, type SourceFile, WholeDocumentReader } from "@bridle/documents";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import picomatch from "picomatch";
import { explainOddName } from "../files/folder-files.ts";
import { readFrontMatter } from "../files/front-matter.ts";
import { findLinks } from "../files/links.ts";
import { firstHeading, titleOfFile, toTitle } from "../files/title.ts";
import type { SourceServices } from "../kinds/source-kind.ts";
import type { FetchContext, FetchEvent, IngestSource, SourceItem } from "../source.ts";
import type { DocumentsSettings } from "./documents-kind.ts";

const defaultMb = 20;
/** Formats that hold data more often than words. They are read if `include` names them. */
const dataEndings = new Set([".json", ".jsonl", ".ndjson"]);
const tableEndings = new Set([".csv", ".tsv", ".xlsx"]);
/** A longer table is data, unless `include` names it. In characters. */
const longestTable = 200_000;
const plainEndings = new Set([".md", ".markdown", ".mdx", ".txt", ".text"]);

export function createDocumentsSource(
  name: string,
  settings: DocumentsSettings,
  { projectDir }: SourceServices,
): IngestSource {
  return new DocumentsSource(name, settings, projectDir);
}

class DocumentsSource implements IngestSource {
  readonly type = "documents";
  readonly name: string;
  readonly #settings: DocumentsSettings;
  readonly #projectDir: string;

  constructor(name: string, settings: DocumentsSettings, projectDir: string) {
    this.name = name;
    this.#settings = settings;
    this.#projectDir = projectDir;
  }

  async *fetch({ signal }: FetchContext): AsyncIterable<FetchEvent> {
    const { root, sources, isWanted } = await this.#plan();
    const found = await findFiles(sources, root);
    for (const { name, problem } of found.unreadable)
      yield { kind: "problem", message: `${name} ${problem} Until then nothing counts as deleted.` };
    for (const { name, problem } of [...found.refused, ...found.skipped.filter(isOldOffice)])
      yield { kind: "problem", message: `${name} ${problem}` };
    const maxFileBytes = (this.#settings.maxFileMb ?? defaultMb) * 1_000_000;
    const reader = new WholeDocumentReader({ maxFileBytes });
    try {
      for (const file of found.files.filter(({ name }) => isWanted(name))) {
        signal.throwIfAborted();
        yield* this.#read(file, reader, maxFileBytes, signal);
      }
    } finally {
      await reader.close();
    }
    if (found.unreadable.length === 0) yield { kind: "complete" };
  }

  async *#read(
    file: SourceFile,
    reader: WholeDocumentReader,
    maxFileBytes: number,
    signal: AbortSignal,
  ): AsyncIterable<FetchEvent> {
    const { name: id } = file;
    const odd = explainOddName(id);
    if (odd !== undefined) {
      yield { kind: "problem", message: odd };
      return;
    }
    try {
      const { bytes } = await readSource(file, maxFileBytes);
      const { text, warnings } = (await readQuickly(id, bytes)) ?? (await reader.read({ name: id, bytes }, signal));
      for (const warning of warnings) yield { kind: "problem", message: `${id} ${warning}` };
      const isData = tableEndings.has(endingOf(id)) && text.length > longestTable && !this.#settings.include;
      if (isData) yield { kind: "problem", id, message: `${id} is a table of data. Name it in include to read it.` };
      else yield { kind: "item", item: this.#toItem(id, text) };
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      yield { kind: "problem", id, message: error.message.replace("raise max_file_mb", "raise maxFileMb") };
    }
  }

  #toItem(id: string, whole: string): SourceItem {
    const isPlain = plainEndings.has(endingOf(id));
    const { title, updatedAt, text } = isPlain ? readFrontMatter(whole) : { text: whole };
    const { path, authority = "document" } = this.#settings;
    return {
      ...{ id, text, authority, location: locate(path, id), links: findLinks(text, id) },
      title: title === undefined ? (firstHeading(text) ?? titleOfFile(id)) : toTitle(title),
      kind: tableEndings.has(endingOf(id)) ? "table" : "document",
      ...(updatedAt === undefined ? {} : { updatedAt }),
    };
  }

  /** What to search, and which of it is read. Throws ConfigError if the path does not exist. */
  async #plan(): Promise<{ root: string; sources: readonly string[]; isWanted: (id: string) => boolean }> {
    const { path, include, exclude = [] } = this.#settings;
    const isExcluded = exclude.length > 0 ? picomatch([...exclude]) : () => false;
    const isIncluded = include ? picomatch([...include]) : (id: string) => !dataEndings.has(endingOf(id));
    const isWanted = (id: string) => isIncluded(id) && !isExcluded(id);
    const whole = resolve(this.#projectDir, path);
    const info = await stat(whole).catch((cause: unknown) => cause);
    if (info instanceof Error) return this.#planGlob(info, isWanted);
    if (typeof info === "object" && info !== null && "isFile" in info && (await stat(whole)).isFile())
      return { root: dirname(whole), sources: [whole], isWanted: (id) => id === basename(whole) };
    return { root: whole, sources: [whole], isWanted };
  }

  async #planGlob(cause: Error, isWanted: (id: string) => boolean) {
    const { path } = this.#settings;
    const { base, glob, isGlob } = picomatch.scan(path);
    const root = resolve(this.#projectDir, base);
    const isThere =
      isGlob &&
      (await stat(root)
        .then((info) => info.isDirectory())
        .catch(() => false));
    if (!isThere)
      throw new ConfigError(
        `${path} ${systemErrorCode(cause) === "ENOENT" ? "does not exist" : `cannot be read (${systemErrorCode(cause)})`}. Correct the path of the source.`,
        { cause },
      );
    const matches = picomatch(glob);
    return { root, sources: [root], isWanted: (id: string) => matches(id) && isWanted(id) };
  }
}

/** Text in UTF-8 needs no process with limits. */
async function readQuickly(id: string, bytes: Uint8Array) {
  if (!plainEndings.has(endingOf(id))) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : { text, warnings: [] };
  } catch {
    return undefined;
  }
}

function isOldOffice({ name }: { readonly name: string }): boolean {
  return /\.(?:doc|xls|ppt)$/i.test(name);
}

function endingOf(id: string): string {
  return extname(id).toLowerCase();
}

/** For people: the path as the settings begin it. */
function locate(path: string, id: string): string {
  const { base, isGlob } = picomatch.scan(path);
  const start = (isGlob ? base : path).replace(/\/+$/, "");
  return start === "" || start === "." ? id : start.endsWith(id) ? start : `${start}/${id}`;
}
