import type { ModelFile } from "@bridle/semantic/model-parts";
import type { ImportReport } from "../import-report.ts";
import type { LookmlBlock } from "./lookml-tree.ts";

/** Adds a finding for each include of a missing file. All files of an import count as included everywhere. */
export function checkIncludes(parsed: readonly LookmlBlock[], files: readonly ModelFile[], report: ImportReport): void {
  for (const { key, value, position } of parsed.flatMap(({ parameters }) => parameters)) {
    if (key !== "include" || value.kind !== "text" || value.text.includes("*")) continue;
    const name = value.text.split("/").at(-1) ?? "";
    const stem = name.replace(/\.lkml$/, "");
    const isThere = files.some(({ file }) => [name, `${stem}.lkml`].includes(file.split(/[\\/]/).at(-1) ?? ""));
    if (!isThere)
      report.add(
        "refused",
        `include ${value.text}`,
        "The file is not among those that are imported. Add it.",
        position,
      );
  }
}
