import type { ContextStatus } from "@bridle/app/warehouses";
import { counted } from "@bridle/protocol";
import { formatMinute } from "../../../terminal/page.ts";

/** Formats the sources and the last ingest, one per line. */
export function formatIngestStatus({ sources, ingest }: Pick<ContextStatus, "sources" | "ingest">): readonly string[] {
  return [...sources.map(formatSource), ...(ingest === null ? [] : formatIngest(ingest))];
}

function formatSource({ name, type, place, items, readAt, isConfigured }: ContextStatus["sources"][number]): string {
  const where = place === null ? type : `${type}, ${place}`;
  const start = `${name} (${where})`;
  if (readAt !== null) return `${start}: ${counted(items, "document")}; read ${formatMinute(readAt)}`;
  if (items > 0) return `${start}: ${counted(items, "document")}; never read to the end`;
  return isConfigured ? `${start}: not ingested yet. Run "bridle context ingest ${name}".` : `${start}: nothing`;
}

function formatIngest({
  state,
  startedAt,
  ended,
  facts,
  contested,
}: NonNullable<ContextStatus["ingest"]>): readonly string[] {
  const states = { running: "running", died: "its process ended; the next run continues", ended: ended ?? "failed" };
  const line = `last ingest ${formatMinute(startedAt)}: ${states[state]}, ${counted(facts, "fact")}`;
  return [line, ...(contested > 0 ? [`  ${counted(contested, "contested fact")}: bridle context review`] : [])];
}
