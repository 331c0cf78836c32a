// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
import { atMostOne, settingFields } from "@bridle/protocol";
import { z } from "zod";
import { endpoint, optionalText } from "./agent-endpoint.ts";
import { defineModelApi, elsewhere, servesClaude } from "./common.ts";

const backend = "vertex";
const { text } = settingFields;

const credentials = z
  .literal("application-default")
  .describe("The login that gcloud keeps on this machine, or the account of a Google Cloud machine.");

const project = "The Google Cloud project that pays, such as ${GOOGLE_CLOUD_PROJECT}.";
const location = "The region of the models, such as us-east5, or global.";
const accessToken = "A Google Cloud access token, which is valid for about an hour.";
const keyFile = "The key file of a service account.";

export const vertexHost = defineModelApi({
  id: backend,
  title: "Google Vertex AI",
  settings: {
    shape: {
      project: text(project),
      location: text(location),
      accessToken: text(accessToken),
      keyFile: text(keyFile),
      credentials: credentials.optional(),
      baseUrl: elsewhere,
    },
    check: atMostOne([["accessToken"], ["keyFile"], ["credentials"]]),
    secretKeys: ["accessToken"],
    credentialKeys: ["keyFile", "credentials"],
  },
  needs: [
    { ways: [{ project: "${GOOGLE_CLOUD_PROJECT}" }] },
    { ways: [{ location: "us-east5" }] },
    {
      ways: [
        { credentials: "application-default" },
        { keyFile: "${GOOGLE_APPLICATION_CREDENTIALS}" },
        { accessToken: "${GOOGLE_ACCESS_TOKEN}" },
      ],
    },
  ],
  models: servesClaude,
  findConflict(config, { isNamespaced }) {
    if (!isNamespaced || config.credentials !== "application-default") return undefined;
    const message =
      "is application-default, the login of this machine, which a namespace does not use. Write keyFile or accessToken instead.";
    return { key: "credentials", message };
  },
  agentModels: [
    {
      provider: "vertex",
      shape: {
        project: optionalText(project),
        location: optionalText(location),
        access_token: optionalText(accessToken),
        key_file: optionalText(keyFile),
        credentials: credentials.exactOptional(),
        endpoint: endpoint(),
      },
      settings: () => ({ backend }),
    },
  ],
  init: [
    {
      name: "vertex",
      label: "Claude on Google Vertex AI",
      model: "sonnet",
      variables: [["GOOGLE_CLOUD_PROJECT"], ["GOOGLE_APPLICATION_CREDENTIALS"]],
      settings: ({ GOOGLE_CLOUD_LOCATION: region }) => ({
        backend,
        project: "${GOOGLE_CLOUD_PROJECT}",
        location: region ? "${GOOGLE_CLOUD_LOCATION}" : "global",
        keyFile: "${GOOGLE_APPLICATION_CREDENTIALS}",
      }),
      remedy: "set GOOGLE_CLOUD_PROJECT, and GOOGLE_APPLICATION_CREDENTIALS with the key file of a service account",
    },
  ],
});
