export const storeFileName = "state.db";
