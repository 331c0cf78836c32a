// Loaded into every Node.js process of a command under test: records each program that is started, and by whom.
import childProcess, { ChildProcess } from "node:child_process";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const log = new URL(import.meta.url).searchParams.get("log"); // not every process inherits the variables

function write(file, args, options = {}) {
  const cwd = String(options.cwd ?? process.cwd());
  const entry = { file: String(file), args: args.map(String), cwd, gitDir: options.env?.GIT_DIR ?? null };
  appendFileSync(log, `${JSON.stringify(entry)}\n`);
}

const start = ChildProcess.prototype.spawn; // spawn, exec, execFile and fork end here
ChildProcess.prototype.spawn = function (options) {
  const pairs = (options.envPairs ?? []).map((pair) => [
    pair.slice(0, pair.indexOf("=")),
    pair.slice(pair.indexOf("=") + 1),
  ]);
  write(options.file, options.args.slice(1), { cwd: options.cwd, env: Object.fromEntries(pairs) });
  return start.call(this, options);
};

for (const name of ["spawnSync", "execFileSync", "execSync"]) {
  const original = childProcess[name];
  childProcess[name] = (file, ...rest) => {
    const args = Array.isArray(rest[0]) ? rest[0] : [];
    write(
      file,
      args,
      rest.find((each) => each !== null && typeof each === "object" && !Array.isArray(each)),
    );
    return original(file, ...rest);
  };
}
syncBuiltinESMExports();
