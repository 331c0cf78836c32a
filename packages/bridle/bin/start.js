import { existsSync, mkdirSync } from "node:fs";
import { enableCompileCache, registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const built = new URL("dist/command/", root).href;
const library = new URL("library.js", built).href;

/** The application may have another version of it, so the command takes the one that its own packages lead to. */
const hostSdk = "@anthropic-ai/claude-agent-sdk";
const owners = ["@bridle/project", "@bridle/claude-code"];

/** Runs the command: as it was built, or from its sources in a checkout that was not (or with `--conditions=@bridle/source`). */
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
 * Node makes the folder with all above it, and never returns below /proc, where the folder for temporary files may be (observed with
 * Node 24.21). So its own folder is made first. With NODE_COMPILE_CACHE, Node has one already.
 */
function keepCompiledCode() {
  try {
    if (!process.env.NODE_COMPILE_CACHE) mkdirSync(join(tmpdir(), "node-compile-cache"));
  } catch (error) {
    if (error.code !== "EEXIST") return; // the command starts without it, and more slowly
  }
  enableCompileCache();
}

function resolveToSource(specifier, context, next) {
  const isOurs = /^(bridle|@bridle)(\/|$)/.test(specifier);
  return next(specifier, isOurs ? { ...context, conditions: ["@bridle/source", ...context.conditions] } : context);
}

/** What a tools file imports as "bridle" is in the command already. */
function resolveToBuilt(specifier, context, next) {
  if (specifier === "bridle") return { url: library, format: "module", shortCircuit: true };
  if (specifier !== hostSdk || !context.parentURL?.startsWith(built)) return next(specifier, context);
  const host = owners.reduce((parentURL, owner) => next(owner, { ...context, parentURL }).url, root.href);
  return next(specifier, { ...context, parentURL: host });
}

/** Node's notes on parts of its own that Bridle uses on purpose, and on folders without a package.json, help no user. */
function quietWarnings() {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    const [type, code] = typeof rest[0] === "object" ? [rest[0]?.type, rest[0]?.code] : rest;
    if (type === "ExperimentalWarning" || code === "MODULE_TYPELESS_PACKAGE_JSON") return;
    if (warning?.name === "ExperimentalWarning") return;
    emitWarning.call(process, warning, ...rest);
  };
}
