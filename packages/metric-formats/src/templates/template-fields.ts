/** Resolves names in templates to columns. Replaces fields with their expressions, and fields of other models with join paths. */
import { mapExpression, namesInExpression, type ParsedExpression, printExpression } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import { templateName } from "./parse-template.ts";

/** The target of a name in a template. */
export type TemplateTarget =
  | { readonly kind: "column"; readonly owner: string | undefined; readonly column: string }
  | { readonly kind: "field"; readonly owner: string | undefined; readonly field: string };

/** Another tool's model, as templates see it. */
export interface TemplateModel {
  readonly name: string;
  /** Returns the expression of a dimension, with references; undefined if the model has no such dimension. */
  row(field: string): ParsedExpression | undefined;
  isMeasure(field: string): boolean;
  /** Resolves the parts of a reference. Throws an ImportRefusalError if nothing has this name. */
  target(reference: readonly string[], columns: readonly string[]): TemplateTarget;
}

/** A join of the model. */
export interface TemplateLink {
  readonly name: string;
  /** The name that references use for the join. */
  readonly alias: string;
  readonly to: string;
  readonly isToMany: boolean;
}

/** The maximum length of an expression in a model. */
const maxLength = 10_000;

export class TemplateFields {
  readonly models: ReadonlyMap<string, TemplateModel>;
  readonly #links: ReadonlyMap<string, readonly TemplateLink[]>;
  readonly #done = new Map<string, ParsedExpression>();
  readonly #open: string[] = [];

  constructor(models: ReadonlyMap<string, TemplateModel>, links: ReadonlyMap<string, readonly TemplateLink[]>) {
    this.models = models;
    this.#links = links;
  }

  /** Rewrites an expression so that it refers to columns of a model, and to columns behind the model's to-one joins. */
  columns(model: TemplateModel, parsed: ParsedExpression): ParsedExpression {
    const resolved = mapExpression(parsed, (part) => (part.kind === "name" ? this.#name(model, part.path) : undefined));
    if (printExpression(resolved).length > maxLength) refuseImport("It is longer than 10,000 characters. Shorten it.");
    return resolved;
  }

  /** Returns the expression of a dimension over columns. */
  dimension(model: TemplateModel, field: string): ParsedExpression {
    const key = `${model.name}.${field}`;
    const done = this.#done.get(key);
    if (done) return done;
    if (this.#open.includes(key))
      refuseImport(`${key} refers to itself: ${[...this.#open, key].join(", ")}. Break the cycle.`);
    this.#open.push(key);
    try {
      const parsed = model.row(field) ?? refuseUnknown(model, field);
      const resolved = this.columns(model, parsed);
      this.#done.set(key, resolved);
      return resolved;
    } finally {
      this.#open.pop();
    }
  }

  /** Returns the names of the only to-one joins that lead from one model to another, and the model reached. */
  path(from: string, owner: string): { readonly steps: readonly string[]; readonly model: TemplateModel } {
    const found = this.#paths(from, owner, [from], []);
    const [only, other] = found;
    if (!only) return refuseImport(`No to-one joins lead from ${from} to ${owner}. Declare the join.`);
    if (other) return refuseImport(`Several ways of joins lead from ${from} to ${owner}. Leave one.`);
    return only;
  }

  /** Returns the model to which joins with these names lead. */
  modelAt(from: string, steps: readonly string[]): string {
    return steps.reduce((at, step) => (this.#links.get(at) ?? []).find(({ name }) => name === step)?.to ?? at, from);
  }

  #name(model: TemplateModel, path: readonly string[]): ParsedExpression {
    const name = templateName(path);
    const target = name ? model.target(name.reference, name.columns) : plainTarget(model, path);
    const isOwn = target.owner === undefined || target.owner === model.name;
    const { steps, model: owner } = isOwn ? { steps: [], model } : this.path(model.name, target.owner);
    if (target.kind === "column") return { kind: "name", path: [...steps, target.column] };
    if (owner.isMeasure(target.field))
      refuseImport(
        `It uses the measure ${owner.name}.${target.field} where there is one value for each row. Aggregate rows.`,
      );
    return behind(steps, this.dimension(owner, target.field));
  }

  #paths(
    from: string,
    owner: string,
    visited: readonly string[],
    steps: readonly string[],
  ): {
    readonly steps: readonly string[];
    readonly model: TemplateModel;
  }[] {
    return (this.#links.get(from) ?? []).flatMap(({ name, alias, to, isToMany }) => {
      const model = this.models.get(to);
      if (isToMany || visited.includes(to) || !model) return [];
      const here = [...steps, name];
      if (alias === owner || (to === owner && !this.#isNamed(owner))) return [{ steps: here, model }];
      return this.#paths(to, owner, [...visited, to], here);
    });
  }

  /** Whether a join has this name. If so, the name does not refer to the model itself. */
  #isNamed(owner: string): boolean {
    return [...this.#links.values()].flat().some(({ alias }) => alias === owner);
  }
}

/** Returns the target of a name without braces, which is a column. */
function plainTarget({ name }: TemplateModel, path: readonly string[]): TemplateTarget {
  const own = path.length === 2 && path[0] === name ? path.slice(1) : path;
  const [column = "", ...more] = own;
  if (more.length > 0) refuseImport(`"${path.join(".")}" names a table by itself. Write a reference in braces.`);
  return { kind: "column", owner: undefined, column };
}

function behind(steps: readonly string[], parsed: ParsedExpression): ParsedExpression {
  if (steps.length === 0) return parsed;
  return mapExpression(parsed, (part) =>
    part.kind === "name" ? { kind: "name", path: [...steps, ...part.path] } : undefined,
  );
}

function refuseUnknown({ name }: TemplateModel, field: string): never {
  return refuseImport(`There is no dimension ${field} in ${name}. Correct the name.`);
}

/** Returns the columns of the model itself that an expression names. */
export function ownColumns(parsed: ParsedExpression): readonly string[] {
  return [
    ...new Set(namesInExpression(parsed).flatMap(([column = "", ...more]) => (more.length === 0 ? [column] : []))),
  ];
}
