/** What the text of a function of a user shows about it. PostgreSQL believes whatever its owner declares. */

/** Objects with a lower number belong to PostgreSQL itself. */
export const firstUserOid = 16_384;

/** Words that a body has if it reads a table or runs a text as SQL. `EXTRACT(year FROM d)` and `IS DISTINCT FROM` do neither. */
const ordinaryFrom = String.raw`\m(distinct\s+from|(extract|substring|trim|overlay)\s*\([^()]*\mfrom)\M`;
const readingWords = String.raw`\m(from|join|table|execute|perform|spi_\w+|(query|table|cursor|schema|database)_to_xml\w*|dblink\w*)\M`;

/**
 * A condition in SQL: whether a function of a user may read tables, whatever it is declared as. `name` is the alias of its row of
 * `pg_proc`. Functions in C cannot be looked at. Tables that the body of a function in standard SQL reads are in the catalog.
 */
export function mayReadTables(name: string): string {
  return `(${name}.oid >= ${firstUserOid}
    AND ${name}.prolang NOT IN (SELECT oid FROM pg_catalog.pg_language WHERE lanname IN ('c', 'internal'))
    AND (regexp_replace(${name}.prosrc, '${ordinaryFrom}', '', 'gi') ~* '${readingWords}'
      OR EXISTS (SELECT FROM pg_catalog.pg_depend b WHERE b.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
        AND b.objid = ${name}.oid AND b.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass)))`;
}
