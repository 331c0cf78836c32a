import { z } from "zod";
import type { SafetyFinding } from "../../../port/connector.ts";
import type { QueryCatalog } from "../session/statement-session.ts";

/** PostgreSQL's predefined roles that allow their members to change or read data outside of tables. */
const strongRoles = [
  "pg_write_all_data",
  "pg_write_server_files",
  "pg_execute_server_program",
  "pg_read_server_files",
  "pg_signal_backend",
  "pg_checkpoint",
  "pg_create_subscription",
  "pg_maintain",
];

const accountQuery = `
SELECT r.rolname AS name, r.rolsuper AS superuser,
  ARRAY(SELECT m.rolname::text FROM pg_catalog.pg_roles m
    WHERE m.rolname = ANY ($1::text[]) AND pg_has_role(r.oid, m.oid, 'MEMBER') ORDER BY 1) AS roles,
  array_remove(ARRAY[CASE WHEN r.rolcreatedb THEN 'CREATEDB' END, CASE WHEN r.rolcreaterole THEN 'CREATEROLE' END,
    CASE WHEN r.rolreplication THEN 'REPLICATION' END, CASE WHEN r.rolbypassrls THEN 'BYPASSRLS' END], NULL) AS attributes,
  has_database_privilege(current_database(), 'CREATE') AS creates,
  ARRAY(SELECT n.nspname::text FROM pg_catalog.pg_namespace n
    WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND has_schema_privilege(n.oid, 'CREATE') ORDER BY 1) AS schemas,
  (SELECT count(*)::int FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'f') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      AND (has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') OR has_any_column_privilege(c.oid, 'INSERT, UPDATE'))) AS writable,
  current_setting('transaction_read_only') = 'on' AS read_only
FROM pg_catalog.pg_roles r WHERE r.rolname = current_user`;

const accountSchema = z.object({
  name: z.string(),
  superuser: z.boolean(),
  roles: z.array(z.string()),
  attributes: z.array(z.string()),
  creates: z.boolean(),
  schemas: z.array(z.string()),
  writable: z.number(),
  read_only: z.boolean(),
});
type Account = z.output<typeof accountSchema>;

export async function inspectAccount(query: QueryCatalog): Promise<readonly SafetyFinding[]> {
  const [account] = z.array(accountSchema).parse(await query(accountQuery, [strongRoles]));
  if (account === undefined) return [];
  const weaknesses = findWeaknesses(account).map((message) => ({ layer: "account", ok: false, message }) as const);
  const session: SafetyFinding = {
    layer: "session",
    ok: account.read_only,
    message: account.read_only
      ? "Each statement runs in a read-only transaction, which is rolled back."
      : "The transactions of the connection are not read-only. Do not use it.",
  };
  if (weaknesses.length > 0) return [session, ...weaknesses];
  return [session, { layer: "account", ok: true, message: `The account ${account.name} can only read.` }];
}

function findWeaknesses({
  name,
  superuser,
  roles,
  attributes,
  creates,
  schemas,
  writable,
}: Account): readonly string[] {
  const remedy = "Use one that can only read.";
  if (superuser) return [`The account ${name} is a superuser. ${remedy}`];
  return [
    ...(writable > 0 ? [`The account ${name} can write ${writable} tables. ${remedy}`] : []),
    ...(creates ? [`The account ${name} can create schemas. ${remedy}`] : []),
    ...(schemas.length > 0 ? [`The account ${name} can create tables in ${schemas.join(", ")}. ${remedy}`] : []),
    ...(roles.length > 0 ? [`The account ${name} is a member of ${roles.join(", ")}. ${remedy}`] : []),
    ...(attributes.length > 0 ? [`The account ${name} has ${attributes.join(", ")}. ${remedy}`] : []),
  ];
}
