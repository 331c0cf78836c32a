/** Databases that have small consecutive numbers in every table, so that a link's values do not reveal its target. */
import { addLookup } from "./business.ts";
import { DraftTable } from "./draft.ts";
import { addNoise, addTitle } from "./noise.ts";
import { roles, type Words } from "./words.ts";

/**
 * Draws a database whose links are named like their target table, without "id". Some lookup tables are named after the table that uses
 * them, others are not. Only the name of a relation table, and not its columns, names the two ends. Detail tables share the key of the
 * table that they describe.
 */
export function drawArchive(words: Words): readonly DraftTable[] {
  const id = words.name("id");
  const things = Array.from({ length: words.between(6, 10) }, () => words.noun());
  const known = new Map<string, DraftTable>();
  const tables: DraftTable[] = [];
  const shared = ["language", "place"].map((thing) => {
    const table = new DraftTable(words.table(thing), words.between(20, 250), words.random);
    addTitle(table.serial(id).keyed(id), words);
    tables.push(table);
    return [thing, table] as const;
  });
  for (const [at, thing] of things.entries()) {
    const table = new DraftTable(words.table(thing), words.between(60, 400), words.random);
    table.serial(id, 1, words.pick([0, 0, 0.05])).keyed(id);
    if (words.chance(0.7)) table.add(words.name("gid"), "TEXT", () => words.uuid()).unique(words.name("gid"));
    addTitle(table, words);
    for (const parent of things.slice(0, at).filter(() => words.chance(Math.min(0.5, 1.4 / at)))) {
      const target = known.get(parent);
      if (target !== undefined) table.link([words.name(parent)], target, { nulls: words.chance(0.2) ? 0.2 : 0 });
    }
    for (const [other, target] of shared) {
      if (words.chance(0.4)) table.link([words.name(other)], target, { nulls: 0.2 });
      else if (words.chance(0.3)) {
        table.link([words.name("begin", other)], target, { nulls: 0.3 });
        table.link([words.name("end", other)], target, { nulls: 0.5 });
      }
    }
    if (words.chance(0.6)) tables.push(addLookup(table, thing, words));
    for (const part of ["year", "month", "day"].slice(0, words.between(0, 3))) addDatePart(table, part, words);
    if (words.chance(0.6)) table.add(words.name("edits_pending"), "INTEGER", () => 0n);
    addNoise(table, words, words.between(1, 3));
    known.set(thing, table);
    tables.push(table);
  }
  for (const [thing, table] of known) tables.push(...drawDetails(thing, table, words));
  return [...tables, ...drawRelations(known, words)];
}

function addDatePart(table: DraftTable, part: string, words: Words): void {
  const [min, max] = part === "year" ? [1890, 2024] : [1, part === "month" ? 12 : 28];
  table.add(words.name("begin_date", part), "INTEGER", () =>
    words.chance(0.4) ? null : BigInt(words.between(min, max)),
  );
}

/** Draws tables with other names, redirected numbers and details of a table. */
function drawDetails(thing: string, table: DraftTable, words: Words): readonly DraftTable[] {
  const id = words.name("id");
  const details: DraftTable[] = [];
  if (words.chance(0.5)) {
    const alias = new DraftTable(words.name(thing, "alias"), words.between(40, 300), words.random);
    alias
      .serial(id)
      .keyed(id)
      .link([words.name(thing)], table);
    addTitle(alias, words);
    details.push(alias);
    if (words.chance(0.5)) details.push(addLookup(alias, `${thing}_alias`, words));
  }
  if (words.chance(0.4)) {
    const meta = new DraftTable(words.name(thing, "meta"), table.rows, words.random);
    meta.link([id], table, { inOrder: true }).keyed(id);
    meta.add(words.name("rating"), "INTEGER", () => (words.chance(0.5) ? null : BigInt(words.between(1, 100))));
    meta.add(words.name("rating_count"), "INTEGER", () => (words.chance(0.5) ? null : BigInt(words.between(1, 20))));
    details.push(meta);
  }
  if (words.chance(0.3)) {
    const redirect = new DraftTable(words.name(thing, "gid", "redirect"), words.between(20, 120), words.random);
    redirect.add(words.name("gid"), "TEXT", () => words.uuid()).keyed(words.name("gid"));
    details.push(redirect.link([words.name("new", "id")], table));
  }
  return details;
}

