import type { HostEnvironment } from "@bridle/protocol";

/** No server listens at this address, so every request through this proxy fails at once. */
const closedProxy = "http://127.0.0.1:1";
const here = "127.0.0.1,localhost,::1";

/**
 * Returns the environment of a rehearsal: this machine is reached directly, and requests to other machines go to a proxy that does not
 * exist. Without this, the process would send the rehearsed conversation to the environment's proxy, and its own tools, such as `WebFetch`,
 * would reach the network. A `Bash` command can ignore these variables.
 */
export function withoutNetwork(environment: HostEnvironment): HostEnvironment {
  const others = Object.entries(environment).filter(([name]) => !/^(HTTPS?|NO|ALL)_PROXY$/i.test(name));
  const lowerCase = { http_proxy: closedProxy, https_proxy: closedProxy, no_proxy: here };
  return {
    ...Object.fromEntries(others),
    HTTP_PROXY: closedProxy,
    HTTPS_PROXY: closedProxy,
    NO_PROXY: here,
    ...lowerCase,
  };
}
