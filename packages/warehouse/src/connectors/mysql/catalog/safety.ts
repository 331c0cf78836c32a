import type { SafetyFinding } from "../../../port/connector.ts";
import type { SendQuery } from "../../../sessions/session-queries.ts";
import type { MySqlProduct } from "../session/product.ts";

/** Privileges that do not allow an account to change anything, or to access anything outside the database. */
const harmless = new Set([
  "USAGE",
  "SELECT",
  "SHOW DATABASES",
  "SHOW VIEW",
  "PROCESS",
  "REPLICATION CLIENT",
  "BINLOG MONITOR",
]);

export async function inspectMySqlSafety(
  send: SendQuery,
  { product }: MySqlProduct,
): Promise<readonly SafetyFinding[]> {
  const [[account] = []] = await send("SELECT CURRENT_USER()");
  const grants = await send("SHOW GRANTS");
  const dangerous = [...new Set(grants.flatMap(([grant]) => privilegesOf(String(grant))))].filter(
    (name) => !harmless.has(name),
  );
  const names = dangerous.slice(0, 5).join(", ") + (dangerous.length > 5 ? ", …" : "");
  return [
    { layer: "parser", ok: true, message: "Each statement is read as one SELECT of known functions, or refused." },
    {
      layer: "session",
      ok: true,
      message: `Each statement is prepared alone, must return rows, and runs in a read-only transaction of ${product}, which does not stop locks and files.`,
    },
    dangerous.length === 0
      ? { layer: "account", ok: true, message: `The account ${String(account)} can only read.` }
      : {
          layer: "account",
          ok: false,
          message: `The account ${String(account)} has the privileges ${names}; use one that has only SELECT.`,
        },
  ];
}

/**
 * Lists the privileges in a grant, such as SELECT and INSERT in `GRANT SELECT, INSERT (a, b) ON shop.* TO …`. The line that grants a role
 * contains no privileges.
 */
function privilegesOf(grant: string): readonly string[] {
  const found = /^GRANT (.+?) ON /s.exec(grant);
  if (found === null) return /^GRANT (.+) TO /s.test(grant) ? ["a role"] : [];
  const list = (found[1] ?? "").replace(/\([^)]*\)/g, "");
  const names = list.split(",").map((name) => name.trim().toUpperCase());
  return [...names, ...(/WITH GRANT OPTION/.test(grant) ? ["GRANT OPTION"] : [])];
}
