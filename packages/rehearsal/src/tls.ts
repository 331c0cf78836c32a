export { copilotHosts } from "./copilot/account.ts";
export { writeFakeCodexLogin } from "./tls/codex-login.ts";
export { writeFakeCopilotLogin } from "./tls/copilot-login.ts";
export { writeFakeLogin } from "./tls/fake-login.ts";
export { startTlsProxy, type TlsProxy, type TlsProxyOptions } from "./tls/tls-proxy.ts";
