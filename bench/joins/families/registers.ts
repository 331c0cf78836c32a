/** Databases whose keys are codes, text or several columns. */
import { drawLines } from "./business.ts";
import { DraftTable } from "./draft.ts";
import { addNoise, addTitle } from "./noise.ts";
import type { Words } from "./words.ts";

/**
 * Draws tables with keys of two to four columns. Each table is below another table: its key consists of the parent's key and one more
 * column.
 */
export function drawPlant(words: Words): readonly DraftTable[] {
  const ending = words.pick(["no", "id", "code", "nr"]);
  const levels = Array.from({ length: words.between(3, 4) }, () => words.noun());
  const [first = "plant"] = levels;
  const top = new DraftTable(words.table(first), words.between(4, 12), words.random);
  const column = words.name(first, ending);
  if (ending === "code") top.add(column, "TEXT", (row) => `${words.text().slice(0, 2).toUpperCase()}${row + 1}`);
  else top.serial(column, words.pick([1, 10]));
  addTitle(top.keyed(column), words);
  const tables = [top];
  let parent = top;
  for (const level of levels.slice(1)) {
    const table = drawLevel(level, parent, words.name(level, ending), words);
    tables.push(table);
    parent = table;
  }
  for (let at = words.between(2, 4); at > 0; at--) {
    const target = words.pick(tables.slice(1));
    const thing = words.noun();
    const table = new DraftTable(words.table(thing), words.between(150, 500), words.random);
    table.serial(words.name(thing, "id")).keyed(words.name(thing, "id"));
    const role = words.chance(0.2) ? ["target"] : [];
    table.link(
      target.key.map((each) => (role.length === 0 ? each : words.name(...role, each))),
      target,
      {
        orphans: words.chance(0.2) ? 0.02 : 0,
      },
    );
    if (words.chance(0.4))
      table.link([words.name(words.pick(["owner", "checked_by"]), ending)], tables[0] ?? top, { nulls: 0.1 });
    addNoise(table, words, words.between(1, 4));
    tables.push(table);
  }
  return tables;
}

/** Draws rows that are numbered within each row of the parent. */
function drawLevel(level: string, parent: DraftTable, column: string, words: Words): DraftTable {
  const rows: { parent: number; number: number }[] = [];
  for (let at = 0; at < parent.rows && rows.length < 700; at++) {
    const count = words.between(1, parent.rows > 60 ? 4 : 9);
    for (let number = 1; number <= count; number++) rows.push({ parent: at, number });
  }
  const table = new DraftTable(words.table(level), rows.length, words.random);
  for (const each of parent.key) {
    const own = parent.columns.find(({ name }) => name === each);
    table.add(each, own?.type ?? "INTEGER", (row) => own?.values[rows[row]?.parent ?? 0] ?? null);
  }
  table.declare(parent.key, parent);
  table.add(column, "INTEGER", (row) => BigInt(rows[row]?.number ?? 0)).keyed(...parent.key, column);
  addTitle(table, words);
  addNoise(table, words, words.between(1, 3));
  return table;
}

