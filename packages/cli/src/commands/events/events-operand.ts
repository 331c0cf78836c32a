/** The operand of commands that read events. */
export const eventsOperand = { name: "id", description: "a run or a session (default: the newest run)" };
