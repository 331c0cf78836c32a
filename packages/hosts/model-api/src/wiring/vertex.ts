import { access, constants } from "node:fs/promises";
import type { ConfigError } from "@bridle/protocol";
import { modelNotFoundError } from "../errors/request-error.ts";
import { importProvider } from "../import-provider.ts";
import {
  missingSettingError,
  readBaseUrl,
  requireSetting,
  settingError,
  settingPath,
} from "../settings/check-settings.ts";
import type { VertexOptions } from "../settings/options.ts";
import { claudeAliases, vertexModels } from "./known-models.ts";
import { type Wiring, wholeCalls } from "./wiring.ts";

/** Creates the wiring for Claude on Google Cloud. Project, location and token are always passed to the module. */
export function vertexWiring(options: VertexOptions): Wiring {
  const { id } = options;
  const project = requireSetting(id, "project", options.project);
  const location = requireSetting(id, "location", options.location);
  if (!/^[a-z0-9-]+$/i.test(location)) throw regionError(location);
  const { credential, mode, tokens } = credentialOf(options);
  const baseUrl = readBaseUrl({ backend: id, given: options.baseUrl, standard: `https://${hostOf(location)}` });
  const models = `${baseUrl}/v1/projects/${project}/locations/${location}/publishers/anthropic/models`;
  return {
    telemetryProvider: "gcp.vertex_ai",
    baseUrl,
    credential: `${project} ${credential}`,
    mode,
    authRemedy: `Check ${settingPath(mode === "application-default" ? "credentials" : mode)}, and that the project ${project} may use the model.`,
    knownModels: vertexModels,
    prices: {},
    probeModel: "claude-haiku-4-5@20251001",
    minOutputTokens: 1,
    takesCacheMarks: () => true,
    systemInOne: false,
    marksErrors: true,
    resultImages: "in-result",
    schemaForm: () => "plain",
    degraded: [
      "Objects are requested with a tool: Google allows Claude's own structured output only if its policy permits it.",
    ],
    providerOptions: () => wholeCalls,
    resolveModel(name) {
      const model = claudeAliases[name] ?? name;
      if (model.startsWith("claude-")) return model;
      const reason = "This backend serves only Claude's models; for others, use gateway or openai-compatible";
      throw modelNotFoundError(reason, {
        backend: id,
        model: name,
        knownModels: vertexModels.map((known) => known.id),
      });
    },
    async load(fetch) {
      if (mode === "keyFile") await requireFile(credential);
      const { createGoogleVertexAnthropic } = await importProvider(
        id,
        "@ai-sdk/google-vertex",
        () => import("@ai-sdk/google-vertex/anthropic"),
      );
      const headers = { ...options.headers };
      return createGoogleVertexAnthropic({ project, location, baseURL: models, headers, fetch, ...tokens });
    },
  };
}

interface Credential {
  credential: string;
  mode: "accessToken" | "keyFile" | "application-default";
  tokens: { generateAuthToken: () => Promise<string> } | { googleAuthOptions: { keyFilename?: string } };
}

function credentialOf({ id, accessToken, keyFile, credentials }: VertexOptions): Credential {
  if (accessToken) {
    const token = accessToken.trim();
    return { credential: token, mode: "accessToken", tokens: { generateAuthToken: async () => token } };
  }
  if (keyFile) return { credential: keyFile, mode: "keyFile", tokens: { googleAuthOptions: { keyFilename: keyFile } } };
  if (credentials === "application-default") {
    return { credential: credentials, mode: credentials, tokens: { googleAuthOptions: {} } };
  }
  throw missingSettingError(
    id,
    "accessToken",
    `, ${settingPath("keyFile")}, or ${settingPath("credentials")} to application-default`,
  );
}

/** Throws if a file is missing. The error names the file and the setting, which the error of Google's library does not. */
async function requireFile(path: string): Promise<void> {
  const isReadable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (isReadable) return;
  throw settingError(
    "keyFile",
    `The key file ${path} of the backend vertex cannot be read. Correct ${settingPath("keyFile")}.`,
  );
}

function hostOf(location: string): string {
  if (location === "global") return "aiplatform.googleapis.com";
  if (location === "eu" || location === "us") return `aiplatform.${location}.rep.googleapis.com`;
  return `${location}-aiplatform.googleapis.com`;
}

function regionError(location: string): ConfigError {
  const message = `"${location}" is not a valid Google Cloud region. Set ${settingPath("location")} to a region such as europe-west1.`;
  return settingError("location", message);
}
