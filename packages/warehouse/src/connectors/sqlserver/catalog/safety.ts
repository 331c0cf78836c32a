import type { SafetyFinding } from "../../../port/connector.ts";
import type { SendQuery } from "../../../sessions/session-queries.ts";

/** Matches database permissions that do not allow an account to change anything. */
const harmless = /^(CONNECT|SELECT|SHOWPLAN|VIEW .*)$/;

export async function inspectSqlServerSafety(send: SendQuery): Promise<readonly SafetyFinding[]> {
  const [[account] = []] = await send("SELECT SUSER_SNAME()");
  const rows = await send("SELECT permission_name FROM sys.fn_my_permissions(NULL, N'DATABASE') ORDER BY 1");
  const dangerous = rows.map(([name]) => String(name)).filter((name) => !harmless.test(name));
  const names = dangerous.slice(0, 5).join(", ") + (dangerous.length > 5 ? ", …" : "");
  return [
    { layer: "parser", ok: true, message: "Each statement is read as one SELECT of known functions, or refused." },
    {
      layer: "session",
      ok: false,
      message:
        "SQL Server has no read-only session: each statement runs in a transaction that is rolled back, which a COMMIT in its text would end.",
    },
    dangerous.length === 0
      ? { layer: "account", ok: true, message: `The account ${String(account)} can only read.` }
      : {
          layer: "account",
          ok: false,
          message: `The account ${String(account)} has the permissions ${names}; use one of db_datareader.`,
        },
  ];
}
