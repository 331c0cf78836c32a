import { existsSync } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { getNodeValue, parseTree } from "jsonc-parser";
import { expect, onTestFinished, test } from "vitest";
import { type InstallOptions, planInstall, planRemoval } from "./install-entry.ts";
import { findClientFile, installScopes, mcpClients } from "./mcp-clients.ts";

const server = { command: "/usr/bin/node", args: ["/opt/bridle.js", "mcp", "--project-dir", '/home/a "b" \\ Ünï'] };

async function createHome() {
  const root = await mkdtemp(join(tmpdir(), "bridle-clients-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const [home, projectDir] = [join(root, "home"), join(root, "project")];
  await mkdir(home);
  await mkdir(projectDir);
  return { home, projectDir, context: { environment: { HOME: home } } };
}

type Home = Awaited<ReturnType<typeof createHome>>;

function optionsFor({ projectDir }: Home, parts: Partial<InstallOptions> = {}): InstallOptions {
  return { client: "cursor", scope: "user", name: "bridle", server, projectDir, platform: "linux", ...parts };
}

function pathOf({ projectDir, context }: Home, { client, scope }: InstallOptions): string {
  const { paths } = findClientFile(client, scope, { ...context, projectDir, platform: "linux" });
  return paths[0] ?? "";
}

async function install(home: Home, options: InstallOptions) {
  const plan = await planInstall(options, home.context);
  await plan.apply();
  return plan;
}

async function remove(home: Home, options: InstallOptions) {
  const plan = await planRemoval(options, home.context);
  await plan.apply();
  return plan;
}

async function put(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

const others = {
  "a server, two blanks": '{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n',
  "four blanks, other keys after it": '{\n    "mcpServers": {\n        "a": {}\n    },\n    "theme": "dark"\n}\n',
  "tabs and no final newline": '{\n\t"theme": 1,\n\t"mcpServers": {\n\t\t"a": {}\n\t}\n}',
  "line ends of Windows": '{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n',
  "a byte order mark": '\ufeff{\n  "mcpServers": {}\n}\n',
  "trailing blanks": '{  \n  "mcpServers": {   \n    "a": {}   \n  }  \n}  \n\n\n',
  "everything on one line": '{"mcpServers":{"a":{"command":"x"}},"b":[1,2]}',
  "an empty object": "{}",
  "an empty object with a newline": "{\n}\n",
  "no servers key": '{\n  "theme": "dark"\n}\n',
  "an empty object of servers": '{ "mcpServers": { } }\n',
  comments: '// mine\n{\n  /* servers */\n  "mcpServers": {\n    "a": {} // the first\n    // no more\n  }\n}\n',
  "a trailing comma": '{\n  "mcpServers": {\n    "a": {}, // why not\n  },\n}\n',
  "a comma on the next line": '{\n  "mcpServers": {\n    "a": {}\n    ,\n  }\n}\n',
  "only a comment among the servers": '{ "mcpServers": {\n  // none yet\n} }',
  "escapes and prototype keys":
    '{"__proto__":{"x":1},"constructor":2,"mcpServers":{"toString":{"env":{"K":"\\u0041\\n"}}}}\n',
};

test.each(Object.entries(others))(
  "a JSON file with %s is the same again after installing and removing",
  async (_title, text) => {
    const home = await createHome();
    const options = optionsFor(home);
    const path = pathOf(home, options);
    await put(path, text);
    await chmod(path, 0o640);
    const plan = await install(home, options);
    const installed = await readFile(path, "utf8");
    expect(getNodeValue(parseTree(installed.replace("\ufeff", "")) as never)).toMatchObject({
      mcpServers: { bridle: server },
    });
    expect(plan.difference.filter((line) => line.startsWith("+")).join("")).toContain("bridle");
    expect(installed.startsWith("\ufeff")).toBe(text.startsWith("\ufeff"));
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    await remove(home, options);
    expect(await readFile(path, "utf8")).toBe(text);
    expect(await readdir(dirname(path))).toEqual(["mcp.json"]);
  },
);

const tables = {
  "another server": '[mcp_servers.a]\ncommand = "x"\n',
  "comments and no final newline": '# mine\nmodel = "m" # why\n\n[mcp_servers.a]\ncommand = "x"',
  "line ends of Windows": 'model = "m"\r\n\r\n[[profiles]]\r\nname = "p"\r\n',
  "a byte order mark": '\ufeffmodel = "m"\n',
  "trailing blanks": 'model = "m"   \n\n\n   \n',
  nothing: "",
  "an array of tables at its end": "[[a]]\nb = 1\n[[a]]\nb = 2\n",
  "a text of many lines that looks like a table": 'a = """\n[mcp_servers.bridle]\ncommand = "x"\n"""\n',
  "dates and big numbers": "d = 1979-05-27T07:32:00Z\nn = 9007199254740993\n",
};

test.each(Object.entries(tables))(
  "a TOML file with %s is the same again after installing and removing",
  async (_title, text) => {
    const home = await createHome();
    const options = optionsFor(home, { client: "codex" });
    const path = pathOf(home, options);
    await put(path, text);
    const { difference } = await install(home, options);
    expect(difference).toEqual(expect.arrayContaining(["+[mcp_servers.bridle]", '+command = "/usr/bin/node"']));
    expect(await readFile(path, "utf8")).toContain(text);
    expect((await planInstall(options, home.context)).difference).toEqual([]);
    await remove(home, options);
    expect(await readFile(path, "utf8")).toBe(text);
  },
);

const everyFile = mcpClients
  .flatMap((client) => installScopes.map((scope): Pick<InstallOptions, "client" | "scope"> => ({ client, scope })))
  .filter(({ client, scope }) => (client !== "claude-desktop" && client !== "windsurf") || scope === "user");

test.each(everyFile)(
  "$client ($scope) gets its file if it has none, and nothing is left of it after removing",
  async (parts) => {
    const home = await createHome();
    const options = optionsFor(home, parts);
    const path = pathOf(home, options);
    const { file } = await install(home, options);
    expect(file).toBe(path);
    expect(await readFile(path, "utf8")).toContain("--project-dir");
    expect((await stat(path)).mode & 0o777 & ~0o044).toBe(0o600);
    await remove(home, options);
    expect(await readdir(home.home, { recursive: true })).toEqual(
      [".local", ".local/state", ".local/state/bridle"], // the list of entries was also removed, with its folder
    );
    expect(await readdir(home.projectDir)).toEqual([]);
  },
);

/** The form of each entry, as shown in the documentation of its client. */
const forms: readonly (readonly [InstallOptions["client"], readonly string[], object])[] = [
  ["claude-code", ["mcpServers"], { type: "stdio", ...server }],
  ["claude-desktop", ["mcpServers"], server],
  ["cursor", ["mcpServers"], server],
  ["vscode", ["servers"], { type: "stdio", ...server }],
  ["opencode", ["mcp"], { type: "local", command: [server.command, ...server.args], enabled: true }],
  ["gemini", ["mcpServers"], server],
  ["windsurf", ["mcpServers"], server],
  ["zed", ["context_servers"], { source: "custom", ...server }],
];

const filesOf = (key: string) => ({
  "another server and comments": `// mine\n{\n  "${key}": {\n    "a": { "x": 1 }, // first\n  },\n  "z": 1\n}\n`,
  "line ends of Windows": `{\r\n\t"${key}": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n`,
  "mixed line ends": `{\r\n  "${key}": {\n    "a": {}\r\n  }\n}\r\n`,
  "a byte order mark and no final newline": `\ufeff{ "theme": "dark" }`,
  "no content": "",
  "blanks only": " \n\r\n\t",
  "a byte order mark only": "\ufeff",
});

test.each(forms)(
  "the entry of %s has its form, and every file is the same again after removing",
  async (client, keys, entry) => {
    const home = await createHome();
    const options = optionsFor(home, { client });
    const path = pathOf(home, options);
    for (const [title, text] of Object.entries(filesOf(keys[0] ?? ""))) {
      await put(path, text);
      await install(home, options);
      const data = getNodeValue(parseTree((await readFile(path, "utf8")).replace("\ufeff", "")) as never);
      expect(Object(data)[keys[0] ?? ""].bridle, title).toEqual(entry);
      await remove(home, options);
      expect(await readFile(path, "utf8"), title).toBe(text);
    }
  },
);

test("the files of Zed are those of the system", () => {
  const find = (platform: string, environment: Record<string, string>) =>
    findClientFile("zed", "user", { platform, environment, projectDir: "/p" }).paths[0];
  expect(find("linux", { HOME: "/h", XDG_CONFIG_HOME: "/x" })).toBe("/x/zed/settings.json");
  expect(find("darwin", { HOME: "/h", XDG_CONFIG_HOME: "/x" })).toBe("/h/.config/zed/settings.json");
  expect(find("win32", { USERPROFILE: "/h", APPDATA: "/a" })).toBe(join("/a", "Zed", "settings.json"));
});

test("a read-only file is neither edited nor cleaned", async () => {
  for (const client of ["cursor", "codex"] as const) {
    const home = await createHome();
    const options = optionsFor(home, { client });
    const path = pathOf(home, options);
    await put(path, client === "codex" ? "" : "{}");
    await chmod(path, 0o444);
    await expect(planInstall(options, home.context)).rejects.toThrow("is read-only");
    expect(await readdir(dirname(path))).toHaveLength(1);
    await chmod(path, 0o644);
    await install(home, options);
    const installed = await readFile(path, "utf8");
    await chmod(path, 0o444);
    await expect(planRemoval(options, home.context)).rejects.toThrow("is read-only");
    expect(await readFile(path, "utf8")).toBe(installed);
  }
});

test("an entry is removed exactly if its file changed elsewhere meanwhile", async () => {
  const home = await createHome();
  const options = optionsFor(home);
  const path = pathOf(home, options);
  const before = '{\n  "mcpServers": {\n    "a": {} // kept\n  }\n}\n';
  await put(path, before);
  await install(home, options);
  const changed = (await readFile(path, "utf8")).replace(/\}\n$/, ', "later": true }\n');
  await put(path, changed);
  await remove(home, options);
  expect(await readFile(path, "utf8")).toBe(before.replace(/\}\n$/, ', "later": true }\n'));
});

test.each([
  ["before it", (text: string) => text.replace('"mcpServers": {', '"mcpServers": { "first": {}, ')],
  ["after it", (text: string) => text.replace(/\n( *)\}\n\}\n$/, ',\n$1"last": {}\n$1}\n}\n')],
  ["in another format", (text: string) => JSON.stringify(JSON.parse(text))],
])("an entry is removed from a file in which another program wrote %s", async (_title, change) => {
  const home = await createHome();
  const options = optionsFor(home);
  const path = pathOf(home, options);
  await put(path, '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n');
  await install(home, options);
  const changed = change(await readFile(path, "utf8"));
  await put(path, changed);
  await remove(home, options);
  const { bridle: _gone, ...servers } = JSON.parse(changed).mcpServers;
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ mcpServers: servers });
});

