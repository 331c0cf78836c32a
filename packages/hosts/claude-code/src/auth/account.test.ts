import { expect, test } from "vitest";
import { accountKey } from "./account.ts";

const home = { HOME: "/home/ada" };
const key = (value: string) => ({ auth: "api_key", environment: { ...home, ANTHROPIC_API_KEY: value } }) as const;

test("the account of a login is the folder that stores it", () => {
  expect(accountKey({ auth: "session", environment: home })).toBe("claude-code session /home/ada/.claude");
  const elsewhere = { ...home, CLAUDE_CONFIG_DIR: "/srv/claude" };
  expect(accountKey({ auth: "session", environment: elsewhere })).toBe("claude-code session /srv/claude");
  expect(accountKey({ auth: "session", environment: elsewhere, configDir: "/mine" })).toBe("claude-code session /mine");
});

test("the account of a key is a hash of key and address, and never contains the key", () => {
  const account = accountKey(key("sk-secret"));
  expect(account).toMatch(/^claude-code api_key [0-9a-f]{16}$/);
  expect(accountKey({ ...key("sk-secret"), environment: { ...key("sk-secret").environment, OTHER: "1" } })).toBe(
    account,
  );
  expect(accountKey(key("sk-other"))).not.toBe(account);
  expect(accountKey({ ...key("sk-secret"), baseUrl: "http://127.0.0.1:1" })).not.toBe(account);
});

test("a mode without its credentials still has an account", () => {
  expect(accountKey({ auth: "bedrock", environment: {} })).toMatch(/^claude-code bedrock [0-9a-f]{16}$/);
});
