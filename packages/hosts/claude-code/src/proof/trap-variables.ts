import { deniedNames, deniedPrefixes } from "../environment/denied-variables.ts";
import type { ClaudeEnvironment } from "../options.ts";

/**
 * Returns variables that redirect requests, swap the model, charge another account or change the requests. Some names are on published
 * lists, some are on no list, and some do not exist yet.
 */
export function trapVariables(decoyUrl: string, word: string): ClaudeEnvironment {
  return {
    ...values(credentials, word),
    ...values(redirecting, decoyUrl),
    ...values(switches, "1"),
    ...values(regions, "eu-trap-1"),
    ANTHROPIC_MODEL: `claude-${word}`,
    ANTHROPIC_SMALL_FAST_MODEL: `claude-${word}`,
    ANTHROPIC_DEFAULT_SONNET_MODEL: `claude-${word}`,
    ANTHROPIC_DEFAULT_OPUS_MODEL: `claude-${word}`,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: `claude-${word}`,
    ANTHROPIC_CUSTOM_HEADERS: `x-trap: ${word}`,
    ANTHROPIC_BETAS: word,
    CLAUDE_CODE_EXTRA_BODY: JSON.stringify({ trap: word }),
    CLAUDE_CODE_ENTRYPOINT: word,
    CLAUDE_CODE_EFFORT_LEVEL: "low",
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: "77",
    CLAUDE_CODE_A_NAME_THAT_NOBODY_HAS_INVENTED_YET: word,
    MY_OWN_SECRET: word,
  };
}

const redirecting = [
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_BEDROCK_BASE_URL",
  "ANTHROPIC_VERTEX_BASE_URL",
  "ANTHROPIC_FOUNDRY_BASE_URL",
  "ANTHROPIC_AWS_BASE_URL",
  "CLAUDE_CODE_API_BASE_URL",
  "CLAUDE_CODE_CUSTOM_OAUTH_URL",
];

/** Every name on the deny-list, and credentials with each of its prefixes. */
const credentials = [
  ...deniedNames,
  ...deniedPrefixes.map((prefix) => `${prefix}A_NAME_OF_THE_FAMILY`),
  "ANTHROPIC_AWS_API_KEY",
  "ANTHROPIC_BEDROCK_API_KEY",
  "ANTHROPIC_FOUNDRY_API_KEY",
  "ANTHROPIC_FOUNDRY_RESOURCE",
  "ANTHROPIC_VERTEX_PROJECT_ID",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_PROFILE",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AZURE_CLIENT_ID",
  "AZURE_CLIENT_SECRET",
  "AZURE_TENANT_ID",
];

const switches = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY", "CLAUDECODE"];
const regions = ["AWS_REGION", "AWS_DEFAULT_REGION", "CLOUD_ML_REGION"];

function values(names: readonly string[], value: string): ClaudeEnvironment {
  return Object.fromEntries(names.map((name) => [name, value]));
}
