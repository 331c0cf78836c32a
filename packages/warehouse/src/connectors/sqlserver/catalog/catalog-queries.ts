import { sqlserverDialect } from "../dialect/sqlserver-dialect.ts";

function within(schemas: readonly string[] | undefined): string {
  const user = "s.name NOT IN (N'sys', N'INFORMATION_SCHEMA') AND o.is_ms_shipped = 0";
  if (schemas === undefined) return user;
  if (schemas.length === 0) return "1 = 0";
  return `${user} AND s.name IN (${schemas.map(sqlserverDialect.quoteText).join(", ")})`;
}

const objects = "sys.objects AS o JOIN sys.schemas AS s ON s.schema_id = o.schema_id";
const comment = (minor: string) =>
  `(SELECT CONVERT(nvarchar(4000), p.value) FROM sys.extended_properties AS p WHERE p.class = 1 AND p.major_id = o.object_id AND p.minor_id = ${minor} AND p.name = N'MS_Description')`;

/** Selects the tables, and for each table whether the account may read it. */
export function sqlserverTables(schemas: readonly string[] | undefined): string {
  return `SELECT s.name, o.name, o.type, ${comment("0")},
    (SELECT SUM(n.rows) FROM sys.partitions AS n WHERE n.object_id = o.object_id AND n.index_id IN (0, 1)),
    HAS_PERMS_BY_NAME(QUOTENAME(s.name) + N'.' + QUOTENAME(o.name), N'OBJECT', N'SELECT')
    FROM ${objects} WHERE o.type IN ('U', 'V') AND ${within(schemas)} ORDER BY s.name, o.name`;
}

/** Selects the definitions of views. A definition is NULL if the account does not have the permission VIEW DEFINITION. */
export function sqlserverViews(schemas: readonly string[] | undefined): string {
  return `SELECT s.name, o.name, m.definition
    FROM ${objects} JOIN sys.sql_modules AS m ON m.object_id = o.object_id WHERE o.type = 'V' AND ${within(schemas)}`;
}

export function sqlserverColumns(schemas: readonly string[] | undefined): string {
  return `SELECT s.name, o.name, c.name, TYPE_NAME(c.system_type_id), TYPE_NAME(c.user_type_id), c.max_length, c.precision, c.scale,
    c.is_nullable, ${comment("c.column_id")}
    FROM ${objects} JOIN sys.columns AS c ON c.object_id = o.object_id
    WHERE o.type IN ('U', 'V') AND ${within(schemas)} ORDER BY s.name, o.name, c.column_id`;
}

/** Selects unique indexes over all rows. A filtered index does not make the other rows unique. */
export function sqlserverKeys(schemas: readonly string[] | undefined): string {
  return `SELECT s.name, o.name, i.name, i.is_primary_key, c.name
    FROM ${objects} JOIN sys.indexes AS i ON i.object_id = o.object_id AND i.is_unique = 1 AND i.has_filter = 0 AND i.is_disabled = 0
    JOIN sys.index_columns AS k ON k.object_id = i.object_id AND k.index_id = i.index_id AND k.key_ordinal > 0
    JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
    WHERE o.type = 'U' AND ${within(schemas)} ORDER BY s.name, o.name, i.index_id, k.key_ordinal`;
}

export function sqlserverForeignKeys(schemas: readonly string[] | undefined): string {
  return `SELECT s.name, o.name, f.name, c.name, SCHEMA_NAME(r.schema_id), r.name, d.name
    FROM ${objects} JOIN sys.foreign_keys AS f ON f.parent_object_id = o.object_id
    JOIN sys.foreign_key_columns AS k ON k.constraint_object_id = f.object_id
    JOIN sys.columns AS c ON c.object_id = k.parent_object_id AND c.column_id = k.parent_column_id
    JOIN sys.objects AS r ON r.object_id = k.referenced_object_id
    JOIN sys.columns AS d ON d.object_id = k.referenced_object_id AND d.column_id = k.referenced_column_id
    WHERE ${within(schemas)} ORDER BY s.name, o.name, f.name, k.constraint_column_id`;
}
