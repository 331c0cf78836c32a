/** The operand of commands about one session. */
export const sessionOperand = { name: "id", description: "a session of the project" };
