/**
 * Handles LookML measures that filter by a column which no view declares as a field. Looker refuses such measures. If the table has a
 * column of that name, declares the column in the file's text and reads the text again.
 */
import type { ImportedModels } from "@bridle/metric-formats";
import type { ModelFile, SemanticModel } from "@bridle/semantic";
import type { ProjectionContext, ProjectionFinding } from "../source.ts";

interface Undeclared {
  readonly file: string;
  readonly view: string;
  readonly column: string;
  readonly line: number;
}

export interface DeclaredColumns {
  /** The files with the declarations, each on the first line of its view, so that line numbers do not change. */
  readonly files: readonly ModelFile[];
  readonly findings: readonly ProjectionFinding[];
  /** Returns the line that needs a column, from 1; undefined for a field that the files declare. */
  lineOf(model: string, field: string): number | undefined;
}

export function declareColumns(
  files: readonly ModelFile[],
  { models, findings }: Pick<ImportedModels, "models" | "findings">,
  context: Pick<ProjectionContext, "findTable" | "findColumn" | "placeModel">,
): DeclaredColumns | undefined {
  const texts = new Map(files.map(({ file, text }) => [file, text]));
  const found = findings.flatMap(({ kind, reason, position: { file, line } }): readonly Undeclared[] => {
    const [, column] = /^There is no field "(\w+)"\./.exec(reason) ?? [];
    const view = line === undefined ? undefined : viewAt(texts.get(file) ?? "", line);
    const model = models.find(({ name }) => name === view);
    if (kind !== "refused" || column === undefined || line === undefined || model === undefined) return [];
    return hasColumn(model, column, context) ? [{ file, view: model.name, column, line }] : [];
  });
  if (found.length === 0) return undefined;
  const first = new Map(found.toReversed().map((each) => [`${each.view}.${each.column}`, each]));
  return {
    files: files.map(({ file, text }) => ({
      file,
      text: withColumns(
        text,
        [...first.values()].filter((each) => each.file === file),
      ),
    })),
    findings: [...first.values()].map(toFinding),
    lineOf: (model, field) => first.get(`${model}.${field}`)?.line,
  };
}

const viewHead = /\bview:\s{0,20}\+?(\w+)\s{0,20}\{/g;

/** Returns the view that contains a line. */
function viewAt(text: string, line: number): string | undefined {
  const before = text.split("\n").slice(0, line).join("\n");
  return [...before.matchAll(viewHead)].at(-1)?.[1];
}

function hasColumn(
  model: SemanticModel,
  column: string,
  { findTable, findColumn, placeModel }: Parameters<typeof declareColumns>[2],
): boolean {
  const placed = placeModel?.(model);
  if (placed !== undefined && typeof placed !== "string") return Object.hasOwn(placed.columns ?? {}, column);
  const table = findTable(model.table ?? model.name);
  return table !== undefined && findColumn?.(table, column) !== undefined;
}

function withColumns(text: string, columns: readonly Undeclared[]): string {
  return text.replaceAll(viewHead, (head, view: string) => {
    const own = columns.filter((each) => each.view === view);
    return `${head}${own.map(({ column }) => ` dimension: ${column} { sql: \${TABLE}.${column} ;; }`).join("")}`;
  });
}

function toFinding({ file, view, column, line }: Undeclared): ProjectionFinding {
  const reason = `No view declares the field "${column}". It is taken for the column of that name.`;
  return { kind: "changed", subject: `view ${view}`, reason, item: file, line };
}
