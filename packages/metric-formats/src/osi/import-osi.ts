/** Imports Open Semantic Interchange documents. The project is now called Apache Ossie. */
import type { ModelFile, SemanticModel } from "@bridle/semantic/model-parts";
import { EntryPlaces } from "../entry-places.ts";
import { type ImportFinding, ImportReport, inOrder } from "../import-report.ts";
import type { LocatedValue } from "../located-value.ts";
import type { PlaceOfEntry } from "../metric-format.ts";
import { UsableModels } from "../usable-models.ts";
import { yamlRoots } from "../yaml-roots.ts";
import { OsiModelReader } from "./osi-model-reader.ts";
import { osiDocumentSchema, osiModelSchema } from "./osi-schema.ts";
import { reportUnused } from "./osi-words.ts";

export interface OsiImport {
  readonly models: readonly SemanticModel[];
  /** The findings, in the order of the files and their lines. */
  readonly findings: readonly ImportFinding[];
  /** Returns the position of a model, or of a model's entry, in the files. */
  readonly placeOf: PlaceOfEntry;
}

/** Reads documents in YAML or JSON without executing anything in them. Does not throw for invalid files. */
export function importOsi(files: readonly ModelFile[]): OsiImport {
  const report = new ImportReport();
  const places = new EntryPlaces();
  const taken = new Set<string>();
  const read = files.flatMap((file) =>
    modelsIn(file, report).flatMap((at) => new OsiModelReader(at, { report, places, taken }).read()),
  );
  const placeOf: PlaceOfEntry = (...entry) => places.of(...entry);
  const models = new UsableModels(read, report, placeOf).find({});
  return { models, findings: inOrder(report.findings, files), placeOf };
}

function modelsIn(file: ModelFile, report: ImportReport): readonly LocatedValue[] {
  return yamlRoots(file, report).flatMap((root) => {
    if (root.child("semantic_model") === undefined) return [];
    const document = root.parse(osiDocumentSchema, "document", report);
    if (!document) return [];
    if (!/^0\.[12](\.|$)/.test(String(document.version ?? ""))) {
      const reason = `The version ${String(document.version ?? "is missing, and")} is not known. It is read as 0.2.`;
      report.add("changed", "document", reason, root.at("version"));
    }
    return root.list("semantic_model").filter((at) => readModelKeys(at, report));
  });
}

function readModelKeys(at: LocatedValue, report: ImportReport): boolean {
  const model = at.parse(osiModelSchema, "semantic model", report);
  if (!model) return false;
  reportUnused(at, "semantic model", report);
  const about = { description: at.child("description"), synonyms: at.child("ai_context")?.child("synonyms") };
  for (const [key, found] of Object.entries(about)) {
    const reason = `The ${key} of a whole semantic model is not kept.`;
    if (found) report.add("changed", at.subject("semantic model"), reason, found.position);
  }
  return true;
}
