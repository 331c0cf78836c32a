/** Generates a warehouse, the same for the same seed, and questions with the table that answers each of them. */

import type { TableFacts } from "../../packages/context/src/facts/facts.ts";
import { makeTable } from "../../packages/context/src/facts/memory-facts-for-tests.ts";

export interface Question {
  readonly text: string;
  /** How the question's words differ from the table's names. */
  readonly kind: string;
  readonly table: string;
}

interface Concept {
  /** Words for the same thing. The first word is used in names, the others in questions. */
  readonly words: readonly string[];
  readonly short: string;
}

const concept = (short: string, ...words: string[]): Concept => ({ short, words });

const things: readonly Concept[] = [
  concept("cust", "customer", "client", "buyer"),
  concept("ord", "order", "purchase"),
  concept("inv", "invoice", "bill"),
  concept("prod", "product", "article", "item"),
  concept("emp", "employee", "staff", "worker"),
  concept("whse", "warehouse", "depot"),
  concept("shpmt", "shipment", "parcel", "delivery"),
  concept("vndr", "vendor", "supplier"),
  concept("acct", "account", "ledger"),
  concept("pymt", "payment", "remittance"),
  concept("contr", "contract", "agreement"),
  concept("tkt", "ticket", "complaint"),
  concept("vhcl", "vehicle", "truck", "car"),
  concept("dept", "department", "division"),
  concept("mach", "machine", "equipment"),
  concept("pat", "patient"),
  concept("stu", "student", "pupil"),
  concept("subs", "subscription", "membership"),
  concept("cmpgn", "campaign", "promotion"),
  concept("proj", "project", "undertaking"),
];
const aspects: readonly Concept[] = [
  concept("addr", "address", "location"),
  concept("hist", "history", "changes"),
  concept("dtl", "detail", "specifics"),
  concept("prc", "price", "cost"),
  concept("stat", "status", "state"),
  concept("cat", "category", "class"),
  concept("disc", "discount", "rebate"),
  concept("rtrn", "return", "refund"),
  concept("sched", "schedule", "timetable"),
  concept("bal", "balance", "remainder"),
  concept("lim", "limit", "maximum"),
  concept("rev", "review", "rating"),
  concept("doc", "document", "attachment"),
  concept("msr", "measurement", "reading"),
  concept("alloc", "allocation", "assignment"),
];
const columns: readonly Concept[] = [
  concept("amt", "amount", "sum"),
  concept("qty", "quantity", "volume"),
  concept("crt_dt", "creation_date"),
  concept("curr", "currency"),
  concept("cntry", "country", "nation"),
  concept("wgt", "weight", "mass"),
  concept("pct", "percentage", "share"),
  concept("cmt", "comment", "remark"),
  concept("eml", "mailbox"),
  concept("lang", "language"),
  concept("dur", "duration", "length"),
  concept("prio", "priority", "urgency"),
];

/** Words with the same meaning, for an embedder that knows meanings. */
export const meanings = [...things, ...aspects, ...columns].map(({ words, short }) => [...words, short]);

/** Creates a random number generator: Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const styles = [
  (words: readonly Concept[]) => words.map(({ words: [first] }) => first).join("_"),
  (words: readonly Concept[]) => `tbl_${words.map(({ short }) => short).join("_")}`,
  (words: readonly Concept[]) =>
    words.map(({ words: [first = ""] }) => first[0]?.toUpperCase() + first.slice(1)).join(""),
  (words: readonly Concept[]) => words.map(({ words: [first] }) => first).join(""),
];

/** Generates each thing with each aspect once in a schema with its own style, until there are enough tables. */
export function generateWarehouse(count: number, seed = 7): { tables: TableFacts[]; questions: Question[] } {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const tables: TableFacts[] = [];
  const questions: Question[] = [];
  for (let number = 0; tables.length < count; number++) {
    const pairs = things.length * aspects.length;
    const thing = things[number % things.length] as Concept;
    const aspect = aspects[Math.floor(number / things.length) % aspects.length] as Concept;
    const round = Math.floor(number / pairs);
    const style = (number + round) % styles.length;
    const own = [pick(columns), pick(columns), pick(columns)];
    const write = styles[style] ?? styles[0];
    const name = write?.([thing, aspect]) ?? "";
    const id = `w.s${round}.${name}`;
    const invented = `${inventWord(random)}_${inventWord(random)}`;
    const listed = [
      ...new Set([`${name}_id`, `${thing.short}_id`, ...own.map((each) => write?.([each]) ?? ""), invented]),
    ];
    tables.push(makeTable(id, listed));
    if (round === 0) questions.push(...questionsFor(id, thing, aspect, pick));
  }
  return { tables, questions };
}

/** Returns words that only one table has, so that the index has as many words as that of a real warehouse. */
function inventWord(random: () => number): string {
  const letter = (letters: string) => letters[Math.floor(random() * letters.length)] ?? "";
  return Array.from({ length: 3 }, () => letter("bcdfghklmnprstvw") + letter("aeiou")).join("") + letter("lmnrst");
}

function questionsFor(table: string, thing: Concept, aspect: Concept, pick: <T>(list: readonly T[]) => T): Question[] {
  const [name = "", ...others] = thing.words;
  const [own = "", ...more] = aspect.words;
  return [
    { kind: "names", table, text: `What is the ${own} of each ${name}?` },
    { kind: "inflected", table, text: `Show all ${plural(name)} with their ${plural(own)}` },
    { kind: "misspelt", table, text: `${swapLetters(name)} ${own}` },
    ...(others.length > 0 && more.length > 0
      ? [{ kind: "other words", table, text: `How many ${plural(pick(others))} have a ${pick(more)}?` }]
      : []),
  ];
}

function plural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(s|ch)$/.test(word) ? `${word}es` : `${word}s`;
}

function swapLetters(word: string): string {
  return word.length < 5 ? word : `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`;
}
