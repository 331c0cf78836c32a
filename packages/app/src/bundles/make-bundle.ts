import { arch, platform, release } from "node:os";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { sha256 } from "@bridle/core";
import type { SupportFacts } from "@bridle/project";
import { ConfigError, type EventLog, type RunEvent } from "@bridle/protocol";
import type { EventTarget } from "../events/event-log.ts";
import { readUndamagedEvents, type UndamagedEvents } from "../events/readable-events.ts";
import { mostBytes } from "./check-bundle.ts";
import { findSecrets } from "./find-secrets.ts";
import { type Manifest, manifestName } from "./manifest.ts";
import { formatSummary } from "./summary-text.ts";
import { packTar, type TarFile } from "./tar.ts";
import { formatTimeline } from "./timeline-text.ts";
import { formatToolCalls } from "./tools-text.ts";
import { formatTranscript } from "./transcript-text.ts";

/** The run or the session of a bundle, and the event log that has it. */
export interface BundledEvents {
  readonly target: EventTarget;
  readonly eventLog: Pick<EventLog, "events" | "artifact">;
}

export interface BundleParts {
  /** Missing for a bundle of the project alone. */
  readonly happened?: BundledEvents | undefined;
  /** Why there are no events. Default: the event log has no run. */
  readonly emptyReason?: string | undefined;
  readonly facts: SupportFacts;
  readonly version: string;
  readonly withArtifacts: boolean;
  readonly at: Date;
}

type LeftOut = Manifest["leftOut"];
type Contents = Readonly<Record<string, string>>;

/** The bytes of a bundle. Throws ConfigError if a credential would be in it, or if it is too large. */
export async function makeBundle(parts: BundleParts): Promise<Uint8Array> {
  const { happened, facts, at, emptyReason = "the event log has no run" } = parts;
  const leftOut: LeftOut = [];
  const events = happened === undefined ? [] : readBundleEvents(happened, leftOut);
  const contents: Contents = {
    "versions.json": formatJson(describeVersions(parts)),
    "doctor.json": formatJson(facts.checks),
    ...addProject(facts, leftOut),
    ...addEvents(events, emptyReason, leftOut),
    ...addArtifacts(events, parts, leftOut),
    ...addLogs(facts, leftOut),
  };
  const files = Object.entries(contents).map(([path, text]) => ({ path, content: Buffer.from(text) }));
  const manifestText = formatJson(createManifest(parts, events, files, leftOut));
  const all = [{ path: manifestName, content: Buffer.from(manifestText) }, ...files];
  const found = await findSecrets(all, facts.redactor, events);
  if (found.length > 0) throw credentialFound(found);
  const archive = packTar(all, at);
  if (archive.length > mostBytes) throw tooLarge(archive.length);
  return promisify(gzip)(archive);
}

function tooLarge(bytes: number): ConfigError {
  return new ConfigError(
    `The bundle was not written: it would have ${bytes} bytes unpacked, and the limit is ${mostBytes}. Name one run, or omit --artifacts.`,
  );
}

function credentialFound(positions: readonly string[]): ConfigError {
  const shown = positions.slice(0, 5).join(", ");
  return new ConfigError(
    `The bundle was not written: it would contain a credential (${shown}). Remove the credential at its source, or omit --artifacts.`,
  );
}

function describeVersions({ version, facts }: BundleParts) {
  return {
    bridle: version,
    node: process.versions.node,
    system: `${platform()} ${release()} ${arch()}`,
    host: facts.project?.status.host ?? null,
  };
}

/** Adds the configuration, the names of the credentials, and the features of the backend. */
function addProject({ project, fault = "" }: SupportFacts, leftOut: LeftOut): Contents {
  if (project === undefined) {
    for (const what of ["status", "configuration", "capabilities"]) {
      leftOut.push({ what, why: `the configuration cannot be read: ${fault}` });
    }
    return {};
  }
  const { status, features, settings, file } = project;
  if (!file) leftOut.push({ what: "bridle.yaml", why: "the project has none" });
  return {
    "status.json": formatJson(status),
    "capabilities.json": formatJson(features),
    "configuration.json": formatJson({ sha256: file?.sha256 ?? null, settings }),
    ...(file && { "bridle.yaml": file.text }),
  };
}