test("an entry is removed even if the list of entries was lost", async () => {
  for (const client of ["cursor", "codex"] as const) {
    const home = await createHome();
    const options = optionsFor(home, { client });
    const path = pathOf(home, options);
    const text =
      client === "codex" ? '[mcp_servers.a]\ncommand = "x"\n' : '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n';
    await put(path, text);
    await install(home, options);
    await rm(join(home.home, ".local"), { recursive: true });
    await remove(home, options);
    expect(await readFile(path, "utf8")).toBe(text);
  }
});

test("an entry of the same name that is not ours is neither replaced nor removed", async () => {
  const home = await createHome();
  for (const [client, text] of [
    ["cursor", '{"mcpServers":{"bridle":{"command":"mine"}}}'],
    ["codex", '[mcp_servers.bridle]\ncommand = "mine"\n'],
    ["codex", 'mcp_servers = { bridle = { command = "mine" } }\n'],
  ] as const) {
    const options = optionsFor(home, { client });
    const path = pathOf(home, options);
    await put(path, text);
    await expect(planInstall(options, home.context)).rejects.toThrow("--name");
    await expect(planRemoval(options, home.context)).rejects.toThrow("--name");
    expect(await readFile(path, "utf8")).toBe(text);
  }
});

test("an entry for another server of ours has to be removed first, which works without knowing that server", async () => {
  const home = await createHome();
  await install(home, optionsFor(home));
  const other = optionsFor(home, { server: { command: "node", args: ["mcp"] } });
  await expect(planInstall(other, home.context)).rejects.toThrow("Remove it first");
  await remove(home, other);
  await install(home, other);
});

