export { openStore, type Store, type StoreOptions } from "./open-store.ts";
export { adoptStore, isOwnStore, type StoreOwnership } from "./owner/own-store.ts";
