/** Finds a database's functions, operators and casts that have no effect, from the declarations in its catalog. */
import { z } from "zod";
import { harmlessVolatile, readsPastItsArguments } from "../dialect/functions.ts";
import { mayReadTables } from "./user-functions.ts";

/**
 * Selects functions by name and schema, with their safety. `pure`: immutable, and without user-written code that reads tables. `stable`:
 * only reads, and is written in C by PostgreSQL or an extension. A user-defined function is not `stable` by its declaration alone, because
 * it may read any table. An aggregate is as safe as the functions that compute it.
 */
export const functionQuery = `
SELECT n.nspname AS schema, p.proname AS name, p.prosecdef AS elevated,
  CASE WHEN v.volatility = 'i' AND (d.objid IS NOT NULL OR NOT v.reads) THEN 'pure'
    WHEN v.volatility = 's' AND l.lanname IN ('c', 'internal', 'sql') AND (n.nspname = 'pg_catalog' OR d.objid IS NOT NULL AND l.lanname = 'c') THEN 'stable'
    ELSE 'unsafe' END AS safety,
  n.nspname = 'pg_catalog' OR d.objid IS NOT NULL AS shipped,
  p.pronargs = 1 AND EXISTS (SELECT FROM pg_catalog.pg_type t WHERE t.oid = p.proargtypes[0] AND t.typtype = 'c') AS attribute
FROM pg_catalog.pg_proc p
JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
JOIN pg_catalog.pg_language l ON l.oid = p.prolang
LEFT JOIN pg_catalog.pg_aggregate a ON a.aggfnoid = p.oid
LEFT JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'e'
CROSS JOIN LATERAL (
  SELECT coalesce(max(q.provolatile::text), p.provolatile::text) AS volatility, coalesce(bool_or(${mayReadTables("q")}), ${mayReadTables("p")}) AS reads
  FROM pg_catalog.pg_proc q
  WHERE q.oid IN (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggmtransfn, a.aggmfinalfn)) v`;

export const operatorQuery = `
SELECT o.oprname AS name, bool_and(p.provolatile = 'i' OR p.provolatile = 's' AND l.lanname IN ('c', 'internal')
  OR n.nspname = 'pg_catalog') AS safe
FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_proc p ON p.oid = o.oprcode
JOIN pg_catalog.pg_language l ON l.oid = p.prolang JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
GROUP BY o.oprname`;

/**
 * Selects types that a statement may not name: the targets of casts that call a user-defined function that may have an effect, and the row
 * types of tables and arrays of them, which would show the columns of tables outside of the scope.
 */
export const castQuery = `
SELECT DISTINCT t.typname AS name
FROM pg_catalog.pg_type t LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem
LEFT JOIN pg_catalog.pg_class r ON r.oid IN (t.typrelid, e.typrelid)
WHERE (r.relkind <> 'c' OR EXISTS (
    SELECT FROM pg_catalog.pg_cast c JOIN pg_catalog.pg_proc p ON p.oid = c.castfunc
    JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace JOIN pg_catalog.pg_language l ON l.oid = p.prolang
    WHERE c.casttarget = t.oid AND n.nspname <> 'pg_catalog' AND p.provolatile <> 'i' AND l.lanname <> 'c'))
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_type b
    WHERE b.typname = t.typname AND b.typrelid = 0 AND b.typnamespace = 'pg_catalog'::pg_catalog.regnamespace)`;

const functionSchema = z.object({
  schema: z.string(),
  name: z.string(),
  elevated: z.boolean(),
  shipped: z.boolean(),
  attribute: z.boolean(),
  safety: z.enum(["pure", "stable", "unsafe"]),
});
type FunctionRow = z.output<typeof functionSchema>;

export interface SafeCalls {
  /** The safe functions, as entries that the dialect's `functions.ts` describes. */
  readonly safe: ReadonlySet<string>;
  /** Names with at least one function that is not safe. */
  readonly unsafe: ReadonlySet<string>;
}

export interface CatalogRows {
  readonly functions: readonly unknown[];
  readonly operators: readonly unknown[];
  readonly casts: readonly unknown[];
}

/**
 * Finds the safe and the unsafe functions. `allowed` are functions from the settings, such as `analytics.fiscal_year`. A name is safe if
 * all functions of that name are safe.
 */
export function findSafeCalls(rows: CatalogRows, allowed: readonly string[]): SafeCalls {
  const safety = new Map<string, boolean>();
  const fields: string[] = [];
  for (const row of rows.functions.map((value) => functionSchema.parse(value))) {
    const isSafe = isSafeFunctionRow(row, allowed);
    for (const name of [row.name, `${row.schema}.${row.name}`]) safety.set(name, isSafe && safety.get(name) !== false);
    if (row.attribute && !isSafe) fields.push(`refused field ${row.name}`);
  }
  const operators = z.array(z.object({ name: z.string(), safe: z.boolean() })).parse(rows.operators);
  const casts = z.array(z.object({ name: z.string() })).parse(rows.casts);
  const safe = [...safety].filter(([, isSafe]) => isSafe).map(([name]) => name);
  const unsafe = [...safety].filter(([, isSafe]) => !isSafe).map(([name]) => name);
  const safeOperators = operators.filter((operator) => operator.safe).map(({ name }) => `operator ${name}`);
  const refusedCasts = casts.map(({ name }) => `refused cast ${name}`);
  return { safe: new Set([...safe, ...safeOperators, ...refusedCasts, ...fields]), unsafe: new Set(unsafe) };
}

function isSafeFunctionRow(row: FunctionRow, allowed: readonly string[]): boolean {
  if (allowed.includes(`${row.schema}.${row.name}`)) return true;
  if (row.elevated || readsPastItsArguments(row.name)) return false;
  if (row.safety !== "unsafe") return true;
  return row.shipped && harmlessVolatile.has(row.name);
}