/** Draws short names, codes followed by blanks, and documents whose lines others refer to. */
export function drawLegacy(words: Words): readonly DraftTable[] {
  const short = (word: string) =>
    word.slice(0, 1) +
    word
      .slice(1)
      .replace(/[aeiou]/g, "")
      .slice(0, 3);
  const end = words.pick(["no", "cd", "id", "nbr"]);
  const upper = words.chance(0.5);
  const cased = (name: string) => (upper ? name.toUpperCase() : name);
  const text = words.chance(0.4);
  const things = Array.from({ length: words.between(3, 6) }, () => words.noun());
  const masters = things.map((thing) => {
    const table = new DraftTable(
      cased(`${short(thing)}${words.pick(["_mst", "", "m"])}`),
      words.between(10, 200),
      words.random,
    );
    const key = cased(`${short(thing)}_${end}`);
    const padded = words.chance(0.3) ? "  " : "";
    if (text || words.chance(0.4)) {
      const letter = thing.slice(0, 1).toUpperCase();
      table.add(key, "CHAR(10)", (row) => `${letter}${String(row * 3 + 100).padStart(5, "0")}${padded}`);
    } else table.serial(key, words.pick([1, 1000, 50001]), 0.1);
    addTitle(table.keyed(key), words);
    addNoise(table, words, words.between(1, 4));
    return table;
  });
  const [first, ...others] = masters;
  if (first === undefined) return [];
  const doc = words.noun();
  const number = cased(`${short(doc)}_${end}`);
  const head = new DraftTable(cased(`${short(doc)}_hd`), words.between(60, 250), words.random);
  const yearly = words.chance(0.4);
  if (yearly) head.add(cased("yr"), "INTEGER", (row) => BigInt(2019 + (row % 4)));
  head.add(number, "INTEGER", (row) => BigInt(yearly ? Math.floor(row / 4) + 1 : 7000 + row));
  head.keyed(...(yearly ? [cased("yr"), number] : [number]));
  head.link([first.key[0] ?? ""], first, { orphans: words.chance(0.3) ? 0.03 : 0 });
  head.add(cased("ent_dt"), "DATE", () => words.date());
  addNoise(head, words, words.between(1, 3));
  const other = words.pick(others.length > 0 ? others : [first]);
  const lines = drawLines(cased(`${short(doc)}_ln`), number, head, [other.key[0] ?? "", other], words);
  const notes = new DraftTable(
    cased(`${short(doc)}_${words.pick(["dlv", "rtn", "adj"])}`),
    words.between(80, 300),
    words.random,
  );
  const own = cased(words.pick(["seq_no", "doc_no", "rec_id"]));
  notes
    .serial(own)
    .keyed(own)
    .link(lines.key, lines, { orphans: words.chance(0.3) ? 0.02 : 0 });
  addNoise(notes, words, words.between(1, 3));
  return [...masters, head, lines, notes];
}

/**
 * Draws contests with codes as keys, a row number as the first column of each table, and names that are repeated next to the codes. A
 * season and a team together are the key of the participants.
 */
export function drawLeague(words: Words): readonly DraftTable[] {
  const numbered = words.chance(0.6);
  const texts = words.chance(0.6);
  const titled = words.chance(0.7);
  const begin = (name: string, rows: number) => {
    const table = new DraftTable(words.table(name), rows, words.random);
    if (numbered) table.serial(words.name("row", "key")).unique(words.name("row", "key"));
    return table;
  };
  const idOf = (thing: string) => words.name(thing, "id");
  const master = (thing: string, rows: number, letter: string) => {
    const table = begin(thing, rows);
    if (texts) table.add(idOf(thing), "TEXT", (row) => `${letter}-${String(row + 1).padStart(3, "0")}`);
    else table.serial(idOf(thing), numbered ? 101 : 1);
    table.add(words.name(thing, "name"), "TEXT", (row) => `${words.text()} ${words.text()} ${row}`);
    return table.keyed(idOf(thing)).unique(words.name(thing, "name"));
  };
  const season = begin("season", words.between(8, 25));
  const first = words.between(1950, 1995);
  season.add(words.name("year"), "INTEGER", (row) => BigInt(first + row)).keyed(words.name("year"));
  const teams = master("team", words.between(16, 60), "T");
  teams.add(
    words.name("team", "code"),
    "TEXT",
    (row) => `${words.text().slice(0, 2).toUpperCase()}${String.fromCharCode(65 + (row % 26))}`,
  );
  const players = master("player", words.between(100, 500), "P");
  addNoise(players, words, 3);
  const grounds = master("ground", words.between(10, 40), "G");
  addNoise(grounds, words, 2);
  const seats = season.rows * Math.floor(teams.rows / 2);
  const entrants = begin("entrant", seats);
  entrants.add(
    words.name("year"),
    "INTEGER",
    (row) => season.valuesOf(words.name("year"))[Math.floor(row / (seats / season.rows))] ?? null,
  );
  entrants.declare([words.name("year")], season);
  repeat(entrants, teams, "team", (row) => (row * 7) % teams.rows);
  entrants.keyed(words.name("year"), idOf("team"));
  addNoise(entrants, words, 2);
  const matches = begin("match", words.between(150, 500));
  if (texts) matches.add(idOf("match"), "TEXT", (row) => `M-${String(row + 1).padStart(4, "0")}`);
  else matches.serial(idOf("match"), numbered ? 1001 : 1);
  matches.keyed(idOf("match")).link([words.name("year")], season);
  repeat(matches, grounds, "ground", () => words.between(0, grounds.rows - 1));
  for (const role of ["home", "away"]) matches.link([words.name(role, "team", "id")], teams);
  for (const role of ["home", "away"])
    matches.add(words.name(role, "score"), "INTEGER", () => BigInt(words.between(0, 6)));
  const goals = begin("goal", words.between(300, 800));
  if (texts) goals.add(idOf("goal"), "TEXT", (row) => `X-${String(row + 1).padStart(4, "0")}`);
  else goals.serial(idOf("goal"), numbered ? 5001 : 1);
  goals.keyed(idOf("goal")).link([idOf("match")], matches);
  repeat(goals, players, "player", () => words.between(0, players.rows - 1));
  if (titled) repeat(goals, teams, "team", () => words.between(0, teams.rows - 1));
  goals.add(words.name("minute"), "INTEGER", () => BigInt(words.between(1, 95)));
  const squads = begin("squad", words.between(300, 900));
  squads.link([words.name("year"), idOf("team")], entrants, { skew: 1 });
  squads.link([idOf("player")], players, { skew: 1 });
  squads.add(words.name("shirt", "number"), "INTEGER", () => BigInt(words.between(1, 26)));
  return [season, teams, players, grounds, entrants, matches, goals, dedupe(squads, words)];

  /** Adds a link, and a column with the parent's name next to the link. */
  function repeat(table: DraftTable, parent: DraftTable, thing: string, choose: (row: number) => number): void {
    const chosen = Array.from({ length: table.rows }, (_, row) => choose(row));
    const type = parent.columns.find(({ name }) => name === idOf(thing))?.type ?? "TEXT";
    table.add(idOf(thing), type, (row) => parent.valuesOf(idOf(thing))[chosen[row] ?? 0] ?? null);
    table.declare([idOf(thing)], parent);
    if (titled)
      table.add(
        words.name(thing, "name"),
        "TEXT",
        (row) => parent.valuesOf(words.name(thing, "name"))[chosen[row] ?? 0] ?? null,
      );
  }
}

