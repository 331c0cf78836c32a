import { expect, test } from "vitest";
import { identifyConnection } from "./identify-connection.ts";

const server = { type: "postgres", host: "db", user: "reader", password: "pass-1", include: ["public"] };

test("another host, account or rule is another connection, and another password is not", () => {
  const own = identifyConnection(server);
  expect(identifyConnection({ ...server, password: "pass-2" })).toBe(own);
  for (const change of [{ host: "db2" }, { user: "admin" }, { include: ["sales"] }])
    expect(identifyConnection({ ...server, ...change })).not.toBe(own);
});

test("no password of a key or an address is in the text", () => {
  const url = "postgresql://reader:pass-1@db.example:5432/shop?sslpassword=pass-2&sslmode=require";
  const text = identifyConnection({ ...server, url, passphrase: "pass-3" });
  expect(text).toContain("postgresql://reader@db.example:5432/shop?sslmode=require");
  expect(text).not.toContain("pass-");
});
