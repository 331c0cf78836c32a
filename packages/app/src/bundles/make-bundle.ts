import { arch, platform, release } from "node:os";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { SupportFacts } from "@bridle/project";
import { ConfigError, type EventLog } from "@bridle/protocol";
import type { EventTarget } from "../events/event-log.ts";
import { type EventGap, readUndamagedPages } from "../events/readable-events.ts";
import type { OutputFile, TemporaryFiles } from "../files/output-file.ts";
import { type BundleFile, SpoolFile } from "./archive/spool-file.ts";
import { measureTar, packTar, type TarEntry } from "./archive/tar-writer.ts";
import { bundleArtifacts } from "./bundle-artifacts.ts";
import { maxBytes, maxUnpackedBytes } from "./bundle-limits.ts";
import { createSpools, EventFiles } from "./event-files.ts";
import { createManifest, type LeftOut, type Manifest, manifestName } from "./manifest.ts";
import { SecretFinder } from "./secrets/find-secrets.ts";

/** The run or session of a bundle, and its event log. */
export interface BundledEvents {
  readonly target: EventTarget;
  readonly eventLog: Pick<EventLog, "read" | "artifact">;
}

export interface BundleParts {
  /** Missing if the bundle contains only the project. */
  readonly happened?: BundledEvents | undefined;
  /** Why the bundle contains no events. Default: the event log has no run. */
  readonly emptyReason?: string | undefined;
  readonly facts: SupportFacts;
  /** Files about the agent of the run, by path. They contain no credentials. */
  readonly agent?: Readonly<Record<string, string>> | undefined;
  /** Information about the agent that the bundle omits. */
  readonly leftOut?: LeftOut | undefined;
  readonly version: string;
  readonly withArtifacts: boolean;
  readonly at: Date;
}

type Contents = Readonly<Record<string, string>>;

/**
 * Writes a bundle. Memory use does not grow with the number of events, because events are read in pages, and the bundle's files are stored
 * in temporary files next to the output.
 *
 * @throws ConfigError if the bundle would contain a credential, or if it is too large.
 */
export async function makeBundle(parts: BundleParts, output: OutputFile): Promise<void> {
  await output.fill((temporary) => collectBundle(parts, temporary));
}

/** Yields the bundle in pieces. Throws ConfigError before the first piece. The temporary files are needed until the last piece. */
export async function collectBundle(parts: BundleParts, temporary: TemporaryFiles): Promise<AsyncIterable<Uint8Array>> {
  return packFiles(await new BundleMaker(parts, temporary).collect(), parts.at);
}

async function* packFiles(files: readonly TarEntry[], at: Date): AsyncGenerator<Uint8Array> {
  const input = Readable.from(packTar(files, at));
  const gzip = createGzip();
  input.on("error", (error) => gzip.destroy(error));
  let packedBytes = 0;
  try {
    for await (const piece of input.pipe(gzip)) {
      packedBytes += piece.length;
      yield piece;
    }
  } finally {
    input.destroy();
  }
  const [bytes, limit] = [measureTar(files), maxUnpackedBytes(packedBytes)];
  if (bytes > limit) throw tooLarge(bytes, limit);
}

/** Collects the files of one bundle. */
class BundleMaker {
  readonly #parts: BundleParts;
  readonly #temporary: TemporaryFiles;
  readonly #leftOut: LeftOut = [];
  readonly #files: BundleFile[] = [];

  constructor(parts: BundleParts, temporary: TemporaryFiles) {
    this.#parts = parts;
    this.#temporary = temporary;
    this.#leftOut.push(...(parts.leftOut ?? []));
  }

  /** Returns the manifest and all other files, which contain no credential. */
  async collect(): Promise<TarEntry[]> {
    const { facts } = this.#parts;
    const spool = await this.#createSpool();
    await this.#store(spool, {
      "versions.json": formatJson(describeVersions(this.#parts)),
      "doctor.json": formatJson(facts.checks),
      ...addProject(facts, this.#leftOut),
      ...this.#parts.agent,
    });
    const events = new EventFiles(await createSpools(() => this.#createSpool()), facts.redactor);
    await this.#addEvents(events, spool);
    await this.#store(spool, addLogs(facts, this.#leftOut));
    const all = [this.#createManifest(events), ...this.#files];
    if (measureTar(all) > maxBytes) throw tooLarge(measureTar(all), maxBytes);
    const finder = new SecretFinder(facts.redactor, events.accepted);
    await searchFiles(all, finder);
    if (finder.found.length > 0) throw credentialFound(finder.found);
    return all;
  }

  async #createSpool(): Promise<SpoolFile> {
    return new SpoolFile(await this.#temporary.create());
  }

  async #store(spool: SpoolFile, contents: Contents): Promise<void> {
    for (const [path, text] of Object.entries(contents)) this.#files.push(await spool.store(path, text));
  }

  async #addEvents(events: EventFiles, spool: SpoolFile): Promise<void> {
    const { happened, withArtifacts, emptyReason = "the event log has no run" } = this.#parts;
    const leaveOutGap = (gap: EventGap) => this.#leftOut.push({ what: describeGap(gap), why: gap.why });
    if (happened) {
      const pages = readUndamagedPages(happened.eventLog, happened.target, leaveOutGap);
      for await (const page of pages) await events.add(page);
    }
    if (!happened || events.count === 0) {
      this.#leftOut.push({ what: "events and transcript", why: emptyReason });
      return;
    }
    this.#files.push(...(await events.finish(spool)));
    for await (const [path, text] of bundleArtifacts(events, happened.eventLog, withArtifacts, this.#leftOut)) {
      this.#files.push(await spool.store(path, text));
    }
  }

  #createManifest(events: EventFiles): TarEntry {
    const { happened, at } = this.#parts;
    const of = describeSubject(happened?.target);
    const content = Buffer.from(formatJson(createManifest({ of, at, events }, this.#files, this.#leftOut)));
    return { path: manifestName, bytes: content.length, read: () => [content] };
  }
}

async function searchFiles(files: readonly TarEntry[], finder: SecretFinder): Promise<void> {
  for (const { path, read } of files) {
    finder.begin(path);
    for await (const piece of read()) finder.add(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    finder.end();
    if (finder.isFull) return;
  }
}

function tooLarge(bytes: number, limit: number): ConfigError {
  return new ConfigError(
    `The bundle was not written: it would have ${bytes} bytes unpacked, and the limit is ${limit}. Name one run, or omit --artifacts.`,
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

function describeGap({ after, before }: EventGap): string {
  const count = before - after - 1;
  return count > 0 ? `${count} events, from ${after + 1} to ${before - 1}` : `events from ${after + 1} on`;
}

function addLogs({ logs, fault }: SupportFacts, leftOut: LeftOut): Contents {
  const entries = Object.entries(logs);
  const why = fault === undefined ? "no run of the project has logged a warning" : `they cannot be found: ${fault}`;
  if (entries.length === 0) leftOut.push({ what: "logs", why });
  return Object.fromEntries(entries.map(([name, text]) => [`logs/${name}`, text]));
}

function describeSubject(target: EventTarget | undefined): Manifest["of"] {
  if (target === undefined) return { kind: "project" };
  return "runId" in target ? { kind: "run", id: target.runId } : { kind: "session", id: target.sessionId };
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
