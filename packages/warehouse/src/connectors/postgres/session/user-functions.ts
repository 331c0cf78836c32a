/** Analyses the text of user-defined functions, because PostgreSQL trusts their owners' declarations. */

/** Objects with a lower number belong to PostgreSQL itself. */
export const firstUserOid = 16_384;

/** Matches uses of FROM that read no table, such as `EXTRACT(year FROM d)` and `IS DISTINCT FROM`. Any other FROM may read a table. */
const ordinaryFrom = String.raw`\m(distinct\s+from|(extract|substring|trim|overlay)\s*\([^()]*\mfrom)\M`;
const readingWords = String.raw`\m(from|join|table|execute|perform|spi_\w+|(query|table|cursor|schema|database)_to_xml\w*|dblink\w*)\M`;

/**
 * Returns an SQL condition: whether a user-defined function may read tables, regardless of its declaration. `name` is the alias of its row
 * in `pg_proc`. Functions in C cannot be inspected. If a function's body is in standard SQL, the catalog lists the tables that it reads.
 */
export function mayReadTables(name: string): string {
  return `(${name}.oid >= ${firstUserOid}
    AND ${name}.prolang NOT IN (SELECT oid FROM pg_catalog.pg_language WHERE lanname IN ('c', 'internal'))
    AND (regexp_replace(${name}.prosrc, '${ordinaryFrom}', '', 'gi') ~* '${readingWords}'
      OR EXISTS (SELECT FROM pg_catalog.pg_depend b WHERE b.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
        AND b.objid = ${name}.oid AND b.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass)))`;
}
