/** The options of the functions for agents, checked by key and type. */
import { projectShape, runtimeShape } from "@bridle/project/operations";
import { given, type OptionsShape, optionsCheck } from "@bridle/protocol";
import { z } from "zod";
import type { CreateContextOptions } from "./context/create-context.ts";
import type { DefineAgentOptions } from "./definition/define-agent.ts";
import type { LoadAgentOptions } from "./definition/load-agent.ts";
import type { AgentToolOptions } from "./delegation/agent-tool.ts";
import type { DescribeAgentOptions } from "./opening/describe-agent.ts";
import type { OpenAgentOptions } from "./opening/open-agent.ts";

const ofFile = "Set it in the agent's file, or with the agent's definition.";

const {
  provider: _provider,
  environment: _environment,
  processEnvironment: _process,
  policy: _policy,
  agent: _agent,
  ...ofRuntime
} = runtimeShape;

export const openAgentShape: OptionsShape<OpenAgentOptions> = {
  ...ofRuntime,
  tools: given.list.optional(),
  signal: given.signal.optional(),
  loading: given.object.optional(),
  createRuntime: given.callback.optional(),
};

const loadShape: OptionsShape<LoadAgentOptions> = {
  environment: given.object,
  cwd: given.text.optional(),
  trust: runtimeShape.trust,
  toolKinds: given.list.optional(),
  text: given.text.optional(),
};

const defineShape: OptionsShape<DefineAgentOptions> = {
  environment: given.object,
  toolKinds: given.list.optional(),
  folder: given.text.optional(),
};

const toolShape: OptionsShape<AgentToolOptions> = {
  name: given.text.optional(),
  description: given.text.optional(),
  stepBudget: given.number.optional(),
  timeoutMs: given.number.optional(),
  maxCostUsd: given.number.optional(),
};

const describeShape: OptionsShape<DescribeAgentOptions & { cwd?: string }> = {
  project: given.object.optional(),
  projectDir: given.text.optional(),
  cwd: given.text.optional(),
  backend: given.text.optional(),
  logger: given.object.optional(),
  loading: given.object.optional(),
  rehearse: given.anything.optional(),
  unopened: given.text.optional(),
};

const contextShape: OptionsShape<CreateContextOptions> = {
  ...projectShape,
  logger: given.object.optional(),
  embedder: z.union([z.literal("none"), given.port("embed")]).optional(),
  isRehearsed: given.flag.optional(),
};

export const checkOpenAgentOptions = optionsCheck("openAgent", openAgentShape, {
  remedies: { policy: ofFile, environment: "Pass it to loadAgent() or defineAgent()." },
});
export const checkLoadAgentOptions = optionsCheck("loadAgent", loadShape);
export const checkDefineAgentOptions = optionsCheck("defineAgent", defineShape);
export const checkAgentToolOptions = optionsCheck("agentTool", toolShape);
export const checkDescribeAgentOptions = optionsCheck("describeAgent", describeShape);
export const checkContextOptions = optionsCheck("createContext", contextShape);
