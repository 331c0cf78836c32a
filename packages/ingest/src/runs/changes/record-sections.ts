import type { ChangeSet, PlannedFile } from "../../rendering/change-set.ts";
import type { WrittenEntries } from "../../rendering/written-record.ts";

/** Returns the sections that the record must have if exactly these files are written. An unchanged file keeps its section. */
export function sectionsOf(changeSet: ChangeSet, files: readonly PlannedFile[]): ReadonlyMap<string, WrittenEntries> {
  const written = new Set(files.map(({ file }) => file));
  const stale = changeSet.files.filter(({ file }) => !written.has(file)).map(({ file }) => file);
  const sections = new Map(changeSet.written);
  for (const file of stale) {
    const before = changeSet.writtenBefore.get(file);
    if (before === undefined) sections.delete(file);
    else sections.set(file, before);
  }
  return sections;
}

/** Converts entries to JSON. */
export function toRecord(entries: WrittenEntries | undefined): Record<string, string> {
  return Object.fromEntries(entries ?? []);
}
