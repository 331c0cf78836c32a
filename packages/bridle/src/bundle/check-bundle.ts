import { gunzipSync } from "node:zlib";
import { type Redactor, sha256 } from "@bridle/core";
import { ConfigError, type RunEvent, runEventSchema } from "@bridle/protocol";
import { z } from "zod";
import { findSecrets } from "./find-secrets.ts";
import { type Manifest, manifestName, manifestSchema } from "./manifest.ts";
import { type TarFile, unpackTar } from "./tar.ts";

export interface CheckedBundle {
  readonly manifest: Manifest;
  /** What happened; none where the events cannot be read. */
  readonly events: readonly RunEvent[];
  /** What is wrong with it, in words; empty for a good one. No credential is in them. */
  readonly problems: readonly string[];
}

/** Bytes that a bundle may have when it is unpacked; a small file could become any size. */
export const mostBytes = 512 * 1024 * 1024;

/** Verifies a bundle. Throws ConfigError for bytes that are none. */
export function checkBundle(bytes: Uint8Array, name: string, redactor: Redactor, limit = mostBytes): CheckedBundle {
  const files = filesOf(bytes, name, limit);
  const manifest = manifestIn(files, name);
  const listed = new Set([manifestName, ...manifest.files.map(({ path }) => path)]);
  const events = eventsIn(files);
  const problems = [
    ...manifest.files.flatMap((expected) => problemOf(expected, files)),
    ...files.filter(({ path }) => !listed.has(path)).map(({ path }) => `${path} is not in the manifest`),
    ...(events === undefined ? ["events.jsonl cannot be read"] : []),
  ];
  return {
    manifest,
    events: events ?? [],
    problems: [
      ...problems.map(redactor.text),
      ...findSecrets(files, redactor).map((place) => `${place} holds a credential`),
    ],
  };
}

function filesOf(bytes: Uint8Array, name: string, limit: number): TarFile[] {
  try {
    return unpackTar(unzipped(bytes, limit));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`${name} is no bundle: ${reason}. Make one with "bridle bundle".`, { cause });
  }
}

const withEngine = z.object({ buffer: z.instanceof(Uint8Array), engine: z.object({ bytesWritten: z.number() }) });

function unzipped(bytes: Uint8Array, limit: number): Uint8Array {
  try {
    const { buffer, engine } = withEngine.parse(gunzipSync(bytes, { maxOutputLength: limit, info: true }));
    if (engine.bytesWritten < bytes.length) throw new RangeError("something stands behind its end");
    return buffer;
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause)) throw cause;
    if (cause.code === "ERR_BUFFER_TOO_LARGE") throw new RangeError(`unpacked it has over ${limit} bytes`, { cause });
    if (cause.code === "Z_BUF_ERROR") throw new RangeError("the archive is cut off", { cause });
    throw cause;
  }
}

function manifestIn(files: readonly TarFile[], name: string): Manifest {
  const file = files.find(({ path }) => path === manifestName);
  try {
    return manifestSchema.parse(JSON.parse(Buffer.from(file?.content ?? []).toString("utf8")));
  } catch (cause) {
    throw new ConfigError(`${name} is no bundle: it has no manifest that can be read.`, { cause });
  }
}

/** Undefined where one of them is no event. */
function eventsIn(files: readonly TarFile[]): RunEvent[] | undefined {
  const file = files.find(({ path }) => path === "events.jsonl");
  const lines = Buffer.from(file?.content ?? [])
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
  try {
    return lines.map((line) => runEventSchema.parse(JSON.parse(line)));
  } catch {
    return undefined; // somebody changed it
  }
}

function problemOf({ path, sha256: expected, bytes }: Manifest["files"][number], files: readonly TarFile[]): string[] {
  const found = files.find((file) => file.path === path);
  if (!found) return [`${path} is missing`];
  const isSame = found.content.length === bytes && sha256(found.content) === expected;
  return isSame ? [] : [`${path} is not what was put in`];
}
