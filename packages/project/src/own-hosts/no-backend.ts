import { type Backend, type BackendFeatures, ConfigError } from "@bridle/protocol";

/** Claims every feature, so that the error is about the missing host, and never about a missing feature. */
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

/** Creates the backend of a project that needs no model. `configFile` is for the remedy in its errors. */
export function createNoBackend(configFile = "bridle.yaml"): Backend {
  const advice = `Set llm.provider.backend in ${configFile} to claude-code, or pass --backend claude-code.`;
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
