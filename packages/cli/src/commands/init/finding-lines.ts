import { type Findings, findProbed, findProvider, modelForTools } from "@bridle/app/init";

type Login = Findings["login"];
type Ollama = NonNullable<Findings["ollama"]>;

/** A line for each kind of provider: what was found, or how to set it up. */
export function findingLines(findings: Findings): readonly string[] {
  const { keys } = findings;
  const set = keys.map(
    ({ provider, variables }) => `${findProvider(provider).label}: ${variables.join(" and ")} is set`,
  );
  return [loginLine(findings.login), ...(set.length > 0 ? set : [noKeys]), ollamaLine(findings.ollama)];
}

const noKeys =
  "Keys in the environment: none (looked for ANTHROPIC_API_KEY, OPENAI_API_KEY, AI_GATEWAY_API_KEY, CLAUDE_CODE_OAUTH_TOKEN and the variables of Bedrock and Vertex)";

function loginLine({ state, detail }: Login): string {
  if (state === "accepted") return "Claude Code login: works (checked with one short request)";
  const how = `To set it up: ${findProbed("login")?.remedy}.`;
  return state === "refused" ? `Claude Code login: none. ${how}` : `Claude Code login: not checked (${detail}). ${how}`;
}

function ollamaLine(ollama: Ollama | undefined): string {
  if (ollama === undefined) return `Ollama: not running. To set it up: ${findProbed("server")?.remedy}.`;
  const { address, models } = ollama;
  if (models.length === 0) return `Ollama: at ${address}, without a model. "ollama pull qwen3" downloads one.`;
  if (modelForTools(ollama) === undefined)
    return `Ollama: at ${address}, without a model that calls tools. "ollama pull qwen3" downloads one.`;
  return `Ollama: at ${address}, with ${models.map(({ name }) => name).join(", ")}`;
}
