/** Databases of applications and companies. */
import { DraftTable } from "./draft.ts";
import { addNoise, addTitle } from "./noise.ts";
import { lookups, roles, type Words } from "./words.ts";

/** Draws entities with keys named after them, roles, hierarchies, tables of lines and tables that link two others. */
export function drawOffice(words: Words): readonly DraftTable[] {
  const ending = words.pick(["id", "id", "no", "key", "code"]);
  const prefixed = words.chance(0.8);
  const tables: DraftTable[] = [];
  const things = Array.from({ length: words.between(5, 12) }, () => words.noun());
  const keyOf = (thing: string) => (prefixed ? words.name(thing, ending) : words.name(ending));
  const bare = words.chance(0.2);
  const linkTo = (thing: string) => (bare ? words.name(thing) : words.name(thing, ending));
  const entities = new Map<string, DraftTable>();
  for (const [at, thing] of things.entries()) {
    const table = new DraftTable(words.table(thing), words.between(8, 400), words.random);
    table.serial(keyOf(thing), words.pick([1, 1, 1, 100, 1001]), words.pick([0, 0, 0.2])).keyed(keyOf(thing));
    addTitle(table, words);
    const parents = things.slice(0, at).filter(() => words.chance(Math.min(0.6, 1.6 / at)));
    for (const parent of parents) {
      const target = entities.get(parent);
      if (target === undefined) continue;
      const nulls = words.chance(0.3) ? 0.2 : 0;
      const orphans = words.chance(0.1) ? 0.03 : 0;
      if (words.chance(0.15)) {
        for (const role of [words.pick(roles.slice(0, 4)), words.pick(roles.slice(4))])
          table.link([words.name(role, thing === parent ? "" : parent, ending)], target, { nulls });
      } else table.link([linkTo(parent)], target, { nulls, orphans });
    }
    if (words.chance(0.15)) {
      const manager = words.name(words.pick(["parent", "parent", "reports_to", "replaced_by"]), ending);
      table.link([manager], table, { nulls: 0.15, first: Math.ceil(table.rows / 3) });
    }
    addNoise(table, words, words.between(1, 6));
    entities.set(thing, table);
    tables.push(table);
  }
  const [first] = things;
  const histories =
    words.chance(0.5) && first !== undefined ? drawHistories(first, entities.get(first), linkTo, words) : [];
  return [...tables, ...drawLinkTables(things, entities, linkTo, words), ...histories];
}

/** Draws two tables with the same key, a thing and a day. Neither table links to the other. */
function drawHistories(
  thing: string,
  parent: DraftTable | undefined,
  linkTo: (thing: string) => string,
  words: Words,
): readonly DraftTable[] {
  if (parent === undefined) return [];
  const rows = words.between(20, 300);
  const from = words.name(words.pick(["valid_from", "start_date", "since"]));
  const key = parent.valuesOf(parent.key[0] ?? "");
  const days = Array.from({ length: rows }, (_, row) => `20${10 + Math.floor(row / key.length)}-0${1 + (row % 3)}-01`);
  const type = parent.columns.find(({ name }) => name === parent.key[0])?.type ?? "INTEGER";
  return ["price", "cost"].map((kind) => {
    const table = new DraftTable(words.table(thing, kind, "history"), rows, words.random);
    table.add(linkTo(thing), type, (row) => key[row % key.length] ?? null).declare([linkTo(thing)], parent);
    table.add(from, "DATE", (row) => days[row] ?? null).keyed(linkTo(thing), from);
    table.add(words.name("valid", "to"), "DATE", (row) => days[row + key.length] ?? null);
    addNoise(table, words, words.between(1, 3));
    return table;
  });
}

/** Draws tables of lines: some with their own number, some numbered within each parent, some with the keys of two parents. */
function drawLinkTables(
  things: readonly string[],
  entities: ReadonlyMap<string, DraftTable>,
  linkTo: (thing: string) => string,
  words: Words,
): readonly DraftTable[] {
  return Array.from({ length: words.between(1, 4) }, (_, at) => {
    const [first, second] = [words.pick(things.slice(0, 3)), words.pick(things.slice(3))];
    const [left, right] = [entities.get(first), entities.get(second)];
    if (left === undefined || right === undefined) throw new Error("The things have tables.");
    const name = words.table(first, at === 0 ? second : words.pick(["line", "item", "entry", "share"]) + at);
    const kind = words.pick(["pair", "pair", "numbered", "own"]);
    if (kind === "own") {
      const own = new DraftTable(name, words.between(40, 900), words.random);
      own.serial(words.name("line", "id")).keyed(words.name("line", "id"));
      own.link([linkTo(first)], left).link([linkTo(second)], right);
      addNoise(own, words, words.between(1, 3));
      return own;
    }
    return kind === "pair" ? drawPairs(name, [first, left], [second, right], linkTo, words) : numbered();
    function numbered(): DraftTable {
      return drawLines(name, linkTo(first), left as DraftTable, [linkTo(second), right as DraftTable], words);
    }
  });
}

type End = readonly [thing: string, table: DraftTable];