test("installing twice and removing twice change nothing the second time", async () => {
  const home = await createHome();
  const options = optionsFor(home);
  await install(home, options);
  expect((await install(home, options)).difference).toEqual([]);
  await remove(home, options);
  expect((await remove(home, options)).difference).toEqual([]);
});

test.each([
  ["no JSON", "cursor", "{", "no object|not an object"],
  ["a list", "cursor", "[]", "not an object of JSON"],
  ["servers that are a text", "cursor", '{"mcpServers":"none"}', "that is not an object"],
  ["the same key twice", "cursor", '{"mcpServers":{},"mcpServers":{"a":{}}}', "twice"],
  ["only a comment", "cursor", "// nothing yet\n", "not an object of JSON"],
  ["no TOML", "codex", "a = [", "not valid TOML"],
  ["servers in an inline table", "codex", 'mcp_servers = { a = { command = "x" } }\n', "cannot be edited safely"],
  ["bytes that are no UTF-8", "cursor", new Uint8Array([0x7b, 0xff, 0x7d]), "not UTF-8"],
] as const)("a file with %s is refused and stays as it is", async (_title, client, content, reason) => {
  const home = await createHome();
  const options = optionsFor(home, { client });
  const path = pathOf(home, options);
  await put(path, content);
  await expect(planInstall(options, home.context)).rejects.toThrow(new RegExp(reason));
  expect(await readFile(path)).toEqual(Buffer.from(content));
});

