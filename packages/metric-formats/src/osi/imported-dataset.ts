import {
  type ModelDimension,
  mapExpression,
  type ParsedExpression,
  type SemanticModel,
} from "@bridle/semantic/model-parts";
import { type ImportReport, refuseImport } from "../import-report.ts";
import type { LocatedValue } from "../located-value.ts";
import { type ModelRows, readStatement, statementNote } from "../templates/read-statement.ts";
import type { OsiDataset } from "./osi-schema.ts";
import { osiWordsOf } from "./osi-words.ts";

/** A dataset and the model that it becomes. */
export class ImportedDataset {
  readonly at: LocatedValue;
  /** The expressions of the declared fields, over columns. */
  readonly fields = new Map<string, ParsedExpression>();
  readonly #keys: readonly (readonly string[])[];
  readonly #usedKeys = new Set<readonly string[]>();
  #model: SemanticModel;

  /** Throws an ImportRefusalError if the source is neither a table nor a query. */
  constructor(source: OsiDataset, at: LocatedValue) {
    const { name, primary_key: key } = source;
    this.at = at;
    this.#keys = [...(key?.length ? [key] : []), ...(source.unique_keys ?? [])];
    if (key?.length) this.#usedKeys.add(key);
    this.#model = {
      name,
      ...rowsOf(source.source),
      ...(key?.length && { primary_key: key }),
      ...osiWordsOf(source),
    };
  }

  get name(): string {
    return this.#model.name;
  }

  get model(): SemanticModel {
    return this.#model;
  }

  addField(dimension: ModelDimension, parsed: ParsedExpression): void {
    this.fields.set(dimension.name, parsed);
    this.add("dimensions", dimension);
  }

  add<Key extends "joins" | "dimensions" | "measures" | "metrics">(
    key: Key,
    entry: NonNullable<SemanticModel[Key]>[number],
  ): void {
    this.#model = { ...this.#model, [key]: [...(this.#model[key] ?? []), entry] };
  }

  /** Whether these columns identify a row. */
  hasKey(columns: readonly string[]): boolean {
    const found = this.#keys.filter((key) => key.length > 0 && key.every((column) => columns.includes(column)));
    for (const key of found) this.#usedKeys.add(key);
    return found.length > 0;
  }

  /** Reports that a query is kept unchanged, and that unique keys are dropped because no relationship needs them. */
  reportKeys(report: ImportReport): void {
    if (this.#model.sql !== undefined)
      report.add(
        "changed",
        this.at.subject("dataset"),
        statementNote,
        this.at.child("source")?.position ?? this.at.position,
      );
    const unused = this.#keys.some((key) => !this.#usedKeys.has(key));
    const position = this.at.child("unique_keys")?.position;
    if (unused && position)
      report.add(
        "changed",
        this.at.subject("dataset"),
        "unique_keys that no relationship uses are not kept.",
        position,
      );
  }

  /** Replaces qualified names with the expressions of the fields that they refer to. Unqualified names are columns. */
  inline(parsed: ParsedExpression): ParsedExpression {
    return mapExpression(parsed, (part) => {
      if (part.kind !== "name" || part.path.length < 2) return undefined;
      const [dataset, field = "", ...more] = part.path;
      if (dataset !== this.name || more.length > 0)
        refuseImport(`${part.path.join(".")} is not a field of ${this.name}. Name fields of one dataset.`);
      const found = this.fields.get(field);
      return (
        found ?? refuseImport(`${part.path.join(".")} is not a declared field. Declare it, or write the column alone.`)
      );
    });
  }
}

const part = /"([^".]+)"|`([^`.]+)`|([^\s."`();']+)/;
const path = new RegExp(`^(?:${part.source})(?:\\.(?:${part.source})){0,3}$`);

/** Reads the source: a query, or `database.schema.table`, whose names may be quoted separately or together. */
function rowsOf(source: string): ModelRows {
  const sql = readStatement(source);
  return sql === undefined ? { table: tableOf(source) } : { sql };
}

function tableOf(source: string): string {
  const text = source.replace(/^`([^`]+)`$/, "$1");
  if (!path.test(text))
    refuseImport("Its source is neither a table as schema.table nor a query that begins with SELECT.");
  return [...text.matchAll(new RegExp(part, "g"))].map(([, a, b, c]) => a ?? b ?? c).join(".");
}
