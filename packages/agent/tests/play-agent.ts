import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Approver, type RunEvent, silentLogger } from "@bridle/protocol";
import { onTestFinished } from "vitest";
import { loadAgent } from "../src/definition/load-agent.ts";
import { type OpenAgentOptions, openAgent } from "../src/opening/open-agent.ts";

export interface PlayedAgent {
  readonly folder: string;
  /** The contents of the files by their paths in the folder, including `agent.yaml` and `script.yaml`. */
  readonly files: Readonly<Record<string, string>>;
  readonly approve?: Approver;
  readonly options?: OpenAgentOptions;
}

export async function agentFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bridle-agent-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Runs an agent file once against a scripted model, closes the agent and returns the outcome. */
export async function playAgent({ folder, files, approve, options = {} }: PlayedAgent) {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const environment = { PATH: process.env.PATH, HOME: folder, TMPDIR: tmpdir() };
  const definition = await loadAgent("agent.yaml", { cwd: folder, environment });
  const agent = await openAgent(definition, {
    projectDir: folder,
    rehearse: join(folder, "script.yaml"),
    logger: silentLogger,
    ...(approve && { approve }),
    ...options,
  });
  const events: RunEvent[] = [];
  try {
    const run = agent.run("go");
    for await (const event of run) events.push(event);
    return { events, result: await run.result, warnings: agent.warnings };
  } finally {
    await agent.close();
  }
}
