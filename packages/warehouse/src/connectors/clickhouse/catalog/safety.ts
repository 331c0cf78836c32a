import type { SafetyFinding } from "../../../port/connector.ts";
import type { SendQuery } from "../../../sessions/session-queries.ts";

/** Matches privileges that do not allow an account to change anything. */
const harmless = /^(?:SELECT|SHOW.*|dictGet|USAGE)(?:\(.*)?$/;

export async function inspectClickHouseSafety(send: SendQuery): Promise<readonly SafetyFinding[]> {
  const [[account] = []] = await send("SELECT currentUser()");
  const grants = (await send("SHOW GRANTS")).map(([grant]) => String(grant));
  const dangerous = new Set(grants.flatMap(privilegesOf).filter((name) => !harmless.test(name)));
  const names = [...dangerous].slice(0, 5).join(", ") + (dangerous.size > 5 ? ", …" : "");
  return [
    { layer: "parser", ok: true, message: "Each statement is read as one SELECT of known functions, or refused." },
    {
      layer: "session",
      ok: true,
      message: "The server runs each statement with readonly, which no statement can change.",
    },
    dangerous.size === 0
      ? { layer: "account", ok: true, message: `The account ${String(account)} can only read.` }
      : {
          layer: "account",
          ok: false,
          message: `The account ${String(account)} is granted ${names}; use one that has only SELECT.`,
        },
  ];
}

/**
 * Lists the privileges in a line such as `GRANT SELECT(a, b), INSERT ON shop.* TO reader`. The grant of a role has no ON; for such a line,
 * returns the role's name.
 */
function privilegesOf(grant: string): string[] {
  const [, listed = ""] = /^GRANT (.*?)(?: ON | TO )/.exec(grant) ?? [];
  return listed
    .replaceAll(/\([^)]*\)/g, "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
