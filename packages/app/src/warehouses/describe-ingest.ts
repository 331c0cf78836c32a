import { existsSync } from "node:fs";
import type { IngestStore } from "@bridle/ingest";
import type { Project } from "@bridle/project";
import { isPlainObject } from "@bridle/protocol";
import type { z } from "zod";
import type { ingestStatusSchema, sourceStatusSchema } from "./ingest-status-schema.ts";

type SourceStatus = z.output<typeof sourceStatusSchema>;

export interface IngestDescription {
  readonly sources: readonly SourceStatus[];
  /** The last run; `null` if ingest has never run. */
  readonly ingest: z.output<typeof ingestStatusSchema> | null;
}

/** Describes the project's sources and the last run of ingest. Reads no source and calls no model. Throws IngestStoreError. */
export async function describeIngest(project: Project): Promise<IngestDescription> {
  const { ingestFile, openIngestStore } = await import("@bridle/ingest");
  const folder = { stateDir: project.folder };
  if (!existsSync(ingestFile(folder))) return { sources: configuredSources(project), ingest: null };
  const store = openIngestStore(folder);
  try {
    return { sources: withStored(configuredSources(project), store), ingest: lastIngest(store) };
  } finally {
    store.close();
  }
}

/** Returns the sources in the settings of the project, without data that ingest has stored. */
export function configuredSources({ settings }: Project): readonly SourceStatus[] {
  return Object.entries(settings.context.sources).map(([name, entry]) => {
    const places = ["path", "url", "connection"].flatMap((key) => {
      const value = settings.written[`context.sources.${name}.${key}`] ?? entry[key];
      return typeof value === "string" ? [value] : [];
    });
    return { name, type: entry.type, place: places[0] ?? null, isConfigured: true, items: 0, readAt: null };
  });
}

/** Sources that Bridle itself creates for remembered facts and written pages. The user did not configure them, so the list omits them. */
const ownTypes: readonly string[] = ["memory", "pages"];

function withStored(configured: readonly SourceStatus[], store: IngestStore): readonly SourceStatus[] {
  const stored = store.sources.list().filter(({ type }) => !ownTypes.includes(type));
  const byName = new Map(stored.map((each) => [each.name, each]));
  const facts = (name: string) => ({ items: store.items.count(name), readAt: byName.get(name)?.completedAt ?? null });
  const others = stored
    .filter(({ name }) => !configured.some((each) => each.name === name))
    .map(({ name, type }) => ({ name, type, place: null, isConfigured: false, ...facts(name) }));
  return [...configured.map((each) => ({ ...each, ...facts(each.name) })), ...others];
}

function lastIngest(store: IngestStore): IngestDescription["ingest"] {
  const last = store.runs.last();
  if (last === undefined) return null;
  const claims = store.claims.list();
  const countOf = (status: string) => claims.filter((claim) => claim.status === status).length;
  const { state, startedAt, outcome } = last;
  const counts = { facts: countOf("current"), contested: countOf("contested") };
  return { state, startedAt, ended: outcome === undefined ? null : endIn(outcome), ...counts };
}

function endIn(outcome: string): string | null {
  const parsed: unknown = JSON.parse(outcome);
  return isPlainObject(parsed) && typeof parsed.ended === "string" ? parsed.ended : null;
}
