/** Tests that trust covers only the content that the user trusted. Code that changes afterwards does not start. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { effectiveFiles, loadAgent } from "@bridle/agent";
import { createFolderTrust } from "@bridle/app/trust";
import { openProject, StoredTrust } from "@bridle/project";
import type { EffectiveFile, FolderTrust } from "@bridle/protocol";
import { beforeEach, describe, expect, test } from "vitest";
import { agent, type Clone, clone, run, useClones } from "./clone-fixture.ts";

useClones();

const has = (program: string) => spawnSync(program, ["--version"]).status === 0;

const module = "tools: [{ type: function, name: f, description: d, file: tools.mjs, function: f, parameters: {} }]";
const first = "export const f = () => 1;\n";
const second = "export const f = () => 2;\n";

let place: Clone;
beforeEach(() => {
  place = clone({ "agent.yaml": agent(module), "tools.mjs": first });
});

const write = (name: string, text: string) => writeFileSync(join(place.cwd, name), text);
const shown = () => run("trust --show", place);

async function openFiles(trust: FolderTrust) {
  const environment = { HOME: place.home };
  const project = await openProject({ projectDir: place.cwd, environment, trust });
  const definition = await loadAgent(join(place.cwd, "agent.yaml"), { environment });
  return { project, files: await effectiveFiles(definition, project) };
}

describe("while a question waits", () => {
  const asking = (ask: () => Promise<boolean>) => createFolderTrust({ environment: { HOME: place.home }, ask });

  test("code that changes is not covered by the answer", async () => {
    const trust = asking(async () => {
      write("tools.mjs", second);
      return true;
    });
    const { project, files } = await openFiles(trust);
    await expect(project.requireTrust(files)).rejects.toThrow(/tools\.mjs changed .*[Rr]un the command again/s);
    expect(await shown()).toMatchObject({ code: 3 });
  });

  test("code of another file, which was trusted before, is not used if it changes", async () => {
    await run("trust", place);
    write("other.yaml", agent(module.replace("tools.mjs", "other.mjs")));
    write("other.mjs", first);
    const trust = asking(async () => {
      write("tools.mjs", second);
      return true;
    });
    const { project, files } = await openFiles(trust);
    const environment = { HOME: place.home };
    const other = await effectiveFiles(await loadAgent(join(place.cwd, "other.yaml"), { environment }), project);
    await expect(project.requireTrust([...files, ...other])).rejects.toThrow("tools.mjs changed");
  });

  test("a run that waits behind the question is checked with the content after it", async () => {
    await run("trust", place);
    write("other.yaml", agent(module.replace("tools.mjs", "other.mjs")));
    write("other.mjs", first);
    const answered = Promise.withResolvers<boolean>();
    const begun = Promise.withResolvers<void>();
    const trust = asking(() => {
      begun.resolve();
      return answered.promise;
    });
    const { project, files } = await openFiles(trust);
    const environment = { HOME: place.home };
    const other = await effectiveFiles(await loadAgent(join(place.cwd, "other.yaml"), { environment }), project);
    const asked = project.requireTrust(other);
    await begun.promise;
    const waiting = project.requireTrust(files);
    await new Promise((resolve) => setTimeout(resolve, 50));
    write("tools.mjs", second);
    answered.resolve(false);
    await expect(asked).rejects.toThrow("is not trusted");
    await expect(waiting).rejects.toThrow("changed since you trusted it");
  });
});

describe.skipIf(!has("git"))("between reading the files and accepting them", () => {
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...words], {
      cwd: place.cwd,
      env: { PATH: process.env.PATH, HOME: place.home, GIT_CONFIG_NOSYSTEM: "1" },
      stdio: "pipe",
    });

  test("a pull is not trusted, neither at once nor as an edit of the author later", async () => {
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-qm", "Start");
    git("checkout", "-q", "-b", "theirs");
    write("tools.mjs", second);
    git("commit", "-qam", "Change");
    git("checkout", "-q", "main");
    await run("trust --author", place);
    const trust = new StoredTrust({ environment: { HOME: place.home } });
    const { files } = await openFiles(trust);
    git("pull", "-q", ".", "theirs");
    expect(readFileSync(join(place.cwd, "tools.mjs"), "utf8")).toBe(second);
    const active = files.filter(({ effects }: EffectiveFile) => effects.length > 0);
    await expect(trust.accept(active)).rejects.toThrow("tools.mjs changed");
    expect(await shown()).toMatchObject({ code: 3 });
    await expect(trust.require(active)).rejects.toThrow("tools.mjs changed"); // the git folder has moved as well
    expect(await shown()).toMatchObject({ code: 3 });
  });
});

describe("a program that ends and would start again with other code", () => {
  const rewriting = (name: string, text: string) =>
    `import { writeFileSync } from "node:fs";\nexport const w = () => (writeFileSync(new URL("./${name}", import.meta.url), ${JSON.stringify(text)}), "written");\n`;
  const writer = "{ type: function, name: w, description: d, file: w.mjs, function: w, parameters: {} }";
  const use = async (second: string) => {
    write(
      "script.yaml",
      `rehearsal: 1\nturns: [{ steps: [{ call: ${second}, with: {} }, { call: w, with: {} }, { call: ${second}, with: {} }, { say: Hello. }] }]\n`,
    );
    expect(await run("trust", place)).toMatchObject({ code: 0 });
    return run("run --agent agent.yaml --rehearse script.yaml Hi", place);
  };
  const marker = () => join(place.cwd, "ran");

  test.skipIf(!has("python3"))("does not start, if a tool rewrote its Python file", async () => {
    const python = `{ type: function, name: p, description: d, file: t.py, function: p, parameters: {} }`;
    write("agent.yaml", agent(`tools: [${python}, ${writer}]`));
    write("t.py", "import os\ndef p():\n    os._exit(1)\n");
    write("w.mjs", rewriting("t.py", `open(${JSON.stringify(marker())}, "w")\ndef p():\n    return 1\n`));
    const { code, stderr } = await use("p");
    expect(code).toBe(0);
    expect(readFileSync(join(place.cwd, "t.py"), "utf8")).toContain("return 1");
    expect(existsSync(marker())).toBe(false);
    expect(stderr).toMatch(/t\.py changed since it was trusted, so it was not started\. To trust/);
  });

  test("does not start, if a tool rewrote the file of its MCP server", async () => {
    write("agent.yaml", agent(`tools: [{ type: mcp, name: m, command: node, args: [server.mjs] }, ${writer}]`));
    write("server.mjs", server);
    write(
      "w.mjs",
      rewriting(
        "server.mjs",
        `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(marker())}, "");\n`,
      ),
    );
    const { code, stderr } = await use("leave");
    expect(code).toBe(0);
    expect(readFileSync(join(place.cwd, "server.mjs"), "utf8")).not.toBe(server);
    expect(existsSync(marker())).toBe(false);
    expect(stderr).toMatch(/server\.mjs changed since it was trusted, so it was not started\. To trust/);
  });

  test.each(["g.mjs", ...(has("python3") ? ["g.py"] : [])])(
    "does not start, if it is the grader %s, which a tool rewrote before it was loaded",
    async (file) => {
      const metrics = `evaluations: { metrics: [{ type: code, name: g, file: ${file}, function: g }] }`;
      write("agent.yaml", agent(`tools: [${writer}]\n${metrics}`));
      write(file, file.endsWith(".py") ? "def g(facts):\n    return 1\n" : "export const g = () => 1;\n");
      const touching = file.endsWith(".py")
        ? `open(${JSON.stringify(marker())}, "w")\ndef g(facts):\n    return 1\n`
        : `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(marker())}, "");\nexport const g = () => 1;\n`;
      write("w.mjs", rewriting(file, touching));
      write("script.yaml", "rehearsal: 1\nturns: [{ steps: [{ call: w, with: {} }, { say: Hello. }] }]\n");
      await run("trust", place);
      const { code, stdout, stderr } = await run("test --rehearse script.yaml --allow-side-effects", place);
      expect(existsSync(marker())).toBe(false);
      expect({ code, text: stdout + stderr }).toEqual({
        code: 1,
        text: expect.stringContaining("changed since it was trusted"),
      });
    },
  );

  test("starts again, if its code is the same", async () => {
    write("agent.yaml", agent(`tools: [{ type: mcp, name: m, command: node, args: [server.mjs] }, ${writer}]`));
    write("server.mjs", server);
    write("w.mjs", rewriting("notes.txt", "x"));
    const { stderr } = await use("leave");
    expect(existsSync(join(place.cwd, "notes.txt"))).toBe(true);
    expect(stderr).not.toContain("changed");
  });
});

/** Creates a server with a tool that ends the server. */
const server = `import { createInterface } from "node:readline";
const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize")
    answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } });
  if (method === "tools/list") answer(id, { tools: [{ name: "leave", inputSchema: { type: "object" } }] });
  if (method === "tools/call") process.exit(0);
}
`;