/** Draws a table such as `relation_film_actor(id, relation, entity0, entity1)`. */
function drawRelations(known: ReadonlyMap<string, DraftTable>, words: Words): readonly DraftTable[] {
  const id = words.name("id");
  const kinds = new DraftTable(words.table("relation", "type"), words.between(8, 30), words.random);
  addTitle(kinds.serial(id).keyed(id), words);
  kinds.link([words.name("parent")], kinds, { nulls: 0.3 });
  const relations = new DraftTable(words.table("relation"), words.between(40, 200), words.random);
  relations
    .serial(id)
    .keyed(id)
    .link([words.name("relation_type")], kinds);
  addNoise(relations, words, 1);
  const ends = [
    words.name(words.pick(["entity0", "left", "source"])),
    words.name(words.pick(["entity1", "right", "sink"])),
  ];
  const things = [...known];
  const pairs = Array.from({ length: words.between(2, 6) }, () => {
    const [[first, left], [second, right]] = [words.pick(things), words.pick(things)];
    const table = new DraftTable(words.name("rel", first, second), words.between(30, 250), words.random);
    table
      .serial(id)
      .keyed(id)
      .link([words.name("relation")], relations);
    table.link([ends[0] ?? ""], left).link([ends[1] ?? ""], right);
    return table.add(words.name("edits_pending"), "INTEGER", () => 0n);
  });
  const unique = [...new Map(pairs.map((table) => [table.name, table])).values()];
  return [kinds, relations, ...unique];
}

/** Draws nested subtypes that share the key of a table, and a table of the general kind above them. */
export function drawSubtypes(words: Words): readonly DraftTable[] {
  const ending = words.pick(["id", "key", "no"]);
  const same = words.chance(0.5);
  const base = words.noun();
  const [first, ...rest] = [base, ...Array.from({ length: words.between(3, 5) }, () => words.noun())];
  const top = new DraftTable(words.table(first ?? "thing"), words.between(150, 500), words.random);
  const key = words.name(base, ending);
  top.serial(key).keyed(key);
  top.add(words.name("kind"), "TEXT", () => words.pick(["A", "B", "C"]));
  if (words.chance(0.5)) addTitle(top, words);
  const tables = [top];
  for (const thing of rest) {
    const parent = words.chance(0.6) ? top : words.pick(tables);
    const all = words.chance(0.3);
    const table = new DraftTable(
      words.table(thing),
      all ? parent.rows : Math.ceil(parent.rows * words.pick([0.2, 0.5, 0.8])),
      words.random,
    );
    const own = same ? key : words.name(thing, ending);
    table.link([own], parent, { inOrder: true }).keyed(own);
    addTitle(table, words);
    addNoise(table, words, words.between(2, 5));
    tables.push(table);
  }
  const events = words.between(2, 4);
  for (let at = 0; at < events; at++) {
    const thing = words.noun();
    const table = new DraftTable(words.table(thing), words.between(100, 600), words.random);
    table.serial(words.name(thing, ending), words.pick([1, 1000])).keyed(words.name(thing, ending));
    const parent = words.pick(tables);
    const role = words.chance(0.3) ? [words.pick(roles)] : [];
    table.link(
      [words.name(...role, ...(same ? [base] : [parentName(parent, base, ending)]), ...(same ? [ending] : []))],
      parent,
    );
    addNoise(table, words, words.between(1, 4));
    tables.push(table);
  }
  return tables;
}

function parentName(parent: DraftTable, base: string, ending: string): string {
  return parent.key[0] ?? `${base}_${ending}`;
}
