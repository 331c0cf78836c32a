/** Checks this repository's lock file, and how npm uses it with the settings of `.npmrc`. */
import { execFile, execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { root } from "../scripts/packages.ts";
import { runCommand } from "../scripts/run-command.ts";

const versions = z.record(z.string(), z.string()).default({});
const entrySchema = z.looseObject({
  integrity: z.string().optional(),
  license: z.string().optional(),
  link: z.boolean().default(false),
  resolved: z.string().optional(),
  os: z.array(z.string()).optional(),
  optional: z.boolean().default(false),
  hasInstallScript: z.boolean().default(false),
  dependencies: versions,
  optionalDependencies: versions,
});
const lockSchema = z.object({ lockfileVersion: z.literal(3), packages: z.record(z.string(), entrySchema) });

const manifestSchema = z.object({ allowScripts: z.record(z.string(), z.boolean()) });

const text = readFileSync(join(root, "package-lock.json"), "utf8");
const { packages } = lockSchema.parse(JSON.parse(text));
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);

/**
 * Packages without a hash in the lock file: they are for other platforms, and could not be downloaded when the lock file was made. Remove a
 * package from this list when it has a hash.
 */
const withoutHash = [
  "@github/copilot-sdk-darwin-arm64",
  "@github/copilot-sdk-darwin-x64",
  "@github/copilot-sdk-linux-arm64",
  "@github/copilot-sdk-linuxmusl-arm64",
  "@github/copilot-sdk-win32-arm64",
  "@github/copilot-sdk-win32-x64",
  "napi-windows-process-start-time",
];

const licences = [
  "(AFL-2.1 OR BSD-3-Clause)",
  "(Apache-2.0 AND BSD-3-Clause)",
  "(BSD-3-Clause OR GPL-2.0)",
  "(MIT AND Zlib)",
  "(MIT OR GPL-3.0-or-later)",
  "0BSD",
  "Apache-2.0",
  "BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "MIT OR Apache-2.0",
  "MPL-2.0",
  "PSF-2.0",
  "Unlicense",
];

/** Packages whose licences are separate files: Anthropic's terms for Claude Code, and MIT and Apache for the server. */
const licencesInFiles = /^node_modules\/(?:@anthropic-ai\/claude-agent-sdk|@modelcontextprotocol\/server-everything)/;

test("npm ci accepts the lock file for every package.json, without a network", async () => {
  const cache = mkdtempSync(join(tmpdir(), "bridle-npm-"));
  const options = ["--dry-run", "--offline", "--ignore-scripts", `--cache=${cache}`];
  const { code, output } = await runCommand("npm", ["ci", ...options]);
  rmSync(cache, { recursive: true });
  expect(code, `Run "npm install", and commit package-lock.json with the change.\n${output}`).toBe(0);
});

test("every package in the lock file has a hash, except seven for other platforms", () => {
  const found = installed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""));
  expect(found.map(([path]) => nameOf(path)).toSorted()).toEqual(withoutHash);
  const wanted = found.filter(([, { optional, os }]) => !optional || os === undefined);
  expect(wanted).toEqual([]);
});

test("the lock file has every package that another one needs, those of other platforms included", () => {
  const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    [...Object.keys(dependencies), ...Object.keys(optionalDependencies)]
      .filter((name) => !isFound(path, name))
      .map((name) => `${path} needs ${name}`),
  );
  expect(missing).toEqual([]);
});

test("the lock file names no registry: packages come from the one that is set up", () => {
  const addresses = Object.entries(packages).filter(([, { link, resolved }]) => resolved !== undefined && !link);
  expect(addresses).toEqual([]);
  const named = text.split("\n").filter((line) => line.includes("://") && !/^\s*"(?:url": )?"?https:/.test(line));
  expect(named).toEqual([]);
  expect(text).not.toMatch(/registry\.|\.tgz/);
});

test("every package in the lock file has a licence that is known", () => {
  const others = installed
    .filter(([path, { integrity }]) => integrity !== undefined && !licencesInFiles.test(path))
    .filter(([, { license = "none" }]) => !licences.includes(license));
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
});

