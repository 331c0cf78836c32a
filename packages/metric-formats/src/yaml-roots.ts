import { ModelDocument, type ModelFile } from "@bridle/semantic/model-parts";
import type { ImportReport } from "./import-report.ts";
import { LocatedValue } from "./located-value.ts";

/** Returns the documents in a YAML or JSON file. Adds a finding to the report, if one is given, for each document that cannot be read. */
export function yamlRoots({ file, text }: ModelFile, report?: ImportReport): readonly LocatedValue[] {
  return ModelDocument.parseAll(file, text).flatMap((document) => {
    const { fault } = document;
    if (fault) {
      report?.add("refused", file, fault.message, fault.position);
      return [];
    }
    try {
      return [new LocatedValue(document, [], document.read())];
    } catch {
      report?.add("refused", file, "An alias in the file cannot be expanded. Write the value.", document.at([]));
      return [];
    }
  });
}
