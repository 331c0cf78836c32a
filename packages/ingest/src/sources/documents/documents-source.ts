/** Reads folders of documents. Each file is an item whose id is the file's path in the folder. */
import { extname } from "node:path";
import { DocumentError, findFiles, readSource, type SourceFile, WholeDocumentReader } from "@bridle/documents";
import picomatch from "picomatch";
import { explainOddName, locate } from "../files/folder-files.ts";
import { readFrontMatter } from "../files/front-matter.ts";
import { findLinks } from "../files/links.ts";
import { firstHeading, titleOfFile, toTitle } from "../files/title.ts";
import type { SourceServices } from "../kinds/source-kind.ts";
import type { FetchContext, FetchEvent, IngestSource, SourceItem } from "../source.ts";
import type { DocumentsSettings } from "./documents-settings.ts";
import { planDocuments } from "./plan-documents.ts";

const defaultMb = 20;
const tableEndings = new Set([".csv", ".tsv", ".xlsx"]);
/** The maximum number of characters of a table. A longer table counts as data, unless `include` names the file. */
const maxTableLength = 200_000;
const plainEndings = new Set([".md", ".markdown", ".mdx", ".txt", ".text"]);

export function createDocumentsSource(
  name: string,
  settings: DocumentsSettings,
  { projectDir }: SourceServices,
): IngestSource {
  return new DocumentsSource(name, settings, projectDir);
}

/** The services for reading a file. */
interface Reading {
  readonly reader: WholeDocumentReader;
  readonly maxFileBytes: number;
  /** Whether the source's path is this single file. */
  readonly isFile: boolean;
  readonly signal: AbortSignal;
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
    const { root, sources, isWanted, isFile } = await planDocuments(this.#settings, this.#projectDir);
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
        yield* this.#read(file, { reader, maxFileBytes, isFile, signal });
      }
    } finally {
      await reader.close();
    }
    if (found.unreadable.length === 0) yield { kind: "complete" };
  }

  async *#read(file: SourceFile, { reader, maxFileBytes, isFile, signal }: Reading): AsyncIterable<FetchEvent> {
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
      const isData = tableEndings.has(endingOf(id)) && text.length > maxTableLength && !this.#settings.include;
      if (isData) yield { kind: "problem", id, message: `${id} is a table of data. Name it in include to read it.` };
      else yield { kind: "item", item: this.#toItem(id, text, isFile) };
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      yield { kind: "problem", id, message: error.message.replace("raise max_file_mb", "raise maxFileMb") };
    }
  }

  #toItem(id: string, whole: string, isFile: boolean): SourceItem {
    const isPlain = plainEndings.has(endingOf(id));
    const { title, updatedAt, text } = isPlain ? readFrontMatter(whole) : { text: whole };
    const { path, authority = "document" } = this.#settings;
    return {
      id,
      text,
      authority,
      location: locate(folderIn(path), { isFile }, id),
      links: findLinks(text, id),
      title: title === undefined ? (firstHeading(text) ?? titleOfFile(id)) : toTitle(title),
      kind: tableEndings.has(endingOf(id)) ? "table" : "document",
      ...(updatedAt === undefined ? {} : { updatedAt }),
    };
  }
}

/** Reads UTF-8 text, which does not need a separate process with limits. */
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

/** Returns the folder at the beginning of a glob. */
function folderIn(path: string): string {
  const { base, isGlob } = picomatch.scan(path);
  return isGlob ? base : path;
}
