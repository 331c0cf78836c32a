/** Reads the files of a project: views and explores with their refinements, and the parameters of models and manifests. */
import type { ModelFile } from "@bridle/semantic/model-parts";
import { ImportRefusalError, type ImportReport } from "../import-report.ts";
import { LookmlCursor } from "./lookml-cursor.ts";
import type { LookmlBlock } from "./lookml-tree.ts";
import { parseLookml } from "./parse-lookml.ts";

/** Returns the files that could be read, each as one block. A file with a fault becomes a finding, and none of its content is used. */
export function readLookmlFiles(files: readonly ModelFile[], report: ImportReport): readonly LookmlBlock[] {
  return files.flatMap(({ file, text }) => {
    const whole = text.replace(/^\uFEFF/, "");
    const cursor = new LookmlCursor(file, whole);
    if (/\.dashboard\.lookml$/i.test(file)) {
      report.add(
        "refused",
        file,
        "A dashboard is not part of a model. Save its queries where you run them.",
        cursor.position,
      );
      return [];
    }
    if (/[\uFFFD\0]/.test(whole)) {
      report.add("refused", file, "The file is not UTF-8 text. Convert it.", cursor.position);
      return [];
    }
    try {
      return [parseLookml(cursor)];
    } catch (error) {
      if (!(error instanceof ImportRefusalError)) throw error;
      report.add("refused", file, error.message, cursor.position);
      return [];
    }
  });
}
