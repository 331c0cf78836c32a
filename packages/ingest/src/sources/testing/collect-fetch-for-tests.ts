/** Helpers for tests of sources: create a folder with files, and collect everything that a fetch reports. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createSource } from "../kinds/create-source.ts";
import type { SourceServices } from "../kinds/source-kind.ts";
import type {
  FetchContext,
  FetchEvent,
  IngestSource,
  Projection,
  ProjectionContext,
  SourceItem,
  StagedItem,
} from "../source.ts";

/** Creates a temporary folder with these files, by path. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), "bridle-source-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  addFiles(folder, files);
  return folder;
}

export function addFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

export interface Fetched {
  readonly items: readonly SourceItem[];
  readonly unchanged: readonly string[];
  readonly problems: readonly { readonly id?: string | undefined; readonly message: string }[];
  readonly isComplete: boolean;
  readonly cursor: string | undefined;
  readonly last: FetchEvent | undefined;
}

export async function collectFetch(source: IngestSource, context: Partial<FetchContext> = {}): Promise<Fetched> {
  const events: FetchEvent[] = [];
  const whole = { signal: new AbortController().signal, updatedAtOf: () => undefined, ...context };
  for await (const event of source.fetch(whole)) events.push(event);
  const complete = events.find((event) => event.kind === "complete");
  return {
    items: events.flatMap((event) => (event.kind === "item" ? [event.item] : [])),
    unchanged: events.flatMap((event) => (event.kind === "unchanged" ? [event.id] : [])),
    problems: events.flatMap((event) => (event.kind === "problem" ? [{ id: event.id, message: event.message }] : [])),
    isComplete: complete !== undefined,
    cursor: complete?.kind === "complete" ? complete.cursor : undefined,
    last: events.at(-1),
  };
}

/** Creates a source and fetches it. */
export async function fetchSource(
  settings: Readonly<Record<string, unknown>>,
  services: Partial<SourceServices> = {},
  context: Partial<FetchContext> = {},
): Promise<Fetched & { readonly source: IngestSource }> {
  const source = await createSource("test", settings, { projectDir: tmpdir(), ...services });
  return { source, ...(await collectFetch(source, context)) };
}

/** Returns the projection of items as they were fetched. */
export async function projectItems(
  source: IngestSource,
  items: readonly SourceItem[],
  options: Partial<ProjectionContext> & { readonly tables?: readonly string[] | undefined } = {},
): Promise<Projection> {
  const texts = new Map(items.map(({ id, text }) => [id, text]));
  const staged = items.map(
    ({ text, ...item }): StagedItem => ({ ...item, source: source.name, version: "v", chars: text.length }),
  );
  const { tables, ...context } = options;
  const projected = await source.project?.(staged, {
    findTable: (name) => findTable(name, tables ?? []),
    textOf: (id) => texts.get(id) ?? "",
    signal: new AbortController().signal,
    ...context,
  });
  return projected ?? { candidates: [], findings: [] };
}

function findTable(name: string, tables: readonly string[]): string | undefined {
  const fits = tables.filter((table) => table === name || table.endsWith(`.${name}`));
  return fits.length === 1 ? fits[0] : undefined;
}
