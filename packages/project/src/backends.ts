import { createClaudeCodeBackend } from "@bridle/claude-code";
import type { Backend } from "@bridle/core";
import { withSettings } from "./configured-backend.ts";
import { createNoBackend } from "./no-backend.ts";
import type { Settings } from "./settings.ts";

/** Makes the backend that the settings name. */
export function createBackend(settings: Settings): Backend {
  return withSettings(chosenBackend(settings), settings);
}

/** A new backend is a name in the schema and a case here. */
function chosenBackend({ backend, auth, baseUrl, environment, configFile }: Settings): Backend {
  switch (backend) {
    case "claude-code":
      return createClaudeCodeBackend({ auth, environment, ...(baseUrl !== undefined && { baseUrl }) });
    case "none":
      return createNoBackend(configFile);
  }
}
