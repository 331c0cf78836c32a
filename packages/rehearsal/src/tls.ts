export { writeMadeUpLogin } from "./tls/made-up-login.ts";
export { startTlsWayIn, type TlsWayIn, type TlsWayInOptions } from "./tls/way-in.ts";
