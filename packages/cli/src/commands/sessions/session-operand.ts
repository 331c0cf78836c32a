/** What a command works on. */
export const sessionOperand = { name: "id", description: "a session on record" };
