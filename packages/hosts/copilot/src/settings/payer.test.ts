import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AuthenticationError } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { createCopilotBackend } from "../backend.ts";
import { payerOf } from "./payer.ts";

async function emptyFolder() {
  const folder = await mkdtemp(join(tmpdir(), "bridle-copilot-payer-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const logIn = (login: string, token: string) => {
    const user = { host: "https://github.com", login };
    const file = { lastLoggedInUser: user, authTokens: { [`${user.host}:${login}`]: { token } } };
    return writeFile(join(folder, "config.json"), JSON.stringify(file));
  };
  return { logIn, options: { auth: "session", environment: { COPILOT_HOME: folder } } as const };
}

test("a login of another account is refused, because its use would count for the first one", async () => {
  const { logIn, options } = await emptyFolder();
  await logIn("octo", "gho_a");
  const payer = payerOf(options);
  await logIn("ada", "gho_b");
  expect(payer.login).toThrow(AuthenticationError);
  expect(payer.login).toThrow("The stored login of Copilot is now that of ada at https://github.com");
  await logIn("octo", "gho_c");
  expect(payer.login()).toMatchObject({ name: "octo", token: "gho_c" });
});

test("a login that was stored after the backend was made is refused before any process starts", async () => {
  const { logIn, options } = await emptyFolder();
  const backend = createCopilotBackend(options);
  await logIn("ada", "gho_b");
  expect(await backend.checkAuth()).toMatchObject({ ok: false, detail: expect.stringContaining("Start this program") });
  expect(backend.pool?.()).toEqual({ idle: 0, busy: 0, reused: 0 });
  expect(payerOf(options).login()).toMatchObject({ name: "ada" });
  await backend.close();
});
