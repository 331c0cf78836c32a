/** Compares the files of effects with their state when the user decided to trust them. */
import type { EffectiveFile, FolderEffect } from "./folder-effect.ts";

/** Returns a file with the current content of its effects' files. */
export function withCurrentContent(file: EffectiveFile): EffectiveFile {
  return { ...file, effects: file.effects.map((effect) => effect.readAgain?.() ?? effect) };
}

/**
 * Lists the paths of loaded files that have changed or are new. If there are none, lists those that are no longer loaded, or the subject of
 * the effect.
 */
export function findChangesSince({ effects }: EffectiveFile): string[] {
  return [...new Set(effects.flatMap(changesOf))];
}

function changesOf(before: FolderEffect): string[] {
  const now = before.readAgain?.();
  if (now === undefined || now.content === before.content) return [];
  const [then, later] = [before, now].map(({ loaded }) => new Map(loaded?.files.map(({ path, hash }) => [path, hash])));
  const changed = [...(later?.keys() ?? [])].filter((path) => then?.get(path) !== later?.get(path));
  const gone = [...(then?.keys() ?? [])].filter((path) => !later?.has(path));
  return [changed, gone, [before.subject]].find(({ length }) => length > 0) ?? [];
}
