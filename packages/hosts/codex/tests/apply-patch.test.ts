/** Opens Codex's own tool `apply_patch` by name, and checks that every patch passes the rules before it is applied. */
import { mkdir, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPolicy } from "@bridle/core";
import { defineTool } from "@bridle/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { callEvents, filesIn, makeProject, patchCall, patchOf, runPatches } from "./support/patches.ts";

let root = "";
let project = "";
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ root, project, remove } = await makeProject());
});
afterEach(() => remove());

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({ at: z.string() }),
  execute: async ({ at }) => (await filesIn(project))[at] ?? "nothing",
});

/** A call that Codex refuses without asking. */
const noPatch = { call: "apply_patch", with_text: "no patch" };

test.each(["gpt-6-sol", "gpt-5.5"])(
  "with %s, a patch is applied after the rules saw its text and the real path of each file",
  async (model) => {
    await writeFile(join(project, "update.txt"), "old\n");
    await writeFile(join(project, "delete.txt"), "old\n");
    await writeFile(join(project, "move.txt"), "old\n");
    const body = [
      "*** Add File: src/deep/add.txt\n+new",
      "*** Update File: update.txt\n@@\n-old\n+new",
      "*** Delete File: delete.txt",
      "*** Update File: move.txt\n*** Move to: src/moved.txt\n@@\n-old\n+new",
    ].join("\n");
    const rule = { tool: "apply_patch", when: { "files.path": `^${project}/` }, then: "allow" } as const;
    const policy = createPolicy({ mode: "normal", rules: [rule] });
    const { events, result, outputs } = await runPatches(project, [patchCall(body)], { policy, model });
    expect(result).toMatchObject({ stopReason: "natural", text: "Done.", steps: 2, toolCalls: 1, toolFailures: 0 });
    expect(callEvents(events)).toEqual(["apply_patch", "allow by rules[0] apply_patch", "ok"]);
    const requested = events.find(({ type }) => type === "tool.requested");
    expect(requested).toMatchObject({
      input: {
        patch: patchOf(body),
        files: expect.arrayContaining([
          { path: join(project, "src/deep/add.txt"), change: "add" },
          { path: join(project, "update.txt"), change: "update" },
          { path: join(project, "delete.txt"), change: "delete" },
          { path: join(project, "move.txt"), change: "move_from" },
          { path: join(project, "src/moved.txt"), change: "move_to" },
        ]),
      },
    });
    expect(outputs.join()).toContain("Success. Updated the following files:");
    expect(events.find(({ type }) => type === "tool.finished")).toMatchObject({ output: outputs[0] });
    const files = { "src/deep/add.txt": "new\n", "src/moved.txt": "new\n", "update.txt": "new\n" };
    expect(await filesIn(project)).toEqual(files);
  },
);

test("a patch that is denied changes nothing, and the model gets the reason in our words as its result", async () => {
  const policy = createPolicy({ mode: "read-only" });
  const steps = [{ think: "Hm.", ...patchCall("*** Add File: a.txt\n+a") }, patchCall("*** Add File: b.txt\n+b")];
  const { events, result, outputs, requests } = await runPatches(project, steps, { policy });
  expect(result).toMatchObject({ stopReason: "natural", text: "Done.", steps: 3, toolCalls: 2, toolFailures: 2 });
  expect(callEvents(events)).toEqual([
    "apply_patch",
    "deny by mode:read-only",
    "denied",
    "apply_patch",
    "deny by mode:read-only",
    "denied",
  ]);
  const replies = events.flatMap((event) => (event.type === "tool.denied" ? [event.output] : []));
  expect(outputs).toEqual(replies);
  expect(outputs[0]).toContain("Only tools that change nothing may run now.");
  expect(requests).toBe(3);
  expect(await filesIn(project)).toEqual({});
});

