import { type Backend, type BackendFeatures, ConfigError } from "@bridle/protocol";

/** Claims everything, so that the one complaint is that there is no host, and not what the host lacks. */
const features: BackendFeatures = {
  structuredOutput: true,
  history: true,
  parts: ["text", "image", "file"],
  maxOutputTokens: true,
  sampling: true,
  costBudget: true,
  builtins: {},
  promptCaching: [],
  maxResultChars: Number.POSITIVE_INFINITY,
  degraded: [],
};

/** The backend of a project that says it needs no model. `where` is its file, for the remedy. */
export function createNoBackend(where = "bridle.yaml"): Backend {
  const advice = `Set llm.provider.backend in ${where} to claude-code, or pass --backend claude-code.`;
  return {
    id: "none",
    account: "none",
    features,
    async open() {
      throw new ConfigError(`This needs a model, and the project has none (backend: none). ${advice}`, {
        field: "llm.provider.backend",
      });
    },
    checkAuth: async () => ({
      ok: false,
      mode: "none",
      detail: `The project has no backend (backend: none). ${advice}`,
    }),
    close: async () => {},
  };
}
