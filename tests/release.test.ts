/** Runs the release script with the real npm and a loopback registry. */
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readPackages, root } from "../scripts/packages.ts";
import { publishingOrder } from "../scripts/publishing-order.ts";

const packages = readPackages().filter((pkg) => !pkg.private);

/** The packages that the registry has in this checkout's version, and the uploads that it received. */
const known = new Set<string>();
const uploads: string[] = [];
let registry: Server;
let folder = "";

beforeAll(async () => {
  registry = createServer((request, response) => {
    if (request.method !== "GET") uploads.push(`${request.method} ${request.url}`);
    const name = decodeURIComponent((request.url ?? "").slice(1));
    response.writeHead(known.has(name) ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(known.has(name) ? packument(name) : { error: "not_found" }));
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  folder = checkout();
});
afterAll(async () => {
  registry?.closeAllConnections();
  await new Promise((resolve) => registry?.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

test("a dry run names every package in the order of dependencies, and uploads nothing", async () => {
  known.clear();
  const { code, output } = await release("--dry-run");
  const released = [...output.matchAll(/^Would publish (\S+) 0\.1\.0$/gm)].map(([, name]) => name);
  expect({ code, released }).toEqual({ code: 0, released: publishingOrder(packages).map(({ name }) => name) });
  expect(uploads).toEqual([]);
});

test("each package is published after those that it depends on", () => {
  const names = publishingOrder(packages).map(({ name }) => name);
  expect(names.toSorted()).toEqual(packages.map(({ name }) => name).toSorted());
  const early = packages.flatMap(({ name, dependencies }) =>
    Object.keys(dependencies)
      .filter((needed) => names.indexOf(needed) > names.indexOf(name))
      .map((needed) => `${name} before ${needed}`),
  );
  expect(early).toEqual([]);
});

test("packages that need each other have no order", () => {
  const needing = (name: string, needed: string) => ({
    name,
    dependencies: { [needed]: "1.0.0" },
    peerDependencies: {},
  });
  expect(() => publishingOrder([needing("a", "b"), needing("b", "a")])).toThrow("a depends on itself");
});

test("a release stops if a version is published already, and --rest publishes the others", async () => {
  known.add("@bridle/protocol");
  const refused = await release("--dry-run");
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringContaining("Published already: @bridle/protocol 0.1.0. Raise the version"),
  });
  for (const { name } of packages) if (name !== "@bridle/core" && name !== "bridle") known.add(name);
  const rest = await release("--dry-run", "--rest");
  expect(rest).toMatchObject({ code: 0, output: "Would publish @bridle/core 0.1.0\nWould publish bridle 0.1.0\n" });
});

test("a release stops if the working tree has changes", async () => {
  known.clear();
  const file = join(folder, "notes.txt");
  writeFileSync(file, "unfinished");
  const refused = await release("--dry-run");
  rmSync(file);
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringMatching(/working tree has changes.*\n\?\? notes\.txt/),
  });
});

/**
 * Copies the files that a release reads into a separate repository, so that the working tree is clean whatever the state of this checkout.
 */
function checkout(): string {
  const copy = mkdtempSync(join(tmpdir(), "bridle-release-"));
  for (const name of ["package.json", "scripts", ".gitignore", ".npmrc"])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  for (const pkg of readPackages()) {
    for (const name of ["package.json", "README.md"])
      cpSync(join(pkg.folder, name), join(copy, pkg.folder.slice(root.length), name));
  }
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], { cwd: copy });
  mkdirSync(join(copy, "node_modules"));
  symlinkSync(join(root, "node_modules/zod"), join(copy, "node_modules/zod"));
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "Release");
  return copy;
}

function release(...options: string[]): Promise<{ code: number; output: string }> {
  const { port } = registry.address() as AddressInfo;
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(folder, ".git/npm"),
  };
  const args = ["scripts/release.ts", "--built", ...options];
  return new Promise((resolve) => {
    execFile("node", args, { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: `${stdout}${stderr}` });
    });
  });
}

function packument(name: string): object {
  const dist = { tarball: `http://127.0.0.1/${name}.tgz`, shasum: "0".repeat(40) };
  return { name, "dist-tags": { latest: "0.1.0" }, versions: { "0.1.0": { name, version: "0.1.0", dist } } };
}
