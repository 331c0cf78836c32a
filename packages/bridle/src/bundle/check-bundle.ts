import { gunzipSync } from "node:zlib";
import { ConfigError, type Redactor, sha256 } from "@bridle/core";
import { findSecrets } from "./find-secrets.ts";
import { type Manifest, manifestName, manifestSchema } from "./manifest.ts";
import { type TarFile, unpackTar } from "./tar.ts";

export interface CheckedBundle {
  readonly manifest: Manifest;
  /** What is wrong with it, in words; empty for a good one. */
  readonly problems: readonly string[];
}

/** Verifies a bundle. Throws ConfigError for bytes that are none. */
export function checkBundle(bytes: Uint8Array, name: string, redactor: Redactor): CheckedBundle {
  const files = filesOf(bytes, name);
  const manifest = manifestIn(files, name);
  const listed = new Set([manifestName, ...manifest.files.map(({ path }) => path)]);
  const problems = [
    ...manifest.files.flatMap((expected) => problemOf(expected, files)),
    ...files.filter(({ path }) => !listed.has(path)).map(({ path }) => `${path} is not in the manifest`),
    ...findSecrets(files, redactor).map((place) => `${place} holds a credential`),
  ];
  return { manifest, problems };
}

function filesOf(bytes: Uint8Array, name: string): TarFile[] {
  try {
    return unpackTar(gunzipSync(bytes));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`${name} is no bundle: ${reason}. Make one with "bridle bundle".`, { cause });
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

function problemOf({ path, sha256: expected }: Manifest["files"][number], files: readonly TarFile[]): string[] {
  const found = files.find((file) => file.path === path);
  if (!found) return [`${path} is missing`];
  return sha256(found.content) === expected ? [] : [`${path} is not what was put in`];
}
