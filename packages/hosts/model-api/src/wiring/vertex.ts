import { access, constants } from "node:fs/promises";
import type { ConfigError } from "@bridle/protocol";
import { modelNotFoundError } from "../errors/request-error.ts";
import { claudeAliases, vertexModels } from "../models/known-models.ts";
import { baseUrlOf, fieldOf, missing, requireSetting, wrong } from "../settings/check-settings.ts";
import type { VertexOptions } from "../settings/options.ts";
import { type Wiring, wholeCalls } from "./wiring.ts";

/** Claude on Google Cloud. Project, location and token are always given to the module. */
export function vertexWiring(options: VertexOptions): Wiring {
  const { id } = options;
  const project = requireSetting(id, "project", options.project);
  const location = requireSetting(id, "location", options.location);
  if (!/^[a-z0-9-]+$/i.test(location)) throw noRegion(location);
  const { credential, mode, tokens } = credentialOf(options);
  const baseUrl = baseUrlOf(id, options.baseUrl, `https://${hostOf(location)}`);
  const models = `${baseUrl}/v1/projects/${project}/locations/${location}/publishers/anthropic/models`;
  return {
    baseUrl,
    credential: `${project} ${credential}`,
    mode,
    authRemedy: `Check ${fieldOf(mode === "application-default" ? "credentials" : mode)}, and that the project ${project} may use the model.`,
    knownModels: vertexModels,
    prices: {},
    probeModel: "claude-haiku-4-5@20251001",
    leastOutputTokens: 1,
    takesCacheMarks: () => true,
    systemInOne: false,
    marksErrors: true,
    schemaForm: () => "plain",
    degraded: [
      "An object is asked for by a tool: Google allows Claude's own structured output only where its policy says so.",
    ],
    providerOptions: () => wholeCalls,
    resolveModel(name) {
      const model = claudeAliases[name] ?? name;
      if (model.startsWith("claude-")) return model;
      const reason = "This backend serves Claude's models only; for others take gateway or openai-compatible";
      throw modelNotFoundError(reason, {
        backend: id,
        model: name,
        knownModels: vertexModels.map((known) => known.id),
      });
    },
    async load(fetch) {
      if (mode === "keyFile") await requireFile(credential);
      const { createGoogleVertexAnthropic } = await import("@ai-sdk/google-vertex/anthropic");
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
  throw missing(id, "accessToken", `, ${fieldOf("keyFile")}, or ${fieldOf("credentials")} to application-default`);
}

/** Google's library would name neither the file nor the setting. */
async function requireFile(path: string): Promise<void> {
  const isReadable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (isReadable) return;
  throw wrong("keyFile", `The key file ${path} of the backend vertex cannot be read. Mend ${fieldOf("keyFile")}.`);
}

function hostOf(location: string): string {
  if (location === "global") return "aiplatform.googleapis.com";
  if (location === "eu" || location === "us") return `aiplatform.${location}.rep.googleapis.com`;
  return `${location}-aiplatform.googleapis.com`;
}

function noRegion(location: string): ConfigError {
  const message = `"${location}" is no region of Google Cloud. Write one such as europe-west1 in ${fieldOf("location")}.`;
  return wrong("location", message);
}
