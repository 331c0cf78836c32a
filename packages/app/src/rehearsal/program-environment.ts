import { createRedactor, isCredentialName } from "@bridle/core";
import type { Environment } from "@bridle/project";

/** Returns the variables that direct clients of both APIs to the rehearsal. The keys are placeholders. */
export function rehearsalVariables(url: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "rehearsal",
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: "rehearsal",
  };
}

/** Variables that would direct model clients to a host other than the rehearsal. */
const routing =
  /^(CLAUDECODE$|CLAUDE_CODE_(USE|SKIP|API|OAUTH|CUSTOM|EXTRA|ENTRYPOINT|SESSION|SSE|WEBSOCKET)|ANTHROPIC_(AWS|BEDROCK|FOUNDRY|VERTEX|UNIX_SOCKET|CUSTOM_HEADERS|PROFILE|CONFIG_DIR)|OPENAI_(API_BASE|ORG|PROJECT)|AWS_(?!CA_BUNDLE$|REGION$|DEFAULT_REGION$)|AZURE_|CLOUD_ML_REGION$|GOOGLE_APPLICATION_CREDENTIALS$)/i;

/**
 * Returns the environment of a program that runs on a rehearsal, without the user's credentials. `withheld` contains the names of the
 * variables that are left out.
 */
export function programEnvironment(own: Environment, url: string): { environment: Environment; withheld: string[] } {
  const { text } = createRedactor();
  const isKept = ([name, value = ""]: [string, string | undefined]) =>
    !routing.test(name) && !isCredentialName(name) && text(value) === value;
  const entries = Object.entries(own);
  const kept = Object.fromEntries(entries.filter(isKept));
  const direct = [own.NO_PROXY ?? own.no_proxy, "127.0.0.1"].filter(Boolean).join(",");
  return {
    environment: { ...kept, NO_PROXY: direct, no_proxy: direct, ...rehearsalVariables(url) },
    withheld: entries.filter((entry) => !isKept(entry)).map(([name]) => name),
  };
}
