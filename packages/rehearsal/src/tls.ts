export { writeFakeCodexLogin } from "./tls/codex-login.ts";
export { writeFakeLogin } from "./tls/fake-login.ts";
export { startTlsProxy, type TlsProxy, type TlsProxyOptions } from "./tls/tls-proxy.ts";