test("a patch of files outside of the folder, of Git or of Codex is refused before any rule, also through links", async () => {
  const outside = join(root, "outside");
  await mkdir(outside);
  await writeFile(join(outside, "file.txt"), "old\n");
  await mkdir(join(project, ".git"));
  await writeFile(join(project, ".git/config"), "old\n");
  await symlink(join(outside, "file.txt"), join(project, "link.txt"));
  await symlink(outside, join(project, "folder"));
  await symlink(join(outside, "nothing.txt"), join(project, "dangling.txt"));
  await symlink(join(project, ".git"), join(project, "innocent"));
  const bodies = [
    `*** Add File: ${join(outside, "new.txt")}\n+new`,
    "*** Add File: ../outside/new.txt\n+new",
    "*** Add File: sub/../../outside/new.txt\n+new",
    "*** Update File: link.txt\n@@\n-old\n+new",
    "*** Delete File: folder/file.txt",
    "*** Add File: folder/new/new.txt\n+new",
    "*** Add File: dangling.txt\n+new",
    "*** Add File: .git/hooks/pre-commit\n+new",
    "*** Update File: innocent/config\n@@\n-old\n+new",
    "*** Add File: deep/.Codex/config.toml\n+new",
    "*** Add File: .agents/skills/trap/SKILL.md\n+new",
    `*** Add File: fine.txt\n+new\n*** Add File: ${join(outside, "new.txt")}\n+new`,
  ];
  const { events, outputs, result } = await runPatches(project, bodies.map(patchCall), { stepBudget: 20 });
  expect(result).toMatchObject({ stopReason: "natural", toolFailures: bodies.length });
  expect(new Set(callEvents(events))).toEqual(new Set(["apply_patch", "deny by input-schema", "denied"]));
  expect(outputs).toHaveLength(bodies.length);
  for (const output of outputs) expect(output).toMatch(/Nothing was changed\.$/);
  expect(JSON.stringify(outputs)).not.toContain(root);
  expect(await filesIn(outside)).toEqual({ "file.txt": "old\n" });
  expect(await filesIn(project)).toEqual({ ".git/config": "old\n" });
  expect(await readlink(join(project, "dangling.txt"))).toBe(join(outside, "nothing.txt"));
}, 60_000);

test("a rule about paths sees where a link leads, and an absolute path of the folder is as good as another", async () => {
  await mkdir(join(project, "secret"));
  await symlink(join(project, "secret"), join(project, "open"));
  const rule = { tool: "apply_patch", when: { "files.path": "/secret/" }, then: "deny" } as const;
  const steps = [patchCall("*** Add File: open/a.txt\n+a"), patchCall(`*** Add File: ${join(project, "b.txt")}\n+b`)];
  const { events } = await runPatches(project, steps, { policy: createPolicy({ mode: "yolo", rules: [rule] }) });
  expect(callEvents(events)).toEqual([
    "apply_patch",
    "deny by rules[0] apply_patch",
    "denied",
    "apply_patch",
    "allow by mode:yolo",
    "ok",
  ]);
  expect(await filesIn(project)).toEqual({ "b.txt": "b\n" });
});

test("a patch that cannot be applied is refused by Codex in its words, and the run continues", async () => {
  const steps = [
    noPatch,
    patchCall("*** Update File: missing.txt\n@@\n-a\n+b"),
    patchCall("*** Add File: twice.txt\n+a\n*** Add File: twice.txt\n+b"),
    {
      call: "apply_patch",
      with_text: "*** Begin Patch\n*** Environment ID: other\n*** Add File: a.txt\n+a\n*** End Patch",
    },
  ];
  const { events, outputs, result } = await runPatches(project, steps);
  expect(result).toMatchObject({ stopReason: "natural", text: "Done.", toolFailures: 4 });
  expect(events.filter(({ type }) => type === "tool.denied")).toHaveLength(4);
  expect(outputs).toEqual([
    expect.stringContaining("The first line of the patch must be"),
    expect.stringContaining("Failed to read file to update"),
    expect.stringContaining("multiple operations target"),
    expect.stringContaining("environment selection is unavailable"),
  ]);
  expect(await filesIn(project)).toEqual({});
});

test("in the last step of the budget, a patch is applied, and no further request is sent", async () => {
  const steps = [patchCall("*** Add File: a.txt\n+a"), patchCall("*** Update File: a.txt\n@@\n-a\n+b")];
  const { events, result, requests } = await runPatches(project, steps, { stepBudget: 2 });
  expect(result).toMatchObject({ stopReason: "budget", steps: 2, toolCalls: 2, toolFailures: 0 });
  expect(callEvents(events).slice(-3)).toEqual(["apply_patch", "allow by allow-all", "ok"]);
  expect(await filesIn(project)).toEqual({ "a.txt": "b\n" });
  expect(requests).toBe(2);
});

test("in the last step of the budget, a patch that is denied changes nothing, and no further request is sent", async () => {
  const policy = createPolicy({ mode: "read-only" });
  const { result, requests } = await runPatches(project, [patchCall("*** Add File: a.txt\n+a")], {
    stepBudget: 1,
    policy,
  });
  expect(result).toMatchObject({ stopReason: "budget", steps: 1, toolFailures: 1 });
  expect(await filesIn(project)).toEqual({});
  expect(requests).toBe(1);
});

