// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
/** Rules for `model`, the models of judges and tools, and `embedding_provider` in HoloDeck files. */
import { isPlainObject } from "@bridle/protocol";
import type { YamlEdits } from "./yaml-edits.ts";

type Path = readonly (string | number)[];

const modelPaths: readonly Path[] = [
  ["model"],
  ["evaluations", "model"],
  ["evaluations", "metrics", "*", "model"],
  ["test_cases", "*", "evaluations", "*", "model"],
  ["test_cases", "*", "turns", "*", "evaluations", "*", "model"],
  ["tools", "*", "context_model"],
];

export function importModels(file: YamlEdits): void {
  for (const path of modelPaths.flatMap((pattern) => file.find(pattern))) importModel(file, path);
  for (const key of ["temperature", "top_p", "max_tokens", "auth_provider"]) {
    const path = ["embedding_provider", key];
    if (file.has(path)) file.remove(path, "an embedding model generates no text, and its key needs no other setting.");
  }
  addEmbeddings(file);
  const embeddings = file.get(["embedding_provider"]);
  if (!isPlainObject(embeddings)) return;
  importAddress(file, ["embedding_provider"], embeddings);
  addKey(file, ["embedding_provider"]);
}

function importModel(file: YamlEdits, path: Path): void {
  const model = file.get(path);
  if (!isPlainObject(model)) return;
  const { provider, runtime, auth_provider: auth } = model;
  importAddress(file, path, model);
  if (provider !== "anthropic") {
    const reason = "it is only for anthropic. HoloDeck ignores it, too.";
    if (auth !== undefined) file.remove([...path, "auth_provider"], reason);
  } else if (runtime === undefined && needsClaudeCode(file, path, auth)) {
    const reason = "HoloDeck runs Anthropic's models through the Claude Agent SDK, and this setting needs it.";
    file.set([...path, "runtime"], "claude-code", reason);
    const variable =
      "HoloDeck's default is the variable ANTHROPIC_API_KEY; Bridle's default is the login of Claude Code.";
    const custom = "custom sends ANTHROPIC_AUTH_TOKEN to the endpoint. Set the token as ANTHROPIC_API_KEY instead.";
    if (auth === undefined || auth === "custom") {
      file.set([...path, "auth_provider"], "api_key", auth === undefined ? variable : custom);
    }
    const key = "Claude Code takes its key from the environment: ANTHROPIC_API_KEY, or the token of auth_provider.";
    if (file.has([...path, "api_key"])) file.remove([...path, "api_key"], key);
  }
  addKey(file, path);
  if (provider === "ollama" && file.has([...path, "api_key"]))
    file.remove([...path, "api_key"], "Ollama needs no key.");
}

function importAddress(
  file: YamlEdits,
  path: Path,
  { provider, endpoint, api_version }: Record<string, unknown>,
): void {
  const isAzure = provider === "azure_openai";
  if (isAzure && endpoint === undefined) {
    const variable = "HoloDeck reads this variable by itself. Bridle uses only addresses that a file names.";
    file.set([...path, "endpoint"], "${AZURE_OPENAI_ENDPOINT}", variable);
  }
  if (api_version === undefined || (isAzure && api_version === "v1")) return;
  const dated = "Bridle uses the version v1 of the API, which has no date.";
  file.remove([...path, "api_version"], isAzure ? dated : "it is only for azure_openai. HoloDeck ignores it, too.");
}

/** The variables that HoloDeck reads if a file contains no key. */
const keyVariables: Readonly<Record<string, string>> = {
  openai: "OPENAI_API_KEY",
  azure_openai: "AZURE_OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
};

function addKey(file: YamlEdits, path: Path): void {
  const model = file.get(path);
  if (!isPlainObject(model) || model.api_key !== undefined || model.runtime !== undefined) return;
  const variable = keyVariables[String(model.provider)];
  const reason = "HoloDeck reads this variable by itself. Bridle uses only credentials that a file names.";
  if (variable !== undefined) file.set([...path, "api_key"], `\${${variable}}`, reason);
}

/** Whether the agent needs Claude Code, because of a credential or the `claude` block. If not, Bridle calls Anthropic's API directly. */
function needsClaudeCode(file: YamlEdits, path: Path, auth: unknown): boolean {
  if (auth !== undefined && auth !== "api_key") return true;
  return path.length === 1 && file.has(["claude"]);
}

const withEmbeddings: readonly unknown[] = ["openai", "azure_openai", "ollama"];

/**
 * Sets the provider of embeddings. HoloDeck uses the model's provider, but Bridle sends documents only to a provider that is explicitly set
 * for embeddings.
 */
function addEmbeddings(file: YamlEdits): void {
  const model = file.get(["model"]);
  if (file.has(["embedding_provider"]) || !isPlainObject(model) || !withEmbeddings.includes(model.provider)) return;
  const searched = file.find(["tools", "*"]).flatMap((path) => searchedByMeaning(file.get(path)));
  const [first] = searched;
  if (first === undefined) return;
  const { provider, endpoint, api_key, api_version } = model;
  const name = searched.find((tool) => typeof tool.embedding_model === "string")?.embedding_model;
  const given = { provider, name: name ?? (provider === "azure_openai" ? "text-embedding-3-small" : undefined) };
  const value = Object.fromEntries(
    Object.entries({ ...given, endpoint, api_key, api_version }).filter(([, each]) => each !== undefined),
  );
  file.set(
    ["embedding_provider"],
    value,
    "HoloDeck takes the vectors of documents from the model's provider. Bridle asks for the provider by name.",
  );
}

function searchedByMeaning(tool: unknown): Record<string, unknown>[] {
  if (!isPlainObject(tool)) return [];
  const isDocuments = tool.type === "vectorstore" || tool.type === "hierarchical_document";
  return isDocuments && tool.search_mode !== "keyword" && tool.search_mode !== "exact" ? [tool] : [];
}
