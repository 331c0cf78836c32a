import { isDeepStrictEqual } from "node:util";
import type { DocumentStore, FileRemark, LeftOutFile } from "../store/document-store.ts";

/** A file with a remark. */
export interface ReportedFile {
  /** The path relative to the base folder, with `/`. */
  readonly file: string;
  /** A sentence that begins with the file name, and contains the remedy. */
  readonly problem: string;
}

export function reportFile({ name, problem }: FileRemark): ReportedFile {
  return { file: name, problem: `${name} ${problem}` };
}

/** Reports a document without passages in the index. */
export function reportEmpty(name: string): ReportedFile {
  return reportFile({ name, problem: "has no text." });
}

interface LeftOut {
  readonly failed: readonly ReportedFile[];
  readonly skipped: readonly ReportedFile[];
}

/** Stores the list of skipped and failed files for later status requests. */
export async function rememberLeftOut({ failed, skipped }: LeftOut, store: DocumentStore): Promise<void> {
  const leftOut = [...toLeftOut(failed, "failed"), ...toLeftOut(skipped, "skipped")].sort(byName);
  if (!isDeepStrictEqual(await store.leftOut(), leftOut)) await store.leaveOut(leftOut);
}

function toLeftOut(files: readonly ReportedFile[], kind: LeftOutFile["kind"]): readonly LeftOutFile[] {
  return files.map(({ file, problem }) => ({ name: file, kind, problem: problem.slice(file.length + 1) }));
}

function byName(one: LeftOutFile, other: LeftOutFile): number {
  return one.name < other.name ? -1 : Number(one.name > other.name);
}
