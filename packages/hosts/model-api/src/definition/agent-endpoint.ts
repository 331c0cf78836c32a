import { agentFields } from "@bridle/protocol";

/** Creates the field for a host's address, for `model` in an agent file. */
export const endpoint = (
  description = "The address for requests, such as that of a gateway, instead of the provider's own address.",
) => agentFields.address(description).exactOptional();

/** Returns the address with a path that users leave out, such as Ollama's `/v1`. */
export function withPath(address: string, path: string): string {
  return new URL(address).pathname === "/" ? new URL(path, address).href : address;
}

/** Creates a field of `model` that may be missing. */
export const optionalText = (description: string) => agentFields.text(description).exactOptional();
