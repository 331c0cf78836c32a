import { mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

/** Variables with credentials, routing or nesting settings of model hosts and clouds, and Bridle's own settings. */
const hidden =
  /^(ANTHROPIC_|CLAUDE|BRIDLE_|OPENAI_|AI_GATEWAY_|VERCEL_|OLLAMA_|AWS_|AZURE_|GOOGLE_|GCLOUD_|CLOUD_ML_|VERTEX_|OTEL_)/;

/**
 * Gives this process and its children a temporary home that is removed at the end, so that tests read none of the machine's logins,
 * settings or credentials. npm still uses the machine's cache and settings, which it needs to install packages.
 */
export function enterCleanEnvironment(): void {
  if (process.env.BRIDLE_TEST_HOME) return;
  const home = mkdtempSync(join(tmpdir(), "bridle-home-"));
  process.on("exit", () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  process.env.npm_config_userconfig ??= join(homedir(), ".npmrc");
  process.env.npm_config_cache ??= join(homedir(), ".npm");
  for (const name of Object.keys(process.env)) if (hidden.test(name)) delete process.env[name];
  Object.assign(process.env, {
    BRIDLE_TEST_HOME: home,
    BRIDLE_TRUST: "all", // makes Bridle trust the tests' own projects; tests about trust pass another environment
    HOME: home,
    USERPROFILE: home,
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    NODE_COMPILE_CACHE: join(home, ".cache/node"),
  });
}
