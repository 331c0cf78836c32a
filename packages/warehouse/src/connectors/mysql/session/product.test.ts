import { expect, test } from "vitest";
import { readProduct, sessionSettings, timeoutSetting } from "./product.ts";

test.each([
  ["10.11.19-MariaDB-0+deb12u1", { product: "MariaDB", version: "10.11.19" }],
  ["5.5.5-10.6.12-MariaDB", { product: "MariaDB", version: "10.6.12" }],
  ["8.4.3", { product: "MySQL", version: "8.4.3" }],
  ["8.0.36-28.1 Percona", { product: "MySQL", version: "8.0.36" }],
])("the version %s is read", (text, product) => {
  expect(readProduct(text)).toEqual(product);
});

test("MySQL is limited in milliseconds, MariaDB in seconds, and neither without a limit", () => {
  expect(timeoutSetting(readProduct("8.4.3"), 1500.5)).toBe("SET max_execution_time = 1501, lock_wait_timeout = 2");
  expect(timeoutSetting(readProduct("10.11.19-MariaDB"), 1500)).toBe(
    "SET max_statement_time = 1.500, lock_wait_timeout = 2",
  );
  expect(timeoutSetting(readProduct("8.4.3"), 0)).toBe("SET max_execution_time = 1, lock_wait_timeout = 1");
});

test("MySQL and MariaDB name the read-only transaction differently", () => {
  expect(sessionSettings(readProduct("8.4.3"))).toContain("transaction_read_only = 1");
  expect(sessionSettings(readProduct("10.11.19-MariaDB"))).toContain("tx_read_only = 1");
});

test("MySQL from 8 on reads the time of a change, and not one that it read up to a day ago", () => {
  expect(sessionSettings(readProduct("8.4.3"))).toContain("information_schema_stats_expiry = 0");
  expect(sessionSettings(readProduct("5.7.44"))).not.toContain("information_schema_stats_expiry");
  expect(sessionSettings(readProduct("10.11.19-MariaDB"))).not.toContain("information_schema_stats_expiry");
});
