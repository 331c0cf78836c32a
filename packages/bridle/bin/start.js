import { existsSync, mkdirSync } from "node:fs";
import { enableCompileCache, registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const built = new URL("dist/command/", root).href;
const library = new URL("library.js", built).href;

/** The application may have a different version of this SDK, so the command uses the version that its own packages resolve to. */
const hostSdk = "@anthropic-ai/claude-agent-sdk";
const owners = ["@bridle/project", "@bridle/claude-code"];

/** Runs the built command, or its sources in a checkout that was not built or with `--conditions=@bridle/source`. */
export async function start(version) {
  quietWarnings();
  keepCompiledCode();
  const command = new URL("cli.js", built);
  const wantsSource = process.execArgv.some((argument) => /^(-C|--conditions)=@bridle\/source$/.test(argument));
  const fromSource = wantsSource || !existsSync(command);
  registerHooks({ resolve: fromSource ? resolveToSource : resolveToBuilt });
  const cli = await import(fromSource ? new URL("../cli/src/cli.ts", root).href : command.href);
  await cli.runProcess({ version, packageRoot: fileURLToPath(root) });
}

/**
 * Turns on Node's compile cache. Node creates the cache folder with its parents, and never returns if it is below /proc, where the folder
 * for temporary files may be (observed with Node 24.21). The command therefore creates the folder first. With NODE_COMPILE_CACHE, Node
 * already has a cache.
 */
function keepCompiledCode() {
  try {
    if (!process.env.NODE_COMPILE_CACHE) mkdirSync(join(tmpdir(), "node-compile-cache"));
  } catch (error) {
    if (error.code !== "EEXIST") return; // the command starts without a cache, and more slowly
  }
  enableCompileCache();
}

function resolveToSource(specifier, context, next) {
  const isOurs = /^(bridle|@bridle)(\/|$)/.test(specifier);
  return next(specifier, isOurs ? { ...context, conditions: ["@bridle/source", ...context.conditions] } : context);
}

/** Resolves "bridle" in a tools file to the code that the command already contains. */
function resolveToBuilt(specifier, context, next) {
  if (specifier === "bridle") return { url: library, format: "module", shortCircuit: true };
  if (specifier !== hostSdk || !context.parentURL?.startsWith(built)) return next(specifier, context);
  const host = owners.reduce((parentURL, owner) => next(owner, { ...context, parentURL }).url, root.href);
  return next(specifier, { ...context, parentURL: host });
}

/**
 * Hides Node's warnings about experimental features that Bridle uses on purpose, and about folders without a package.json. They do not help
 * users.
 */
function quietWarnings() {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    const [type, code] = typeof rest[0] === "object" ? [rest[0]?.type, rest[0]?.code] : rest;
    if (type === "ExperimentalWarning" || code === "MODULE_TYPELESS_PACKAGE_JSON") return;
    if (warning?.name === "ExperimentalWarning") return;
    emitWarning.call(process, warning, ...rest);
  };
}
