import type { Redactor } from "@bridle/core";
import { ConfigError, getErrorMessage } from "@bridle/protocol";
import { type ArchiveSource, readArchive } from "./archive/read-archive.ts";
import type { TarListener } from "./archive/tar-reader.ts";
import { maxUnpackedBytes } from "./bundle-limits.ts";
import { BundleReader } from "./bundle-reader.ts";
import { type Manifest, manifestName, manifestSchema } from "./manifest.ts";
import { SecretFinder } from "./secrets/find-secrets.ts";
import type { NewestRuns } from "./texts/run-facts.ts";

export interface CheckedBundle {
  readonly manifest: Manifest;
  /** The number of events; 0 if they cannot be read. */
  readonly events: number;
  readonly newest: NewestRuns;
  /** The problems of the bundle; empty if it has none. Contains no credential. */
  readonly problems: readonly string[];
}

/**
 * Checks a bundle. Reads it twice, in pieces: first the events, which determine the allowed content, and then everything to find
 * credentials.
 *
 * @throws ConfigError if the file is not a bundle.
 */
export async function checkBundle(
  source: ArchiveSource,
  name: string,
  redactor: Redactor,
  limit = maxUnpackedBytes(source.size),
): Promise<CheckedBundle> {
  const reader = new BundleReader(redactor);
  await readFiles(source, name, limit, reader);
  const manifest = parseManifest(reader.manifest, name);
  const { files, events } = reader;
  const listed = new Set([manifestName, ...manifest.files.map(({ path }) => path)]);
  const problems = [
    ...manifest.files.flatMap((expected) => compareFile(expected, files.get(expected.path))),
    ...[...files.keys()].filter((path) => !listed.has(path)).map((path) => `${path} is not in the manifest`),
    ...(events === undefined ? ["events.jsonl cannot be read"] : []),
  ];
  const finder = new SecretFinder(redactor, reader.accepted);
  await readFiles(source, name, limit, finder);
  return {
    manifest,
    events: events?.count ?? 0,
    newest: events?.newest ?? { runs: [], earlier: 0 },
    problems: [...problems.map(redactor.text), ...finder.found.map((position) => `${position} contains a credential`)],
  };
}

async function readFiles(source: ArchiveSource, name: string, limit: number, listener: TarListener): Promise<void> {
  try {
    await readArchive(source, limit, listener);
  } catch (cause) {
    throw new ConfigError(`${name} is not a bundle: ${getErrorMessage(cause)}. Create one with "bridle bundle".`, {
      cause,
    });
  }
}

function parseManifest(text: string | undefined, name: string): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(text ?? ""));
  } catch (cause) {
    throw new ConfigError(`${name} is not a bundle: its manifest is missing or cannot be read.`, { cause });
  }
}

type FileDigest = Pick<Manifest["files"][number], "bytes" | "sha256">;

function compareFile({ path, ...expected }: Manifest["files"][number], found: FileDigest | undefined): string[] {
  if (!found) return [`${path} is missing`];
  const isSame = found.bytes === expected.bytes && found.sha256 === expected.sha256;
  return isSame ? [] : [`${path} was changed`];
}
