#!/usr/bin/env node
// Plain JavaScript that every Node.js version can run. It prints the version, or refuses an old Node.js, before it loads anything else.
import { readFileSync } from "node:fs";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const [major, minor] = process.versions.node.split(".").map(Number);

if (process.argv[2] === "--version" || process.argv[2] === "-V") {
  process.stdout.write(`${version}\n`);
} else if (process.versions.bun || process.versions.deno) {
  process.stderr.write("The command bridle needs Node.js. Start it with node; programs that import bridle run here.\n");
  process.exitCode = 3;
} else if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `Bridle needs Node.js 22.18 or newer, and this is ${process.versions.node}. Install a newer one from https://nodejs.org.\n`,
  );
  process.exitCode = 3;
} else {
  const { start } = await import("./start.js");
  await start(version);
}
