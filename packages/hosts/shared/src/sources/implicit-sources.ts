/** Finds a host's files on this machine. Logs only hashes of their contents, and for files with credentials not even these. */
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { readRegularFile, sha256 } from "@bridle/core";
import { type CheckFinding, type ImplicitSource, omitUndefined } from "@bridle/protocol";

/** A file that a host reads if it exists. */
export interface SourceCandidate {
  readonly kind: ImplicitSource["kind"];
  readonly path: string;
  readonly inForce: boolean;
  readonly detail?: string | undefined;
}

/** The maximum size in bytes. A file that is larger or unreadable is not a source, because the host could not use such a file either. */
const maxBytes = 100_000_000;

/** Lists the candidates that exist, in the given order. */
export async function findSources(candidates: readonly SourceCandidate[]): Promise<ImplicitSource[]> {
  const found = await Promise.all(candidates.map(inspect));
  return found.filter((source) => source !== undefined);
}

async function inspect({ kind, path, inForce, detail }: SourceCandidate): Promise<ImplicitSource | undefined> {
  const source = omitUndefined({ kind, path, inForce, detail });
  try {
    if (kind === "auth") return (await stat(path)).isFile() ? source : undefined;
    return { ...source, sha256: sha256(await readRegularFile(path, maxBytes)) };
  } catch {
    return undefined;
  }
}

/** Returns the folder and its ancestors, from the root down. */
export function folderAndAncestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...folderAndAncestors(parent), folder];
}

/** Returns the report of `bridle doctor` about these files. */
export function describeSources(sources: readonly ImplicitSource[]): CheckFinding {
  const managed = sources.filter(({ kind }) => kind.startsWith("managed-"));
  const kept = sources.filter(({ inForce }) => !inForce).map(({ path }) => path);
  const keptOut = kept.length === 0 ? "nothing to keep out" : `kept out: ${kept.join(", ")}`;
  if (managed.length === 0) return { ok: true, detail: `no managed policy; ${keptOut}` };
  return {
    ok: true,
    detail: `managed policy applies to every run: ${managed.map(({ path }) => path).join(", ")}; ${keptOut}`,
    remedy: "Managed policy is the administrator's to change, and cannot be switched off.",
  };
}
