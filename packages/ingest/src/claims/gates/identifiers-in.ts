/** Finds the names of tables and columns in prose. Pure. */

/** `fare_total` */
const snake = String.raw`[\p{L}][\p{L}\p{N}]*(?:_[\p{L}\p{N}]+)+`;
/** `fares.amount_cents`, `main.fares` */
const dotted = String.raw`[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*){1,3}`;
/** Matches names. Names in an address, a path or a file name do not count. */
const names = new RegExp(
  String.raw`(?<![\p{L}\p{N}_./@\\:-])(?:${dotted}|${snake})(?![\p{L}\p{N}_/@-]|\.[\p{L}\p{N}])`,
  "gu",
);

const files =
  /\.(?:md|csv|json|ya?ml|sql|py|ts|js|html?|pdf|docx?|xlsx?|txt|lkml|parquet|zip|com|org|net|io|test|example|dev|app)$/i;

/**
 * Finds words that must be names in the warehouse: words with an underscore, and dotted words if a part has an underscore or `isHead`
 * accepts the first part as a table.
 */
export function identifiersIn(text: string, isHead: (name: string) => boolean): readonly string[] {
  const found = Array.from(text.normalize("NFKC").matchAll(names), ([name]) => name);
  return [...new Set(found)].filter((name) => {
    if (!name.includes(".")) return true;
    if (files.test(name)) return false;
    return name.includes("_") || isHead(name.slice(0, name.indexOf(".")));
  });
}
