/** Finds entries in changed models that the warehouse or the rules for models reject. */
import type { CheckedModelFiles } from "@bridle/context";
import type { ModelFile, ModelProblem } from "@bridle/semantic";
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { modelLists, nameOfEntry, rowKeys } from "./render-models.ts";

/** Checks all model files with the planned changes, and runs the given measures and metrics (`model.name`). Writes nothing. */
export type CheckModels = (
  files: readonly ModelFile[],
  options: { readonly measures: ReadonlySet<string>; readonly signal: AbortSignal },
) => Promise<CheckedModelFiles>;

/** A file with planned changes, with the keys of the changed entries. */
interface ChangedModel {
  readonly file: string;
  readonly name: string;
  readonly text: string | undefined;
  readonly keys: ReadonlySet<string>;
}

export interface FailingEntry {
  readonly model: string;
  /** The key, such as `measures.revenue`. One of `rowKeys` stands for the whole model. */
  readonly key: string;
  readonly reason: string;
}

export interface FoundFailing {
  readonly failing: readonly FailingEntry[];
  /** Why nothing can be checked: something that ingest did not write is wrong. */
  readonly reason?: string | undefined;
}

export async function findFailing(
  files: readonly ModelFile[],
  changed: readonly ChangedModel[],
  check: CheckModels,
  signal: AbortSignal,
): Promise<FoundFailing> {
  const measures = new Set(changed.flatMap(({ name, keys }) => measuresIn(name, keys)));
  const { problems, statements, failing, violations } = await check(files, { measures, signal });
  if (problems.length > 0) return fromProblems(problems, changed);
  if (statements.length > 0) return fromStatements(statements, changed);
  const found = [
    ...failing.flatMap(({ name, reason }) => toEntries(name, reason, changed)),
    ...violations.flatMap(({ model, join, reason }) =>
      toEntry(model, join === undefined ? "primary_key" : `joins.${join}`, reason, changed),
    ),
  ];
  return { failing: found };
}

function measuresIn(model: string, keys: ReadonlySet<string>): readonly string[] {
  return Array.from(keys).flatMap((key) => {
    const [, name] = /^(?:measures|metrics)\.(.+)$/.exec(key) ?? [];
    return name === undefined ? [] : [`${model}.${name}`];
  });
}

/** Finds the changed entries with a name. A measure and a metric may have the same name. */
function toEntries(name: string, reason: string, changed: readonly ChangedModel[]): readonly FailingEntry[] {
  const model = changed.find((each) => name.startsWith(`${each.name}.`));
  if (model === undefined) return [];
  const own = name.slice(model.name.length + 1);
  return ["measures", "metrics"].flatMap((list) => toEntry(model.name, `${list}.${own}`, reason, changed));
}

/** Finds the entry that a problem is about, if ingest would write that entry. `bridle metrics validate` reports the others. */
function toEntry(
  model: string,
  key: string,
  reason: string,
  changed: readonly ChangedModel[],
): readonly FailingEntry[] {
  return changed.some((each) => each.name === model && each.keys.has(key)) ? [{ model, key, reason }] : [];
}

function fromProblems(problems: readonly ModelProblem[], changed: readonly ChangedModel[]): FoundFailing {
  const failing = problems.flatMap(({ message, position }): readonly FailingEntry[] => {
    const model = changed.find(({ file }) => file === position.file);
    if (model === undefined) return [];
    const key = keyAtLine(model.text ?? "", position.line);
    if (key !== undefined && model.keys.has(key)) return [{ model: model.name, key, reason: message }];
    const rows = rowKeys.find((each) => model.keys.has(each));
    return rows === undefined ? [] : [{ model: model.name, key: rows, reason: message }];
  });
  if (failing.length > 0) return { failing };
  const [first] = problems;
  const place = [first?.position.file, first?.position.line].filter((part) => part !== undefined).join(":");
  return { failing: [], reason: `${place}: ${first?.message} No model is changed until it is corrected.` };
}

/** Rejects models whose SQL statement fails: such a model has no columns, so that no other model can refer to it. */
function fromStatements(statements: CheckedModelFiles["statements"], changed: readonly ChangedModel[]): FoundFailing {
  const failing = statements.flatMap(({ model, reason }) => toEntry(model, "sql", reason, changed));
  if (failing.length > 0) return { failing };
  const [first] = statements;
  return { failing: [], reason: `${first?.reason} No model is changed until it is corrected.` };
}

/** Returns the key of the entry on a line: `measures.revenue`, `primary_key`. */
function keyAtLine(text: string, line: number | undefined): string | undefined {
  if (line === undefined) return undefined;
  const lines = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter: lines });
  if (!isMap(contents)) return undefined;
  const has = (node: unknown, from: number) => {
    const range = isMap(node) || isSeq(node) || isScalar(node) ? node.range : undefined;
    return line >= from && line <= lines.linePos(Math.max(0, (range?.[1] ?? 1) - 1)).line;
  };
  for (const { key, value } of contents.items) {
    if (!isScalar(key)) continue;
    const list = modelLists.find((each) => each === key.value);
    if (list !== undefined && isSeq(value)) {
      const item = value.items.find((each) => isMap(each) && has(each, lines.linePos(each.range?.[0] ?? 0).line));
      const name = isMap(item) ? nameOfEntry(list, item.toJSON()) : undefined;
      if (name !== undefined) return `${list}.${name}`;
    } else if (has(value, lines.linePos(key.range?.[0] ?? 0).line)) return String(key.value);
  }
  return undefined;
}
