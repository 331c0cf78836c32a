/** The account of the fake ChatGPT login. */
export const fakeAccount = "account-of-rehearsal";

/** No account is bound to a region, so its requests go where every account's do. */
const unbound = "NO_CONSTRAINT";

const endpoints: Readonly<Record<string, unknown>> = {
  // Codex asks this before its first request, to learn where the requests of the account go.
  "GET /backend-api/wham/accounts/check": {
    accounts: [
      {
        id: fakeAccount,
        plan_type: "plus",
        structure: "personal",
        workspace_backend_origin: unbound,
        account_routing_override: unbound,
      },
    ],
    account_ordering: [fakeAccount],
    default_account_id: fakeAccount,
  },
  "GET /backend-api/wham/settings/user": {},
};

/** ChatGPT's answers on its other endpoints, as far as Codex needs them. `undefined` for an unknown endpoint. */
export function answerChatGptEndpoint({ method, path }: { method: string; path: string }): unknown {
  const name = `${method} ${path.split("?")[0]}`;
  return Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
}