function readBundleEvents({ eventLog, target }: BundledEvents, leftOut: LeftOut): readonly RunEvent[] {
  const { events, damage } = readUndamagedEvents(eventLog, target);
  if (damage !== undefined) leftOut.push({ what: describeGap(damage), why: damage.why });
  return events;
}

function describeGap({ after, before }: NonNullable<UndamagedEvents["damage"]>): string {
  const count = before - after - 1;
  return count > 0 ? `${count} events, from ${after + 1} to ${before - 1}` : `events from ${after + 1} on`;
}

function addEvents(events: readonly RunEvent[], emptyReason: string, leftOut: LeftOut): Contents {
  if (events.length === 0) {
    leftOut.push({ what: "events and transcript", why: emptyReason });
    return {};
  }
  const inputs = events.filter((event) => event.type === "model.input");
  return {
    "events.jsonl": events.map((event) => `${JSON.stringify(event)}\n`).join(""),
    "summary.txt": formatSummary(events),
    "transcript.md": formatTranscript(events),
    "tools.md": formatToolCalls(events),
    "timeline.txt": formatTimeline(events),
    "implicit-sources.json": formatJson(
      inputs.map(({ runId, turn, implicitSources, hostAdds }) => ({ runId, turn, implicitSources, hostAdds })),
    ),
  };
}

/** The rules are always included. Whole inputs and results are optional. */
function addArtifacts(events: readonly RunEvent[], parts: BundleParts, leftOut: LeftOut): Contents {
  const { happened, withArtifacts } = parts;
  const readArtifact = (id: string) => happened?.eventLog.artifact(id);
  const policies = unique(events.flatMap((event) => (event.type === "run.started" ? [event.policy] : [])));
  const rules = policies.flatMap((id) => {
    const content = readArtifact(id);
    if (content === undefined) leftOut.push({ what: `the rules ${id}`, why: "the event log does not have their text" });
    return content === undefined ? [] : [[`policies/${toFileName(id)}.json`, content] as const];
  });
  const ids = unique(events.flatMap((event) => ("artifact" in event && event.artifact ? [event.artifact] : [])));
  if (!withArtifacts && ids.length > 0) {
    const why = "they are whole inputs and results; --artifacts adds them";
    leftOut.push({ what: `${ids.length} artifacts`, why });
  }
  const found = (withArtifacts ? ids : []).flatMap((id) => {
    const content = readArtifact(id);
    if (content === undefined) leftOut.push({ what: `artifact ${id}`, why: "the event log no longer has it" });
    return content === undefined ? [] : [[`artifacts/${toFileName(id)}`, content] as const];
  });
  return Object.fromEntries([...rules, ...found]);
}

function addLogs({ logs, fault }: SupportFacts, leftOut: LeftOut): Contents {
  const entries = Object.entries(logs);
  const why = fault === undefined ? "no run of the project has logged a warning" : `they cannot be found: ${fault}`;
  if (entries.length === 0) leftOut.push({ what: "logs", why });
  return Object.fromEntries(entries.map(([name, text]) => [`logs/${name}`, text]));
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

/** The caller may have chosen any text as an id. */
function toFileName(id: string): string {
  return id.replaceAll(/[^\w-]/g, "_").slice(0, 80);
}

function createManifest(
  { happened, at }: BundleParts,
  events: readonly RunEvent[],
  files: readonly TarFile[],
  leftOut: LeftOut,
): Manifest {
  const ends = new Map(events.map((event) => [event.runId, event.type === "run.finished" ? event.result : undefined]));
  return {
    bundle: 1,
    madeAt: at.toISOString(),
    of: describeSubject(happened?.target),
    runs: [...ends].map(([runId, result]) => ({
      runId,
      stopReason: result?.stopReason ?? null,
      error: result?.error?.message ?? null,
    })),
    files: files.map(({ path, content }) => ({ path, bytes: content.length, sha256: sha256(content) })),
    leftOut,
  };
}

function describeSubject(target: EventTarget | undefined): Manifest["of"] {
  if (target === undefined) return { kind: "project" };
  return "runId" in target ? { kind: "run", id: target.runId } : { kind: "session", id: target.sessionId };
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
