/** The part of the Trusted Types API that is used here. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): WorkerPolicy;
}

interface WorkerPolicy {
  createScriptURL(address: string): unknown;
}

let policy: WorkerPolicy | undefined;

/**
 * Returns a trusted URL. The page's content security policy requires one for a worker, because a worker is executable code. The URL comes
 * from the build.
 */
export function trustedWorkerAddress(address: string): string {
  const { href, origin } = new URL(address, import.meta.url);
  if (origin !== location.origin) throw new Error("The worker of this page comes from another server.");
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return href;
  policy ??= trustedTypes.createPolicy("bridle-worker", { createScriptURL: (own) => own });
  return policy.createScriptURL(href) as string; // the type declarations of workers accept only strings
}
