import { splitName } from "../../../packages/context/src/joins/names.ts";
import type { TableRows } from "../../../packages/context/src/joins/profile-rows.ts";
import { drawFrom, pickFrom } from "./random.ts";

type Tables = readonly TableRows[];

/** Renames columns to c1 … cn and tables to t1 … tn. */
export function makeOpaque(tables: Tables): Tables {
  return tables.map((table, at) => ({ ...table, name: `t${at + 1}`, ...columnsOf(table, (_, n) => `c${n + 1}`) }));
}

/** Renames columns to c1 … cn. Tables keep their names. */
export function hideColumns(tables: Tables): Tables {
  return tables.map((table) => ({ ...table, ...columnsOf(table, (_, n) => `c${n + 1}`) }));
}

/**
 * Renames everything into another language, as machine translation would. Each word is replaced, one word in four by an unusual
 * translation. In half of the schemas, the words of a name are joined.
 */
export function translate(tables: Tables): Tables {
  const joined = drawFrom("joined", ...tables.map(({ id }) => id)) < 0.5 ? "" : "_";
  const rename = (name: string, place: string) =>
    splitName(name)
      .map((word) => translateWord(word, place))
      .join(joined);
  return tables.map((table) => ({
    ...table,
    name: rename(table.name, table.id),
    ...columnsOf(table, (name) => rename(name, `${table.id} ${name}`)),
  }));
}

/** Translates a word. Short words such as "id" stay unchanged. */
function translateWord(word: string, place: string): string {
  if (word.length <= 2 || /\d/.test(word)) return word;
  const other = drawFrom("other", word, place) < 0.25;
  return makeWord(other ? `${word} otherwise` : word, Math.min(10, word.length + 2));
}

const onsets = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "sch", "st"] as const;
const vowels = ["a", "e", "i", "o", "u", "ä", "ei"] as const;

function makeWord(word: string, length: number): string {
  let made = "";
  for (let at = 0; made.length < length; at++) {
    made += pickFrom(onsets, "onset", word, at) + pickFrom(vowels, "vowel", word, at);
  }
  return made;
}

/** Removes the words of a table's name from the names of its columns: customer.customer_id becomes customer.id. */
export function dropPrefixes(tables: Tables): Tables {
  return tables.map((table) => {
    const own = new Set(splitName(table.name));
    return {
      ...table,
      ...columnsOf(table, (name) => {
        const words = splitName(name);
        const rest = words.filter((word) => !own.has(word));
        return rest.length === 0 ? name : rest.join("_");
      }),
    };
  });
}

/** Adds letters of a table's name to the names of its columns, as in o_customer_id. */
export function addPrefixes(tables: Tables): Tables {
  return tables.map((table) => {
    const words = splitName(table.name);
    const prefix = words.length > 1 ? words.map((word) => word.slice(0, 1)).join("") : (words[0] ?? "t").slice(0, 2);
    return { ...table, ...columnsOf(table, (name) => `${prefix}_${name}`) };
  });
}

/** Renames columns. A name that would repeat gets a number. */
function columnsOf(
  { columns }: TableRows,
  rename: (name: string, position: number) => string,
): Pick<TableRows, "columns"> {
  const taken = new Set<string>();
  return {
    columns: columns.map((column, position) => {
      let name = rename(column.name, position);
      while (taken.has(name.toLowerCase())) name += "2";
      taken.add(name.toLowerCase());
      return { ...column, name };
    }),
  };
}
