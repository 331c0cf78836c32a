import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { loadScript, type Rehearsal, startRehearsal } from "@bridle/rehearsal";
import { root } from "../../scripts/packages.ts";

interface Ended {
  readonly code: number | null;
  /** Standard output and standard error, in the order of writing. */
  readonly output: string;
}

/**
 * A user's project with real commands on a host, by default the real Claude Code, and a model that follows `rehearsal.yaml` in this
 * folder.
 */
export interface TestProject {
  readonly folder: string;
  readonly failures: Rehearsal["failures"];
  write(name: string, text: string): string;
  /** Runs a shell command line in the folder, as a user would type it. */
  shell(line: string): Promise<Ended>;
  close(): Promise<void>;
}

/** The provider that the project uses, by its name in `bridle.yaml`. */
const providers = {
  "claude-code": (url: string) => `provider: { auth: api_key, baseUrl: "${url}" }`,
  anthropic: (url: string) =>
    `provider: { backend: anthropic, apiKey: "\${ANTHROPIC_API_KEY}", baseUrl: "${url}" }, models: { default: claude-sonnet-4-5 }`,
};

/** Creates the project's folder inside the repository, so that `import "bridle"` finds the packages as in an application. */
export async function openTestProject(host: keyof typeof providers = "claude-code"): Promise<TestProject> {
  mkdirSync(join(root, ".bridle"), { recursive: true });
  const folder = mkdtempSync(join(root, ".bridle/test-"));
  const rehearsal = await startRehearsal({ script: await loadScript(join(import.meta.dirname, "rehearsal.yaml")) });
  const environment = {
    ...process.env,
    PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
    ANTHROPIC_API_KEY: "made-up-for-the-test-project", // the key must not occur in other text, because Bridle redacts it
    BRIDLE_PROJECT_DIR: folder,
    OLLAMA_HOST: "127.0.0.1:1", // no server listens at this address, so the machine's own models are not used
    npm_config_loglevel: "error", // without this, npx would print warnings about the machine's own settings
  };

  function write(name: string, text: string): string {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  write("bridle.yaml", `llm: { ${providers[host](rehearsal.url)} }\n`);
  return {
    folder,
    failures: rehearsal.failures,
    write,
    shell: (line) => run("bash", ["-c", `${ownProject}\n${line}`], folder, environment),
    async close() {
      await rehearsal.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Makes commands in a folder with its own databases use that folder's project, as they would without `BRIDLE_PROJECT_DIR`. */
const ownProject =
  'cd() { builtin cd "$@" && if grep -qs "^context:" bridle.yaml; then export BRIDLE_PROJECT_DIR="$PWD"; fi; }';

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}