test("it is decided for every package in the lock file whether its script runs while it is installed", () => {
  const { allowScripts } = manifestSchema.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const scripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path));
  expect(Object.keys(allowScripts)).toEqual(scripts.toSorted());
  expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(["node"]);
});

/** Creates a package, its archive and a loopback registry that serves them. */
let registry: Server;
let folder = "";
let archive: Buffer;

/** The archive's hash, as the registry lists it. */
let integrity = "";
let scripts: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bridle-lock-"));
  registry = createServer((request, response) => {
    if (request.url?.endsWith(".tgz")) return void response.end(archive);
    const tarball = `http://${request.headers.host}/lamp.tgz`;
    const version = { name: "lamp", version: "1.0.0", scripts, dist: { tarball, integrity } };
    response.end(JSON.stringify({ name: "lamp", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } }));
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  registry?.closeAllConnections();
  registry?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test.each(["ci", "install"])(
  "npm %s refuses an archive that is not the locked one, even if the registry names its hash",
  async (command) => {
    publish("1");
    const project = join(folder, command);
    mkdirSync(project);
    copyFileSync(join(root, ".npmrc"), join(project, ".npmrc"));
    writeFileSync(join(project, "package.json"), JSON.stringify({ dependencies: { lamp: "1.0.0" } }));
    expect(await npm(project, "install", "first")).toMatchObject({ code: 0 });
    const lock = readFileSync(join(project, "package-lock.json"), "utf8");
    expect(lock).toContain(integrity);
    expect(lock).not.toContain("127.0.0.1");

    rmSync(join(project, "node_modules"), { recursive: true });
    expect(await npm(project, command, "second")).toMatchObject({ code: 0 });
    rmSync(join(project, "node_modules"), { recursive: true });
    publish("2");
    expect(await npm(project, command, "third")).toMatchObject({
      code: 1,
      output: expect.stringContaining("EINTEGRITY"),
    });
    expect(readFileSync(join(project, "package-lock.json"), "utf8")).toBe(lock);
  },
);

test("npm refuses a package whose script would run while it is installed, unless package.json allows it", async () => {
  publish("1", { install: "node index.js" });
  const project = join(folder, "script");
  mkdirSync(project);
  copyFileSync(join(root, ".npmrc"), join(project, ".npmrc"));
  const dependencies = { lamp: "1.0.0" };
  const manifest = join(project, "package.json");
  writeFileSync(manifest, JSON.stringify({ dependencies }));
  expect(await npm(project, "install", "cache")).toMatchObject({ code: 1, output: expect.stringContaining("lamp") });
  writeFileSync(manifest, JSON.stringify({ dependencies, allowScripts: { lamp: true } }));
  expect(await npm(project, "install", "cache")).toMatchObject({ code: 0 });
});

/** Packs the package with different code, under the same version. */
function publish(code: string, withScripts: Readonly<Record<string, string>> = {}): void {
  scripts = withScripts;
  const source = join(folder, "lamp");
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, "package.json"), JSON.stringify({ name: "lamp", version: "1.0.0", scripts }));
  writeFileSync(join(source, "index.js"), code);
  const printed = execFileSync("npm", ["pack", "--json"], { cwd: source, encoding: "utf8" });
  const [packed] = packedSchema.parse(JSON.parse(printed));
  integrity = packed.integrity;
  archive = readFileSync(join(source, packed.filename));
}

function npm(cwd: string, command: string, cache: string): Promise<{ code: number; output: string }> {
  const { port } = registry.address() as AddressInfo;
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(cwd, cache),
  };
  return new Promise((resolve) => {
    execFile("npm", [command, "--no-audit"], { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error ? 1 : 0, output: `${stdout}${stderr}` });
    });
  });
}

const packedSchema = z.tuple([z.object({ filename: z.string(), integrity: z.string() })]);

/** Whether Node.js would find a package, looking from the folder of the package that needs it up to the root. */
function isFound(path: string, name: string): boolean {
  const own = `${path === "" ? "" : `${path}/`}node_modules/${name}`;
  if (own in packages) return true;
  return path !== "" && isFound(path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "", name);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}
