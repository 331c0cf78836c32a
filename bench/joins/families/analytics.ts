/** Databases for analysis: facts with many links to few tables, and a prefix for each table. */
import { DraftTable } from "./draft.ts";
import { addNoise, addTitle } from "./noise.ts";
import type { Words } from "./words.ts";

/**
 * Draws a database with a prefix for each table, keys with similar endings, a table of days, several roles of the same table, and a table
 * of returned goods that links to the sale by two columns.
 */
export function drawMart(words: Words): readonly DraftTable[] {
  const key = words.pick(["sk", "key", "id"]);
  const prefixes = new Set<string>();
  const prefixOf = (...parts: readonly string[]) => {
    let prefix = parts.map((part) => part.slice(0, 1)).join("");
    for (let length = 2; prefixes.has(prefix); length++) prefix = parts.map((part) => part.slice(0, length)).join("");
    prefixes.add(prefix);
    return prefix;
  };
  const days = new DraftTable(words.table("date_dim"), words.between(700, 1500), words.random);
  const start = words.pick([1, 20000, 2415022]);
  days.serial(`d_date_${key}`, start).keyed(`d_date_${key}`);
  const day = (row: number) => new Date(Date.UTC(2015, 0, 1) + row * 864e5).toISOString().slice(0, 10);
  days.add("d_date", "DATE", day).unique("d_date");
  days.add("d_year", "INTEGER", (row) => BigInt(day(row).slice(0, 4)));
  days.add("d_month_seq", "INTEGER", (row) => BigInt(Math.floor(row / 30)));
  days.add("d_dow", "INTEGER", (row) => BigInt(row % 7));
  prefixes.add("d");
  const dimensions = new Map<string, { table: DraftTable; word: string }>();
  const parts = Array.from({ length: words.between(4, 8) }, () => [words.noun()]);
  if (words.chance(0.7)) parts.push([parts[0]?.[0] ?? "", "address"], [parts[0]?.[0] ?? "", "demographics"]);
  for (const name of parts) {
    const prefix = prefixOf(...name);
    const word = name.at(-1) === "demographics" ? `${name[0]?.slice(0, 1)}demo` : (name.at(-1) ?? "");
    const table = new DraftTable(words.table(...name), words.between(5, 600), words.random);
    const own = `${prefix}_${name.at(-1) === "demographics" ? "demo" : word}_${key}`;
    table.serial(own).keyed(own);
    if (words.chance(0.5)) {
      const business = `${prefix}_${word}_id`;
      table.add(business, "TEXT", (row) => `AAAA${String(row * 7919).padStart(8, "A")}`).unique(business);
    }
    if (name.length === 1 && dimensions.size > 0 && words.chance(0.4)) {
      const other = words.pick([...dimensions.values()]);
      table.link([`${prefix}_current_${other.word}_${key}`], other.table, { nulls: 0.05 });
    }
    if (words.chance(0.4))
      table.link([`${prefix}_${words.pick(["start", "open", "access"])}_date_${key}`], days, { nulls: 0.1 });
    addTitle(table, words);
    addNoise(table, words, words.between(2, 6));
    rename(table, prefix);
    dimensions.set(name.join("_"), { table, word });
  }
  const facts = Array.from({ length: words.between(2, 4) }, () => words.noun());
  return [days, ...[...dimensions.values()].map(({ table }) => table), ...facts.flatMap((fact) => drawFact(fact))];

  function drawFact(fact: string): readonly DraftTable[] {
    const prefix = prefixOf(fact, "sales");
    const sales = new DraftTable(words.table(fact, "sales"), words.between(600, 1500), words.random);
    sales.link([`${prefix}_sold_date_${key}`], days, { nulls: 0.03 });
    if (words.chance(0.5)) sales.link([`${prefix}_ship_date_${key}`], days, { nulls: 0.03 });
    const used = [...dimensions.values()].filter(() => words.chance(0.75));
    const [item = [...dimensions.values()][0], ...others] = used;
    const number = `${prefix}_${words.pick(["ticket", "order"])}_number`;
    if (item === undefined) return [sales];
    const lines: { item: number; order: bigint }[] = [];
    for (let order = 1; lines.length < sales.rows; order++) {
      const items = new Set(Array.from({ length: words.between(1, 5) }, () => words.between(0, item.table.rows - 1)));
      for (const each of items) lines.push({ item: each, order: BigInt(order) });
    }
    const itemKey = item.table.key[0] ?? "";
    const itemColumn = `${prefix}_${item.word}_${key}`;
    sales.add(itemColumn, "INTEGER", (row) => item.table.valuesOf(itemKey)[lines[row]?.item ?? 0] ?? null);
    sales.declare([itemColumn], item.table);
    for (const { table, word } of others) {
      if (words.chance(0.25))
        for (const role of ["bill", "ship"]) sales.link([`${prefix}_${role}_${word}_${key}`], table, { nulls: 0.03 });
      else sales.link([`${prefix}_${word}_${key}`], table, { nulls: 0.03 });
    }
    sales.add(number, "INTEGER", (row) => lines[row]?.order ?? 0n).keyed(itemColumn, number);
    addNoise(sales, words, words.between(3, 7));
    rename(sales, prefix);
    if (words.chance(0.3)) return [sales];
    const short = prefixOf(fact, "returns");
    const returns = new DraftTable(words.table(fact, "returns"), words.between(100, 300), words.random);
    returns.link([`${short}_returned_date_${key}`], days, { nulls: 0.03 });
    returns.link([`${short}_${item.word}_${key}`, number.replace(prefix, short)], sales, { inOrder: true });
    const columns = returns.columns.slice(-2).map(({ name }) => name);
    returns.declare([columns[0] ?? ""], item.table).keyed(...columns);
    addNoise(returns, words, words.between(2, 5));
    rename(returns, short);
    return [sales, returns];
  }
}

