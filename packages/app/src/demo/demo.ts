import { join } from "node:path";
import type { Environment } from "@bridle/project";
import type { AppContext } from "../context/app-context.ts";
import { loadTools } from "../modules/load-tools.ts";
import type { AgentRunPlan } from "../runs/agent-plan.ts";

/** The question that the demo answers. */
const demoQuestion = "Which month of 2025 sold best, and what was in its largest order?";

export interface Demo {
  readonly question: string;
  /** The file with the agent's tools. */
  readonly toolsFile: string;
  readonly plan: AgentRunPlan;
  /** Returns the environment of the run, without the user's home folder and settings. */
  environment(home: string): Environment;
}

/** Loads the demo of this package. Throws ConfigError. */
export async function openDemo(context: AppContext): Promise<Demo> {
  const folder = join(context.packageRoot, "demo");
  const toolsFile = join(folder, "tools.js");
  const tools = await loadTools(toolsFile, context);
  return {
    question: demoQuestion,
    toolsFile,
    plan: { prompt: demoQuestion, tools, rehearse: join(folder, "rehearsal.yaml") },
    environment: (home) => isolateEnvironment(context.environment, home),
  };
}

export function isolateEnvironment(environment: Environment, home: string): Environment {
  const kept = Object.entries(environment).filter(([name]) => !/^(XDG_|CLAUDE|ANTHROPIC_|BRIDLE_)/.test(name));
  return { ...Object.fromEntries(kept), HOME: home, USERPROFILE: home };
}
