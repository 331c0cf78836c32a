/** Keys of other products that users may write by mistake, and what to write instead. */
import { agentsInstead } from "./tools.ts";

type Remedies = Readonly<Record<string, string>>;

const inInstructions = "Write instructions: { inline: … }, or { file: … }.";
const inModel = "It belongs to model.";
const inExecution = "Write execution: { max_steps: … }.";
const asMcp = "Write an entry of tools with type: mcp for each server.";
const asDocuments = "Write an entry of tools with type: documents.";
const asAgents = `${agentsInstead.charAt(0).toUpperCase()}${agentsInstead.slice(1)}.`;

const ofFile: Remedies = {
  system_prompt: inInstructions,
  system: inInstructions,
  prompt: inInstructions,
  role: inInstructions,
  goal: inInstructions,
  backstory: inInstructions,
  provider: inModel,
  temperature: inModel,
  top_p: inModel,
  max_tokens: inModel,
  api_key: inModel,
  llm: inModel,
  max_turns: inExecution,
  max_iterations: inExecution,
  max_steps: inExecution,
  mcp_servers: asMcp,
  mcpServers: asMcp,
  mcp: asMcp,
  documents: asDocuments,
  knowledge: asDocuments,
  vectorstore: asDocuments,
  agents: asAgents,
  subagents: asAgents,
  sub_agents: asAgents,
  handoffs: asAgents,
  tests: "Write test_cases.",
  cases: "Write test_cases.",
  metrics: "It belongs to evaluations.",
  guardrails: "Write rules in policy.",
  permissions: "Write rules in policy.",
  memory: "A session keeps the conversation. Remove it.",
};

const ofCase: Remedies = {
  expected: "Write ground_truth.",
  expected_output: "Write ground_truth.",
  expected_answer: "Write ground_truth.",
  answer: "Write ground_truth.",
  reference: "Write ground_truth.",
  question: "Write input.",
  prompt: "Write input.",
  query: "Write input.",
  context: "Write retrieval_context.",
  tools: "Write expected_tools.",
  metrics: "Write evaluations.",
};

const ofModel: Remedies = {
  model: "Write name.",
  model_name: "Write name.",
  deployment: "Write name.",
  deployment_name: "Write name.",
  base_url: "Write endpoint.",
  url: "Write endpoint.",
};

const ofExecution: Remedies = {
  max_turns: "Write max_steps.",
  max_iterations: "Write max_steps.",
  timeout: "Write llm_timeout.",
};

const ofMetric: Remedies = { min_score: "Write threshold.", weight: "Metrics have no weights. Remove it." };

/** The parts of an agent file by their paths. `*` stands for a number. */
const parts: Readonly<Record<string, Remedies>> = {
  "": ofFile,
  model: ofModel,
  execution: ofExecution,
  "test_cases.*": ofCase,
  "test_cases.*.turns.*": ofCase,
  "evaluations.metrics.*": ofMetric,
  "test_cases.*.evaluations.*": ofMetric,
};

/** Returns what to write instead of a key in the mapping at a path, or undefined for keys that are not common mistakes. */
export function remedyForKey(path: readonly PropertyKey[], key: string): string | undefined {
  const place = path.map((part) => (typeof part === "number" ? "*" : String(part))).join(".");
  const remedies = parts[place] ?? {};
  return Object.hasOwn(remedies, key) ? remedies[key] : undefined;
}
