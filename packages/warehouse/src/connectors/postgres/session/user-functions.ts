/** Analyses the text of functions of users. PostgreSQL trusts the declarations of their owners. */

/** Objects with a lower number belong to PostgreSQL itself. */
export const firstUserOid = 16_384;

/** Words in a function body that reads a table or runs a text as SQL. `EXTRACT(year FROM d)` and `IS DISTINCT FROM` do neither. */
const ordinaryFrom = String.raw`\m(distinct\s+from|(extract|substring|trim|overlay)\s*\([^()]*\mfrom)\M`;
const readingWords = String.raw`\m(from|join|table|execute|perform|spi_\w+|(query|table|cursor|schema|database)_to_xml\w*|dblink\w*)\M`;

/**
 * A condition in SQL: whether a function of a user may read tables, regardless of its declaration. `name` is the alias of its row of
 * `pg_proc`. Functions in C cannot be inspected. The catalog has the tables that the body of a function in standard SQL reads.
 */
export function mayReadTables(name: string): string {
  return `(${name}.oid >= ${firstUserOid}
    AND ${name}.prolang NOT IN (SELECT oid FROM pg_catalog.pg_language WHERE lanname IN ('c', 'internal'))
    AND (regexp_replace(${name}.prosrc, '${ordinaryFrom}', '', 'gi') ~* '${readingWords}'
      OR EXISTS (SELECT FROM pg_catalog.pg_depend b WHERE b.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
        AND b.objid = ${name}.oid AND b.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass)))`;
}
