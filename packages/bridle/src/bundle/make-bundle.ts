import { arch, platform, release } from "node:os";
import { gzipSync } from "node:zlib";
import { ConfigError, type EventQuery, type EventRecord, type Redactor, type RunEvent, sha256 } from "@bridle/core";
import type { Status } from "@bridle/project";
import { findSecrets } from "./find-secrets.ts";
import { type Manifest, manifestName } from "./manifest.ts";
import { packTar, type TarFile } from "./tar.ts";
import { transcriptText } from "./transcript-text.ts";

export interface BundleParts {
  target: EventQuery;
  record: EventRecord;
  status: Status;
  /** The text of `bridle.yaml`, where there is one. */
  config: string | undefined;
  redactor: Redactor;
  version: string;
  withArtifacts: boolean;
  at: Date;
}

type LeftOut = Manifest["leftOut"];

/** The bytes of a bundle. Throws ConfigError, and makes none, where a credential would be in it. */
export function makeBundle(parts: BundleParts): Uint8Array {
  const { target, record, at, redactor } = parts;
  const events = record.events(target);
  const leftOut: LeftOut = [{ what: "logs", why: "Bridle writes none to disk" }];
  const contents: Record<string, string> = {
    "versions.json": json(versionsOf(parts)),
    "status.json": json(parts.status),
    "events.jsonl": events.map((event) => `${JSON.stringify(event)}\n`).join(""),
    "transcript.md": transcriptText(events),
    ...configOf(parts, leftOut),
    ...artifactsOf(events, parts, leftOut),
  };
  const files = Object.entries(contents).map(([path, text]) => ({ path, content: Buffer.from(text) }));
  const manifest = { path: manifestName, content: Buffer.from(json(manifestOf(target, events, files, leftOut, at))) };
  const found = findSecrets([manifest, ...files], redactor);
  if (found.length > 0) throw secretFound(found);
  return gzipSync(packTar([manifest, ...files], at));
}

function secretFound(places: readonly string[]): ConfigError {
  const shown = places.slice(0, 5).join(", ");
  return new ConfigError(
    `The bundle was not written: it would hold a credential (${shown}). Remove it where it comes from, or leave the artifacts out.`,
  );
}

function versionsOf({ version, status }: BundleParts) {
  return {
    bridle: version,
    node: process.versions.node,
    system: `${platform()} ${release()} ${arch()}`,
    host: status.host,
  };
}

/** Its hash is that of the file; what is shown has no credential. */
function configOf({ config, redactor }: BundleParts, leftOut: LeftOut): Record<string, string> {
  if (config === undefined) {
    leftOut.push({ what: "bridle.yaml", why: "the project has none" });
    return {};
  }
  return { "bridle.yaml": redactor.text(config), "bridle.yaml.sha256": `${sha256(config)}\n` };
}

function artifactsOf(events: readonly RunEvent[], { record, withArtifacts }: BundleParts, leftOut: LeftOut) {
  const ids = [...new Set(events.flatMap((event) => ("artifact" in event && event.artifact ? [event.artifact] : [])))];
  if (!withArtifacts && ids.length > 0)
    leftOut.push({
      what: `${ids.length} artifacts`,
      why: "they are the whole inputs and results; --artifacts adds them",
    });
  const found = (withArtifacts ? ids : []).flatMap((id) => {
    const content = record.artifact(id);
    if (content === undefined) leftOut.push({ what: `artifact ${id}`, why: "it is not on record any more" });
    return content === undefined ? [] : [[`artifacts/${id}`, content]];
  });
  return Object.fromEntries(found);
}

function manifestOf(
  target: EventQuery,
  events: readonly RunEvent[],
  files: readonly TarFile[],
  leftOut: LeftOut,
  at: Date,
): Manifest {
  const ends = new Map(events.map((event) => [event.runId, event.type === "run.finished" ? event.result : undefined]));
  return {
    bundle: 1,
    madeAt: at.toISOString(),
    of: "runId" in target ? { kind: "run", id: target.runId } : { kind: "session", id: target.sessionId },
    runs: [...ends].map(([runId, result]) => ({
      runId,
      stopReason: result?.stopReason ?? null,
      error: result?.error?.message ?? null,
    })),
    files: files.map(({ path, content }) => ({ path, bytes: content.length, sha256: sha256(content) })),
    leftOut,
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