/** Declares season, team and player as the key if each squad has each player only once. If not, the table gets no key. */
function dedupe(table: DraftTable, words: Words): DraftTable {
  const key = [words.name("year"), words.name("team", "id"), words.name("player", "id")];
  const rows = Array.from({ length: table.rows }, (_, row) =>
    key.map((name) => String(table.valuesOf(name)[row])).join(),
  );
  return new Set(rows).size === rows.length ? table.keyed(...key) : table;
}

/** Draws a few tables with few rows, as in textbooks: codes and names as keys, and link tables, half of which have a key. */
export function drawTextbook(words: Words): readonly DraftTable[] {
  const things = Array.from({ length: words.between(2, 6) }, () => words.noun());
  const ending = words.pick(["id", "id", "code", "number"]);
  const known: [string, DraftTable][] = [];
  for (const [at, thing] of things.entries()) {
    const table = new DraftTable(words.table(thing), words.between(4, 16), words.random);
    const key = words.chance(0.85) ? words.name(thing, ending) : words.name(ending);
    if (words.chance(0.25)) table.add(key, "VARCHAR(20)", (row) => `${words.text().slice(0, 3)}${row}`);
    else table.serial(key, words.pick([1, 1, 1, 100, 351]), words.chance(0.3) ? 0.9 : 0);
    table.keyed(key);
    for (const [parent, target] of known.slice(0, at).filter(() => words.chance(Math.min(0.8, 1.3 / at)))) {
      const role = words.chance(0.15) ? [words.pick(["current", "chief", "other"])] : [];
      table.link(
        [role.length === 0 && words.chance(0.9) ? words.name(parent, ending) : words.name(...role, parent)],
        target,
        { skew: 1 },
      );
    }
    addTitle(table, words);
    addNoise(table, words, words.between(1, 4));
    known.push([thing, table]);
  }
  const tables = known.map(([, table]) => table);
  if (known.length > 2 && words.chance(0.7)) {
    const [[first, left], [second, right]] = [known[0] ?? known[1], known[1] ?? known[0]] as [
      [string, DraftTable],
      [string, DraftTable],
    ];
    const pairs = new DraftTable(words.table(first, second), words.between(6, 15), words.random);
    pairs.link([words.name(first, ending)], left, { skew: 1 }).link([words.name(second, ending)], right, { skew: 1 });
    if (words.chance(0.5)) pairs.add(words.name("date", "from"), "DATE", () => words.date());
    addNoise(pairs, words, words.between(0, 2));
    tables.push(pairs);
  }
  return tables;
}
