import { asSentence } from "@bridle/host-shared";
import { BackendCrashError, type BridleError, NetworkError } from "@bridle/protocol";

/**
 * Returns the error of a request that the process refused. Before a turn, the process may have asked its service for the account's rules.
 */
export function refusedRequestError(reason: string): BridleError {
  if (!/timed? ?out|error sending request|connection|dns|network/i.test(reason))
    return new BackendCrashError(`Codex refused a request: ${asSentence(reason)}`);
  return new NetworkError(`Codex could not reach its service: ${asSentence(reason)} Check the network.`);
}