/** Draws rows for pairs of rows of two tables, each pair at most once. */
function drawPairs(
  name: string,
  [first, left]: End,
  [second, right]: End,
  linkTo: (thing: string) => string,
  words: Words,
): DraftTable {
  const pairs = new Set<string>();
  const max = Math.min(left.rows * right.rows * 0.6, words.between(20, 600));
  while (pairs.size < max) pairs.add(`${words.between(0, left.rows - 1)} ${words.between(0, right.rows - 1)}`);
  const places = [...pairs].map((pair) => pair.split(" ").map(Number));
  const table = new DraftTable(name, places.length, words.random);
  const ends = [
    { column: linkTo(first), parent: left, at: 0 },
    { column: linkTo(second), parent: right, at: 1 },
  ];
  for (const { column, parent, at } of ends) {
    const key = parent.key[0] ?? "";
    const type = parent.columns.find((each) => each.name === key)?.type ?? "INTEGER";
    table.add(column, type, (row) => parent.valuesOf(key)[places[row]?.[at] ?? 0] ?? null);
    table.declare([table.columns.at(-1)?.name ?? ""], parent);
  }
  table.keyed(...table.columns.map((column) => column.name));
  addNoise(table, words, words.between(0, 2));
  return table;
}

/** Draws rows that are numbered within each row of a parent. */
export function drawLines(
  name: string,
  column: string,
  parent: DraftTable,
  other: readonly [column: string, table: DraftTable] | undefined,
  words: Words,
): DraftTable {
  const lines: { parent: number; line: number }[] = [];
  const key = parent.key.map((each) => parent.valuesOf(each));
  for (let at = 0; at < parent.rows; at++) {
    const count = words.chance(0.85) ? words.between(1, 6) : 0;
    for (let line = 1; line <= count; line++) lines.push({ parent: at, line });
  }
  const table = new DraftTable(name, lines.length, words.random);
  const columns = parent.key.map((each, at) => {
    const own = parent.columns.find((candidate) => candidate.name === each);
    table.add(at === parent.key.length - 1 ? column : each, own?.type ?? "INTEGER", (row) => {
      return key[at]?.[lines[row]?.parent ?? 0] ?? null;
    });
    return table.columns.at(-1)?.name ?? "";
  });
  table.declare(columns, parent);
  const counter = words.name(words.pick(["line", "position", "item"]), words.pick(["no", "number", "seq"]));
  table.add(counter, "INTEGER", (row) => BigInt(lines[row]?.line ?? 0)).keyed(...columns, counter);
  if (other !== undefined && other[1] !== parent) table.link([other[0]], other[1]);
  addNoise(table, words, words.between(1, 3));
  return table;
}

/** Draws tables that all have an `id`, with columns for change times, counters, and columns that can refer to any of several tables. */
export function drawApplication(words: Words): readonly DraftTable[] {
  const tables: DraftTable[] = [];
  const things = Array.from({ length: words.between(6, 14) }, () => words.noun());
  const stamps = words.chance(0.7);
  const bare = words.chance(0.15);
  const known = new Map<string, DraftTable>();
  for (const [at, thing] of things.entries()) {
    const table = new DraftTable(words.table(thing), words.between(5, 500), words.random);
    table.serial(words.name("id"), 1, words.pick([0, 0, 0.1])).keyed(words.name("id"));
    if (words.chance(0.7)) addTitle(table, words);
    for (const parent of things.slice(0, at).filter(() => words.chance(Math.min(0.6, 1.8 / at)))) {
      const target = known.get(parent);
      const nulls = words.chance(0.3) ? 0.2 : 0;
      if (target === undefined) continue;
      const role = words.chance(0.1) ? [words.pick(roles)] : [];
      table.link([words.name(...role, parent, ...(bare ? [] : ["id"]))], target, { nulls });
    }
    if (words.chance(0.2)) table.link([words.name("parent", "id")], table, { nulls: 0.3 });
    addNoise(table, words, words.between(2, 6));
    if (stamps) {
      table.add(words.name("created", "at"), "TIMESTAMP", (row) => `${words.date()} 10:${10 + (row % 50)}:00`);
      table.add(words.name("updated", "at"), "TIMESTAMP", (row) => `${words.date()} 11:${10 + (row % 50)}:00`);
    }
    known.set(thing, table);
    tables.push(table);
  }
  return [...tables, ...Array.from({ length: words.between(1, 2) }, (_, at) => drawPolymorphic(at, known, words))];
}

/** Draws a link whose target table is named in another column. No plain link is right. */
function drawPolymorphic(at: number, known: ReadonlyMap<string, DraftTable>, words: Words): DraftTable {
  const [thing, word] = [words.pick(["remark", "attachment", "tag"]), words.pick(["owner", "subject", "target"])];
  const table = new DraftTable(words.table(`${thing}${at === 0 ? "" : at}`), words.between(30, 300), words.random);
  const targets = [...known].slice(0, 3);
  const chosen = Array.from({ length: table.rows }, () => words.pick(targets));
  table.serial(words.name("id")).keyed(words.name("id"));
  table.add(words.name(word, "type"), "TEXT", (row) => chosen[row]?.[0] ?? null);
  table.add(words.name(word, "id"), "INTEGER", (row) => {
    const parent = chosen[row]?.[1];
    return parent?.valuesOf(parent.key[0] ?? "")[words.between(0, parent.rows - 1)] ?? null;
  });
  addNoise(table, words, 2);
  return table;
}

/** Draws small tables of codes with long names, and columns whose names repeat these names fully or in part. */
export function addLookup(table: DraftTable, thing: string, words: Words): DraftTable {
  const kind = words.pick(lookups);
  const lookup = new DraftTable(words.table(thing, kind), words.between(3, 9), words.random);
  lookup.serial(words.name("id")).keyed(words.name("id"));
  addTitle(lookup, words);
  table.link([words.name(kind)], lookup, { nulls: words.chance(0.3) ? 0.2 : 0 });
  return lookup;
}
