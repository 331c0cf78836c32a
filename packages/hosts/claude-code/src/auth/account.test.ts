import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { accountKey } from "./account.ts";

const home = { HOME: "/home/ada" };
const key = (value: string) => ({ auth: "api_key", environment: { ...home, ANTHROPIC_API_KEY: value } }) as const;

test("the account of a login is the folder that stores it, on this machine", () => {
  const inFolder = (folder: string) => `claude-code session ${folder} ${hostname()}`;
  expect(accountKey({ auth: "session", environment: home })).toBe(inFolder("/home/ada/.claude"));
  const elsewhere = { ...home, CLAUDE_CONFIG_DIR: "/srv/claude" };
  expect(accountKey({ auth: "session", environment: elsewhere })).toBe(inFolder("/srv/claude"));
  expect(accountKey({ auth: "session", environment: elsewhere, configDir: "/mine" })).toBe(inFolder("/mine"));
});

test("the account of a known login is the same on every machine with that folder, and another for another login", () => {
  const configDir = mkdtempSync(join(tmpdir(), "bridle-account-"));
  onTestFinished(() => rmSync(configDir, { recursive: true }));
  const accountOf = (emailAddress: string, more = {}) => {
    writeFileSync(join(configDir, ".claude.json"), JSON.stringify({ oauthAccount: { emailAddress, ...more } }));
    return accountKey({ auth: "session", environment: home, configDir });
  };
  const ada = accountOf("ada@example.com");
  expect(ada).toMatch(/^claude-code session .*bridle-account-\w+ [0-9a-f]{16}$/);
  expect(accountOf("ada@example.com", { organizationUuid: "added by the host" })).toBe(ada);
  expect(accountOf("bob@example.com")).not.toBe(ada);
  const ofAccount = accountOf("ada@example.com", { accountUuid: "1" });
  expect(accountOf("changed@example.com", { accountUuid: "1" })).toBe(ofAccount);
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
