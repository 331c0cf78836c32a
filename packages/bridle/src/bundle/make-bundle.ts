import { arch, platform, release } from "node:os";
import { gzipSync } from "node:zlib";
import { sha256 } from "@bridle/core";
import type { SupportFacts } from "@bridle/project";
import { ConfigError, type EventLog, type EventQuery, type RunEvent } from "@bridle/protocol";
import { type ReadableEvents, readableEvents } from "../record/readable-events.ts";
import { mostBytes } from "./check-bundle.ts";
import { findSecrets } from "./find-secrets.ts";
import { type Manifest, manifestName } from "./manifest.ts";
import { summaryText } from "./summary-text.ts";
import { packTar, type TarFile } from "./tar.ts";
import { timelineText } from "./timeline-text.ts";
import { toolsText } from "./tools-text.ts";
import { transcriptText } from "./transcript-text.ts";

export interface BundleParts {
  /** What it is about, where anything is on record. */
  happened?: { readonly target: EventQuery; readonly record: Pick<EventLog, "events" | "artifact"> };
  /** Why there is nothing that happened. Default: no run is on record. */
  untold?: string;
  facts: SupportFacts;
  version: string;
  withArtifacts: boolean;
  at: Date;
}

type LeftOut = Manifest["leftOut"];
type Contents = Readonly<Record<string, string>>;

/** The bytes of a bundle. Throws ConfigError, and makes none, where a credential would be in it. */
export function makeBundle(parts: BundleParts): Uint8Array {
  const { happened, facts, at, untold = "there is no run on record" } = parts;
  const leftOut: LeftOut = [];
  const events = happened === undefined ? [] : readOf(happened, leftOut);
  const contents: Contents = {
    "versions.json": json(versionsOf(parts)),
    "doctor.json": json(facts.checks),
    ...projectOf(facts, leftOut),
    ...eventsOf(events, untold, leftOut),
    ...artifactsOf(events, parts, leftOut),
    ...logsOf(facts, leftOut),
  };
  const files = Object.entries(contents).map(([path, text]) => ({ path, content: Buffer.from(text) }));
  const manifest = { path: manifestName, content: Buffer.from(json(manifestOf(parts, events, files, leftOut))) };
  const found = findSecrets([manifest, ...files], facts.redactor);
  if (found.length > 0) throw secretFound(found);
  const archive = packTar([manifest, ...files], at);
  if (archive.length > mostBytes) throw tooLarge(archive.length);
  return gzipSync(archive);
}

function tooLarge(bytes: number): ConfigError {
  return new ConfigError(
    `The bundle was not written: unpacked it would have ${bytes} bytes, and ${mostBytes} is the most. Name one run, or leave the artifacts out.`,
  );
}

function secretFound(places: readonly string[]): ConfigError {
  const shown = places.slice(0, 5).join(", ");
  return new ConfigError(
    `The bundle was not written: it would hold a credential (${shown}). Remove it where it comes from, or leave the artifacts out.`,
  );
}

function versionsOf({ version, facts }: BundleParts) {
  return {
    bridle: version,
    node: process.versions.node,
    system: `${platform()} ${release()} ${arch()}`,
    host: facts.project?.status.host ?? null,
  };
}

/** How it is configured, what is there to pay with by name, and what the backend can do. */
function projectOf({ project, fault = "" }: SupportFacts, leftOut: LeftOut): Contents {
  if (project === undefined) {
    for (const what of ["status", "configuration", "capabilities"]) {
      leftOut.push({ what, why: `the configuration cannot be read: ${fault}` });
    }
    return {};
  }
  const { status, features, settings, file } = project;
  if (!file) leftOut.push({ what: "bridle.yaml", why: "the project has none" });
  return {
    "status.json": json(status),
    "capabilities.json": json(features),
    "configuration.json": json({ sha256: file?.sha256 ?? null, settings }),
    ...(file && { "bridle.yaml": file.text }),
  };
}