test("a link to the user's file stays a link, and its target is edited", async () => {
  const home = await createHome();
  const options = optionsFor(home);
  const path = pathOf(home, options);
  const target = join(home.home, "dotfiles/mcp.json");
  await put(target, "{}\n");
  await mkdir(dirname(path));
  await symlink(target, path);
  await install(home, options);
  expect((await lstat(path)).isSymbolicLink()).toBe(true);
  expect(await readFile(target, "utf8")).toContain("bridle");
  await remove(home, options);
  expect(await readFile(target, "utf8")).toBe("{}\n");
});

test("a link of a project that leads out of it is refused, and so is one to nothing", async () => {
  const home = await createHome();
  const options = optionsFor(home, { scope: "project" });
  const outside = join(home.home, "secret.json");
  await put(outside, "{}");
  await symlink(home.home, join(home.projectDir, ".cursor"));
  await expect(planInstall(options, home.context)).rejects.toThrow("leads out of the project");
  const dangling = optionsFor(home, { client: "claude-code", scope: "project" });
  await symlink(join(home.home, "missing"), join(home.projectDir, ".mcp.json"));
  await expect(planInstall(dangling, home.context)).rejects.toThrow("does not exist");
  expect(await readdir(home.home)).toEqual(["secret.json"]);
});

test("a file that changes between the question and the answer is not overwritten", async () => {
  const home = await createHome();
  const options = optionsFor(home);
  const path = pathOf(home, options);
  await put(path, "{}");
  const plan = await planInstall(options, home.context);
  await put(path, '{"new":1}');
  await expect(plan.apply()).rejects.toThrow("changed while you decided");
  expect(await readFile(path, "utf8")).toBe('{"new":1}');
  expect(await readdir(dirname(path))).toEqual(["mcp.json"]);
});

test.each([
  '{\n  "mcpServers": {\n    "a": {\n      "env": { "KEY": "s3cret" }\n    }\n  }\n}\n',
  '{\n  "mcpServers": {\n    "a": { "env": { "KEY": "s3cret" } }\n  }\n}\n',
  '{"mcpServers":{"a":{"env":{"KEY":"s3cret"}}},"b":"s3cret"}',
])("the difference shows nothing of other entries, which may have secrets: %j", async (text) => {
  const home = await createHome();
  const options = optionsFor(home);
  await put(pathOf(home, options), text);
  for (const { difference } of [await install(home, options), await remove(home, options)]) {
    expect(difference.join("\n")).toContain("bridle");
    expect(difference.join("\n")).not.toContain("s3cret");
  }
});

test("a project without an own file for a client is refused, and so is an environment without a home", async () => {
  const home = await createHome();
  const options = optionsFor(home, { client: "claude-desktop", scope: "project" });
  await expect(planInstall(options, home.context)).rejects.toThrow("no file for projects");
  await expect(planInstall(optionsFor(home), { environment: {} })).rejects.toThrow("HOME");
});

const blanks = fc.stringMatching(/^[ \t\n]{0,4}$/);
const comment = fc.constantFrom("", "// x\n", "/* y */", "/* a\nb */");
const trivia = fc.tuple(blanks, comment, blanks).map((parts) => parts.join(""));

test("any object of JSON with comments is the same again after installing and removing", async () => {
  const home = await createHome();
  const options = optionsFor(home);
  const path = pathOf(home, options);
  await fc.assert(
    fc.asyncProperty(
      fc.array(trivia, { minLength: 9, maxLength: 9 }),
      fc.boolean(),
      fc.nat(2),
      async (t, comma, count) => {
        const servers = ["a", "b"].slice(0, count).map((name) => `${t[0]}"${name}"${t[1]}:${t[2]}{${t[3]}}${t[4]}`);
        const end = comma && count > 0 ? `,${t[5]}` : "";
        const text = `${t[6]}{${t[7]}"mcpServers":${t[8]}{${servers.join(",")}${end}}}`;
        await put(path, text);
        await install(home, options);
        await remove(home, options);
        expect(await readFile(path, "utf8")).toBe(text);
      },
    ),
    { numRuns: 60 },
  );
  expect(existsSync(path)).toBe(true);
});
