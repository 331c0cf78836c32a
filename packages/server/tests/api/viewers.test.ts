import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { KeptReplies } from "../../src/api/kept-replies.ts";
import { startApi } from "../support/start-api.ts";

const files = {
  ...deskFiles,
  "agent.yaml": `${deskFiles["agent.yaml"]?.replace(
    "policy:",
    `  - { type: mcp, name: helper, command: node, args: [helper.mjs] }
  - { type: documents, name: handbook, description: The handbook., source: docs }
policy:`,
  )}`,
  "helper.mjs": `import { writeFileSync } from "node:fs"; writeFileSync("started", ""); process.exit(1);\n`,
  "docs/returns.md": "# Returns\n\nA walnut desk can be returned within thirty days.\n",
};

test("a viewer who reads starts no tool and asks no model, and an operator does", async () => {
  const api = await startApi({}, await createFolder(files));
  const viewer = { headers: { authorization: `Bearer ${api.server.viewerToken}` } };
  const described = await api.get("/agents/agent", viewer);
  expect(described.body.details.tools).toMatchObject([{ name: "lookup" }, { name: "helper" }, { name: "handbook" }]);
  expect(described.body.details.warnings.join(" ")).toContain("so no tool was opened");
  expect(existsSync(join(api.folder, "started"))).toBe(false);
  await api.get("/agents/agent");
  expect(existsSync(join(api.folder, "started"))).toBe(true);
  await api.post("/documents/index", { agent: "agent", tool: "handbook" });
  const search = (more: string) => api.get(`/documents/search?agent=agent&query=walnut${more}`, viewer);
  expect((await search("")).status).toBe(403);
  expect((await search("&mode=semantic")).body.detail).toContain("mode=keyword");
  expect((await search("&mode=keyword")).body.documents).toMatchObject([{ hits: [{ file: "docs/returns.md" }] }]);
});

test("what takes work is found out once for all who ask meanwhile, and again after a failure", async () => {
  const { workspace } = await startApi();
  const kept = new KeptReplies<number>(60_000);
  let made = 0;
  const make = async () => {
    made += 1;
    if (made === 1) throw new Error("Not yet.");
    return made;
  };
  const first = await Promise.allSettled([kept.of(workspace, "a", make), kept.of(workspace, "a", make)]);
  expect(first.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await Promise.all([kept.of(workspace, "a", make), kept.of(workspace, "a", make)])).toEqual([2, 2]);
  expect(await kept.of(workspace, "b", make)).toBe(3);
});
