/** Checks what happens to the user's own login file. Codex refreshes the tokens of a ChatGPT login at auth.openai.com. */
import { chmod, lstat, readdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { createAgentRuntime } from "@bridle/core";
import { AuthenticationError, BackendCrashError, NetworkError } from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { filesWith } from "../../shared/tests/files-with.ts";
import { createCodexBackend } from "../src/backend.ts";
import { modelRequests } from "./support/codex-wire.ts";
import { withExpiredToken } from "./support/expired-token.ts";
import { killCodex } from "./support/kill-codex.ts";
import { startCodexSession } from "./support/test-session.ts";

type Step = ScriptInput["turns"][number]["steps"][number];

const refused: Step = { status: 401 };
const hello: Step = { say: "Hello." };

const login = z.looseObject({
  tokens: z.looseObject({ access_token: z.string(), refresh_token: z.string() }),
  last_refresh: z.string(),
});
type Login = z.infer<typeof login>;

/** Opens a session on a made-up login. `change` edits the login file. */
async function open(steps: Step[], change: (login: Login) => void = () => {}, options = {}) {
  const session = await startCodexSession({ rehearsal: 1, turns: [{ steps }] }, options);
  const { file } = session;
  const stored = login.parse(JSON.parse(await session.readLogin()));
  change(stored);
  await writeFile(file, JSON.stringify(stored));
  const runtime = createAgentRuntime({ backend: session.backend, models: { default: "gpt-6-sol" } });
  onTestFinished(async () => {
    await runtime.close();
    await session.close();
  });
  const requests = () => session.rehearsal.requests;
  return {
    ...session,
    runtime,
    before: JSON.stringify(stored),
    ask: () => runtime.generateText({ prompt: "Hello?" }),
    readTokens: async () => login.parse(JSON.parse(await session.readLogin())).tokens,
    /** Lists the login with which each model request was sent, by the name in its token. */
    payers: () => modelRequests(requests()).map(({ headers }) => claimsOf(String(headers.authorization)).sub),
    refreshes: () => requests().filter(({ path }) => path === "/oauth/token").length,
  };
}

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}

test("Codex refreshes a refused token, and writes it into the user's own file, which stays private", async () => {
  const session = await open([refused, refused, hello]);
  await chmod(session.file, 0o600);
  const { text } = await session.ask();
  expect(text).toBe("Hello.");
  expect(session.payers()).toEqual(["rehearsal-access-1", "rehearsal-access-1", "rehearsal-access-2"]);
  const { access_token, refresh_token } = await session.readTokens();
  expect(claimsOf(access_token).sub).toBe("rehearsal-access-2");
  expect(refresh_token).toBe("rehearsal-refresh-2");
  const status = await lstat(session.file);
  expect([status.isFile(), status.mode & 0o777]).toEqual([true, 0o600]);
});

test("Codex refreshes an expired token before its first request", async () => {
  const session = await open([hello]);
  await withExpiredToken(session.home);
  await session.ask();
  expect(session.payers()).toEqual(["rehearsal-access-2"]);
  expect((await session.readTokens()).refresh_token).toBe("rehearsal-refresh-2");
});

test("a token that stays refused after a refresh ends the run at once, without another refresh", async () => {
  const session = await open([{ status: 401, forever: true }]);
  await expect(session.ask()).rejects.toThrow(AuthenticationError);
  expect(session.refreshes()).toBe(1);
});

test("if the refresh is refused, the run ends with an AuthenticationError, and the file stays as it is", async () => {
  const session = await open([{ status: 401, forever: true }], ({ tokens }) => {
    tokens.refresh_token = "ended";
  });
  const asked = session.ask();
  await expect(asked).rejects.toThrow(AuthenticationError);
  await expect(asked).rejects.toThrow(
    'refresh token has expired. Please log out and sign in again. (auth: session) Run "codex login"',
  );
  expect(session.refreshes()).toBe(1);
  expect(await session.readLogin()).toBe(session.before);
});

test("if the refresh cannot be sent, the run ends with a NetworkError, and the file stays as it is", async () => {
  const session = await open([{ status: 401, forever: true }], undefined, { hosts: ["chatgpt.com"], maxRetries: 1 });
  const asked = session.ask();
  await expect(asked).rejects.toThrow(NetworkError);
  await expect(asked).rejects.not.toThrow("baseUrl");
  expect(await session.readLogin()).toBe(session.before);
});

test("a process that is killed in the middle of a request leaves the file as it is", async () => {
  const session = await open([{ say: "One", stall: true, forever: true }]);
  const run = session.runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 1 });
  for await (const { type } of run) if (type === "text.delta") killCodex();
  expect((await run.result).error).toBeInstanceOf(BackendCrashError);
  expect(await session.readLogin()).toBe(session.before);
});

test("no other file contains the login while Codex runs, also with a relative CODEX_HOME", async () => {
  const session = await open([hello]);
  const environment = {
    ...session.environment,
    CODEX_HOME: relative("", join(session.home, ".codex")),
    TMPDIR: session.home,
  };
  const runtime = createAgentRuntime({
    backend: createCodexBackend({ environment }),
    models: { default: "gpt-6-sol" },
  });
  onTestFinished(() => runtime.close());
  await runtime.generateText({ prompt: "Hello?" });
  const entries = await readdir(session.home, { recursive: true, withFileTypes: true });
  const links = entries.filter((entry) => entry.isSymbolicLink() && entry.name === "auth.json");
  expect(links).toHaveLength(1);
  const { access_token } = await session.readTokens();
  expect(await filesWith(access_token, session.home)).toEqual([session.file]);
});
