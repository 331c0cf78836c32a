import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConversationSpec, defaultPromptCaching, type HistoryMessage } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { conversationKey, createIdentity, type IdentityParts } from "./identity.ts";

const noon = new Date("2026-03-01T12:00:00Z");

/** Creates a call with its own project folder. */
async function callIn(): Promise<{ parts: IdentityParts; projectDir: string; configDir: string }> {
  const root = await mkdtemp(join(tmpdir(), "bridle-identity-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const [projectDir, configDir] = [join(root, "project", "package"), join(root, "config")];
  await mkdir(projectDir, { recursive: true });
  await mkdir(configDir);
  const spec: ConversationSpec = {
    model: "sonnet",
    system: { static: "S", dynamic: "D" },
    builtins: [],
    stepBudget: 1,
    promptCaching: defaultPromptCaching,
    history: [],
    projectDir,
    tools: [{ name: "look", description: "Looks.", inputSchema: { type: "object" }, annotations: { readOnly: true } }],
  };
  const environment = { PATH: "/bin", CLAUDE_CONFIG_DIR: configDir, TZ: "UTC" };
  return { parts: { spec, auth: "session", environment, implicitSources: [] }, projectDir, configDir };
}

test("equal calls have the same kind in any key order, and the kind contains no credential", async () => {
  const { parts } = await callIn();
  const identityOf = createIdentity(() => noon);
  const environment = { TZ: "UTC", ...parts.environment };
  const identity = await identityOf({ ...parts, environment: { ...environment, ANTHROPIC_API_KEY: "sk-secret" } });
  const same = { ...environment, ANTHROPIC_API_KEY: "sk-secret" };
  expect(await identityOf(structuredClone({ ...parts, environment: same }))).toBe(identity);
  expect(identity).toMatch(/^[0-9a-f]{64}$/);
});

const changes: Readonly<Record<string, (parts: IdentityParts) => Partial<IdentityParts>>> = {
  "the model": ({ spec }) => ({ spec: { ...spec, model: "opus" } }),
  "a word of the system prompt": ({ spec }) => ({ spec: { ...spec, system: { static: "S", dynamic: "d" } } }),
  "the division of the system prompt": ({ spec }) => ({ spec: { ...spec, system: { static: "SD", dynamic: "" } } }),
  "a tool's description": ({ spec }) => ({ spec: { ...spec, tools: [{ ...tool(spec), description: "-" }] } }),
  "a tool's annotation": ({ spec }) => ({ spec: { ...spec, tools: [{ ...tool(spec), annotations: {} }] } }),
  "the schema": ({ spec }) => ({ spec: { ...spec, outputSchema: { type: "object" } } }),
  "the step budget": ({ spec }) => ({ spec: { ...spec, stepBudget: 2 } }),
  "the cache settings": ({ spec }) => ({
    spec: { ...spec, promptCaching: { ...defaultPromptCaching, enabled: false } },
  }),
  "who pays": () => ({ auth: "oauth_token" }),
  "a variable": ({ environment }) => ({ environment: { ...environment, ANTHROPIC_API_KEY: "sk-other" } }),
  "a variable for the host's tools": ({ spec }) => ({ spec: { ...spec, environment: { PGHOST: "db" } } }),
  "a file of the administrator": () => ({
    implicitSources: [{ kind: "managed-settings", path: "/etc", inForce: true, sha256: "0" }],
  }),
};

function tool({ tools: [first] }: ConversationSpec) {
  if (!first) throw new Error("there is a tool");
  return first;
}

test.each(Object.keys(changes))("the kind changes with %s", async (change) => {
  const { parts } = await callIn();
  const identityOf = createIdentity(() => noon);
  expect(await identityOf({ ...parts, ...changes[change]?.(parts) })).not.toBe(await identityOf(parts));
});

const said = (text: string): HistoryMessage => ({ role: "user", content: [{ type: "text", text }] });

test("the history is not part of the kind, but of the conversation's key", async () => {
  const { parts } = await callIn();
  const identityOf = createIdentity(() => noon);
  const spec = { ...parts.spec, history: [said("-")], session: "a" };
  expect(await identityOf({ ...parts, spec })).toBe(await identityOf(parts));
  const session = "a";
  const keys = [
    { history: [] },
    { history: [said("1")] },
    { history: [said("1")], session },
    { history: [said("2")], session },
    { history: [said("1"), said("2")], session },
  ].map((each) => conversationKey("kind", each));
  expect(new Set(keys).size).toBe(keys.length);
  expect(conversationKey("other", { history: [said("1")], session })).not.toBe(keys[2]);
  expect(conversationKey("kind", { history: [], session })).toBe(keys[0]);
  expect(conversationKey("kind", { history: [said("1")], session: "its fork" })).toBe(keys[2]);
});

test("the kind changes with the day in the host's time zone", async () => {
  const { parts } = await callIn();
  const at = (time: string, TZ: string) =>
    createIdentity(() => new Date(time))({ ...parts, environment: { ...parts.environment, TZ } });
  expect(await at("2026-03-01T23:59:00Z", "UTC")).not.toBe(await at("2026-03-02T00:00:00Z", "UTC"));
  expect(await at("2026-03-01T23:59:00Z", "Asia/Tokyo")).toBe(await at("2026-03-02T00:00:00Z", "Asia/Tokyo"));
  expect(await at("2026-03-01T14:59:00Z", "Asia/Tokyo")).not.toBe(await at("2026-03-01T15:00:00Z", "Asia/Tokyo"));
  expect(await at("2026-03-01T23:59:00Z", "No/Where")).not.toBe(await at("2026-03-02T00:00:00Z", "No/Where"));
});

test("the kind changes when the folder becomes part of a Git repository", async () => {
  const { parts, projectDir } = await callIn();
  const identityOf = createIdentity(() => noon);
  const before = await identityOf(parts);
  expect(await identityOf(parts)).toBe(before);
  await mkdir(join(projectDir, "..", ".git"));
  expect(await identityOf(parts)).not.toBe(before);
});

test("the kind changes with the login's address, but not with other values of that file", async () => {
  const { parts, configDir } = await callIn();
  const identityOf = createIdentity(() => noon);
  const note = async (content: unknown) => {
    await writeFile(join(configDir, ".claude.json"), JSON.stringify(content));
    return identityOf(parts);
  };
  const nobody = await identityOf(parts);
  const ada = await note({ oauthAccount: { emailAddress: "ada@example.com" }, numStartups: 1 });
  expect(ada).not.toBe(nobody);
  expect(await note({ numStartups: 20, oauthAccount: { emailAddress: "ada@example.com" } })).toBe(ada);
  expect(await note({ oauthAccount: { emailAddress: "bob@example.com" } })).not.toBe(ada);
  expect(await note({ numStartups: 3 })).toBe(nobody);
});
