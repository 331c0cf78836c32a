import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { loadScript, type Rehearsal, startRehearsal } from "@bridle/rehearsal";
import { root } from "../../scripts/packages.ts";

interface Ended {
  readonly code: number | null;
  /** Standard output and standard error, as they came. */
  readonly output: string;
}

/** A project of a user: real commands and real Claude Code, and a model that follows `rehearsal.yaml` beside this file. */
export interface Stage {
  readonly folder: string;
  readonly failures: Rehearsal["failures"];
  write(name: string, text: string): string;
  /** Runs a line of shell in the folder, as a user would type it. */
  shell(line: string): Promise<Ended>;
  close(): Promise<void>;
}

/** The folder is inside of the repository, so that `import "bridle"` finds the packages as it does for an application. */
export async function openStage(): Promise<Stage> {
  mkdirSync(join(root, ".bridle"), { recursive: true });
  const folder = mkdtempSync(join(root, ".bridle/stage-"));
  const rehearsal = await startRehearsal({ script: await loadScript(join(import.meta.dirname, "rehearsal.yaml")) });
  const environment = {
    ...process.env,
    PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
    ANTHROPIC_API_KEY: "made-up-for-the-stage", // no word of any text: it would be left out as a secret
    BRIDLE_PROJECT_DIR: folder,
    OLLAMA_HOST: "127.0.0.1:1", // nobody listens there: what the machine has is not looked at
    npm_config_loglevel: "error", // npx would add what it thinks of the machine's own settings
  };

  function write(name: string, text: string): string {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  write("bridle.yaml", `llm: { provider: { auth: api_key, baseUrl: "${rehearsal.url}" } }\n`);
  return {
    folder,
    failures: rehearsal.failures,
    write,
    shell: (line) => run("bash", ["-c", line], folder, environment),
    async close() {
      await rehearsal.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

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
