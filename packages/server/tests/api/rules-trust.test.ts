/** Tests rules that a user of the server saves, and the trust in the agent files that run under them. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Rules } from "@bridle/app/rules";
import { showTrust, trustFolder } from "@bridle/app/trust";
import { expect, test } from "vitest";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { startApi } from "../support/start-api.ts";

const withoutRules = `${deskFiles["agent.yaml"]?.replace(/^policy: .*$/m, "")}`;
const helper = withoutRules.replace("name: desk", "name: helper").replaceAll("tools.mjs", "../tools.mjs");
const calling = withoutRules.replace(
  /^tools:\s*$/m,
  "tools:\n  - { type: agent, name: helper, file: nested/helper.yaml }",
);

/** Starts a server for a trusted folder with rules and an agent that calls another agent. */
async function startTrusted(rules: string) {
  const folder = await createFolder({
    ...deskFiles,
    "bridle.yaml": `${deskFiles["bridle.yaml"] ?? ""}\npolicy: ${rules}\n`,
    "agent.yaml": calling,
    "nested/helper.yaml": helper,
  });
  const context = { cwd: folder, environment: { HOME: folder, PATH: process.env.PATH ?? "" }, packageRoot: folder };
  await trustFolder(undefined, context);
  const states = async () => (await showTrust(undefined, context)).report;
  expect(await states()).toMatchObject({
    isTrusted: true,
    files: expect.arrayContaining([join(folder, "nested/helper.yaml")]),
  });
  const api = await startApi({}, folder);
  const save = (changed: Rules | null) => api.put("/rules", { rules: changed }, { "if-match": "*" });
  return { folder, save, states };
}

const asking = "{ rules: [{ tool: lookup, then: ask }] }";

test("rules that remove no protection keep the trust in all agents, nested ones too", async () => {
  const { save, states } = await startTrusted(asking);
  expect(await save({ rules: [{ tool: "lookup", then: "deny" }] })).toMatchObject({ status: 200 });
  expect(await states()).toMatchObject({ isTrusted: true });
  expect(await save({ mode: "read-only", rules: [{ tool: "lookup", then: "deny" }] })).toMatchObject({ status: 200 });
  expect(await states()).toMatchObject({ isTrusted: true });
});

test("rules that let more run are asked about for every agent, nested ones too", async () => {
  for (const changed of [
    { rules: [{ tool: "lookup", then: "allow" }] },
    { mode: "normal" },
    null,
  ] satisfies (Rules | null)[]) {
    const { save, states } = await startTrusted(asking);
    expect(await save(changed)).toMatchObject({ status: 200 });
    expect(await states()).toMatchObject({ isTrusted: false });
  }
});

test("stricter rules do not trust what was not trusted, and nothing else that changed meanwhile", async () => {
  const { folder, save, states } = await startTrusted(asking);
  await writeFile(
    join(folder, "nested/helper.yaml"),
    `${helper}observability: { enabled: true, exporters: { otlp: { endpoint: "https://x.example" } } }\n`,
  );
  expect(await save({ rules: [{ tool: "lookup", then: "deny" }] })).toMatchObject({ status: 200 });
  expect(await states()).toMatchObject({ isTrusted: false });
  const other = await startTrusted(asking);
  await rm(join(other.folder, ".local"), { recursive: true });
  await other.save({ rules: [{ tool: "lookup", then: "deny" }] });
  expect(await other.states()).toMatchObject({ isTrusted: false });
});
