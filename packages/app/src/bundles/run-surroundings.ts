/**
 * Collects facts about the project and the agent of a run, for the run's bundle. The facts describe the run's host and the current agent
 * file.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { AgentDefinition } from "@bridle/agent";
import { readTextFile, refuseLinks } from "@bridle/core";
import { backendNames, type Project, type SupportFacts } from "@bridle/project";
import type { EventOf } from "@bridle/protocol";
import { loadAgentFile } from "../agents/load-agent-file.ts";
import type { AppContext } from "../context/app-context.ts";
import { readUndamagedPages } from "../events/readable-events.ts";
import type { BundledEvents } from "./make-bundle.ts";
import type { LeftOut } from "./manifest.ts";

export interface RunSurroundings {
  readonly facts: SupportFacts;
  /** The files of the bundle about the agent, by path. */
  readonly agent: Readonly<Record<string, string>>;
  readonly leftOut: LeftOut;
}

type Started = Pick<EventOf<"run.started">, "backend" | "labels">;
type FileContext = Pick<AppContext, "cwd" | "environment" | "packageRoot" | "trust">;

/** Collects the project's facts as they were for the first run in the events. Without a run, returns the current facts. */
export async function readSurroundings(
  project: Project,
  happened: BundledEvents | undefined,
  context: FileContext,
): Promise<RunSurroundings> {
  const started = happened && (await findStart(happened));
  if (started === undefined) return { facts: await project.supportFacts(), agent: {}, leftOut: [] };
  const name = started.labels?.agent;
  const found = name === undefined ? undefined : await findAgent(name, project, context);
  const own = await withHost(project, found, started.backend);
  const facts = await own.supportFacts();
  if (name === undefined) return { facts, agent: {}, leftOut: [] };
  if (found === undefined) return { facts, agent: {}, leftOut: [agentNotFound(name)] };
  return { facts, agent: describeAgent(found, facts), leftOut: [] };
}

function agentNotFound(name: string): LeftOut[number] {
  return { what: `the file of the agent ${name}`, why: "no agent file of this name can be read in the project" };
}

async function findStart({ eventLog, target }: BundledEvents): Promise<Started | undefined> {
  for await (const page of readUndamagedPages(eventLog, target, () => {})) {
    const started = page.find((event) => event.type === "run.started");
    if (started !== undefined) return started;
  }
  return undefined;
}

interface FoundAgent {
  readonly definition: AgentDefinition;
  readonly text: string;
}

/** Finds the current agent file with this name, in the working directory, the project's folder, or the `agents` folder of the project. */
async function findAgent(name: string, project: Project, context: FileContext): Promise<FoundAgent | undefined> {
  const folders = new Set([context.cwd, project.projectDir, join(project.projectDir, "agents")]);
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    for (const file of names.filter((each) => /\.ya?ml$/.test(each) && each !== "bridle.yaml").toSorted()) {
      const found = await readAgent(join(folder, file), context);
      if (found?.definition.config.name === name) return found;
    }
  }
  return undefined;
}

/** Reads the agent file. Undefined for files of other names and for links, because a bundle is sent to others. */
async function readAgent(path: string, context: FileContext): Promise<FoundAgent | undefined> {
  try {
    refuseLinks(path);
    const text = await readTextFile(path);
    return { text, definition: await loadAgentFile(path, context, text) };
  } catch {
    return undefined;
  }
}

/** Returns the project with the run's host: the host in the agent file, or the defaults of the host that an option chose. */
async function withHost(project: Project, found: FoundAgent | undefined, backend: string): Promise<Project> {
  const own = found === undefined ? project : await asAgent(project, found.definition);
  const known = backendNames.find((name) => name === backend); // the host of a program is not known
  return known === undefined || own.settings.provider.backend === backend ? own : own.with({ backend: known });
}

async function asAgent(project: Project, definition: AgentDefinition): Promise<Project> {
  const { findAgentProject } = await import("@bridle/agent");
  return findAgentProject(definition, { project });
}

/** Returns texts without credentials: the agent's project knows the values in the agent file. */
function describeAgent({ definition, text }: FoundAgent, { redactor }: SupportFacts): Record<string, string> {
  const { config, toolKinds, file } = definition;
  const tools = (config.tools ?? []).map((tool) => {
    const kind = toolKinds.find(({ type, schema }) => type === tool.type || schema.safeParse(tool).success);
    return { type: tool.type, name: tool.name, source: kind?.describe(tool) ?? null };
  });
  const about = { file, name: config.name, tools };
  return { "agent.json": redactor.text(`${JSON.stringify(about, undefined, 2)}\n`), "agent.yaml": redactor.text(text) };
}