function readOf({ record, target }: NonNullable<BundleParts["happened"]>, leftOut: LeftOut): readonly RunEvent[] {
  const { events, damage } = readableEvents(record, target);
  if (damage !== undefined) leftOut.push({ what: missingIn(damage), why: damage.why });
  return events;
}

function missingIn({ after, before }: NonNullable<ReadableEvents["damage"]>): string {
  const count = before - after - 1;
  return count > 0 ? `${count} events, from ${after + 1} to ${before - 1}` : `events from ${after + 1} on`;
}

function eventsOf(events: readonly RunEvent[], untold: string, leftOut: LeftOut): Contents {
  if (events.length === 0) {
    leftOut.push({ what: "events and transcript", why: untold });
    return {};
  }
  const inputs = events.filter((event) => event.type === "model.input");
  return {
    "events.jsonl": events.map((event) => `${JSON.stringify(event)}\n`).join(""),
    "summary.txt": summaryText(events),
    "transcript.md": transcriptText(events),
    "tools.md": toolsText(events),
    "timeline.txt": timelineText(events),
    "implicit-sources.json": json(
      inputs.map(({ runId, turn, implicitSources, hostAdds }) => ({ runId, turn, implicitSources, hostAdds })),
    ),
  };
}

/** The rules are always there; inputs and results by choice. */
function artifactsOf(events: readonly RunEvent[], parts: BundleParts, leftOut: LeftOut): Contents {
  const { happened, withArtifacts } = parts;
  const contentOf = (id: string) => happened?.record.artifact(id);
  const policies = unique(events.flatMap((event) => (event.type === "run.started" ? [event.policy] : [])));
  const rules = policies.flatMap((id) => {
    const content = contentOf(id);
    if (content === undefined) leftOut.push({ what: `the rules ${id}`, why: "their text is not on record" });
    return content === undefined ? [] : [[`policies/${fileName(id)}.json`, content] as const];
  });
  const ids = unique(events.flatMap((event) => ("artifact" in event && event.artifact ? [event.artifact] : [])));
  if (!withArtifacts && ids.length > 0)
    leftOut.push({
      what: `${ids.length} artifacts`,
      why: "they are the whole inputs and results; --artifacts adds them",
    });
  const found = (withArtifacts ? ids : []).flatMap((id) => {
    const content = contentOf(id);
    if (content === undefined) leftOut.push({ what: `artifact ${id}`, why: "it is not on record any more" });
    return content === undefined ? [] : [[`artifacts/${fileName(id)}`, content] as const];
  });
  return Object.fromEntries([...rules, ...found]);
}

function logsOf({ logs, fault }: SupportFacts, leftOut: LeftOut): Contents {
  const entries = Object.entries(logs);
  const why =
    fault === undefined ? "no run of the project warned of anything" : `where they are is not known: ${fault}`;
  if (entries.length === 0) leftOut.push({ what: "logs", why });
  return Object.fromEntries(entries.map(([name, text]) => [`logs/${name}`, text]));
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

/** An id of the caller's own may be anything. */
function fileName(id: string): string {
  return id.replaceAll(/[^\w-]/g, "_").slice(0, 80);
}

function manifestOf(
  { happened, at }: BundleParts,
  events: readonly RunEvent[],
  files: readonly TarFile[],
  leftOut: LeftOut,
): Manifest {
  const ends = new Map(events.map((event) => [event.runId, event.type === "run.finished" ? event.result : undefined]));
  return {
    bundle: 1,
    madeAt: at.toISOString(),
    of: subjectOf(happened?.target),
    runs: [...ends].map(([runId, result]) => ({
      runId,
      stopReason: result?.stopReason ?? null,
      error: result?.error?.message ?? null,
    })),
    files: files.map(({ path, content }) => ({ path, bytes: content.length, sha256: sha256(content) })),
    leftOut,
  };
}

function subjectOf(target: EventQuery | undefined): Manifest["of"] {
  if (target === undefined) return { kind: "project" };
  return "runId" in target ? { kind: "run", id: target.runId } : { kind: "session", id: target.sessionId };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
