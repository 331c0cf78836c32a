import { type Findings, findProbed, findProvider, knownVariables, modelForTools } from "@bridle/app/init";

type Login = Findings["logins"][number];
type Ollama = NonNullable<Findings["ollama"]>;

/** Formats a line for each kind of provider: the available credentials, or how to set the provider up. */
export function findingLines(findings: Findings): readonly string[] {
  const { keys } = findings;
  const set = keys.map(
    ({ provider, variables }) => `${findProvider(provider).label}: ${variables.join(" and ")} is set`,
  );
  return [...findings.logins.map(loginLine), ...(set.length > 0 ? set : [noKeys]), ollamaLine(findings.ollama)];
}

const noKeys = `Keys in the environment: none (looked for ${knownVariables.join(", ")})`;

function loginLine({ provider, state, detail }: Login): string {
  const { label, remedy } = findProvider(provider);
  const login = label.replace(/^your /, "");
  if (state === "accepted") return `${login}: works (checked with one short request)`;
  const how = `To set it up: ${remedy}.`;
  return state === "refused" ? `${login}: none. ${how}` : `${login}: not checked (${detail}). ${how}`;
}

function ollamaLine(ollama: Ollama | undefined): string {
  if (ollama === undefined) return `Ollama: not running. To set it up: ${findProbed("server")[0]?.remedy}.`;
  const { address, models } = ollama;
  if (models.length === 0) return `Ollama: at ${address}, without a model. "ollama pull qwen3" downloads one.`;
  if (modelForTools(ollama) === undefined)
    return `Ollama: at ${address}, without a model that calls tools. "ollama pull qwen3" downloads one.`;
  return `Ollama: at ${address}, with ${models.map(({ name }) => name).join(", ")}`;
}
