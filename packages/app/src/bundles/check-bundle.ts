import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { type Redactor, sha256 } from "@bridle/core";
import { assertDepth, ConfigError, getErrorMessage, type RunEvent, runEventSchema } from "@bridle/protocol";
import { z } from "zod";
import { findSecrets } from "./find-secrets.ts";
import { type Manifest, manifestName, manifestSchema } from "./manifest.ts";
import { type TarFile, unpackTar } from "./tar.ts";

export interface CheckedBundle {
  readonly manifest: Manifest;
  /** Empty if the events cannot be read. */
  readonly events: readonly RunEvent[];
  /** The problems of the bundle; empty if it is good. Contains no credential. */
  readonly problems: readonly string[];
}

/** The most bytes of an unpacked bundle. Without a limit, a small file could unpack to any size. */
export const mostBytes = 256_000_000;

/** Checks a bundle. Throws ConfigError if the bytes are not a bundle. */
export async function checkBundle(
  bytes: Uint8Array,
  name: string,
  redactor: Redactor,
  limit = mostBytes,
): Promise<CheckedBundle> {
  const files = await readFiles(bytes, name, limit);
  const manifest = readManifest(files, name);
  const listed = new Set([manifestName, ...manifest.files.map(({ path }) => path)]);
  const events = await readBundledEvents(files);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const problems = [
    ...manifest.files.flatMap((expected) => checkFile(expected, byPath.get(expected.path))),
    ...files.filter(({ path }) => !listed.has(path)).map(({ path }) => `${path} is not in the manifest`),
    ...(events === undefined ? ["events.jsonl cannot be read"] : []),
  ];
  return {
    manifest,
    events: events ?? [],
    problems: [
      ...problems.map(redactor.text),
      ...(await findSecrets(files, redactor, events)).map((position) => `${position} contains a credential`),
    ],
  };
}

async function readFiles(bytes: Uint8Array, name: string, limit: number): Promise<TarFile[]> {
  try {
    return unpackTar(await unzip(bytes, limit));
  } catch (cause) {
    throw new ConfigError(`${name} is not a bundle: ${getErrorMessage(cause)}. Create one with "bridle bundle".`, {
      cause,
    });
  }
}

const withEngine = z.object({ buffer: z.instanceof(Uint8Array), engine: z.object({ bytesWritten: z.number() }) });

async function unzip(bytes: Uint8Array, limit: number): Promise<Uint8Array> {
  try {
    const { buffer, engine } = withEngine.parse(await promisify(gunzip)(bytes, { maxOutputLength: limit, info: true }));
    if (engine.bytesWritten < bytes.length) throw new RangeError("it has data after its end");
    return buffer;
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause)) throw cause;
    if (cause.code === "ERR_BUFFER_TOO_LARGE")
      throw new RangeError(`it has more than ${limit} bytes unpacked`, { cause });
    if (cause.code === "Z_BUF_ERROR") throw new RangeError("the archive is cut off", { cause });
    throw cause;
  }
}

function readManifest(files: readonly TarFile[], name: string): Manifest {
  const file = files.find(({ path }) => path === manifestName);
  try {
    return manifestSchema.parse(JSON.parse(Buffer.from(file?.content ?? []).toString("utf8")));
  } catch (cause) {
    throw new ConfigError(`${name} is not a bundle: its manifest is missing or cannot be read.`, { cause });
  }
}

/** Between so many events, timers and signals are handled. */
const eventsAtOnce = 1000;

/** `undefined` if a line is not an event. */
async function readBundledEvents(files: readonly TarFile[]): Promise<RunEvent[] | undefined> {
  const file = files.find(({ path }) => path === "events.jsonl");
  const lines = Buffer.from(file?.content ?? [])
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
  const events: RunEvent[] = [];
  try {
    for (const [index, line] of lines.entries()) {
      if (index % eventsAtOnce === 0) await setImmediate();
      const event: unknown = JSON.parse(line);
      assertDepth(event);
      events.push(runEventSchema.parse(event));
    }
    return events;
  } catch {
    return undefined; // the file was changed
  }
}

function checkFile({ path, sha256: expected, bytes }: Manifest["files"][number], found: TarFile | undefined): string[] {
  if (!found) return [`${path} is missing`];
  const isSame = found.content.length === bytes && sha256(found.content) === expected;
  return isSame ? [] : [`${path} was changed`];
}