const mixed = [
  { call: "look", with: { at: "a.txt" } },
  patchCall("*** Add File: a.txt\n+a"),
  { call: "look", with: { at: "a.txt" } },
  patchCall("*** Add File: b.txt\n+b"),
];

test.each([1, 9])(
  "patches and calls of our tools in one response are all made, with %i steps left",
  async (stepBudget) => {
    const { events, result, requests } = await runPatches(project, [{ calls: mixed }], { tools: [look], stepBudget });
    expect(result).toMatchObject({ toolCalls: 4, toolFailures: 0, steps: Math.min(2, stepBudget) });
    expect(callEvents(events).filter((event) => event === "ok")).toHaveLength(4);
    expect(await filesIn(project)).toEqual({ "a.txt": "a\n", "b.txt": "b\n" });
    expect(requests).toBe(Math.min(2, stepBudget));
  },
);

test("in the last step of the budget, a patch is applied although Codex itself refuses the call after it", async () => {
  const steps = [{ calls: [patchCall("*** Add File: a.txt\n+a"), noPatch] }];
  const { events, result } = await runPatches(project, steps, { stepBudget: 1 });
  expect(result).toMatchObject({ stopReason: "budget", steps: 1, toolCalls: 2, toolFailures: 1 });
  expect(callEvents(events).filter((event) => event === "ok" || event === "denied")).toEqual(["ok", "denied"]);
  expect(await filesIn(project)).toEqual({ "a.txt": "a\n" });
});

test("if a patch among other calls is denied, our tools are each run once, and every call has its result", async () => {
  const rule = { tool: "apply_patch", when: { "files.path": "/a\\.txt$" }, then: "deny" } as const;
  const policy = createPolicy({ mode: "yolo", rules: [rule] });
  const steps = [{ calls: [...mixed, noPatch] }];
  const { events, result, outputs } = await runPatches(project, steps, { tools: [look], policy });
  expect(result).toMatchObject({ stopReason: "natural", toolCalls: 5, steps: 2 });
  expect(events.filter((event) => event.type === "tool.requested" && event.tool === "look")).toHaveLength(2);
  expect(outputs).toHaveLength(5);
  const ends = events.flatMap((event) =>
    event.type === "tool.denied" || event.type === "tool.finished" ? [event.output] : [],
  );
  expect([...outputs].sort()).toEqual(ends.sort());
  expect(await filesIn(project)).not.toHaveProperty("a.txt");
});

test("a run that is stopped while a person is asked changes nothing", async () => {
  const stop = new AbortController();
  const policy = createPolicy({ mode: "ask" });
  const asked = Promise.withResolvers<void>();
  const approve = () => {
    asked.resolve();
    return new Promise<never>(() => {});
  };
  const { events, result } = await runPatches(project, [patchCall("*** Add File: a.txt\n+a")], {
    policy,
    approve,
    signal: stop.signal,
    onEvent: ({ type }) => {
      if (type === "approval.requested") void asked.promise.then(() => stop.abort());
    },
  });
  expect(result.stopReason).toBe("stopped");
  expect(callEvents(events).slice(0, 2)).toEqual(["apply_patch", "ask by mode:ask"]);
  expect(await filesIn(project)).toEqual({});
});

test("a folder that is replaced by a link while a person is asked is not followed", async () => {
  await mkdir(join(project, "src"));
  await mkdir(join(root, "outside"));
  const approve = async () => {
    await rename(join(project, "src"), join(project, "before"));
    await symlink(join(root, "outside"), join(project, "src"));
    return { decision: "allow" as const };
  };
  const policy = createPolicy({ mode: "ask" });
  const { events, outputs } = await runPatches(project, [patchCall("*** Add File: src/a.txt\n+a")], {
    policy,
    approve,
  });
  expect(callEvents(events)).toEqual(["apply_patch", "ask by mode:ask", "failed"]);
  expect(outputs.join()).toContain("were replaced while it was decided");
  expect(await filesIn(join(root, "outside"))).toEqual({});
});

test("a model that Codex has no apply_patch for, and a folder that does not exist, are refused before anything is sent", async () => {
  const unknown = await runPatches(project, [], { model: "a-model-of-tomorrow" });
  expect(unknown.result.error?.message).toContain("Codex has no apply_patch for the model a-model-of-tomorrow.");
  await rm(project, { recursive: true });
  const missing = await runPatches(project, []);
  expect(missing.result.error?.message).toContain(`The folder ${project} for apply_patch cannot be opened.`);
  expect(unknown.requests + missing.requests).toBe(0);
});
