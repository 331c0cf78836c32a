/** The catalog queries that describe a warehouse: five for all tables together. */

import { firstUserOid, mayReadTables } from "../session/user-functions.ts";

/**
 * Tables and views that users created. Partitions are left out, because the partitioned table contains their rows. Objects of extensions
 * are left out, too.
 */
const userRelations = `
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND ($1::text[] IS NULL OR n.nspname = ANY ($1::text[]))
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
    WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid AND d.deptype = 'e')`;

/**
 * Selects tables and views. The row count of a partitioned table is that of its partitions; -1 and 0 mean that the server has not counted
 * yet.
 */
export const relationQuery = `
WITH RECURSIVE relation AS (SELECT c.oid, n.nspname, n.oid AS schema_oid, c.relname, c.relkind ${userRelations}),
tree (root, oid) AS (SELECT oid, oid FROM relation
  UNION ALL SELECT t.root, i.inhrelid FROM tree t JOIN pg_catalog.pg_inherits i ON i.inhparent = t.oid),
counted AS (SELECT t.root, sum(CASE WHEN c.reltuples > 0 THEN c.reltuples ELSE pg_stat_get_live_tuples(c.oid) END) AS rows,
    bool_or(c.reltuples >= 0 AND c.relpages > 0 OR pg_stat_get_live_tuples(c.oid) > 0) AS known
  FROM tree t JOIN pg_catalog.pg_class c ON c.oid = t.oid WHERE c.relkind <> 'p' GROUP BY t.root)
SELECT r.oid::text AS oid, r.nspname AS schema, r.relname AS "table", r.relkind::text AS kind, d.description AS comment,
  CASE WHEN k.known THEN k.rows::float8 END AS rows,
  coalesce(has_schema_privilege(r.schema_oid, 'USAGE'), false) AS usable,
  coalesce(has_table_privilege(r.oid, 'SELECT'), false) AS readable,
  coalesce(has_any_column_privilege(r.oid, 'SELECT'), false) AS partly
FROM relation r LEFT JOIN counted k ON k.root = r.oid
LEFT JOIN pg_catalog.pg_description d
  ON d.objoid = r.oid AND d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objsubid = 0
ORDER BY r.nspname, r.relname`;

export const columnQuery = `
WITH relation AS (SELECT c.oid, has_table_privilege(c.oid, 'SELECT') AS readable ${userRelations})
SELECT r.oid::text AS oid, a.attnum AS number, a.attname AS name, a.atttypid::text AS type,
  format_type(a.atttypid, a.atttypmod) AS shown, NOT a.attnotnull AS nullable, d.description AS comment
FROM relation r JOIN pg_catalog.pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_catalog.pg_description d
  ON d.objoid = r.oid AND d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objsubid = a.attnum
WHERE r.readable OR has_column_privilege(r.oid, a.attnum, 'SELECT')
ORDER BY r.oid, a.attnum`;

/** Selects unique indexes over whole columns of all rows, whether or not a constraint created them. */
export const keyQuery = `
SELECT c.oid::text AS oid, i.indisprimary AS "primary", i.indkey::text AS numbers, i.indnkeyatts AS count
FROM pg_catalog.pg_index i JOIN (SELECT c.oid ${userRelations}) c ON c.oid = i.indrelid
WHERE i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
ORDER BY c.oid, i.indisprimary DESC, i.indexrelid`;

export const foreignKeyQuery = `
SELECT c.oid::text AS oid, k.conkey AS numbers, n.nspname AS schema, f.relname AS "table",
  ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY u (number, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.number ORDER BY u.place) AS columns
FROM pg_catalog.pg_constraint k JOIN (SELECT c.oid ${userRelations}) c ON c.oid = k.conrelid
JOIN pg_catalog.pg_class f ON f.oid = k.confrelid JOIN pg_catalog.pg_namespace n ON n.oid = f.relnamespace
WHERE k.contype = 'f' AND k.conparentid = 0
ORDER BY c.oid, k.conname`;

/**
 * Matches built-in functions that read large objects, or objects whose names are passed as strings. Like built-in tables, such functions
 * appear only in a view's definition.
 */
const readers =
  "^((query|table|cursor|schema|database)_to_xml|ts_stat|ts_rewrite|lo_get|loread|pg_read_|pg_logical_slot_)";

/**
 * Selects the tables that views and materialized views read, and the tables that inherit from a table. A row without a table means that the
 * read tables are unknown, because a user-defined function or operator may read any table. A partition counts as its table.
 */
export const viewReadsQuery = `
WITH shown AS (SELECT c.oid ${userRelations}),
dependency AS (
  SELECT DISTINCT r.ev_class AS oid, d.refclassid, d.refobjid,
    EXISTS (SELECT FROM pg_catalog.pg_depend e WHERE e.classid = d.refclassid AND e.objid = d.refobjid AND e.deptype = 'e') AS shipped
  FROM pg_catalog.pg_rewrite r JOIN shown s ON s.oid = r.ev_class
  JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND d.objid = r.oid AND d.refobjid <> r.ev_class),
read AS (
  SELECT v.oid, CASE WHEN c.relispartition THEN pg_partition_root(c.oid) ELSE c.oid END AS target, false AS inherits
  FROM dependency v JOIN pg_catalog.pg_class c ON c.oid = v.refobjid
  WHERE v.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  UNION SELECT i.inhparent, i.inhrelid, true FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
  WHERE NOT c.relispartition AND (i.inhparent IN (SELECT oid FROM shown) OR i.inhrelid IN (SELECT oid FROM shown)))
SELECT r.oid::text AS oid, n.nspname AS schema, c.relname AS "table", c.oid::text AS target, r.inherits
FROM read r JOIN pg_catalog.pg_class c ON c.oid = r.target JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
UNION ALL SELECT v.oid::text, NULL, NULL, NULL, false FROM dependency v
  WHERE v.refclassid = 'pg_catalog.pg_operator'::pg_catalog.regclass AND v.refobjid >= ${firstUserOid} AND NOT v.shipped
UNION ALL SELECT v.oid::text, NULL, NULL, NULL, false FROM dependency v JOIN pg_catalog.pg_proc p ON p.oid = v.refobjid
  WHERE v.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND p.oid >= ${firstUserOid} AND NOT v.shipped
    AND (p.provolatile <> 'i' OR ${mayReadTables("p")})
UNION ALL SELECT r.ev_class::text, NULL, NULL, NULL, false FROM pg_catalog.pg_rewrite r JOIN shown s ON s.oid = r.ev_class
  WHERE EXISTS (SELECT FROM regexp_matches(r.ev_action::text, ':relid ([1-9]\\d*)', 'g') m WHERE m[1]::int8 < ${firstUserOid})
    OR EXISTS (SELECT FROM regexp_matches(r.ev_action::text, ':funcid (\\d+)', 'g') m JOIN pg_catalog.pg_proc p ON p.oid::text = m[1]
      WHERE p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace AND p.proname ~ '${readers}')`;
