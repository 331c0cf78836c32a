import { ConfigError } from "@bridle/protocol";

/** The product and the version of the server. */
export interface MySqlProduct {
  readonly product: "MySQL" | "MariaDB";
  readonly version: string;
}

/** Reads the answer of `VERSION()`, such as `10.11.19-MariaDB-0+deb12u1` or `8.4.3`. Refuses servers that are too old. */
export function readProduct(text: string): MySqlProduct {
  const isMariaDb = /mariadb/i.test(text);
  const version = /(\d+)\.(\d+)(\.\d+)?/.exec(text.replace(/^5\.5\.5-/, ""));
  const [found = text, major = "0", minor = "0"] = version ?? [];
  const oldest = isMariaDb ? [10, 2] : [5, 7];
  const product = isMariaDb ? "MariaDB" : "MySQL";
  const isOld = Number(major) < (oldest[0] ?? 0) || (Number(major) === oldest[0] && Number(minor) < (oldest[1] ?? 0));
  if (isOld)
    throw new ConfigError(
      `${product} ${found} is too old: it cannot be limited to reading. Use ${product} ${oldest.join(".")} or newer.`,
    );
  return { product, version: found };
}

/** From version 8 on, MySQL may show a time of a table's last change that is up to a day old, unless this setting is changed. */
const freshTimes = "information_schema_stats_expiry = 0, ";

/**
 * From version 10.6 on, MariaDB ends a recursion after 1000 steps with only a warning, and returns the rows up to that point. MySQL raises
 * an error.
 */
const wholeRecursions = "max_recursive_iterations = 4294967295";

/**
 * Returns a statement that sets everything that other statements rely on: how strings and quotes are read, the zone of timestamps, and that
 * transactions only read. Sent again after each statement, because a statement could change these settings.
 */
export function sessionSettings({ product, version }: MySqlProduct): string {
  const hasOldTimes = product === "MySQL" && Number.parseInt(version, 10) >= 8;
  const common =
    `SET ${hasOldTimes ? freshTimes : ""}` +
    "character_set_client = utf8mb4, character_set_results = utf8mb4, character_set_connection = utf8mb4, time_zone = '+00:00', " +
    "group_concat_max_len = 1048576, autocommit = 1, sql_select_limit = DEFAULT, ";
  // The product's default SQL mode, without ANSI_QUOTES and NO_BACKSLASH_ESCAPES, which change how strings are read.
  return product === "MariaDB"
    ? `${common}sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION', tx_read_only = 1, ${wholeRecursions}`
    : `${common}sql_mode = 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION', transaction_read_only = 1`;
}

/** The number of seconds that a statement, even one that reads the catalog, waits for other sessions' locks. */
const maxLockSeconds = 5;

/** Returns a statement that sets the server's time limit. MySQL limits only SELECT, and counts in milliseconds. */
export function timeoutSetting({ product }: MySqlProduct, timeoutMs: number): string {
  const seconds = Math.min(maxLockSeconds, Math.max(1, Math.ceil(timeoutMs / 1000)));
  return product === "MariaDB"
    ? `SET max_statement_time = ${(Math.max(1, timeoutMs) / 1000).toFixed(3)}, lock_wait_timeout = ${seconds}`
    : `SET max_execution_time = ${Math.max(1, Math.ceil(timeoutMs))}, lock_wait_timeout = ${seconds}`;
}
