import type { ServedAgent } from "@bridle/app/serving";
import { a2aVersion } from "./a2a-objects.ts";

const inputModes = [
  "text/plain",
  "application/json",
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/pdf",
];
const outputModes = ["text/plain", "application/json"];

/** Creates the card of an agent, without the agent's instructions, tools and model. */
export function toAgentCard(
  { id, name, description = `The agent ${name}.` }: ServedAgent,
  url: string,
  version: string,
) {
  return {
    name,
    description,
    version,
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: a2aVersion }],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    securitySchemes: {
      bearer: { httpAuthSecurityScheme: { scheme: "Bearer", description: "A token of the server." } },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: inputModes,
    defaultOutputModes: outputModes,
    skills: [{ id, name, description, tags: ["agent"] }],
  };
}

/** Whether a client that accepts only these media types can read an answer. */
export function canAnswerIn(accepted: readonly string[]): boolean {
  if (accepted.length === 0) return true;
  return accepted.some((type) => outputModes.includes(type) || type === "*/*" || type === "text/*");
}
