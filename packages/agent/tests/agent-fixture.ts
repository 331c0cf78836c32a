/** Creates a folder with an agent file and the files that it names. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createMemoryBackend, type MemoryBackend, type ScriptedModel } from "@bridle/conformance";
import { createAgentRuntime } from "@bridle/core";
import {
  type AgentDefinition,
  type LoadAgentOptions,
  loadAgent,
  type OpenAgent,
  type OpenAgentOptions,
  openAgent,
} from "../src/index.ts";

export interface AgentFixture {
  readonly folder: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  load(yaml: string, environment?: LoadAgentOptions["environment"]): Promise<AgentDefinition>;
  /** Opens the agent on a model in memory. */
  open(
    yaml: string,
    model?: ScriptedModel,
    options?: Pick<OpenAgentOptions, "trust">,
  ): Promise<{ agent: OpenAgent; backend: MemoryBackend }>;
  close(): Promise<void>;
}

export async function createAgentFixture(files: Readonly<Record<string, string>> = {}): Promise<AgentFixture> {
  const folder = await mkdtemp(join(tmpdir(), "bridle-agent-"));
  const opened: OpenAgent[] = [];
  const write: AgentFixture["write"] = async (more) => {
    for (const [name, text] of Object.entries(more)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  };
  const load: AgentFixture["load"] = async (yaml, environment = {}) => {
    await write({ "agent.yaml": yaml });
    return loadAgent("agent.yaml", { cwd: folder, environment });
  };
  await write({ "bridle.yaml": "", ...files });
  return {
    folder,
    write,
    load,
    async open(yaml, model = [], options = {}) {
      const definition = await load(yaml);
      const backend = createMemoryBackend(model);
      const agent = await openAgent(definition, {
        ...options,
        projectDir: folder,
        createRuntime: async () => createAgentRuntime({ backend, models: { default: "memory-1" }, projectDir: folder }),
      });
      opened.push(agent);
      return { agent, backend };
    },
    async close() {
      for (const agent of opened) await agent.close();
      await rm(folder, { recursive: true });
    },
  };
}
