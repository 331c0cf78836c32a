import { InvalidRequestError } from "@bridle/protocol";
import type { SafetyFinding } from "../../../port/connector.ts";
import type { WarehouseRow } from "../../../port/values.ts";
import { snowflakeDialect } from "../dialect/snowflake-dialect.ts";
import type { AskCatalog, NamedRows } from "./named-rows.ts";

/** Privileges that do not allow a role to change anything, on any object. */
const harmless = new Set(["SELECT", "REFERENCES", "MONITOR", "IMPORTED PRIVILEGES"]);
/** Kinds of objects that USAGE alone does not allow a role to change. */
const containers = new Set(["DATABASE", "SCHEMA", "WAREHOUSE", "FILE_FORMAT"]);
/** The maximum number of roles that are followed. */
const maxRoles = 50;

export async function inspectSnowflakeSafety(ask: AskCatalog): Promise<readonly SafetyFinding[]> {
  return [
    { layer: "parser", ok: true, message: "Each statement is read as one SELECT of known functions, or refused." },
    {
      layer: "session",
      ok: false,
      message:
        "Snowflake has no session that only reads: without the parser, a statement may do what the role may do. It takes one statement at a time.",
    },
    await inspectRoles(ask),
  ];
}

async function inspectRoles(ask: AskCatalog): Promise<SafetyFinding> {
  const rows = await ask(
    'SELECT CURRENT_ROLE() AS "role", CURRENT_SECONDARY_ROLES() AS "secondary", CURRENT_USER() AS "user"',
  );
  const [found = []] = rows.all();
  const role = rows.text(found, "role") ?? "PUBLIC";
  const secondary = rows.text(found, "secondary") ?? "";
  const user = rows.text(found, "user") ?? "the user";
  const { dangerous, unread } = await new RoleWalk(ask).walk([accountRole(role), accountRole("PUBLIC")]);
  const names = [...dangerous].slice(0, 5).join(", ") + (dangerous.size > 5 ? ", …" : "");
  if (dangerous.size > 0)
    return account(false, `The role ${role} has ${names}; use one that has only USAGE and SELECT.`);
  if (/"value"\s*:\s*"ALL"/.test(secondary))
    return account(
      false,
      `The secondary roles of ${user} are active in addition to ${role}, so a statement may use their permissions. Run ALTER USER … SET DEFAULT_SECONDARY_ROLES = ().`,
    );
  if (unread.length > 0)
    return account(false, `What the ${unread[0]} may do cannot be read. Check that ${role} can only read.`);
  return account(true, `The role ${role} can only read.`);
}

function account(ok: boolean, message: string): SafetyFinding {
  return { layer: "account", ok, message };
}

function accountRole(name: string): string {
  return `ROLE ${snowflakeDialect.quoteIdentifier(name)}`;
}

/** Returns the role for a name with its database, such as `SHOP.READERS`. */
function databaseRole(name: string): string {
  return `DATABASE ROLE ${name.split(".").map(snowflakeDialect.quoteIdentifier).join(".")}`;
}

/** Follows a role to the roles that were granted to it, and to theirs. */
class RoleWalk {
  readonly dangerous = new Set<string>();
  readonly unread: string[] = [];
  readonly #ask: AskCatalog;
  readonly #seen = new Set<string>();

  constructor(ask: AskCatalog) {
    this.#ask = ask;
  }

  async walk(roles: readonly string[]): Promise<this> {
    const waiting = [...roles];
    for (let role = waiting.shift(); role !== undefined; role = waiting.shift()) {
      if (this.#seen.has(role)) continue;
      if (this.#seen.size >= maxRoles) {
        this.unread.push(role);
        return this;
      }
      this.#seen.add(role);
      waiting.push(...(await this.#read(role)));
    }
    return this;
  }

  /** Returns the roles that were granted to a role. */
  async #read(role: string): Promise<readonly string[]> {
    try {
      const rows = await this.#ask(`SHOW GRANTS TO ${role}`);
      return rows.all().flatMap((row) => this.#note(rows, row));
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      this.unread.push(role);
      return [];
    }
  }

  #note(rows: NamedRows, row: WarehouseRow): readonly string[] {
    const privilege = rows.text(row, "privilege") ?? "";
    const kind = rows.text(row, "granted_on") ?? "";
    const name = rows.text(row, "name") ?? "";
    if (privilege === "USAGE" && kind === "ROLE") return [accountRole(name)];
    if (privilege === "USAGE" && kind === "DATABASE_ROLE") return [databaseRole(name)];
    if (!harmless.has(privilege) && !(privilege === "USAGE" && containers.has(kind)))
      this.dangerous.add(`${privilege} on ${kind.replaceAll("_", " ")}`);
    return [];
  }
}
