// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
import { agentFields, atMostOne, type HostEnvironment, settingFields } from "@bridle/protocol";
import { endpoint, optionalText } from "./agent-endpoint.ts";
import { defineModelApi, elsewhere, servesClaude } from "./common.ts";

const backend = "bedrock";
const { text } = settingFields;

const region = "The AWS region of the models, such as ${AWS_REGION}.";
const accessKeyId = "The id of an AWS access key, such as ${AWS_ACCESS_KEY_ID}.";
const secretAccessKey = "The secret of the access key, such as ${AWS_SECRET_ACCESS_KEY}.";

export const bedrockHost = defineModelApi({
  id: backend,
  title: "Amazon Bedrock",
  settings: {
    shape: {
      region: text(region),
      accessKeyId: text(accessKeyId),
      secretAccessKey: text(secretAccessKey),
      sessionToken: text("The session token of temporary credentials, such as ${AWS_SESSION_TOKEN}."),
      apiKey: text("A Bedrock API key, instead of an access key, such as ${AWS_BEARER_TOKEN_BEDROCK}."),
      baseUrl: elsewhere,
    },
    check: atMostOne([["accessKeyId", "secretAccessKey", "sessionToken"], ["apiKey"]]),
    secretKeys: ["apiKey", "accessKeyId", "secretAccessKey", "sessionToken"],
  },
  needs: [
    { ways: [{ region: "${AWS_REGION}" }] },
    {
      ways: [
        { accessKeyId: "${AWS_ACCESS_KEY_ID}", secretAccessKey: "${AWS_SECRET_ACCESS_KEY}" },
        { apiKey: "${AWS_BEARER_TOKEN_BEDROCK}" },
      ],
    },
  ],
  models: servesClaude,
  agentModels: [
    {
      provider: "bedrock",
      shape: {
        region: optionalText(region),
        access_key_id: optionalText(accessKeyId),
        secret_access_key: optionalText(secretAccessKey),
        session_token: optionalText("The session token of temporary credentials."),
        api_key: agentFields.key("AWS_BEARER_TOKEN_BEDROCK"),
        endpoint: endpoint(),
      },
      settings: () => ({ backend }),
    },
  ],
  init: [
    {
      name: "bedrock",
      label: "Claude on Amazon Bedrock",
      model: "sonnet",
      variables: [["AWS_REGION"], ["AWS_BEARER_TOKEN_BEDROCK", "AWS_SECRET_ACCESS_KEY"]],
      settings: (environment) => ({ backend, region: "${AWS_REGION}", ...keyIn(environment) }),
      remedy: "set AWS_REGION, and AWS_BEARER_TOKEN_BEDROCK or AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY",
    },
  ],
});

function keyIn({ AWS_BEARER_TOKEN_BEDROCK: token, AWS_SESSION_TOKEN: session }: HostEnvironment) {
  if (token) return { apiKey: "${AWS_BEARER_TOKEN_BEDROCK}" };
  return {
    accessKeyId: "${AWS_ACCESS_KEY_ID}",
    secretAccessKey: "${AWS_SECRET_ACCESS_KEY}",
    ...(session ? { sessionToken: "${AWS_SESSION_TOKEN}" } : {}),
  };
}
