/** What browsers with trusted types have, as far as it is used here. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): WorkerPolicy;
}

interface WorkerPolicy {
  createScriptURL(address: string): unknown;
}

let policy: WorkerPolicy | undefined;

/** The address of a worker is code, so the page's policy asks for one that was checked: it comes from the build. */
export function trustedWorkerAddress(address: string): string {
  const { href, origin } = new URL(address, import.meta.url);
  if (origin !== location.origin) throw new Error("The worker of this page is not of its own server.");
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return href;
  policy ??= trustedTypes.createPolicy("bridle-worker", { createScriptURL: (own) => own });
  return policy.createScriptURL(href) as string; // the declarations of workers know only strings
}
