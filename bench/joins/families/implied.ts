import type { TableRows } from "../../../packages/context/src/joins/profile-rows.ts";
import { canonicalValue } from "../../../packages/context/src/joins/sketch.ts";
import { type GoldLink, linkId } from "../gold.ts";

/** Finds links that follow from others. Such links count neither as right nor as wrong. */
export function findImplied(links: readonly GoldLink[], tables: readonly TableRows[]): readonly string[] {
  const steps = links.flatMap(pairsOf);
  const found = new Map<string, Step>();
  let open: readonly Step[] = steps;
  while (open.length > 0) {
    const next: Step[] = [];
    for (const first of open) {
      for (const second of steps) {
        if (first.to !== second.from) continue;
        const step = { from: first.from, to: second.to };
        if (step.from === step.to || found.has(idOf(step))) continue;
        found.set(idOf(step), step);
        next.push(step);
      }
    }
    open = next;
  }
  for (const step of [...steps, ...found.values()]) {
    // A one-to-one link implies the link in the other direction.
    if (isEqual(step, tables)) found.set(idOf({ from: step.to, to: step.from }), { from: step.to, to: step.from });
  }
  for (const step of siblings([...steps, ...found.values()], tables)) found.set(idOf(step), step);
  const parts = links.filter(({ from }) => from.columns.length > 1).flatMap(pairsOf);
  return [...found.keys(), ...parts.map(idOf), ...composeComposites(links)];
}

/** Finds links that follow from two links of several columns, where the second link starts from the columns that the first one leads to. */
function composeComposites(links: readonly GoldLink[]): readonly string[] {
  let open = links.filter(({ from }) => from.columns.length > 1);
  const found = new Set<string>();
  while (open.length > 0) {
    const next = open.flatMap((first) =>
      links.flatMap((second) => {
        const places = second.from.columns.map((column) => first.to.columns.indexOf(column));
        if (second.from.table !== first.to.table || second.from.columns.length < 2 || places.includes(-1)) return [];
        return [{ from: { ...first.from, columns: places.map((at) => first.from.columns[at] ?? "") }, to: second.to }];
      }),
    );
    open = next.filter((link) => !found.has(linkId(link)));
    for (const link of open) found.add(linkId(link));
  }
  return [...found];
}

/** A link of one column. Each end is a table and a column, with a line break between them. */
interface Step {
  readonly from: string;
  readonly to: string;
}

function pairsOf({ from, to }: GoldLink): readonly Step[] {
  return from.columns.map((column, at) => ({
    from: `${from.table}\n${column}`,
    to: `${to.table}\n${to.columns[at]}`,
  }));
}

/**
 * Finds pairs of columns with the same parent where one column is unique and contains the values of the other. Such a pair looks like a
 * link if the columns are named alike.
 */
function siblings(steps: readonly Step[], tables: readonly TableRows[]): readonly Step[] {
  return [...Map.groupBy(steps, ({ to }) => to).values()].flatMap((own) => {
    const ends = [...new Set(own.map(({ from }) => from))];
    const unique = ends.filter((end) => isUnique(valuesOf(end, tables)));
    return unique.flatMap((to) => {
      const known = new Set(valuesOf(to, tables));
      const inside = ends.filter((from) => from !== to && valuesOf(from, tables).every((value) => known.has(value)));
      return inside.map((from) => ({ from, to }));
    });
  });
}

function isEqual({ from, to }: Step, tables: readonly TableRows[]): boolean {
  const [some, others] = [valuesOf(from, tables), valuesOf(to, tables)];
  return isUnique(some) && some.length === others.length && new Set([...some, ...others]).size === some.length;
}

function isUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

function valuesOf(end: string, tables: readonly TableRows[]): readonly string[] {
  const [name, column] = end.split("\n");
  const table = tables.find(({ id }) => id === name);
  const at = table?.columns.findIndex((each) => each.name === column) ?? -1;
  return (table?.rows ?? []).flatMap((row) => canonicalValue(row[at]) ?? []);
}

function idOf({ from, to }: Step): string {
  const end = (text: string) => {
    const [table = "", column = ""] = text.split("\n");
    return { table, columns: [column] };
  };
  return linkId({ from: end(from), to: end(to) });
}