/** Adds the table's prefix to columns without it. */
function rename(table: DraftTable, prefix: string): void {
  for (const [at, column] of table.columns.entries()) {
    if (column.name.startsWith(`${prefix}_`)) continue;
    const name = `${prefix}_${column.name}`;
    const renamed = (names: readonly string[]) => names.map((each) => (each === column.name ? name : each));
    table.uniqueKeys.splice(0, table.uniqueKeys.length, ...table.uniqueKeys.map(renamed));
    table.columns[at] = { ...column, name };
  }
}

/**
 * Draws events of people: many columns have similar endings and link to one table of concepts, next to the text from which the concepts
 * were derived.
 */
export function drawRegistry(words: Words): readonly DraftTable[] {
  const concept = words.pick(["concept", "term", "code"]);
  const id = words.name(concept, "id");
  const concepts = new DraftTable(words.table(concept), words.between(200, 900), words.random);
  concepts.serial(id, words.pick([1, 4000]), 0.4).keyed(id);
  addTitle(concepts, words);
  concepts.add(words.name("standard"), "TEXT", () => words.pick(["S", "C"]));
  const person = words.noun();
  const people = new DraftTable(words.table(person), words.between(80, 300), words.random);
  const personId = words.name(person, "id");
  people.serial(personId).keyed(personId);
  for (const word of ["gender", "origin"]) people.link([words.name(word, concept, "id")], concepts, { first: 5 });
  people.add(words.name("birth", "year"), "INTEGER", () => BigInt(words.between(1930, 2010)));
  const place = words.noun();
  const places = new DraftTable(words.table(place), words.between(10, 60), words.random);
  const placeId = words.name(place, "id");
  places.serial(placeId).keyed(placeId);
  addTitle(places, words);
  people.link([placeId], places, { nulls: 0.2 });
  const visit = `${words.noun()}_occurrence`;
  const visits = new DraftTable(words.table(visit), words.between(200, 600), words.random);
  const visitId = words.name(visit, "id");
  visits.serial(visitId).keyed(visitId).link([personId], people).link([placeId], places, { nulls: 0.3 });
  visits.link([words.name(visit.split("_")[0] ?? "", concept, "id")], concepts, { first: 4 });
  visits.add(words.name("start", "date"), "DATE", () => words.date());
  const events = Array.from({ length: words.between(3, 7) }, () => {
    const thing = `${words.noun()}_occurrence`;
    const [short = thing] = thing.split("_");
    const table = new DraftTable(words.table(thing), words.between(100, 700), words.random);
    table.serial(words.name(thing, "id")).keyed(words.name(thing, "id")).link([personId], people);
    table.link([words.name(short, concept, "id")], concepts);
    table.link([words.name(short, "type", concept, "id")], concepts, { first: 3 });
    table.link([visitId], visits, { nulls: 0.2 });
    table.add(words.name(short, "source", "value"), "TEXT", () => `${words.between(100, 999)}.${words.between(0, 9)}`);
    if (words.chance(0.5)) table.add(words.name(short, "source", concept, "id"), "INTEGER", () => 0n);
    addNoise(table, words, words.between(1, 4));
    return table;
  });
  return [concepts, people, places, visits, ...events];
}
