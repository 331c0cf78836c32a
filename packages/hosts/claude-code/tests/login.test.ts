import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AuthenticationError } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { loop, startScript } from "./support/runs.ts";
import { credentialsOf, modelRequests } from "./support/wire.ts";

const strayCredentials = {
  ANTHROPIC_API_KEY: "sk-ant-api03-stray",
  ANTHROPIC_AUTH_TOKEN: "stray-token",
  CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-stray",
};

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bridle-no-login-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

test("without a login nothing is sent, even with other credentials, and the error contains the remedy", async () => {
  for (const environment of [{}, strayCredentials]) {
    const { runtime, rehearsal, tlsProxy } = await startScript([{ say: "Never" }], {
      environment,
      configDir: await emptyFolder(),
    });
    const asked = runtime.generateText({ prompt: "Go" });
    await expect(asked).rejects.toThrow(AuthenticationError);
    await expect(asked).rejects.toThrow('Run "claude" once and log in');
    expect(rehearsal.requests).toEqual([]);
    expect(tlsProxy.hosts).toEqual([]);
  }
});

test("a login pays, even if the environment has other credentials", async () => {
  const { runtime, rehearsal } = await startScript([{ say: "Hello" }], { environment: strayCredentials });
  expect((await runtime.generateText({ prompt: "Go" })).cost?.estimate).toBe(true);
  expect(credentialsOf(rehearsal.requests)).toEqual(["Bearer sk-ant-oat01-rehearsal-access"]);
});

test("a refused login is an AuthenticationError with a remedy, although the host reports success and then throws", async () => {
  const { runtime } = await startScript([{ status: 401, forever: true }]);
  const asked = runtime.generateText({ prompt: "Go" });
  await expect(asked).rejects.toThrow(AuthenticationError);
  await expect(asked).rejects.toThrow('Run "claude" once and log in');
});

test("with a token, the address of a stored login is sent to the model, and hostAdds lists it", async () => {
  const configDir = await emptyFolder();
  const oauthAccount = { accountUuid: "0", emailAddress: "somebody@example.com" };
  await writeFile(join(configDir, ".claude.json"), JSON.stringify({ oauthAccount }));
  const environment = { CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-own" };
  const { runtime, rehearsal } = await startScript([{ say: "Hello" }], {
    auth: "oauth_token",
    environment,
    configDir,
  });
  const { events } = await loop(runtime);
  const told = JSON.stringify(modelRequests(rehearsal.requests)).includes("somebody@example.com");
  const input = events.find(({ type }) => type === "model.input");
  expect({ told, input }).toMatchObject({
    told: true,
    input: { hostAdds: expect.arrayContaining([expect.stringContaining("email")]) },
  });
});

test("with auth: oauth_token the token pays, and no address is sent to the model", async () => {
  const environment = { ...strayCredentials, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-own" };
  const { runtime, rehearsal } = await startScript([{ say: "Hello" }], { auth: "oauth_token", environment });
  await runtime.generateText({ prompt: "Go" });
  expect(credentialsOf(rehearsal.requests)).toEqual(["Bearer sk-ant-oat01-own"]);
  expect(JSON.stringify(modelRequests(rehearsal.requests))).not.toMatch(/userEmail|@example\.com/);
});
